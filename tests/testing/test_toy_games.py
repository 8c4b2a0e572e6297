"""Correct games of every kind pass the suite."""

from __future__ import annotations

import pytest

from oponente.testing import check_game
from toy_games import TOYS, toy


@pytest.mark.parametrize("name", TOYS)
def test_correct_game_passes(name: str) -> None:
    game = toy(name)
    check_game(game, games=6, invariant=getattr(game.rules, "invariant", None))
