"""The games of the package: they pass the suite for any game, and play as they did before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oponente.games.catalogue import load_game
from oponente.games.vgdl.loading import OWN_GAMES
from oponente.kernel import COMPILED, Game
from oponente.testing import check_game, compare_playthrough

PLAYTHROUGHS = Path(__file__).parents[2] / "data" / "playthroughs"
FEW = os.environ.get("HYPOTHESIS_PROFILE") == "few"
"""Whether fewer cases are wanted, as in the stages with bounds checks and in the interpreter."""
TICKS = 20 if COMPILED else 5


@pytest.mark.parametrize("name", OWN_GAMES if COMPILED and not FEW else ("harvest", "meteors", "lancers"))
def test_the_suite(name: str) -> None:
    check_game(load_game("vgdl", {"game": name, "ticks": str(TICKS)}), games=1)


@pytest.mark.long
@pytest.mark.compiled
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("name", OWN_GAMES)
def test_the_suite_on_whole_games(name: str, level: int) -> None:
    check_game(load_game("vgdl", {"game": name, "level": str(level)}), games=2)


def golden_playthroughs() -> dict[str, tuple[Game, int]]:
    """Return game and seed of each playthrough; ``python -m tests.games.vgdl.test_own_games`` updates the files."""
    return {f"vgdl-{name}": (load_game("vgdl", {"game": name, "level": "1"}), 1) for name in OWN_GAMES}


EVERY, PLIES = 40, 160
"""Of how many plies one is written in full, and how long a playthrough is."""


@pytest.mark.parametrize("name", [f"vgdl-{name}" for name in OWN_GAMES])
def test_playthrough(name: str) -> None:
    game, seed = golden_playthroughs()[name]
    compare_playthrough(PLAYTHROUGHS / f"{name}.txt", game, seed, PLIES, EVERY)


if __name__ == "__main__":
    from oponente.testing import update_playthrough

    for stored, (played, number) in golden_playthroughs().items():
        update_playthrough(PLAYTHROUGHS / f"{stored}.txt", played, number, PLIES, EVERY)
