"""The package's games pass the suite, every check a test, and play as they did before."""

from __future__ import annotations

from pathlib import Path

import pytest

import oponente.games.connect4.rules as connect4
import oponente.games.connect4.text as connect4_text
import oponente.games.tictactoe.rules as tictactoe
import oponente.games.tictactoe.text as tictactoe_text
from oponente.kernel import Game
from oponente.testing import GameConformance, check_game, compare_playthrough

PLAYTHROUGHS = Path(__file__).parents[1] / "data" / "playthroughs"


class TestTicTacToe(GameConformance):
    def make_game(self) -> Game:
        return Game(tictactoe, text=tictactoe_text)


class TestConnectFour(GameConformance):
    def make_game(self) -> Game:
        return Game(connect4, text=connect4_text)


@pytest.mark.parametrize(
    "options", [{"columns": "10", "rows": "5"}, {"columns": "4", "rows": "4", "connect": "3"}], ids=str
)
def test_connect_four_on_other_boards(options: dict[str, str]) -> None:
    check_game(Game(connect4, options, text=connect4_text), games=4)


def golden_playthroughs() -> dict[str, tuple[Game, int]]:
    """Return game and seed of each stored playthrough. ``python tests/testing/test_built_in_games.py`` updates them."""
    return {
        "tictactoe-0": (Game(tictactoe, text=tictactoe_text), 0),
        "tictactoe-1": (Game(tictactoe, text=tictactoe_text), 1),
        "connect4-0": (Game(connect4, text=connect4_text), 0),
        "connect4-wide": (Game(connect4, {"columns": "9", "rows": "5", "connect": "5"}, text=connect4_text), 3),
    }


@pytest.mark.parametrize("name", golden_playthroughs())
def test_playthrough(name: str) -> None:
    game, seed = golden_playthroughs()[name]
    compare_playthrough(PLAYTHROUGHS / f"{name}.txt", game, seed)


if __name__ == "__main__":
    from oponente.testing import update_playthrough

    for stored, (played, number) in golden_playthroughs().items():
        update_playthrough(PLAYTHROUGHS / f"{stored}.txt", played, number)
