"""Matches whose blocks are the same games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oponente.arena.copies import FEWEST, are_copies
from oponente.arena.runner import run_match
from oponente.arena.sprt import Sprt, run_sprt
from oponente.arena.storage import Store
from oponente.arena.sweep import SweepSpec, run_sweep
from oponente.arena.tournament import TournamentSpec, run_tournament
from oponente.games.catalogue import GameSpec

from .helpers import PLAYERS, TICTACTOE, a_match

COINS = GameSpec("coins", (), str(Path(__file__).parents[1] / "toy_games" / "coins.py"))


@pytest.mark.parametrize(
    ("agents", "given", "copies"),
    [
        (("first", "counting"), {"games": 2 * FEWEST + 2}, True),
        (("first", "counting"), {"games": 2 * FEWEST + 3}, True),  # half a block more
        (("first", "counting"), {"games": 2 * FEWEST}, False),  # may be luck
        (("first", "counting"), {"games": 40, "opening_plies": 2}, False),
        (("first", "counting"), {"games": 2 * FEWEST + 2, "rotate": False}, True),
        (("first", "random"), {"games": 40}, False),
        (("first",), {"games": 40, "game": COINS}, False),  # another start each time
    ],
)
def test_blocks_that_are_the_same_games(tmp_path, agents, given, copies):
    spec = a_match(*agents, **given)
    result = run_match(spec)
    assert result.copies == copies
    assert result.summary()["copies"] is copies
    with Store(tmp_path / "games.db") as store:
        assert run_match(replace(spec, games=4), store=store).copies is False
        assert run_match(spec, store=store, resume=True).copies == copies
        assert run_match(spec, store=store, resume=True).copies == copies


def test_one_other_game_is_enough():
    spec = a_match("first", "counting", games=40)
    result = run_match(spec)
    game = TICTACTOE.load()
    records = {record.index: record for record in result.records}

    def kept(indices):
        return [records[index] for index in indices]

    assert are_copies(game, result.results, 2, kept)
    records[31] = replace(records[31], actions=(*records[31].actions[:-1], 99))
    assert not are_copies(game, result.results, 2, kept)
    other = result.results.returns.copy()
    other[39] = -other[39]
    assert not are_copies(game, replace(result.results, returns=other), 2, lambda indices: [records[0]] * len(indices))
    clock = replace(result.results, reproducible=result.results.index != 5)
    assert not are_copies(game, clock, 2, lambda indices: [records[i % 2] for i in indices])


def test_nothing_is_decided_by_copies(tmp_path):
    spec = a_match("first", "counting", games=400)
    with Store(tmp_path / "games.db") as store:
        for resume in (False, True):
            result = run_sprt(spec, Sprt(2, -400, 400), store=store, resume=resume)
            assert result.match.copies
            assert result.summary()["decision"] is None
            assert result.summary()["copies"] is True
    different = run_sprt(replace(spec, opening_plies=3), Sprt(2, -400, 400))
    assert different.test.decision is not None
    assert different.summary()["copies"] is False


def test_tournaments_and_sweeps_know_their_matches():
    tournament = TournamentSpec(TICTACTOE, ("first", "counting", "random"), FEWEST + 1, agent_files=(PLAYERS,))
    result = run_tournament(tournament)
    assert result.copies == 1
    assert result.summary()["copies"] == 1
    sweep = SweepSpec(TICTACTOE, "one-step", {"samples": ("1",)}, "random", FEWEST + 1)
    assert [point["copies"] for point in run_sweep(sweep).summary()["points"]] == [False]
