"""VGDL: how fast the interpreter is, beside the framework's figures for the same games.

All figures are of one thread and its processor time, on level 0. The framework's were measured with OpenJDK 17 on a
machine of two shared cores. Theirs build what a controller may see in each tick; ours gather that when it is asked for,
and here nobody asks.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any

from oponente.games.vgdl.open_loop import new_tree, search
from oponente.kernel import Control, Game, stream

JAVA = {
    "aliens": 126_375,
    "bait": 593_814,
    "butterflies": 67_102,
    "camelRace": 86_571,
    "chase": 84_656,
    "chopper": 36_791,
    "crossfire": 55_853,
    "digdug": 36_843,
    "escape": 103_582,
    "hungrybirds": 167_170,
    "infection": 50_263,
    "intersection": 104_692,
    "lemmings": 109_905,
    "missilecommand": 155_700,
    "modality": 628_474,
    "plaqueattack": 46_425,
    "roguelike": 38_050,
    "seaquest": 144_728,
    "survivezombies": 108_895,
    "waitforbreakfast": 256_097,
}
"""The framework's advances of its forward model a second of processor time with random actions, by game."""
FIGURES = ("ticks", "copies", "simulations")
"""What is measured, one after the other."""
DEPTH, WHOLE_GAME = 10, 1_000_000
EXPLORATION = math.sqrt(2.0)
TICK_SECONDS = 0.04


def measure(
    game: Game,
    seconds: float,
    seed: int = 1,
    control: Control | None = None,
    progress: Callable[[str], None] | None = None,
) -> dict[str, float]:
    """Measure a game.

    Args:
        game: the game.
        seconds: of each figure, at least.
        seed: of the games.
        control: stops the measurement early.
        progress: called with the name of each of the `FIGURES` when it has been measured.

    Returns:
        ``ticks_per_s``: ticks of games from the start to their end with uniformly random actions of the avatars, all
        events recorded; ``copies_per_s``: of the start; ``mcts_per_40ms``: iterations of the framework's sample
        controller (tree and roll-out together 10 ticks deep) from the start.
    """
    control = control or Control()
    states = game.new_states(2)
    states[:1] = game.start(seed).array
    rng = stream(seed, "speed")

    def rate(figure: str, tree: Any, count: int, depth: int) -> float:
        done, spent = 0, 0.0
        while spent < seconds and not control.stopped:
            begin = time.thread_time()
            iterations, ticks = search(game.tables, states, tree, 0, count, depth, EXPLORATION, rng, control.array)
            spent += time.thread_time() - begin
            done += ticks if figure == "ticks" else iterations
        if progress is not None:
            progress(figure)
        return done / max(spent, 1e-9)

    bare, tree = new_tree(1), new_tree(2_000)
    search(game.tables, states, bare, 0, 1, DEPTH, EXPLORATION, rng, control.array)  # compiled before the clock runs
    return {
        "ticks_per_s": rate("ticks", bare, 20, WHOLE_GAME),
        "copies_per_s": rate("copies", bare, 100_000, 0),
        "mcts_per_40ms": rate("simulations", tree, 1_000, DEPTH) * TICK_SECONDS,
    }


def beside_java(measured: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the measurements of games beside the framework's figures.

    Args:
        measured: at least ``ticks_per_s`` of each, by a name in `JAVA`.

    Returns:
        ``games``: what was given of each, and ``ratio_java``; ``geomean_ratio`` and ``min_ratio`` of these.
    """
    games = {name: {**figures, "ratio_java": figures["ticks_per_s"] / JAVA[name]} for name, figures in measured.items()}
    ratios = [max(figures["ratio_java"], 1e-9) for figures in games.values()]
    return {
        "games": games,
        "geomean_ratio": math.exp(sum(map(math.log, ratios)) / len(ratios)),
        "min_ratio": min(ratios),
    }
