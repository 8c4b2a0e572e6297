"""Agent specs: parsed, written, and refused with one clear line."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente import load_game, make_agent
from oponente.agents.base import Agent
from oponente.agents.spec import SpecError, parse_spec, split_spec
from oponente.kernel import option


@dataclass(frozen=True)
class Parameters:
    first: int | None = option(None, low=1, high=100, meaning="a whole number")
    second: float = option(0.5, low=0.0, meaning="a number")
    text: str = option("plain", meaning="any text")
    flag: bool = option(False, meaning="a switch")


class Example(Agent):
    """An agent with a parameter of each kind."""

    name = "example"
    Parameters = Parameters

    def choose(self, view, budget):
        return view.legal_actions[0]


AGENTS = [Example]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("example", Parameters()),
        ("example:7", Parameters(first=7)),
        ("example:7:0.25", Parameters(first=7, second=0.25)),
        ("example:7,0.25,word,true", Parameters(7, 0.25, "word", True)),
        ("example:second=2,first=none", Parameters(second=2.0)),
        ('example:text="a,b:c=d ""e"""', Parameters(text='a,b:c=d "e"')),
        ("example: first = 3 ", Parameters(first=3)),
        ('example:text=""', Parameters(text="")),
    ],
)
def test_parsed(spec, expected):
    agent = parse_spec(spec, AGENTS)
    assert agent.parameters == expected
    assert parse_spec(agent.spec, AGENTS).parameters == expected


@given(
    first=st.none() | st.integers(1, 100),
    second=st.floats(0, 1e300),
    text=st.text(st.characters(exclude_categories=["C"]), max_size=20).filter(lambda t: t == t.strip()),
    flag=st.booleans(),
)
def test_what_an_agent_prints_parses_back(first, second, text, flag):
    agent = Example(Parameters(first, second, text, flag))
    assert parse_spec(agent.spec, AGENTS).parameters == agent.parameters


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("exampl", "there is no agent 'exampl'; there are example"),
        ("example:0", "first=0: expected int 1..100"),
        ("example:x", "first=x: expected int 1..100"),
        ("example:third=1", "no parameter 'third'; it has first, second, text, flag"),
        ("example:1,first=2", "first is given twice"),
        ("example:1:2:a:true:5", "one value too many"),
        ("example:", "a value is missing"),
        ("example:1,,2", "a value is missing"),
        ('example:text="a', "not closed"),
        ("example:flag=maybe", "flag=maybe: expected true | false"),
        ("example:second=nan", "second=nan"),
    ],
)
def test_refused(spec, message):
    with pytest.raises(SpecError) as error:
        parse_spec(spec, AGENTS)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_split():
    assert split_spec("uct:1000") == ("uct", [(None, "1000")])
    assert split_spec("catanatron:AB:2") == ("catanatron", [(None, "AB"), (None, "2")])


@pytest.mark.parametrize("spec", ["uct:1000", "uct:time=0.5,c=2.0", "alphabeta:schedule=report", "random"])
def test_specs_of_real_agents_round_trip(spec):
    game = load_game("connect4")
    agent = make_agent(spec, game)
    assert make_agent(agent.spec, game).parameters == agent.parameters


def test_agents_refuse_what_they_can_not_do():
    with pytest.raises(ValueError, match="no evaluator 'nope'; it has report, outcome"):
        make_agent("alphabeta:evaluation=nope", load_game("connect4"))
    with pytest.raises(ValueError, match="no playout policy 'nope'"):
        make_agent("uct:playouts=nope", load_game("connect4"))
