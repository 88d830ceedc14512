"""Our mountain car and Gymnasium's MountainCar-v0, transition by transition."""

import gymnasium
import numpy as np

import besd  # noqa: F401

TRANSITIONS = 100_000


def test_same_transitions_as_gymnasium() -> None:
    ours = gymnasium.make("besd/MC-v0", start_low=-1.2, start_high=0.49, cap=200).unwrapped
    theirs = gymnasium.make("MountainCar-v0").unwrapped
    rng = np.random.default_rng(1)
    theirs.reset(seed=1)
    compared, worst, goals, walls = 0, 0.0, 0, 0
    while compared < TRANSITIONS:
        (x, v), _ = ours.reset(seed=compared)
        # A push with the motion half of the time, so that both walls and the goal are visited.
        swing = rng.random()
        terminated = truncated = False
        while not (terminated or truncated):
            action = int(2 * (v > 0)) if rng.random() < swing else int(rng.integers(3))
            theirs.state = (x, v)
            (x, v), reward, terminated, truncated, info = ours.step(action)
            _, _, their_end, _, _ = theirs.step(action)
            worst = max(worst, abs(x - theirs.state[0]), abs(v - theirs.state[1]))
            assert terminated == their_end
            assert reward == (1.0 if terminated else 0.0) and info["position"][0] == x
            goals += terminated
            walls += x == -1.2
            compared += 1
    assert worst <= 1e-6, f"the worst of {compared} transitions differs by {worst}"
    assert goals > 100 and walls > 100
