"""The checks of features, which a toy game of a single module has not."""

from __future__ import annotations

import pytest
from secretive_features import with_fault

from oponente.kernel import COMPILED, Game
from oponente.testing import ConformanceError
from oponente.testing.checks.strategy import check_features
from oponente.testing.sample import Sample
from toy_games import poker


def sample_with(fault: str) -> Sample:
    """Return random games of poker, with features of one kind."""
    game = Game(poker)
    game.features["own"] = with_fault(fault)
    return Sample(game, games=3)


@pytest.mark.parametrize("fault", ["none", "unwritten"])
def test_features_of_what_a_seat_knows(fault: str) -> None:
    check_features(sample_with(fault))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("no number", "are not finite: [[]nan"),
        ("too many", "are more than 2, FEATURES of their module" if COMPILED else "features own raised IndexError"),
        ("changes", "features own changes the state, in turn"),
        ("peeks", "differ if only what it can't know is another, at [[]1[]]"),
    ],
)
def test_wrong_features(fault: str, said: str) -> None:
    with pytest.raises(ConformanceError, match=said):
        check_features(sample_with(fault))
