"""What all studies share: matches of agents that fail are not taken for results."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from oponente.arena import MatchError, MatchSpec
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Settings, play_match
from oponente.games.catalogue import GameSpec

BROKEN = """
from oponente import Agent


class Broken(Agent):
    name = "broken"

    def choose(self, view, budget=None):
        raise ArithmeticError("lost the thread")
"""


def test_agents_that_fail_measure_nothing(tmp_path: Path) -> None:
    file = tmp_path / "broken.py"
    file.write_text(BROKEN)
    spec = MatchSpec(GameSpec("tictactoe", ()), ("random", "broken"), 4, 1, agent_files=(str(file),))
    keep = Keep(tmp_path / "page.html")
    keep.open({})
    with pytest.raises(MatchError, match="first match: broken has failed in 4 of 4 games"):
        play_match(spec, "first match", Settings(), keep, lambda *_: None)


def test_ctrl_c_as_a_match_ends_ends_the_study(tmp_path: Path) -> None:
    keep = Keep(tmp_path / "page.html")
    keep.open({})

    def late(_label: str, done: float, games: int) -> None:
        if done == games:
            signal.raise_signal(signal.SIGINT)

    spec = MatchSpec(GameSpec("tictactoe", ()), ("random", "random"), 4, 1)
    with pytest.raises(KeyboardInterrupt):
        play_match(spec, "first match", Settings(), keep, late)
