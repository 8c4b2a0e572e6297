"""Signatures of the searches: what they count on fixed positions.

A change that is meant to make a search faster leaves these counts alone. One that is meant to change what a search
looks at changes them: ``python tests/games/connect4/test_signature.py`` prints the new ones, to be looked at before
they are kept.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from oponente import load_game
from oponente.games.connect4.solver import Solver
from oponente.kernel import Game, stream
from oponente.search.deepening import search_to_depth
from oponente.search.mcts import MCTS
from oponente.search.methods import ALPHABETA, MINIMAX, Method

pytestmark = pytest.mark.compiled

POSITIONS = ("", "4435", "4444445566", "36337635")
SOLVED = ("26756632766122", "272377772634125371", "514777111214632245", "1751715577261457513724")

DEPTH_FIRST: dict[str, Any] = {
    "minimax ": [2801, 27.0, "31454"],
    "minimax 4435": [2705, 47.0, "42522"],
    "minimax 4444445566": [701, 512.0, "11113"],
    "minimax 36337635": [2739, 25.0, "63212"],
    "plain ": [78157, -13.0, "44443555"],
    "plain 4435": [29548, -28.0, "44555337"],
    "plain 4444445566": [3398, 512.0, "1111113"],
    "plain 36337635": [54753, -3.0, "62222557"],
    "alphabeta ": [6788, -13.0, "44445333"],
    "alphabeta 4435": [6511, -28.0, "44555337"],
    "alphabeta 4444445566": [637, 512.0, "113"],
    "alphabeta 36337635": [7215, -3.0, "62222557"],
}
"""By search and position: nodes, value for the first player, best move and where it leads."""
MONTE_CARLO: dict[str, Any] = {
    "": [[196, 172, 362, 795, 122, 225, 128], 608],
    "4435": [[324, 322, 465, 315, 369, 78, 127], 575],
    "4444445566": [[41, 46, 896, 79, 42, 896], 46],
    "36337635": [[320, 203, 127, 137, 290, 819, 104], 591],
}
"""By position: visits of each action at the root, and nodes of the tree that have children."""
SOLVER: dict[str, Any] = {
    "26756632766122": [-3, 61599],
    "272377772634125371": [-1, 36344],
    "514777111214632245": [3, 28275],
    "1751715577261457513724": [5, 110],
}
"""By position: score and nodes."""


def depth_first(game: Game, text: str, name: str) -> list[Any]:
    """Return nodes, value and principal variation of a search to a fixed depth."""
    method, depth = {"minimax": (MINIMAX, 5), "plain": (Method(), 8), "alphabeta": (ALPHABETA, 8)}[name]
    analysis = search_to_depth(method, game.evaluators["report"], game.position(text), depth=depth)
    return [analysis.nodes, analysis.values[0], "".join(str(action + 1) for action in analysis.principal_variation)]


def monte_carlo(game: Game, text: str) -> list[Any]:
    """Return visits at the root and expanded nodes of 2,000 simulations."""
    search = MCTS(c=1.0, capacity=20_000)
    analysis = search.search(game.position(text), stream(7, "signature"), 2000)
    return [[move.visits for move in analysis.moves], search.expanded]


def solve(game: Game, solver: Solver, text: str) -> list[int]:
    """Return score and nodes of a solution with empty tables."""
    solver.reset()
    stones = game.position(text).record.stones
    return [solver.solve(int(stones[0]), int(stones[1])), solver.nodes]


@pytest.fixture(scope="module")
def game() -> Game:
    return load_game("connect4")


@pytest.mark.parametrize("name", ["minimax", "plain", "alphabeta"])
@pytest.mark.parametrize("text", POSITIONS)
def test_depth_first(game: Game, text: str, name: str) -> None:
    assert depth_first(game, text, name) == DEPTH_FIRST[f"{name} {text}"]


@pytest.mark.parametrize("text", POSITIONS)
def test_monte_carlo(game: Game, text: str) -> None:
    assert monte_carlo(game, text) == MONTE_CARLO[text]


@pytest.mark.parametrize("text", SOLVED)
def test_solver(game: Game, text: str) -> None:
    assert solve(game, Solver(table_mib=8, book=False), text) == SOLVER[text]


if __name__ == "__main__":
    connect4, solver = load_game("connect4"), Solver(table_mib=8, book=False)
    searches = [(text, name) for name in ("minimax", "plain", "alphabeta") for text in POSITIONS]
    for title, counts in (
        ("DEPTH_FIRST", {f"{name} {text}": depth_first(connect4, text, name) for text, name in searches}),
        ("MONTE_CARLO", {text: monte_carlo(connect4, text) for text in POSITIONS}),
        ("SOLVER", {text: solve(connect4, solver, text) for text in SOLVED}),
    ):
        print(f"{title}: dict[str, Any] = {{")
        for key, value in counts.items():
            print(f"    {json.dumps(key)}: {json.dumps(value)},")
        print("}")
