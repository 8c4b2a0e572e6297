"""Catan: counts of all courses of play from fixed positions, the signature of the rules.

A change of the rules that was not meant changes a count. ``python tests/games/catan/test_signature.py`` prints the
present ones, to be looked at before they are kept. The board is the beginner's. Players trade
in one of the positions only.

One whole game, offers included, is kept as a text, which ``--update`` writes anew.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from oponente import load_game
from oponente.games.catan.moves import BUILD_ROAD, BUILD_SETTLEMENT, DICE, ROLL
from oponente.kernel import Game, State
from oponente.search.perft import perft
from oponente.testing import compare_playthrough, update_playthrough
from tests.games.catan.positions import Position, edge, game_of, node

pytestmark = pytest.mark.compiled

SETUP = (
    ("d4", "d4-d5"), ("c8", "c8-c9"), ("d8", "d8-e8"), ("e6", "d6-e6"),
    ("b6", "b6-b7"), ("f5", "f5-f6"), ("c4", "c4-c5"), ("a5", "a5-a6"),
)  # fmt: skip


def start() -> State:
    """Return the start of a game of four."""
    return game_of(trade=False).start()


def after_setup() -> State:
    """Return the position in which four players have placed their first pieces."""
    state = start()
    for place, road in SETUP:
        state.apply(BUILD_SETTLEMENT + node(place))
        state.apply(BUILD_ROAD + edge(road))
    return state


def middle_game() -> State:
    """Return a position with the robber, a theft, cards to play and a bank that is nearly out of ore ahead."""
    position = Position(trade=False, players=3)
    position.settlement(0, "c4").city(0, "e4").road(0, "c4-c5-c6", "e4-e5").give(0, wool=3, grain=3, ore=4, brick=1)
    position.settlement(1, "c8", "a5").road(1, "c8-c9", "a5-a6").give(1, lumber=2, ore=6).develop(1, 0, 2)
    position.settlement(2, "e8", "e10").road(2, "e8-e9-e10").give(2, ore=7, brick=2).develop(2, 3)
    position.develop(0, 0, 1, 3)
    return position.state


def before_discards() -> State:
    """Return a position in which two players are about to discard."""
    position = Position(trade=False, players=2).settlement(0, "c4", "e6").settlement(1, "c8", "e8")
    position.give(0, wool=4, ore=4).give(1, wool=3, grain=3, ore=3).turn(1, 2)
    return position.do(ROLL, DICE + 7).state


def nearly_won() -> State:
    """Return a position in which some ways to play win."""
    position = Position(trade=False, players=2).city(0, "a3", "a5", "a7").settlement(0, "c4", "c6").road(0, "c4-c5-c6")
    position.road(0, "c6-c7-c8").give_for(0, roads=1, cities=1, cards=1).develop(0, 4).settlement(1, "e4", "e8")
    return position.state


def offers() -> State:
    """Return a position in which offers are about to be made, some of which one or both of the others can accept."""
    return Position(players=3, offers=2).give(0, wool=2).give(1, ore=1).give(2, ore=1, grain=1).state


POSITIONS = {
    "start": (start, 3),
    "after the set-up": (after_setup, 4),
    "middle game": (middle_game, 3),
    "discards": (before_discards, 6),
    "nearly won": (nearly_won, 4),
    "offers": (offers, 6),
}
SIGNATURES: dict[str, list[list[int]]] = {
    "start": [[1, 0], [54, 0], [144, 0], [7236, 0]],
    "after the set-up": [[1, 0], [1, 0], [11, 0], [33, 0], [56, 0]],
    "middle game": [[1, 0], [24, 0], [342, 0], [3292, 0]],
    "discards": [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0], [48, 0], [144, 0]],
    "nearly won": [[1, 0], [28, 7], [314, 63], [1917, 203], [10052, 1540]],
    "offers": [[1, 0], [5, 0], [6, 0], [19, 0], [97, 0], [239, 0], [429, 0]],
}
"""By position: for each ply, courses of play that lead there, and how many of them end the game."""


@pytest.mark.parametrize("name", POSITIONS)
def test_signature(name: str) -> None:
    make, depth = POSITIONS[name]
    assert perft(make(), depth).tolist() == SIGNATURES[name]


def test_first_plies_by_hand() -> None:
    """54 places; each has as many roads as edges: 36 nodes have 3, 18 have 2."""
    assert perft(start(), 2)[:, 0].tolist() == [1, 54, 36 * 3 + 18 * 2]


def test_first_plies_of_offers_by_hand() -> None:
    """Wool for each of four, or the end of the turn; then the others answer: both have ore, seat 2 has grain, too."""
    rolls, sums = 1, 11  # after the end of the turn
    counts = [1, 4 + 1, 3 * 1 + 2 + rolls, 2 * 1 + 2 + 2 * 2 + sums]
    assert perft(offers(), 3)[:, 0].tolist() == counts


PLAYTHROUGH = Path(__file__).parents[2] / "data" / "playthroughs" / "catan.txt"


def whole_game() -> Game:
    """Return the game that is kept: a short one, with all that a long one has."""
    return load_game("catan", {"players": "3", "points": "6", "offers": "1"})


def test_a_whole_game_goes_as_it_went() -> None:
    compare_playthrough(PLAYTHROUGH, whole_game(), 1, 3000, every=100)


if __name__ == "__main__" and "--update" in sys.argv:
    update_playthrough(PLAYTHROUGH, whole_game(), 1, 3000, every=100)
elif __name__ == "__main__":
    for title, (maker, plies) in POSITIONS.items():
        print(f'    "{title}": {perft(maker(), plies).tolist()},')
