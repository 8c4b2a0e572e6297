"""Every verdict can come out every way: measurements made up for the purpose."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from oponente.arena.studies import connect4_verdicts as verdicts
from oponente.arena.studies.connect4_report import ALPHABETA, MCTS2, MCTS5, MINIMAX, Decision, MeasuredGame, Position
from oponente.arena.studies.document import DIFFERS, REPRODUCED, UNDECIDED

Row = dict[str, tuple[int, float, float]]
"""What each search did at a position: action, expanded nodes, milliseconds."""


def row(ply: int = 0, **changes: tuple[int, float, float]) -> Row:
    """A position as the report found it: alpha-beta below minimax, MCTS cheapest and falling."""
    usual: Row = {
        MINIMAX: (3, 1000, 100.0),
        ALPHABETA: (3, 100, 10.0),
        MCTS2: (3, 50, 3.0 - 0.05 * ply),
        MCTS5: (2, 60, 3.1 - 0.05 * ply),
    }
    return usual | {
        {"minimax": MINIMAX, "alphabeta": ALPHABETA, "two": MCTS2, "five": MCTS5}[k]: v for k, v in changes.items()
    }


def game(index: int, rows: list[Row]) -> MeasuredGame:
    """A game from rows; a little noise, so that no interval is a point."""
    noise = 1 + 0.01 * (index % 3)
    positions = tuple(
        Position(
            ply,
            3,
            tuple(
                Decision(search, action, int(nodes), None, 8, ms * noise, ms * noise)
                for search, (action, nodes, ms) in one.items()
            ),
        )
        for ply, one in enumerate(rows)
    )
    return MeasuredGame(index, (MINIMAX, ALPHABETA), (), positions, 0)


def games(make: Callable[[int, int], Row] = lambda number, ply: row(ply), count: int = 5) -> list[MeasuredGame]:
    return [game(number, [make(number, ply) for ply in range(20)]) for number in range(count)]


def match(wins: int, draws: int, losses: int) -> dict[str, Any]:
    return {"searches": [MCTS5, MCTS2], "agents": [{"wins": wins, "draws": draws, "losses": losses}, {}]}


Make = Callable[[int, int], Row]

CASES: list[tuple[Callable[..., Any], str, Make]] = [
    (verdicts.same_moves, REPRODUCED, lambda n, p: row(p)),
    (verdicts.same_moves, DIFFERS, lambda n, p: row(p, alphabeta=(2 if (n, p) == (1, 4) else 3, 100, 10.0))),
    (verdicts.fewer_nodes, REPRODUCED, lambda n, p: row(p)),
    (verdicts.fewer_nodes, DIFFERS, lambda n, p: row(p, alphabeta=(3, 2000 + n, 10.0))),
    (verdicts.fewer_nodes, UNDECIDED, lambda n, p: row(p, alphabeta=(3, 100 if n % 2 else 10000, 10.0))),
    (verdicts.fewer_nodes_throughout, REPRODUCED, lambda n, p: row(p)),
    (
        verdicts.fewer_nodes_throughout,
        DIFFERS,
        lambda n, p: row(p, alphabeta=(3, 1000 if (n, p) == (1, 4) else 1, 1.0)),
    ),
    (verdicts.fewer_nodes_throughout, DIFFERS, lambda n, p: row(p, alphabeta=(3, 1001, 1.0))),
    (verdicts.less_time, REPRODUCED, lambda n, p: row(p)),
    (verdicts.less_time, DIFFERS, lambda n, p: row(p, alphabeta=(3, 100, 200.0 + n))),
    (verdicts.less_time, UNDECIDED, lambda n, p: row(p, alphabeta=(3, 100, 10.0 if n % 2 else 1000.0))),
    (verdicts.less_time_throughout, REPRODUCED, lambda n, p: row(p)),
    (verdicts.less_time_throughout, DIFFERS, lambda n, p: row(p, alphabeta=(3, 100, 101.0 if (n, p) == (2, 2) else 1))),
    (verdicts.mcts_costs_least, REPRODUCED, lambda n, p: row(p)),
    (verdicts.mcts_costs_least, DIFFERS, lambda n, p: row(p, five=(3, 60, 20.0 + n))),
    (verdicts.mcts_costs_least, UNDECIDED, lambda n, p: row(p, alphabeta=(3, 100, 0.5 if n % 2 else 20.0))),
    (verdicts.mcts_time_falls, REPRODUCED, lambda n, p: row(p)),
    (verdicts.mcts_time_falls, DIFFERS, lambda n, p: row(p, two=(3, 50, 3.0 + 0.1 * p))),
    (verdicts.mcts_time_falls, UNDECIDED, lambda n, p: row(p, two=(3, 50, 3.0 + (0.1 if n % 2 else -0.1) * p))),
]


@pytest.mark.parametrize(("judge", "finding", "make"), CASES)
def test_verdicts_follow_the_data(judge: Callable[..., Any], finding: str, make: Make) -> None:
    verdict = judge(games(make))
    assert verdict.finding == finding
    assert verdict.evidence
    assert verdict.criterion


@pytest.mark.parametrize(
    ("wins", "draws", "losses", "finding"),
    [
        (60, 5, 35, REPRODUCED),
        (35, 5, 60, DIFFERS),
        (55, 0, 45, UNDECIDED),
        (0, 10, 0, UNDECIDED),
        (0, 0, 0, UNDECIDED),
    ],
)
def test_the_match_decides_on_the_constant(wins: int, draws: int, losses: int, finding: str) -> None:
    verdict = verdicts.five_beats_two([match(wins, draws, losses)])
    assert verdict.finding == finding
    assert verdict.numbers["wins"] == wins


def test_nothing_measured_decides_nothing() -> None:
    assert {verdict.finding for verdict in verdicts.judge([], [])} == {UNDECIDED}


def test_one_game_has_no_interval_and_decides_only_what_is_counted() -> None:
    found = {verdict.key: verdict for verdict in verdicts.judge(games(count=1), [])}
    assert found["same-moves"].finding == REPRODUCED
    for key in ("fewer-nodes", "less-time", "mcts-costs-least", "mcts-time-falls"):
        assert found[key].finding == UNDECIDED
        assert "inf" not in found[key].evidence


def test_positions_without_a_search_are_left_out() -> None:
    rule = row(0, minimax=(3, 0, 0.1), alphabeta=(2, 0, 0.2))
    verdict = verdicts.same_moves([game(0, [rule, row(1)])])
    assert verdict.numbers == {"equal": 1, "positions": 1}


def test_numbers_name_the_counts() -> None:
    verdict = verdicts.fewer_nodes_throughout(
        games(lambda n, p: row(p, alphabeta=(3, (999, 1000, 1001)[p % 3], 1.0)), 1)
    )
    assert verdict.numbers == {"below": 7, "equal": 7, "above": 6, "positions": 20}


def test_a_tie_is_not_below() -> None:
    """Also where both expand the single node that is the least there is: the claim is of every position."""
    single = row(5, minimax=(3, 1, 0.1), alphabeta=(3, 1, 0.1))
    verdict = verdicts.fewer_nodes_throughout([game(0, [row(), single])])
    assert verdict.finding == DIFFERS
    assert verdict.numbers["equal"] == 1


def test_exploration_term() -> None:
    assert math.isclose(verdicts.exploration(5), 5 * math.sqrt(math.log(4000) / 571.428571), rel_tol=1e-6)
