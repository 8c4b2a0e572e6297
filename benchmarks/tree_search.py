"""Tree search: how well it plays beside OpenSpiel's, and how it scales on two threads.

    python benchmarks/tree_search.py strength [--positions N] [--seeds N] [--simulations N ...] [--set key=value ...]
    python benchmarks/tree_search.py threads [--rounds 5]

*strength*: on solved positions of Connect Four, the share of moves that keep the value of the position, and of those
that are best by score, of our search with MCTS-Solver and of OpenSpiel's MCTS bot (C++, solve on), from the same
seeds. The intervals are of the difference ours - theirs, by position (95 %). Target: no share of ours lies below theirs
by more than the interval.

*threads*: tree parallel on two threads, and a loop of pure arithmetic on the same two, each as a multiple of one
thread, best of all rounds. Target: a ratio of 0.85 on Connect Four and on Catan.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from openspiel import arithmetic, scaling
from oponente import load_game
from oponente.kernel import stream
from oponente.search.mcts import MCTS

POSITIONS = Path(__file__).resolve().parents[1] / "tests/data/connect4-positions.json"


# --- strength ------------------------------------------------------------------------------------------------------


def our_move(search: MCTS, position: dict[str, Any], simulations: int, seed: int) -> int:
    """Return the column that ours plays."""
    state = load_game("connect4").position(position["moves"])
    return search.search(state, stream(seed, position["moves"]), simulations).action


def their_move(position: dict[str, Any], simulations: int, seed: int, c: float) -> int:
    """Return the column that OpenSpiel's bot plays."""
    import pyspiel

    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for column in position["moves"]:
        state.apply_action(int(column) - 1)
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    return int(pyspiel.MCTSBot(game, evaluator, c, simulations, 1000, True, seed, False).step(state))


def judged(position: dict[str, Any], column: int) -> tuple[bool, bool]:
    """Tell whether a move keeps the value of a position, and whether it is best by score."""
    scores = position["move_scores"]
    best, score = max(s for s in scores if s is not None), scores[column]
    return (score > 0) - (score < 0) == (best > 0) - (best < 0), score == best


def strength(arguments: argparse.Namespace) -> None:
    """Print the shares."""
    data = json.loads(POSITIONS.read_text())
    positions = data["positions"][: arguments.positions]
    settings = dict(pair.split("=", 1) for pair in arguments.set)
    known: dict[str, Any] = {key: float(v) if v.replace(".", "").isdigit() else v for key, v in settings.items()}
    search = MCTS(solver="on", **known)
    for simulations in arguments.simulations:
        ours: list[list[tuple[bool, bool]]] = []
        theirs: list[list[tuple[bool, bool]]] = []
        for position in positions:
            seeds = range(arguments.seeds)
            ours.append([judged(position, our_move(search, position, simulations, seed)) for seed in seeds])
            theirs.append([judged(position, their_move(position, simulations, seed, arguments.c)) for seed in seeds])
        for what, index in (("keeps the value", 0), ("best by score", 1)):
            mine, other = (
                [statistics.fmean(play[index] for play in plays) for plays in side] for side in (ours, theirs)
            )
            differences = [a - b for a, b in zip(mine, other, strict=True)]
            reach = 1.96 * statistics.stdev(differences) / math.sqrt(len(differences))
            gap = statistics.fmean(differences)
            print(
                f"{simulations:6} {what:16} ours {statistics.fmean(mine):6.1%}  OpenSpiel"
                f" {statistics.fmean(other):6.1%}"
                f"  difference {gap:+.1%} +- {reach:.1%}  {'below' if gap < -reach else 'ok'}",
                flush=True,
            )


# --- threads -------------------------------------------------------------------------------------------------------


def thread_scaling(name: str, simulations: int, rounds: int) -> None:
    """Print how tree parallel scales."""
    import time

    game = load_game(name)
    root = game.first_decision(1)

    def seconds(threads: int) -> float:
        search = MCTS(threads=threads, parallel="tree")
        search.search(root, stream(1), 10)
        begin = time.perf_counter()
        search.search(root, stream(1), simulations)
        return time.perf_counter() - begin

    seconds(1), seconds(2)
    arithmetic(1)
    pairs: Sequence[tuple[float, float]] = [
        (seconds(1) / seconds(2), scaling(lambda: arithmetic(300_000_000))) for _ in range(rounds)
    ]
    best, pure = max(p[0] for p in pairs), max(p[1] for p in pairs)
    print(
        f"{name:9} two threads {best:.2f} times one, arithmetic {pure:.2f} times, ratio {best / pure:.2f}", flush=True
    )


def main() -> None:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("strength", "threads"))
    parser.add_argument("--positions", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--simulations", type=int, nargs="+", default=[100, 1000, 10_000])
    parser.add_argument("--c", type=float, default=1.4, help="exploration of OpenSpiel's")
    parser.add_argument("--set", nargs="*", default=[], help="parameters of ours, key=value")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    if arguments.what == "strength":
        strength(arguments)
    else:
        thread_scaling("connect4", 1_000_000, arguments.rounds)
        thread_scaling("catan", 10_000, arguments.rounds)


if __name__ == "__main__":
    main()
