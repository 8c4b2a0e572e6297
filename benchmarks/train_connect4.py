"""Trains a small policy on Connect Four against ``random`` with sb3-contrib's PPO, then plays a match with it.

    python benchmarks/train_connect4.py [--seconds 60] [--games 200]

Needs ``pip install oponente[baselines]`` (PyTorch is large). The policy learns in batched environments, of which all
games take a step in one compiled call, and with the masks of legal actions.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

from oponente.arena import wilson_interval
from oponente.interop.environments.gymnasium import BatchEnv


class Games(VecEnv):
    """Batched games as Stable-Baselines3 wants environments."""

    def __init__(self, games: BatchEnv) -> None:
        self.games, self.render_mode = games, None
        super().__init__(games.num_envs, games.single_observation_space, games.single_action_space)

    def reset(self) -> Any:
        """Begin all games anew."""
        seen, self.info = self.games.reset(seed=1)
        return seen

    def step_async(self, actions: Any) -> None:
        """Note the actions."""
        self.chosen = actions

    def step_wait(self) -> Any:
        """Take them."""
        seen, rewards, terminated, truncated, self.info = self.games.step(self.chosen)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended):
            infos[i] = {"terminal_observation": self.info["final_obs"][i], "TimeLimit.truncated": bool(truncated[i])}
        return seen, rewards.astype(np.float32), ended, infos

    def env_method(self, name: str, *arguments: Any, indices: Any = None, **values: Any) -> list[Any]:
        """Return the masks, which is all that is ever asked for."""
        if name != "action_masks":
            raise AttributeError(name)
        return list(self.info["action_mask"])

    def has_attr(self, name: str) -> bool:
        """Tell whether :meth:`env_method` knows a method."""
        return name == "action_masks"

    def get_attr(self, name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of each game."""
        return [getattr(self, name)] * self.num_envs

    def set_attr(self, name: str, value: Any, indices: Any = None) -> None:
        """Games have no attributes of their own."""
        raise AttributeError(name)

    def env_is_wrapped(self, wrapper: Any, indices: Any = None) -> list[bool]:
        """No game is."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Nothing is to be given back."""


class Clock(BaseCallback):
    """Ends the training when its time is over."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.seconds = seconds

    def _on_training_start(self) -> None:
        self.end = time.monotonic() + self.seconds

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def train(seconds: float, seed: int = 1) -> Any:
    """Return a policy that has learnt for so long."""
    model = MaskablePPO(
        "MlpPolicy", Games(BatchEnv("connect4", 64)), n_steps=64, batch_size=1024, n_epochs=4, learning_rate=1e-3,
        gamma=0.99, ent_coef=0.01, policy_kwargs={"net_arch": [128, 128]}, seed=seed, device="cpu",
    )  # fmt: skip
    return model.learn(10**9, callback=Clock(seconds))


def wins(model: Any, games: int, seed: int = 7) -> tuple[int, int]:
    """Return how many of some games against ``random`` the policy wins, and how many it loses; seats rotate."""
    environment: Any = gymnasium.make("oponente/connect4-v0", opponents=["random"]).unwrapped
    results = []
    for index in range(games):
        seen, _ = environment.reset(seed=seed if index == 0 else None)
        reward, over = 0.0, False
        while not over:
            action, _ = model.predict(seen, action_masks=environment.action_masks(), deterministic=True)
            seen, reward, over, _, _ = environment.step(action)
        results.append(reward)
    return results.count(1.0), results.count(-1.0)


def main() -> None:
    """Train, play, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="of training")
    parser.add_argument("--games", type=int, default=200, help="of the match")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    model = train(arguments.seconds)
    won, lost = wins(model, arguments.games)
    low, high = wilson_interval(won, arguments.games)
    if arguments.json:
        print(json.dumps({"steps": model.num_timesteps, "games": arguments.games, "wins": won, "losses": lost}))
    else:
        print(
            f"{model.num_timesteps:,} steps in {arguments.seconds:g} s; of {arguments.games} games against random "
            f"{won} won ({100 * low:.1f} .. {100 * high:.1f} %), {lost} lost"
        )


if __name__ == "__main__":
    main()
