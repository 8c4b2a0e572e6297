"""Risk: the quick playout policy."""

import pytest

from oponente.games.risk.moves import TRADING
from oponente.games.risk.playout import ANGRY
from oponente.kernel import stream
from oponente.search.greedy import play_policy
from tests.games.risk.positions import Position


@pytest.mark.parametrize(
    ("cards", "best"),
    [
        (("Alaska", "Venezuela", "Peru", "wild 1"), "trade Alaska + Venezuela + Peru"),  # no need of the wild card
        (("Venezuela", "Alberta", "Ontario", "Ural", "Brazil"), "trade Ontario + Brazil + Venezuela"),
        (("Alaska", "Ural", "wild 1", "wild 2"), "trade Alaska + Ural + wild 1"),
    ],
)
def test_of_several_sets_the_best_is_traded(cards, best):
    position = Position().hold(0, Alaska=3, Brazil=3, Ontario=1).cards(0, *cards).phase(TRADING)
    state = position.state
    assert len(state.legal_actions) > 2
    assert state.action_text(play_policy(state, ANGRY, stream(1))) == best


def test_without_a_set_it_goes_on():
    position = Position().hold(0, Alaska=3).cards(0, "Alaska", "Alberta", "Venezuela").phase(TRADING)
    assert position.state.action_text(play_policy(position.state, ANGRY, stream(1))) == "done"
