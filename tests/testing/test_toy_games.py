"""Correct games of every kind pass the suite."""

from __future__ import annotations

import pytest

from oponente.testing import check_game
from toy_games import TOYS, toy


@pytest.mark.parametrize("name", TOYS)
def test_correct_game_passes(name: str) -> None:
    check_game(toy(name), games=6)
