"""Agent specs: parsed, written, and refused with one clear line."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente import load_game, make_agent
from oponente.agents.base import Agent
from oponente.agents.spec import SpecError, parse_spec, split_spec
from oponente.kernel import option
from toy_games import toy


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


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uct:evaluation=nope", "uct: evaluation changes nothing without cutoff, horizon, implicit or bias"),
        ("uct:evaluation_scale=0", "evaluation_scale changes nothing without cutoff"),
        ("uct:prior=report", "prior changes nothing without formula=puct, root=gumbel or widening"),
        ("uct:widening_power=0.3", "without widening"),
        ("uct:amaf=rave,amaf_weight=0.3", "without amaf=amaf"),
        ("uct:amaf=grave,rave_visits=10", "without amaf=rave"),
        ("uct:grave_ref=10", "without amaf=grave"),
        ("uct:grave_bias=0.1", "without amaf=grave"),
        ("uct:guide_choice=gibbs", "without guide"),
        ("uct:guide=mast,guide_choice=gibbs,epsilon=0.2", "without .*guide_choice=epsilon"),
        ("uct:guide=mast,temperature=1", "without .*guide_choice=gibbs"),
        ("uct:guide=mast,nst_visits=3", "without guide=nst"),
        ("uct:final=max,secure=1", "without final=secure"),
        ("uct:root=halving,gumbel_actions=3", "without root=gumbel"),
        ("uct:loop=closed,legality=false", "without loop=open"),
        ("uct:loop=open,formula=puct,legality=false", "legality changes nothing without .*a formula with ln N"),
        ("uct:loop=open,formula=greedy,legality=false", "legality changes nothing"),
        ("uct:worlds=5", "without observers=pimc"),
        ("uct:belief_samples=5", "without belief"),
        ("uct:threads=2,parallel=root,pending=loss", "without threads that share a tree"),
        ("uct:parallel=root", "uct: parallel changes nothing without threads=2 or more"),
        ("uct:parallel=leaf", "parallel changes nothing"),
        ("uct:formula=greedy,c=5", "c changes nothing without another formula than greedy"),
        ("uct:cheat=true,observers=pimc", "observers changes nothing without cheat=false"),
        ("uct:cheat=true,observers=multiple", "observers changes nothing without cheat=false"),
        ("uct:root=halving,ties=random", "ties changes nothing without root=bandit, several trees"),
        ("uct:root=gumbel,ties=random", "ties changes nothing"),
        ("uct:guide=mast,guide_choice=gibbs,playouts=uniform", "playouts changes nothing without playouts that take"),
        ("uct:guide=mast,epsilon=0,playouts=uniform", "playouts changes nothing"),
        ("uct:guide=nst,guide_choice=gibbs,redundancy=0.5", "redundancy changes nothing"),
        ("uct:cutoff=0,playouts=uniform", "playouts changes nothing"),
        ("uct:cutoff=0,guide=mast", "guide changes nothing without playouts .cutoff=1"),
        ("uct:cutoff=0,count_redundant=true", "count_redundant changes nothing"),
        ("rhea:variant=1+1,population=5", "rhea: population changes nothing without another variant"),
        ("rhea:variant=flat,mutation=0.5", "mutation changes nothing"),
        ("rhea:variant=flat,distinct=true", "distinct changes nothing without another variant"),
        ("rhea:tournament=1,distinct=true", "distinct changes nothing without tournament of 2 plans or more"),
        ("rhea:tournament=11,distinct=true", "tournament=11 must be at most population=10"),
        ("uct:squash=true", "squash changes nothing without reuse=true"),
        ("mcts:squash=true,root=halving", "squash changes nothing without reuse=true"),
        ("mcts:squash=true,observers=pimc", "squash changes nothing without reuse=true"),
        ("mcts:squash=true,threads=2,parallel=root", "squash changes nothing without reuse=true"),
        ("alphabeta:cheat=true,samples=9", "alphabeta: samples changes nothing without cheat=false"),
        ("uct:threads=16,parallel=root,capacity=1000", "divided among 16 trees: give 1024 or more"),
    ],
)
def test_what_would_change_nothing_is_refused(spec, message):
    with pytest.raises(ValueError, match=message):
        make_agent(spec, load_game("connect4"))


def test_aspiration_is_refused_where_the_value_of_every_action_is_wanted():
    for name in ("alphabeta", "expectiminimax", "best-reply"):
        with pytest.raises(ValueError, match=f"{name}: aspiration changes nothing where several samples are searched"):
            make_agent(f"{name}:aspiration=5", toy("poker"))
        make_agent(f"{name}:aspiration=5,samples=1", toy("poker"))
        make_agent(f"{name}:aspiration=5,cheat=true", toy("poker"))
        make_agent(f"{name}:aspiration=5", toy("pig"))


def test_what_has_an_effect_is_taken_whatever_the_defaults():
    make_agent("uct:guide=nst,epsilon=0.2,nst_visits=3", load_game("connect4"))
    make_agent("uct:widening=1,prior=report", load_game("connect4"))
    make_agent("uct:threads=2,parallel=root,root=halving,ties=random", load_game("connect4"))
    make_agent("uct:cutoff=0,playouts=uniform,backup=best-reply", load_game("connect4"))
    make_agent("uct:guide=mast,guide_choice=gibbs,playouts=uniform,loop=open,opponents=policy", load_game("connect4"))
    make_agent("strong:cutoff=none", load_game("catan"))  # its evaluation is one by default
