"""Risk: counts of all courses of play from fixed positions, the signature of the rules.

A change of the rules that was not meant changes a count. ``python tests/games/risk/test_signature.py`` prints the
present ones, to be looked at before they are kept.
"""

from __future__ import annotations

import pytest

from oponente.games.risk.moves import TRADING
from oponente.kernel import State
from oponente.search.perft import perft
from tests.games.risk.positions import Position, game_of

pytestmark = pytest.mark.compiled


def start() -> State:
    """Return the start of a game of three."""
    return game_of(players=3).start()


def thesis_start() -> State:
    """Return the fixed start position of the thesis."""
    return game_of(rules="thesis-2022", start="thesis").start()


def cards_to_trade() -> State:
    """Return a position with several sets, a bonus to choose, and few territories."""
    position = Position().hold(0, Alaska=3, Alberta=1, Siam=2)
    position.cards(0, "Alaska", "Alberta", "Brazil", "wild 1", "Peru").cards(1, "Siam", "Japan")
    return position.phase(TRADING).state


def elimination() -> State:
    """Return a position in which a player with cards is about to be eliminated."""
    position = Position().hold(0, Alaska=4, Siam=3).hold(1, Kamchatka=1)
    return position.cards(0, "Alaska", "Alberta", "Brazil").cards(1, "Siam", "Japan", "wild 1").state


def war() -> State:
    """Return a position of War before an attack."""
    return Position(rules="war-grow", victory="domination").hold(0, Alaska=5).hold(2, Kamchatka=3).set(turn=4).state


POSITIONS = {
    "start": (start, 3),
    "thesis start": (thesis_start, 3),
    "cards": (cards_to_trade, 4),
    "elimination": (elimination, 5),
    "war": (war, 5),
}
SIGNATURES: dict[str, list[list[int]]] = {
    "start": [[1, 0], [42, 0], [1722, 0], [68880, 0]],
    "thesis start": [[1, 0], [22, 0], [194, 0], [2902, 0]],
    "cards": [[1, 0], [8, 0], [22, 0], [84, 0], [354, 0]],
    "elimination": [[1, 0], [7, 0], [14, 0], [94, 0], [207, 0], [1288, 0]],
    "war": [[1, 0], [4, 0], [49, 0], [685, 0], [26594, 0], [329701, 0]],
}
"""By position: for each ply, courses of play that lead there, and how many of them end the game."""


@pytest.mark.parametrize("name", POSITIONS)
def test_signature(name: str) -> None:
    make, depth = POSITIONS[name]
    assert perft(make(), depth).tolist() == SIGNATURES[name]


def test_first_plies_by_hand() -> None:
    """42 territories to claim, then 41, then 40."""
    assert perft(start(), 3)[:, 0].tolist() == [1, 42, 42 * 41, 42 * 41 * 40]


if __name__ == "__main__":
    for title, (maker, plies) in POSITIONS.items():
        print(f'    "{title}": {perft(maker(), plies).tolist()},')
