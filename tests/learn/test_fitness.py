"""What a candidate's games are worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from learn.test_commands import run
from oponente.arena import Table
from oponente.arena.play import seat_agent
from oponente.games.catalogue import GameSpec
from oponente.learn import contest
from oponente.learn.contest import hold
from oponente.learn.fitness import Fitness
from oponente.learn.space import Space

FIXED = str(Path(__file__).parent / "players.py")
COINS = str(Path(__file__).parents[1] / "toy_games" / "coins.py")


def fitness(game, opponent=""):
    space = Space(seat_agent("fixed", game.load(), (FIXED,)), ["plan"], mixed=True)
    return Fitness(space, game, opponent, 20, 3, lambda contests: [hold(contest) for contest in contests], (FIXED,))


def test_a_draw_is_worth_more_than_a_loss():
    measured = fitness(GameSpec("tictactoe"), "fixed").measure([["losing"], ["level"]], 0)
    assert measured == [0.0, 0.5]


def test_in_a_game_for_one_it_is_the_utility_from_0_to_1():
    coins = fitness(GameSpec("coins", (), COINS))
    walk, jump = coins.measure([["walk"], ["jump"]], 0)
    assert 0.0 < jump < walk < 1.0
    assert walk == pytest.approx(4.5 * 9 / 90, abs=0.1)
    assert [walk, jump] == coins.utilities(["fixed:plan=walk", "fixed:plan=jump"], "", 0)


@pytest.mark.parametrize("method", ["cma", "ntbea"])
def test_a_game_for_one_has_no_opponent(tmp_path, capsys, method):
    command = (
        "train",
        method,
        "coins",
        "fixed",
        "--game-file",
        COINS,
        "--agent-file",
        FIXED,
        "--against",
        "random",
        "--out",
        tmp_path / "a",
    )
    status, out, err = run(capsys, *command)
    assert (status, out) == (2, "")
    assert "coins has one player here: there is no opponent" in err
    assert err.count("\n") == 0


def test_what_is_found_for_one_is_told_beside_the_start(tmp_path, capsys):
    command = (
        "train",
        "ntbea",
        "coins",
        "fixed:plan=jump",
        "--game-file",
        COINS,
        "--agent-file",
        FIXED,
        "--parameter",
        "plan",
        "--steps",
        12,
    )
    command += ("--games", 20, "--duel-games", 50, "--out", tmp_path / "a")
    status, out, err = run(capsys, *command)
    assert status == 0, err
    alone = json.loads((tmp_path / "a" / "result.json").read_text())["alone"]
    assert alone["start"] < 0.3 < alone["found"]
    told = f"of 50 games: {alone['found']:.3f}, with the start values {alone['start']:.3f}"
    assert f"mean utility, from 0 to 1, {told}" in out


def test_only_the_values_that_are_named_are_tried(tmp_path, capsys):
    command = ("train", "ntbea", "coins", "fixed:plan=jump", "--game-file", COINS, "--agent-file", FIXED, "--games", 8)
    command += ("--parameter", "plan=usual,walk", "--steps", 6, "--duel-games", 0, "--out", tmp_path / "a", "--json")
    status, out, err = run(capsys, *command)
    assert status == 0, err
    result = json.loads(out)
    assert result["best"] == {"plan": "walk"}
    assert result["settings"]["named"] == {"plan": ["usual", "walk"]}
    status, _, err = run(capsys, *[word.replace("usual,", "") if isinstance(word, str) else word for word in command])
    assert status == 2
    assert run(capsys, *command, "--resume")[0] == 0
    other = [word.replace("usual", "losing") if isinstance(word, str) else word for word in command]
    status, _, err = run(capsys, *other, "--resume")
    assert status == 2
    assert "holds another training" in err


def different_games(monkeypatch, capsys, *command):
    """Run a training; return how many different games it has played, of how many."""
    seen = []

    class Watched(Table):
        def play(self, index):
            record = super().play(index)
            seen.append((record.agents, record.actions))
            return record

    monkeypatch.setattr(contest, "Table", Watched)
    status, _, err = run(capsys, "train", *command)
    assert status == 0, err
    return len(set(seen)), len(seen)


GA = ("--iterations", 1, "--population", 4, "--tournaments", 1, "--final-games", 2)


@pytest.mark.parametrize("method", [("ntbea", "--steps", 3, "--games", 40), ("ga", *GA, "--games", 40)])
def test_agents_without_luck_play_different_games(tmp_path, capsys, monkeypatch, method):
    command = (*method, "--agent-file", FIXED, "--parameter", "taste", "--duel-games", 40)
    several, _ = different_games(
        monkeypatch, capsys, method[0], "tictactoe", "fixed", *command[1:], "--out", tmp_path / "a"
    )
    assert several > 20
    settings = json.loads((tmp_path / "a" / "result.json").read_text())["settings"]
    assert settings["opening"] == 2
    once, played = different_games(
        monkeypatch, capsys, method[0], "tictactoe", "fixed", *command[1:], "--opening", 0, "--out", tmp_path / "b"
    )
    assert once <= 12 < played  # one order of the agents, or another


def test_games_with_chance_need_no_opening(tmp_path, capsys):
    command = ("train", "ntbea", "coins", "fixed:plan=walk", "--game-file", COINS, "--agent-file", FIXED)
    command += ("--parameter", "plan", "--steps", 1, "--games", 2, "--duel-games", 0, "--out", tmp_path / "a", "--json")
    status, out, err = run(capsys, *command)
    assert status == 0, err
    assert json.loads(out)["settings"]["opening"] == 0
