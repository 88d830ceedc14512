"""A training loop in one file, as CleanRL writes them, that besd searches subgoals for: nothing but PyTorch.

    pip install besd[gymnasium] torch && python cleanrl_loop.py --trainings 8

Eight environments step side by side, an actor and a critic learn from every 32 steps of them. `return envs` at the end of
`train` is all that besd needs: the wrapper has recorded what happened.
"""

import argparse
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import nn

import besd

ENVS, STEPS, GAMMA = 8, 32, 0.99
torch.set_num_threads(1)


def where(envs: Any, states: Any) -> Any:
    return np.stack([states % 8 + 0.5, states // 8 + 0.5], axis=1)  # of FrozenLake's 8 x 8 cells


def train(trial: besd.Trial) -> Any:
    seed = trial.replication_seeds[0]
    torch.manual_seed(seed)
    made = gymnasium.make_vec("FrozenLake8x8-v1", ENVS, vectorization_mode="sync", is_slippery=False, max_episode_steps=100)
    envs = besd.SubgoalVectorWrapper(made, trial.theta, where, count=1, height=1, gamma=GAMMA, flatten=True)
    actor, critic = nn.Linear(66, 4, bias=False), nn.Linear(66, 1, bias=False)
    optimiser = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.05)
    states = torch.tensor(envs.reset(seed=trial.environment_seeds[0])[0])
    fresh = torch.ones(ENVS)  # 0 where an episode has just ended, whose next step begins a new one
    for _ in range(trial.tau // (ENVS * STEPS)):
        losses: list[Any] = []
        for _ in range(STEPS):
            policy = torch.distributions.Categorical(logits=actor(states))
            actions = policy.sample()
            seen, rewards, terminated, truncated, _ = envs.step(actions.numpy())
            after = torch.tensor(seen)
            with torch.no_grad():
                ahead = GAMMA * critic(after)[:, 0] * torch.tensor(~terminated)
            surprise = torch.tensor(rewards, dtype=torch.float32) + ahead - critic(states)[:, 0]
            loss = surprise**2 - surprise.detach() * policy.log_prob(actions) - 0.01 * policy.entropy()
            losses.append((loss * fresh).mean())
            states, fresh = after, torch.tensor(~(terminated | truncated)).float()
        optimiser.zero_grad()
        torch.stack(losses).mean().backward()
        optimiser.step()
    return envs


def main(trainings: int = 8, tau: int = 20_000, path: str | None = "cleanrl_loop.besd") -> besd.Recommendation:
    with besd.Study.create(
        path, [0, 0], [8, 8], [tau], [1], names=["x", "y"], trainings=trainings, seed=1, initial_designs=max(1, trainings // 4),
        instances="fresh", best_possible=1,
    ) as study:
        best = study.optimize(train, progress=True)
        for trial in study.trials():
            print(f"training {trial.id}: subgoal ({trial.theta[0]:.1f}, {trial.theta[1]:.1f}), score {trial.mean:.2f}")
    print(f"subgoal at ({best.theta[0]:.2f}, {best.theta[1]:.2f}), {best.value:.2f} to expect")
    return best


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trainings", type=int, default=8)
    parser.add_argument("--tau", type=int, default=20_000, help="interactions of a training")
    main(**vars(parser.parse_args()))
