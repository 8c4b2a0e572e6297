"""The ablation study: what it switches, how it counts, how it is chosen."""

import re
from dataclasses import fields

import pytest

from oponente import load_game, make_agent
from oponente.agents.depth_first_agents import (
    AlphaBetaParameters,
    ExpectiminimaxParameters,
    MaxNParameters,
    MinimaxParameters,
)
from oponente.arena.studies import load_study
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.search_ablation import (
    FAMILIES,
    LEFT_OUT,
    SCALES,
    SUBJECTS,
    Family,
    SearchAblation,
    score,
)
from oponente.arena.studies.study import Settings, run_study
from oponente.search.mcts import MCTSParameters


@pytest.mark.parametrize("name", SUBJECTS)
def test_every_technique_is_one_that_agents_take(name):
    study = SearchAblation(name)
    game = load_game(name, dict(study.subject.options))
    count = 0
    for family in study.families:
        for technique in family.techniques.values():
            agent, plain = study.agents(family, technique, SCALES[name]["quick"])
            assert agent != plain
            for spec in (agent, plain):
                make_agent(spec, game)
            count += 1
    assert count > 45


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("Monte Carlo tree search", [MCTSParameters]),
        ("Depth-first searches", [MinimaxParameters, AlphaBetaParameters, ExpectiminimaxParameters, MaxNParameters]),
    ],
)
def test_every_parameter_is_tried_or_left_out_for_a_reason(family, parameters):
    tried = ",".join(next(each for each in FAMILIES if each.name == family).techniques.values())
    names = {field.name for each in parameters for field in fields(each)}
    switched = {name for name in names if re.search(rf"(^|[,:]){name}=", tried)}
    left_out = set(LEFT_OUT[family])
    assert switched | left_out == names
    assert not switched & left_out


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
    families = [
        Family("trees", "uct:iterations={n}", {"greedy": "formula=greedy", "reuse of the tree": "reuse=true"}),
        Family("depth first", "alphabeta:nodes={nodes}", {"one step": "one-step"}),
    ]
    study = SearchAblation("connect4", families)
    settings = Settings("quick", seed=3, match_games=4)
    data = run_study(study, settings, Keep(tmp_path / "page.html"), command="test")
    rows = [row for family in data["families"] for row in family["techniques"]]
    assert [row["technique"] for row in rows] == ["greedy", "reuse of the tree", "one step"]
    assert [row["shown"] for row in rows] == ["formula=greedy", "reuse=true", "one-step"]
    assert all(row["wins"] + row["draws"] + row["losses"] == 4 for row in rows)
    page = study.page(data)
    assert [len(table.rows) for table in page.sections[0].tables] == [2, 1]
