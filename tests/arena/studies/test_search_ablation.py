"""The ablation study: what it switches, how it counts, how it is chosen."""

import pytest

from oponente import load_game, make_agent
from oponente.arena.studies import load_study
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.search_ablation import SUBJECTS, SWITCHES, SearchAblation, score
from oponente.arena.studies.study import Settings, run_study


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_switch_is_one_that_the_agent_takes(name):
    study = SearchAblation(name)
    game = load_game(name, dict(study.subject.options))
    for switch in study.switches.values():
        make_agent(f"{study.subject.plain.format(n=10)},{switch}", game)
    assert set(study.switches.values()) <= set(SWITCHES.values())
    assert len(study.switches) > 20


def test_other_games_are_refused():
    with pytest.raises(ValueError, match="for connect4, catan"):
        load_study("search-ablation", "tictactoe")
    with pytest.raises(ValueError, match="one game only"):
        load_study("connect4-report", "catan")
    assert load_study("search-ablation", "catan").game == "catan"


def test_scores():
    assert score(50, 0, 50)["finding"] == "undecided"
    assert score(0, 20, 80)["finding"] == "harms"
    assert score(1, 0, 0)["finding"] == "undecided"
    low, high = (score(30, 20, 50)[key] for key in ("low", "high"))
    assert 0.3 < low < 0.4 < high < 0.5


@pytest.mark.compiled
def test_a_small_run_makes_a_page(tmp_path):
    study = SearchAblation("connect4", {"greedy": "formula=greedy", "reuse of the tree": "reuse=true"})
    settings = Settings("quick", seed=3, match_games=4)
    data = run_study(study, settings, Keep(tmp_path / "page.html"), command="test")
    assert [row["technique"] for row in data["techniques"]] == ["greedy", "reuse of the tree"]
    assert all(row["wins"] + row["draws"] + row["losses"] == 4 for row in data["techniques"])
    page = study.page(data)
    assert len(page.sections[0].tables[0].rows) == 2
