"""Risk: what all at the table are told to have happened."""

import pytest

from oponente.games.risk.text import event_text
from tests.games.risk.positions import Position


def told(position, move):
    """Take a move; return what is told of it."""
    state = position.state
    before, action = state.copy(), state.parse_action(move)
    state.apply(action)
    return event_text(before, action, state)


@pytest.mark.parametrize("cards", [True, False])
def test_who_eliminates_is_who_attacked_though_the_turn_passes_with_it(cards):
    position = Position(players=3, cards=cards).hold(0, Alaska=2).hold(1, Kamchatka=1)
    if cards:
        position.cards(1, "Siam", "Peru").set(deck=0)  # none is left to draw
    told(position, "attack Alaska > Kamchatka")
    text = told(position, "losses 0:1")
    assert "player 1 eliminates player 2" in text
    assert (", and gets 2 cards" in text) == cards
    assert "player 3 begins turn 2" in text


def test_an_elimination_in_the_middle_of_a_turn():
    position = Position(players=3).hold(0, Alaska=5).hold(1, Kamchatka=1).cards(1, "Siam")
    told(position, "attack Alaska > Kamchatka")
    expected = "Alaska loses 0, Kamchatka 1; Kamchatka falls; player 1 eliminates player 2, and gets 1 card"
    assert told(position, "losses 0:1") == expected
