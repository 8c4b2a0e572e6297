"""How fast a game runs on this machine: playouts, UCT simulations, copies of a state; processor time of one thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from oponente.kernel import UNIFORM, Control, Game, copy_state, entry, random_below, stream
from oponente.search.mcts import MCTS
from oponente.search.playout import playouts

UCT_SIMULATIONS = 20_000
FIGURES = ("playouts", "simulations", "copies")
"""What is measured, one after the other."""
REFERENCE_STEPS = 1_000_000
"""Of a loop of arithmetic: a million of them is one unit of the reference."""


@entry
def copy_ring(game: Any, states: Any, count: Any) -> Any:
    """Copy each state of a ring to the next, `count` copies in all."""
    size = len(states)
    for i in range(count):
        copy_state(game, states, (i + 1) % size, i % size)
    return count


@entry
def count_steps(rng: Any, count: Any) -> Any:
    """Do arithmetic that needs the processor alone: draw `count` million random numbers."""
    total = 0
    for _ in range(count * REFERENCE_STEPS):
        total += random_below(rng, 6)
    return total


def benchmark_options(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """Return the options with which a game is measured: those of its ``BENCHMARK`` unless others are given.

    So a figure means the same whatever the game's defaults are.
    """
    return {**getattr(game.rules, "BENCHMARK", {}), **given}


def benchmark(
    game: Game,
    seconds: float = 2.0,
    seed: int = 1,
    control: Control | None = None,
    progress: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Measure a game's speed, each figure over at least `seconds` of processor time after compilation.

    Args:
        game: the game.
        seconds: of each figure.
        seed: of the random games and the searches.
        control: stops the measurement early; its figures then mean little.
        progress: called with the name of each of the `FIGURES` when it has been measured.

    Returns:
        ``playouts_per_s``: complete uniformly random games from a fresh start position, set-up and copy included;
        ``actions_per_s``: actions and chance outcomes applied in them; ``mean_length``: of these a game;
        ``uct_simulations_per_s``: searches of 20,000 simulations from the start with one full uniform playout each,
        tree allocation included; ``copy_ns``; ``state_bytes``; ``players``; and what :func:`beside_reference` adds.
    """
    control = control or Control()
    return beside_reference(
        lambda: _measure(game, seconds, seed, control, progress or (lambda figure: None)), seconds, seed, control
    )


def beside_reference(
    measure: Callable[[], Mapping[str, Any]], seconds: float, seed: int, control: Control
) -> dict[str, Any]:
    """Return what `measure` returns, and how fast the processor was meanwhile.

    Args:
        measure: measures figures.
        seconds: what it measures each of them for; the reference takes a quarter of that besides.
        seed: of the reference.
        control: stops the reference early.

    Returns:
        The figures; ``clock``: always ``cpu``; ``reference_per_s``: millions of steps of a loop of arithmetic, measured
        before and after all else: how fast the processor was, which on a machine that others use, too, changes from
        minute to minute.
    """
    draws = stream(seed, "reference")
    count_steps(draws, 0)  # compiled before the clock runs

    def steps() -> tuple[float, int]:
        return _repeat(lambda count: count_steps(draws, count), seconds / 8, control)

    before, figures, after = steps(), measure(), steps()
    spent, counted = (sum(both) for both in zip(before, after, strict=True))
    return {**figures, "clock": "cpu", "reference_per_s": counted / max(spent, 1e-9)}


def _measure(game: Game, seconds: float, seed: int, control: Control, report: Callable[[str], None]) -> dict[str, Any]:
    played = applied = 0
    states = game.new_states(2)
    rng, totals = stream(seed, "bench"), np.zeros(game.num_players)
    buffer = np.zeros(game.max_actions, np.int32)

    def play(count: int) -> None:
        nonlocal played, applied
        done, actions = playouts(game.tables, UNIFORM, states, rng, buffer, count, control.array, totals)
        played += done
        applied += actions

    play(1)
    played = applied = 0
    playout_seconds, _ = _repeat(play, seconds, control)
    report(FIGURES[0])

    root = game.first_decision()
    MCTS().search(root, stream(seed, "compile"), 1)

    def search(count: int) -> None:
        for i in range(count):
            MCTS().search(root, stream(seed, "uct", i), UCT_SIMULATIONS, control)

    uct_seconds, searches = _repeat(search, seconds, control)
    report(FIGURES[1])

    ring = game.new_states(64)
    copy_ring(game.tables, ring, 1)
    copy_seconds, copies = _repeat(lambda count: copy_ring(game.tables, ring, count), seconds, control)
    report(FIGURES[2])
    return {
        "game": game.name,
        "options": game.changed_options,
        "players": game.num_players,
        "playouts_per_s": played / max(playout_seconds, 1e-9),
        "actions_per_s": applied / max(playout_seconds, 1e-9),
        "mean_length": applied / max(played, 1),
        "uct_simulations_per_s": searches * UCT_SIMULATIONS / max(uct_seconds, 1e-9),
        "copy_ns": copy_seconds / max(copies, 1) * 1e9,
        "state_bytes": game.state_dtype.itemsize,
    }


def _repeat(work: Callable[[int], object], seconds: float, control: Control) -> tuple[float, int]:
    """Run ``work(count)``, with counts that grow, for `seconds`; return processor seconds and the sum of counts."""
    spent, total, count = 0.0, 0, 1
    while spent < seconds and not control.stopped:
        begin = time.thread_time()
        work(count)
        took = time.thread_time() - begin
        spent += took
        total += count
        if took < seconds / 8:
            count *= 2
    return spent, total
