"""What is tuned of an agent."""

from __future__ import annotations

import json
import math

import pytest

from oponente import load_game, make_agent
from oponente.agents.search_agents import UCTAgent, UCTParameters
from oponente.games.catan.agents import ValueAgent
from oponente.games.catan.linear import START, WEIGHTS
from oponente.learn.space import Space


def test_all_weights_of_value_are_tuned_in_units_of_one():
    space = Space(ValueAgent())
    assert space.names == list(WEIGHTS)
    assert space.start == list(START.values())
    assert {parameter.unit for parameter in space.parameters} == {1.0}
    values = [float(i) for i in range(25)]
    assert ValueAgent(space.agent.parameters).spec == "value"
    assert space.spec(values).startswith("value:points=0.0,cities=1.0,")


def test_budgets_are_left_alone_unless_named():
    space = Space(UCTAgent(UCTParameters(iterations=50)))
    assert "c" in space.names
    assert not {"iterations", "time", "threads", "capacity"} & set(space.names)
    assert Space(UCTAgent(UCTParameters(iterations=50)), ["iterations"]).start == [50]


def test_what_changes_nothing_is_left_out_unless_named():
    game = load_game("tictactoe")
    space = Space(UCTAgent())
    assert not {"fpu", "epsilon", "rave_visits", "widening_power"} & set(space.names)
    assert "epsilon" in Space(make_agent("uct:guide=mast", game)).names
    assert "c" not in Space(make_agent("uct:formula=greedy", game)).names
    for spec in ("rhea", "rhea:variant=1+1", "rhea:variant=flat"):
        space = Space(make_agent(spec, game))
        make_agent(space.spec(space.fitted([start + 1 for start in space.start])), game)


def test_candidates_drop_what_their_words_leave_without_effect():
    game = load_game("tictactoe")
    space = Space(UCTAgent(), ["guide", "epsilon", "nst_visits"], mixed=True)
    assert space.spec(["none", 0.3, 4]) == "uct"
    assert space.spec(["mast", 0.3, 4]) == "uct:guide=mast,epsilon=0.3"
    make_agent(space.spec(["nst", 0.3, 4]), game)
    space = Space(UCTAgent(UCTParameters(cutoff=3)), ["guide", "epsilon", "cutoff"], mixed=True)
    assert space.spec(["mast", 0.3, 0]) == "uct:cutoff=0"
    make_agent(space.spec(["mast", 0.3, 0]), game)


def test_an_honest_agent_stays_honest_unless_it_is_asked_for():
    catan = load_game("catan")
    for spec in ("strong:200", "uct:200", "one-step", "expectiminimax"):
        agent = make_agent(spec, catan)
        names = Space(agent, mixed=True).names
        assert "cheat" not in names
        assert not {"reuse", "recycle", "squash", "parallel", "pending"} & set(names)
        assert Space(agent, ["cheat"], mixed=True).names == ["cheat"]


def test_what_goes_together_is_known_before_it_is_played():
    game = load_game("tictactoe")
    space = Space(make_agent("rhea", game), ["population", "elites"])
    assert space.allows([10, 9], game)
    assert not space.allows([9, 9], game)
    space = Space(make_agent("uct", game), ["early", "final", "guide"], mixed=True)
    assert space.allows([True, "robust", "mast"], game)
    assert not space.allows([True, "max", "mast"], game)


def test_what_is_found_of_value_is_a_file_of_weights(tmp_path):
    catan = load_game("catan")
    file = tmp_path / "best.json"
    for space in (
        Space(make_agent("value", catan), ["points", "road"]),
        Space(make_agent("value:cards=3", catan), mixed=True),
        Space(make_agent("value:cards=3,weights=thesis", catan), ["trades"], mixed=True),
    ):
        values = [value + 1.5 if isinstance(value, float) else value for value in space.start]
        file.write_text(json.dumps(space.by_name(values)))
        found = make_agent(f"value:weights={file}", catan).parameters.effective
        wanted = dict(zip(space.names, values, strict=True))
        assert found == {name: wanted.get(name, old) for name, old in space.agent.parameters.effective.items()}
    assert Space(UCTAgent(), ["c"]).by_name([0.5]) == {"c": 0.5}


def test_values_fit_their_ranges_and_kinds():
    space = Space(UCTAgent(), ["c", "grave_ref", "epsilon"])
    assert space.fitted([-1.0, 2.6, 7.0]) == [0.0, 3, 1.0]
    unit = {parameter.name: parameter.unit for parameter in space.parameters}
    assert unit == {"c": 0.001, "grave_ref": 10**6, "epsilon": 0.001}
    assert math.isinf(space.parameters[0].high)


def test_switches_and_words_only_where_they_can_be_tuned():
    assert Space(UCTAgent(), ["solver", "c", "cheat"], mixed=True).parameters[0].choices == ("off", "on", "auto")
    with pytest.raises(ValueError, match="solver has no number to start from"):
        Space(UCTAgent(), ["solver"])
    with pytest.raises(ValueError, match="has no parameter 'x'"):
        Space(UCTAgent(), ["x"])
