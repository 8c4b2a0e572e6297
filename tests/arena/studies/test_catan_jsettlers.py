"""The repeated server games of Paz and Rubin: published figures, criteria, and a small run with random agents."""

import dataclasses
import json
import socket
from array import array

import pytest

from oponente.arena import MatchError
from oponente.arena.studies import load_study
from oponente.arena.studies.catan_jsettlers import (
    AGENTS,
    MCTS1000,
    OFFLINE,
    PUBLISHED,
    SERVER,
    STRONG,
    UCT1000,
    UCT10000,
    CatanJSettlers,
    judge,
    points_cell,
)
from oponente.arena.studies.catan_jsettlers_tables import wins_table
from oponente.arena.studies.document import DIFFERS, EXCEEDED, REPRODUCED, UNDECIDED
from oponente.arena.studies.html_report import render_html
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Settings, StudyInterrupted, run_study
from oponente.games.catalogue import load_game, make_agent
from oponente.interop.jsettlers import study_games
from oponente.interop.jsettlers.given import COOKIE, HOST, PORT
from oponente.interop.jsettlers.mirror_core import Difference
from oponente.interop.jsettlers.results import TABLE_FACTS, GameResult, from_json, to_json

FEW_POINTS = (("numbers", "random"), ("points", "3"), ("preset", "jsettlers"), ("turn_limit", "100"))


@pytest.mark.parametrize(("name", "rate"), list(zip(PUBLISHED, (9.90, 27.20, 37.60), strict=True)))
def test_published_wins_are_the_published_rates(name, rate):
    published = PUBLISHED[name]
    assert 100 * published.wins / published.games == pytest.approx(rate, abs=0.005)
    assert sum(published.robots) + rate == pytest.approx(100, abs=0.02)


@pytest.mark.parametrize(
    ("games", "wins", "finding"), [(200, 54, REPRODUCED), (200, 100, EXCEEDED), (200, 20, DIFFERS), (10, 3, UNDECIDED)]
)
def test_judging(games, wins, finding):
    assert judge(UCT1000, wins, games, OFFLINE).finding == finding


def test_our_own_agent_is_judged_beside_the_best_of_the_thesis():
    verdict = judge(STRONG, 69, 112, SERVER)
    assert (verdict.key, verdict.finding) == ("strong-server", EXCEEDED)
    assert verdict.numbers["published"] == [47, 125]
    assert "wins 37.6 %" in verdict.claim


def test_a_server_where_all_games_had_three_players():
    seat = {"win_rate": 0.5, "wins": 1, "ci95": [0.1, 0.9], "turns_to_win": 70.0, "points": 8.0, "points_sd": 1.0}
    table = wins_table({"uct": {"games": 2, "agent": seat, "opponent_seats": [seat, seat]}})
    assert [len(row) for row in table.rows] == [len(table.header)]
    assert table.rows[0][table.header.index("robot 3")] == "-"


def test_the_agents_exist():
    study = load_study("catan-jsettlers")
    game = load_game("catan", dict(study.game.options))
    for spec in (*study.agents.values(), *study.robots):
        assert make_agent(spec, game).spec == spec


def test_a_small_run_and_its_page(tmp_path):
    study = CatanJSettlers(dict.fromkeys(AGENTS, "random"), ("random",) * 3, FEW_POINTS)
    settings = Settings("quick", seed=5, games=8, match_games=4)
    data = run_study(study, settings, Keep(tmp_path / "report.html", resume=False), command="oponente experiment ...")
    assert {name: match["games"] for name, match in data["matches"].items()} == {
        MCTS1000: 8, UCT1000: 4, UCT10000: 4, STRONG: 4
    }  # fmt: skip
    assert [verdict["key"] for verdict in data["verdicts"]] == [
        *AGENTS, *(f"{name}-{of}" for name in PUBLISHED for of in ("points", "facts"))
    ]  # fmt: skip
    assert {verdict["finding"] for verdict in data["verdicts"] if verdict["key"].endswith("s")} == {UNDECIDED}
    html = render_html(study.page(data))
    assert points_cell(UCT1000, data["matches"][UCT1000]).shown()[1] in html
    assert "Table 6.3" in html
    assert "27.2" in html


@pytest.fixture
def given(monkeypatch):
    """A server in the environment; returns the wins and losses with which its games end from now on."""
    monkeypatch.setenv(COOKIE, "sesame42")
    monkeypatch.setenv(HOST, "catan.example")
    monkeypatch.setenv(PORT, "8881")
    outcomes = []

    class Client:
        def __init__(self, settings, agent, finished, spare):
            assert (settings.host, settings.port, settings.cookie) == ("catan.example", 8881, "sesame42")
            self.settings, self.finished = settings, finished
            assert [ready.spec for ready in spare] == [agent().spec] == ["random"]

        def run(self):
            for number in range(self.settings.games):
                if not outcomes:
                    raise KeyboardInterrupt
                self.finished(game(f"game {number}", won=outcomes.pop(0)))

    monkeypatch.setattr(study_games, "Client", Client)
    monkeypatch.setattr(study_games, "await_server", lambda settings: None)
    return outcomes


def game(name, *, won):
    """Return what came of a game in which we sat third, and won or did not."""
    names = ("a", "b", "us", "c")
    found = [dict.fromkeys((*TABLE_FACTS, "turns", "points"), float(seat)) for seat in range(4)]
    return GameResult(
        name, "played", "", 1.5, names, 2, 2 if won else 0, tuple(found), (("preset", "jsettlers"),), (1, 2),
        array("f", [0.5, 1.5]), None, 0, 1, 0, 0, 0, (Difference("bank", 1, 2),),
    )  # fmt: skip


def test_games_on_a_server_are_kept_and_go_on(given, tmp_path):
    study = CatanJSettlers({UCT1000: "random", STRONG: "random"}, ("random",) * 3, FEW_POINTS)
    settings = Settings("standard", match_games=3, server=study_games.study_server())
    given += [True, False]
    with pytest.raises(StudyInterrupted, match="--resume"):
        run_study(study, settings, Keep(tmp_path / "report.html"), command="oponente experiment ...")
    given += [True, False, False, True]
    data = run_study(study, settings, Keep(tmp_path / "report.html", resume=True), command="oponente experiment ...")
    assert given == []
    assert {name: (match["games"], match["agent"]["wins"]) for name, match in data["on_server"].items()} == {
        "uct-1000": (3, 2), "strong": (3, 1)
    }  # fmt: skip
    assert (data["server"], data["on_server"]["strong"]["late"]) == ("catan.example:8881", 3)
    assert [verdict["key"] for verdict in data["verdicts"]] == [
        "uct-1000", "strong", "uct-1000-server", "strong-server", "uct-1000-points", "uct-1000-facts"
    ]  # fmt: skip
    html = render_html(study.page(data))
    assert "On a server" in html
    assert "66.7 %" in html
    assert "sesame42" not in html


def test_without_a_server_its_games_are_left_out(monkeypatch):
    monkeypatch.delenv(COOKIE, raising=False)
    study = CatanJSettlers()
    assert COOKIE in study.left_out(Settings("standard"))
    assert study.left_out(Settings("quick")) is None, "this scale has none of its games"
    monkeypatch.setenv(COOKIE, "sesame42")
    settings = Settings("standard", server=study_games.study_server())
    assert study.left_out(settings) is None
    assert study.identity(settings)["server"] == "127.0.0.1:8880"


def test_a_server_that_does_not_answer_is_told_before_any_game(monkeypatch, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv(PORT, str(free.getsockname()[1]))
    monkeypatch.setenv(COOKIE, "sesame42")
    monkeypatch.setattr(CatanJSettlers, "_play", lambda *_: pytest.fail("a match was played"))
    keep = Keep(tmp_path / "report.html")
    with pytest.raises(MatchError, match="is a server running there"):
        run_study(CatanJSettlers(), Settings("standard", server=study_games.study_server()), keep, command="")
    assert list(tmp_path.iterdir()) == []


def test_games_survive_being_kept():
    result = game("g", won=True)
    assert from_json(json.loads(json.dumps(to_json(result)))) == dataclasses.replace(result, actions=None)
