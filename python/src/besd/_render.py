"""Pictures of the built-in domains, as pixels and as characters: the colours of besd's own figures.

Walls are dark, the start is blue, the goal red; doors brown, keys and treasures yellow until they are taken; cells that
are entered in one direction only violet with an arrow.
Coordinates have their origin at the lower left.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]

_SIDE = 32
_COLOURS = {
    ".": (250, 250, 248),
    "#": (55, 58, 64),
    "S": (198, 219, 239),
    "G": (214, 60, 60),
    "D": (150, 106, 62),
    "K": (240, 200, 60),
    "T": (240, 200, 60),
    **dict.fromkeys("^>V<", (201, 195, 230)),
}
_ARROW, _TURNS = (61, 53, 117), {"^": 0, "<": 1, "V": 2, ">": 3}
_LINE, _AGENT, _GROUND, _SKY = (222, 222, 218), (33, 102, 172), (120, 130, 110), (250, 250, 248)
_LEFT, _RIGHT, _WIDTH, _HEIGHT = -1.2, 0.6, 600, 400


def _disc(picture: Pixels, x: float, y: float, radius: float, colour: tuple[int, int, int]) -> None:
    """Around the pixel (x, y), y counted from the top."""
    rows, columns = np.ogrid[: picture.shape[0], : picture.shape[1]]
    picture[(rows - y) ** 2 + (columns - x) ** 2 <= radius**2] = colour


def _arrow(picture: Pixels, row: int, column: int, turns: int) -> None:
    """A triangle in a cell, row counted from the top; it points upwards and is turned to the left so many times."""
    down, across = np.mgrid[:_SIDE, :_SIDE] - (_SIDE - 1) / 2
    shape = (np.abs(across) <= (down + 0.25 * _SIDE) / 2) & (down <= 0.25 * _SIDE)
    cell = picture[row * _SIDE : (row + 1) * _SIDE, column * _SIDE : (column + 1) * _SIDE]
    cell[np.rot90(shape, turns)] = _ARROW


class GridPicture:
    """One instance of a grid: rows of characters, the lowest first."""

    def __init__(self, rows: list[str]) -> None:
        self.height, self.width = len(rows), len(rows[0])
        self._rows = rows

    def _without(self, taken: str) -> list[str]:
        return ["".join("." if c in taken else c for c in row) for row in reversed(self._rows)]

    def pixels(self, position: list[float], taken: str) -> Pixels:
        """taken: kinds of cells that are used up, keys and treasures."""
        colours = np.array([[_COLOURS[c] for c in row] for row in self._without(taken)], np.uint8)
        picture = colours.repeat(_SIDE, axis=0).repeat(_SIDE, axis=1)
        picture[::_SIDE] = picture[:, ::_SIDE] = _LINE
        for row, cells in enumerate(reversed(self._rows)):
            for column, kind in enumerate(cells):
                if kind in _TURNS:
                    _arrow(picture, row, column, _TURNS[kind])
        _disc(picture, position[0] * _SIDE, (self.height - position[1]) * _SIDE, 0.36 * _SIDE, _AGENT)
        return picture

    def text(self, position: list[float], taken: str) -> str:
        lines = [list(row) for row in self._without(taken)]
        column, row = (min(int(p), most - 1) for p, most in zip(position, (self.width, self.height), strict=True))
        lines[self.height - 1 - row][column] = "@"
        return "\n".join(" ".join(line) for line in lines) + "\n"


class MountainPicture:
    """The valley between two slopes, sin(3 x)."""

    def __init__(self, goal: float) -> None:
        self._goal = goal

    @staticmethod
    def _at(x: float, width: int, height: int) -> tuple[float, float]:
        """Column and row of the ground at x."""
        return (x - _LEFT) / (_RIGHT - _LEFT) * (width - 1), (0.62 - 0.36 * math.sin(3 * x)) * height

    def pixels(self, position: list[float], taken: str) -> Pixels:
        picture = np.full((_HEIGHT, _WIDTH, 3), _SKY, np.uint8)
        x = np.linspace(_LEFT, _RIGHT, _WIDTH)
        ground = (0.62 - 0.36 * np.sin(3 * x)) * _HEIGHT
        picture[np.arange(_HEIGHT)[:, None] >= ground] = _GROUND
        column, row = self._at(self._goal, _WIDTH, _HEIGHT)
        picture[int(row) - 50 : int(row), int(column) - 1 : int(column) + 1] = _COLOURS["#"]
        picture[int(row) - 50 : int(row) - 34, int(column) + 1 : int(column) + 25] = _COLOURS["G"]
        column, row = self._at(position[0], _WIDTH, _HEIGHT)
        _disc(picture, column, row - 10, 10, _AGENT)
        return picture

    def text(self, position: list[float], taken: str) -> str:
        width, height = 61, 16
        lines = [[" "] * width for _ in range(height)]
        for i in range(width):
            _, row = self._at(_LEFT + (_RIGHT - _LEFT) * i / (width - 1), width, height)
            for below in range(int(row), height):
                lines[below][i] = "#"
        for x, mark in ((self._goal, "G"), (position[0], "@")):
            column, row = self._at(x, width, height)
            lines[max(0, int(row) - 1)][round(column)] = mark
        return "\n".join("".join(line).rstrip() for line in lines) + "\n"


class Window:
    """Shows frames on a screen, by pygame."""

    def __init__(self, title: str, frames_per_second: int) -> None:
        try:
            import pygame
        except ImportError:
            from gymnasium.error import DependencyNotInstalled

            raise DependencyNotInstalled("render_mode 'human' needs pygame: pip install besd[render]") from None
        self._pygame: Any = pygame
        self._title, self._rate = title, frames_per_second
        self._screen: Any = None
        self._clock: Any = pygame.time.Clock()

    def show(self, frame: Pixels) -> None:
        pygame = self._pygame
        if self._screen is None:
            pygame.display.init()
            self._screen = pygame.display.set_mode((frame.shape[1], frame.shape[0]))
            pygame.display.set_caption(self._title)
        pygame.surfarray.blit_array(self._screen, frame.transpose(1, 0, 2))
        pygame.event.pump()
        pygame.display.flip()
        self._clock.tick(self._rate)

    def close(self) -> None:
        if self._screen is not None:
            self._pygame.display.quit()
            self._screen = None
