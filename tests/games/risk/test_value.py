"""The evaluation of positions: shares of strength."""

import numpy as np
import pytest

from oponente.games.catalogue import load_game
from oponente.games.risk.value import STRENGTH, continent_shares, strength_of


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
