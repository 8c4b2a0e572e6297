"""The suite in the other two modes: interpreted, and compiled with bounds checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import oponente.games.connect4.rules as connect4, oponente.games.connect4.text as connect4_text
import oponente.games.tictactoe.rules as tictactoe, oponente.games.tictactoe.text as tictactoe_text
from oponente.kernel import Game
from oponente.testing import check_game
from toy_games import TOYS, toy

games = {
    "tictactoe": lambda: Game(tictactoe, text=tictactoe_text),
    "connect4": lambda: Game(connect4, text=connect4_text),
    **{name: lambda name=name: toy(name) for name in TOYS},
}
for name in sys.argv[2:] or games:
    game = games[name]()
    check_game(game, games=2, invariant=getattr(game.rules, "invariant", None))
    print(name)
"""


@pytest.mark.parametrize(
    ("setting", "names"),
    [("NUMBA_DISABLE_JIT", []), ("NUMBA_BOUNDSCHECK", ["tictactoe", "poker of three"])],
    ids=["interpreted", "bounds-checked"],
)
def test_games_pass(setting: str, names: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(Path(__file__).parents[1]), *names],
        env={**os.environ, setting: "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == (len(names) or 12)
