"""The command `oponente play`: what a person at the terminal is asked and told."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from oponente.agents.basic import RandomAgent
from oponente.cli.main import main

TOYS = Path(__file__).parents[1] / "toy_games"


@pytest.fixture
def play(monkeypatch, capfd):
    """Return a function that plays with typed answers and returns what is shown, all of it."""

    def call(typed, *arguments):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with contextlib.suppress(SystemExit):
            main(["play", *map(str, arguments)])
        out, err = capfd.readouterr()
        return out + err

    return call


SET_UP = "settlement c4\nroad c4-c5\nsettlement b9\nroad b9-b10\n"
"""What player 1 answers in the set-up of the game of seed 3 against three random players."""


def test_catan_tells_what_comes_of_moves(play):
    shown = play(SET_UP + "roll\nend\n" * 40, "catan", "human", "random", "random", "random", "--seed", 3)
    assert "Player 1 (human): settlement b9; player 1 gets 1 grain 1 ore\n" in shown
    assert re.search(r"\nChance: dice \d+; player \d gets \d ", shown)
    assert "Chance: player 2 draws a card\n" in shown
    assert re.search(r"\nChance: player \d steals (lumber|brick|wool|grain|ore) from player 1\n", shown)
    assert "acts unseen" not in shown
    told = [line for line in shown.split("\n") if line.startswith(("Chance", "Player 2 (", "Player 3 ("))]
    assert all(len(line) <= 100 for line in told)


def test_agents_hear_how_the_game_has_ended_unless_a_person_leaves(play, monkeypatch):
    heard = []
    monkeypatch.setattr(RandomAgent, "end_game", lambda agent, returns, reason: heard.append((returns, reason)))
    monkeypatch.setattr(RandomAgent, "close", lambda agent: 1 // 0)
    shown = play("quit\n", "tictactoe", "human", "random")
    assert heard == []
    assert shown.count("note: random raised ZeroDivisionError at the end: ") == 1
    shown = play("", "tictactoe", "random", "random", "--seed", 2)
    returns = [float(value) for value in re.findall(r"Player \d \(random\): ([-\d.]+)\n", shown)][-2:]
    assert heard == [(returns, "")] * 2
    assert shown.count("note: random raised ZeroDivisionError at the end: ") == 2


LONG = "9" * 5000


def test_no_answer_ends_the_game_but_quit(play):
    odd = ["", "help", "resign", "road", "offer 2 3 wool for 1 ore", "year of plenty 99999999999 ore", "\N{SNOWMAN}"]
    odd += [f"{move} {LONG}" for move in ("offer", "robber", "confirm player", "dice", "discard", "bank", "settlement")]
    odd += [f"offer {LONG} wool for 1 ore", "?", "discard 999 ore", "play", "build", "play year of plenty"]
    typed = SET_UP + "\n".join(odd) + "\nroll\n" + "\n".join(odd) + "\nquit\n"
    shown = play(typed, "catan", "human", "random", "random", "random", "--seed", 3)
    assert "Player 1 (human): roll" in shown
    assert "player 1 has left; the game ends here." in shown
    # The position is one line, to be put after a command.
    lines = [line for line in shown.split("\n") if not line.startswith(("The position, for", "To play on"))]
    assert [line for line in lines if len(line) > 100] == []
    assert "\nPlayer 1, your move (? lists them, quit leaves): resign\nto leave the game write quit\n" in shown


def test_several_cards_are_discarded_with_one_answer(play):
    """Player 1 keeps all cards until a 7 comes: at the latest when all is discarded, another prompt follows."""
    typed = SET_UP + "roll\nend\n" * 5
    shown = play(typed, "catan", "human", "random", "random", "random", "--seed", 3, "--option", "discard_limit=1")
    asked = re.search(r"player 1: discard (\d+) more\nfor example: discard (\w+)", shown)
    assert asked, shown
    assert f"discard {asked[1]} more first: write discard {asked[2]}" in shown


def test_what_is_not_seen_and_has_no_text_is_not_told(play):
    shown = play("1\n2\n" * 40, "clash", "human", "human", "--game-file", TOYS / "clash.py")
    assert "Player 1 (human) acts unseen" in shown


def test_play(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n6\n"))
    status, out, err = run("play", "tictactoe", "human", "alphabeta:9", "--position", "5142")
    assert status == 0
    assert "is not legal here" in out + err  # wherever the person is asked
    assert "Player 1 (human)" in out


def test_play_until_the_person_leaves(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("4\nquit\n"))
    status, out, _ = run("play", "connect4", "human", "random")
    assert status == 0
    assert "has left" in out


def test_secret_moves_are_shown_to_nobody_at_a_shared_terminal(run, monkeypatch):
    clash = Path(__file__).parents[1] / "toy_games" / "clash.py"
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n2\n" * 40))
    _, out, _ = run("play", "clash", "human", "human", "--game-file", clash)
    assert "Player 1 (human) acts unseen" in out
    assert out.count("Player 1 (human): ") == 1  # the result
