"""What is tuned of an agent."""

from __future__ import annotations

import math

import pytest

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
