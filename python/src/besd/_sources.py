"""Earlier studies that a study learns from: besd/besd.h for Python."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ._arguments import text
from ._besd import ffi, lib
from ._errors import InvalidError
from ._records import Source

if TYPE_CHECKING:
    from ._study import Study


def _known(value: float) -> float | None:
    return None if value != value else float(value)


def source_of(given: dict[str, Any]) -> Source:
    """From JSON, as the network has it."""
    return Source(**{name: given[name] for name in Source.__dataclass_fields__})


def names_of(handle: Any) -> list[str]:
    return [
        ffi.string(lib.besd_study_source_name(handle, i)).decode() for i in range(lib.besd_study_source_count(handle))
    ]


def list_sources(study: "Study") -> tuple[Source, ...]:
    """The study's lock must be held."""
    listed = []
    for i in range(lib.besd_study_source_count(study._alive())):
        s = ffi.new("besd_source *")
        study._call(lib.besd_study_source, i, s)
        name, matched = ffi.string(s.name).decode(), ffi.string(s.matched).decode()
        listed.append(Source(name, matched, s.trials, s.rows, *map(_known, (s.likeness, s.related, s.share))))
    return tuple(listed)


def _add(study: "Study", source: Any, number: int) -> None:
    from ._study import Study

    given = isinstance(source, Study)
    if not given and not isinstance(source, (str, os.PathLike)):
        raise TypeError(f"sources: expected paths and studies, got {source!r}")
    path = source.path if given else os.fspath(source)
    name = os.path.splitext(os.path.basename(path))[0] if path is not None else f"study {number}"
    if name in names_of(study._alive()):
        return
    other = source if given else Study(path)
    try:
        with other._lock:
            study._call(lib.besd_study_add_source, other._alive(), text("sources", name))
    finally:
        if not given:
            other.close()


def add_sources(study: "Study", sources: "Sequence[str | os.PathLike[str] | Study]") -> None:
    """Those that the study has already are passed over, so that it can be created again."""
    if isinstance(sources, (str, bytes, os.PathLike)):
        raise TypeError(f"sources: expected a list of paths and studies, got {sources!r}")
    paths = [source if isinstance(source, (str, os.PathLike)) else getattr(source, "path", None) for source in sources]
    stems = [os.path.splitext(os.path.basename(os.fspath(path)))[0] for path in paths if path is not None]
    for stem in stems:
        if stems.count(stem) > 1:
            raise InvalidError(f"sources: expected files of different names, got {stem} twice")
    with study._lock:
        for number, source in enumerate(sources, 1):
            _add(study, source, number)
