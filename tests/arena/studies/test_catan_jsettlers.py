"""The repeated server games of Paz and Rubin: published figures, criteria, and a small run with random agents."""

import pytest

from oponente.arena.studies import load_study
from oponente.arena.studies.catan_jsettlers import (
    AGENTS,
    MCTS1000,
    PUBLISHED,
    UCT1000,
    CatanJSettlers,
    judge,
    points_cell,
)
from oponente.arena.studies.document import DIFFERS, EXCEEDED, REPRODUCED, UNDECIDED
from oponente.arena.studies.html_report import render_html
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Settings, run_study
from oponente.games.catalogue import load_game, make_agent


@pytest.mark.parametrize(("name", "rate"), list(zip(AGENTS, (9.90, 27.20, 37.60), strict=True)))
def test_published_wins_are_the_published_rates(name, rate):
    published = PUBLISHED[name]
    assert 100 * published.wins / published.games == pytest.approx(rate, abs=0.005)
    assert sum(published.robots) + rate == pytest.approx(100, abs=0.02)


@pytest.mark.parametrize(
    ("games", "wins", "finding"), [(200, 54, REPRODUCED), (200, 100, EXCEEDED), (200, 20, DIFFERS), (10, 3, UNDECIDED)]
)
def test_judging(games, wins, finding):
    assert judge(UCT1000, {"games": games, "agents": [{"wins": wins}]}).finding == finding


def test_the_agents_exist():
    study = load_study("catan-jsettlers")
    game = load_game("catan", dict(study.game.options))
    for spec in (*study.agents.values(), *study.robots):
        assert make_agent(spec, game).spec == spec


def test_a_small_run_and_its_page(tmp_path):
    options = (("numbers", "random"), ("points", "3"), ("preset", "jsettlers"), ("turn_limit", "100"))
    study = CatanJSettlers(dict.fromkeys(AGENTS, "random"), ("random",) * 3, options)
    settings = Settings("quick", seed=5, games=8, match_games=4)
    data = run_study(study, settings, Keep(tmp_path / "report.html", resume=False), command="oponente experiment ...")
    assert {name: match["games"] for name, match in data["matches"].items()} == {
        MCTS1000: 8, UCT1000: 4, "uct-10000": 4
    }  # fmt: skip
    assert [verdict["key"] for verdict in data["verdicts"]] == [
        f"{name}{of}" for name in AGENTS for of in ("", "-points", "-facts")
    ]
    assert {verdict["finding"] for verdict in data["verdicts"] if verdict["key"].endswith("s")} == {UNDECIDED}
    html = render_html(study.page(data))
    assert points_cell(UCT1000, data["matches"][UCT1000]).shown()[1] in html
    assert "Table 6.3" in html
    assert "27.2" in html
