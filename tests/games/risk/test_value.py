"""The evaluation of positions: shares of strength."""

import numpy as np
import pytest

from oponente.games.catalogue import load_game
from oponente.games.risk.cards import next_set_value
from oponente.games.risk.value import STRENGTH, continent_shares, strength_of
from tests.games.risk.positions import Position


@pytest.fixture(scope="module")
def game():
    return load_game("risk", {"rules": "classic-1993"})


def territories(game, *names):
    """Return the set of some territories, as bits."""
    listed = [territory.name for territory in game.options.world.territories]
    return sum((np.uint64(1) << np.uint64(listed.index(name)) for name in names), np.uint64(0))


AUSTRALIA = ("Indonesia", "New Guinea", "Western Australia", "Eastern Australia")


def test_a_continent_counts_by_the_square_of_the_share(game):
    for held in range(5):
        own = territories(game, *AUSTRALIA[:held])
        assert continent_shares(game.tables, own) == pytest.approx(2 * (held / 4) ** 2)


def test_shares_of_several_continents_add_up(game):
    """South America (2 armies, 4 territories) and Africa (3 armies, 6 territories)."""
    own = territories(game, "Brazil", "Peru", "Egypt", "Congo", "Madagascar")
    assert continent_shares(game.tables, own) == pytest.approx(2 * 0.5**2 + 3 * 0.5**2)


def test_the_weight_is_in_armies(game):
    """What a continent's share adds to the strength is the weight times the bonus."""
    state = game.start(1)
    own = np.uint64(state.record["held"][0])
    plain, more = (strength_of(STRENGTH._replace(continents=w), game.tables, state.array[0], 0) for w in (0.0, 3.0))
    assert more - plain == pytest.approx(3.0 * continent_shares(game.tables, own))


def test_armies_that_must_stay_in_a_continent_are_to_be_placed_too():
    position = Position(rules="war-grow", victory="domination").hold(0, Alaska=1).hold(2, Kamchatka=3)
    position.hold(1, **{name.replace(" ", "_"): 1 for name in AUSTRALIA})
    state = position.set(turn=4, mover=1, actor=1).state
    before = strength_of(STRENGTH, state.game.tables, state.array[0], 1)
    features = state.encode(1).copy()
    state.record.reserved[2] = 2
    assert strength_of(STRENGTH, state.game.tables, state.array[0], 1) == pytest.approx(before + 2)
    changed = state.encode(1) - features
    assert changed[changed != 0] == pytest.approx([0.2])
    assert "2 to place" in state.text()


def test_the_worth_of_cards_does_not_depend_on_territories():
    position = Position(set_values="by-kind").hold(0, Alaska=1).hold(1, Siam=1).cards(0, "Alaska")
    (few, many) = (position.state.copy() for _ in range(2))
    tables = few.game.tables
    assert next_set_value(tables, few.array[0]) == 10
    many.record.held[0] |= territories(many.game, "Brazil", "Peru", "Egypt")
    assert next_set_value(tables, many.array[0]) == 10
