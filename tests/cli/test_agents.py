"""The command `oponente agents`: who plays what, and with which parameters."""

import json
import re

import pytest


def test_agents(ok):
    shown = ok("agents", "connect4")
    for text in ("alphabeta", "iterations", "int 1..", "selection formula", "schedule"):
        assert text in shown
    listed = json.loads(ok("agents", "connect4", "--json"))["agents"]
    uct = next(agent for agent in listed if agent["agent"] == "uct")
    assert {"name", "kind", "default", "low", "high", "choices", "meaning"} == set(uct["parameters"][0])


def test_agents_are_told_with_their_whole_first_paragraph(ok):
    shown = ok("agents", "catan")
    assert "buying a card 250, playing one 50, all else 1.\n" in shown
    for game in ("catan", "connect4", "tictactoe"):
        for agent in json.loads(ok("agents", game, "--json"))["agents"]:
            assert re.search(r"[.)]$", agent["about"]), agent


def test_agents_that_do_not_play_are_told_with_the_reason(ok):
    shown = ok("agents", "catan")
    assert "\nnot minimax: plays games for two; catan has 4 players here: take paranoid, maxn, best-reply or" in shown
    listed = json.loads(ok("agents", "catan", "--option", "players=2", "--json"))
    assert listed["not_playing"] == {}
    assert {"minimax", "alphabeta"} <= {agent["agent"] for agent in listed["agents"]}


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "catan", "risk", "vgdl"])
def test_parameters_fit_the_width_of_the_terminal(ok, game):
    options = re.findall(r"(?s)\noption .*?(?:\n\n|$)", ok("games", game))
    parameters = re.findall(r"(?s)\n    parameter .*?(?:\n\n|$)", ok("agents", game))
    assert parameters
    for shown in options + parameters:
        assert [line for line in shown.splitlines() if len(line) > 100] == []
