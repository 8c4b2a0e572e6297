"""What is tuned of an agent."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass

import pytest

from oponente import load_game, make_agent
from oponente.agents.basic import RandomAgent
from oponente.agents.search_agents import UCTAgent, UCTParameters
from oponente.games.catalogue import agent_classes
from oponente.games.catan.agents import ValueAgent
from oponente.games.catan.linear import START, WEIGHTS
from oponente.kernel import declared, option
from oponente.learn.ntbea import values_of
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
    assert unit == {"c": 0.001, "grave_ref": math.log(2) / 100, "epsilon": 0.001}
    assert math.isinf(space.parameters[0].high)


@dataclass(frozen=True)
class Given:
    count: int = option(10, low=1, high=10**6, log=True, meaning="by factors")
    maybe: int = option(3, low=0, high=10**6, log=True, meaning="by factors, 0 too")
    weight: float = option(0.0, low=-1e6, high=1e6, span=50.0, meaning="with a span")
    wide: float = option(4.0, low=-1e6, high=1e6, meaning="nothing is said of what makes sense")
    narrow: int = option(2, low=1, high=4, meaning="few whole numbers")
    free: float = option(20.0, meaning="no bounds")


class Giving(RandomAgent):
    name = "giving"
    Parameters = Given


def test_units_are_what_makes_sense():
    assert {p.name: values_of(p, 5, 200.0) for p in Space(Giving()).parameters} == {
        "count": [2, 5, 10, 20, 40],
        "maybe": [0, 1, 3, 7, 15],
        "weight": [-10.0, -5.0, 0.0, 5.0, 10.0],
        "wide": [3.2, 3.6, 4.0, 4.4, 4.8],
        "narrow": [1, 2, 3, 4],
        "free": [16.0, 18.0, 20.0, 22.0, 24.0],
    }


def test_places_are_numbers_on_their_scale():
    for parameter in Space(Giving()).parameters:
        for value in (0.5, 3.0, 700.0):
            assert parameter.number(parameter.place(value)) == pytest.approx(value)
            moved = parameter.number(parameter.place(value) + 30.0)
            assert parameter.moved(value, 30.0) == pytest.approx(moved)
        assert math.isfinite(parameter.fitted(parameter.number(1e9)))
        assert math.isfinite(parameter.fitted(parameter.moved(3.0, 1e9)))
    with pytest.raises(ValueError, match="a lower bound of 0 or more"):
        option(1.0, low=-1.0, high=9.0, log=True, meaning="below 0")


def test_means_are_those_of_the_scale():
    space = Space(Giving(), ["count", "maybe", "weight"])
    people = [[5, 0, -1.0], [40, 0, 2.0], [320, 7, 2.0]]
    assert space.at(space.mean(people)) == pytest.approx([40.0, 1.0, 1.0])
    assert [space.summary(people)[name] for name in space.lines()] == pytest.approx([40.0, 1.0, 1.0])
    assert space.at(space.coordinates(people[2])) == pytest.approx(people[2])
    assert all(map(math.isfinite, space.at([1e9, 1e9, 1e9])))


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "catan", "risk", "vgdl"])
def test_what_is_tried_by_default_is_near_to_the_start(name):
    """Or it is a share, or the parameter says over what distance it is tuned."""
    for kind in agent_classes(load_game(name)):
        for field in declared(kind.Parameters):
            share = field.low is not None and field.high is not None and field.high - field.low <= 1.0
            if field.kind not in ("int", "float") or field.span or share:
                continue
            try:
                (parameter,) = Space(kind(), [field.name]).parameters
            except ValueError:  # no value to start from
                continue
            start = parameter.start
            others = [value for value in values_of(parameter, 5, 200.0) if value != start]
            near = [value for value in others if (start / 4 <= value <= start * 4 if start > 0 else abs(value) <= 4)]
            assert near, (kind.name, field.name, start, others)


def test_values_may_be_named():
    catan = load_game("catan")
    agent = make_agent("strong:200", catan)
    values = {"playouts": ["learned", "weighted-random"], "cutoff": ["8", "16", "none"], "reuse": ["false", "true"]}
    space = Space(agent, list(values), mixed=True, values=values)
    assert [values_of(parameter, 5, 200.0) for parameter in space.parameters] == [
        ["learned", "weighted-random"],
        [8, 16, None],
        [False, True],
    ]
    make_agent(space.spec(["weighted-random", 8, True]), catan)
    wrong = {
        "cutoff": (["8", "x"], "cutoff=x: expected int"),
        "final": (["best"], "final=best: expected robust"),
        "c": (["1", "1.0"], "has a value twice"),
    }
    for name, (texts, told) in wrong.items():
        with pytest.raises(ValueError, match=told):
            Space(agent, [name], mixed=True, values={name: texts})


def named(game, spec, **values):
    """Return the space of some values of an agent, checked."""
    space = Space(make_agent(spec, game), list(values), mixed=True, values=values)
    space.check_named(game)
    return space


def test_named_values_are_those_of_the_game():
    game = load_game("connect4")
    with pytest.raises(ValueError, match="connect4 has no playout policy 'typo'"):
        named(game, "uct:100", playouts=["uniform", "typo"])
    with pytest.raises(ValueError, match="typo"):
        named(game, "uct:100", evaluation=["default", "typo"], cutoff=["none", "8"])


def test_named_values_may_need_others():
    game = load_game("connect4")
    named(game, "uct:100", evaluation=["default"], cutoff=["none", "8"])
    named(game, "uct:100", final=["robust", "max"], early=["true", "false"])
    named(game, "uct:100", epsilon=["0.1", "0.3"], guide=["none", "mast"])
    named(game, "uct:100,root=halving", final=["max"], root=["bandit", "halving"])
    named(game, "rhea", elites=["1", "20"], population=["10", "40"])
    named(load_game("catan"), "strong:200", playouts=["learned", "simple"], cutoff=["8", "none"])


def test_what_has_no_values_says_how_they_are_named():
    catan = load_game("catan")
    agent = make_agent("strong:200", catan)
    with pytest.raises(ValueError, match="playouts is a text of any kind: name the values to try, as in playouts=A,B"):
        Space(agent, ["playouts"], mixed=True)
    with pytest.raises(ValueError, match="horizon has no number to start from: name the values to try"):
        Space(agent, ["horizon"], mixed=True)


@pytest.mark.parametrize("name", ["tictactoe", "catan", "vgdl"])
def test_switches_start_as_the_agent_is(name):
    game = load_game(name)
    for kind in agent_classes(game):
        for field in declared(kind.Parameters):
            if field.kind == "bool":
                agent = kind()
                space = Space(agent, [field.name], mixed=True)
                (switch,) = space.parameters
                assert switch.start in switch.choices
                if field.name not in agent.idle():
                    assert space.spec(space.start) == agent.spec, (kind.name, field.name)
    assert Space(make_agent("mcts", game), ["reuse"], mixed=True).parameters[0].choices == (None, False, True)


def test_switches_and_words_only_where_they_can_be_tuned():
    assert Space(UCTAgent(), ["solver", "c", "cheat"], mixed=True).parameters[0].choices == ("off", "on", "auto")
    with pytest.raises(ValueError, match="solver has no number to start from"):
        Space(UCTAgent(), ["solver"])
    with pytest.raises(ValueError, match="has no parameter 'x'"):
        Space(UCTAgent(), ["x"])
