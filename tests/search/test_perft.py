"""Signatures of the rules: counts of all courses of play from fixed positions."""

from __future__ import annotations

import pytest

import oponente.games.connect4.rules as connect4
import oponente.games.connect4.text as connect4_text
import oponente.games.tictactoe.rules as tictactoe
import oponente.games.tictactoe.text as tictactoe_text
from oponente.kernel import COMPILED, Control, Game, State
from oponente.search.perft import perft
from toy_games import toy


def slow_perft(state: State, depth: int) -> list[list[int]]:
    """Count by recursion in Python."""
    totals = [[0, 0] for _ in range(depth + 1)]

    def visit(node: State, ply: int) -> None:
        totals[ply][0] += 1
        totals[ply][1] += node.is_terminal
        if ply < depth:
            for action in list(node.legal_actions) or [outcome for outcome, _ in node.chance_outcomes]:
                child = node.copy()
                child.apply(action)
                visit(child, ply + 1)

    visit(state, 0)
    return totals


def test_tic_tac_toe_whole_tree() -> None:
    totals = perft(Game(tictactoe, text=tictactoe_text).start(), 9 if COMPILED else 5)
    # H. J. van den Herik and others; every count is easily found in the literature.
    known = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert totals[:, 0].tolist() == known[: len(totals)]
    if COMPILED:
        assert totals[:, 0].sum() == 549946
        assert totals[:, 1].tolist() == [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127872]
        assert totals[:, 1].sum() == 255168


def test_connect_four_from_the_start() -> None:
    totals = perft(Game(connect4, text=connect4_text).start(), 9 if COMPILED else 4)
    known = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
    assert totals[:, 0].tolist() == known[: len(totals)]


@pytest.mark.parametrize(
    ("position", "depth", "leaves", "ends", "options"),
    [
        ("444444", 7, 262602, 20444, {}),
        ("121212", 6, 63152, 5632, {}),
        ("35333571", 5, 16164, 37, {}),
    ],
)
def test_connect_four_positions(position: str, depth: int, leaves: int, ends: int, options: dict[str, str]) -> None:
    state = Game(connect4, options, text=connect4_text).position(position)
    if COMPILED:
        assert perft(state, depth)[depth].tolist() == [leaves, ends]
    assert perft(state, 3).tolist() == slow_perft(state, 3)


@pytest.mark.parametrize(("name", "depth"), [("pig", 5), ("poker", 5)])
def test_chance_outcomes_count(name: str, depth: int) -> None:
    state = toy(name).start()
    assert perft(state, depth).tolist() == slow_perft(state, depth)


def test_stops_when_told() -> None:
    control = Control()
    control.stop()
    with pytest.raises(TimeoutError, match="stopped after 1 positions"):
        perft(Game(connect4, text=connect4_text).start(), 20, control)
