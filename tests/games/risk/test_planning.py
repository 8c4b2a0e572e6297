"""Risk in plans: the same game as the raw one, and searches that think in it play legal raw actions."""

import numpy as np
import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.arena import MatchSpec, run_match
from oponente.games.catalogue import GameSpec
from oponente.games.risk.moves import AMOUNT, LOSSES, PLACING_AMOUNT
from oponente.games.risk.plans import ATTACK, DONE_WITH, KEEP, MOVE, PLACE, next_step
from oponente.games.risk.searches import SEARCHES, game_in_plans, in_raw_actions, position_in_plans
from oponente.games.risk.state import FIELDS
from oponente.kernel import stream
from oponente.search.analysis import Analysis, MoveAnalysis
from tests.games.risk.positions import Position
from tests.games.risk.test_properties import VARIANTS


def same(position, raw):
    return all(np.array_equal(position.array[name], raw.array[name]) for name, *_ in FIELDS)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_plan_is_the_raw_actions_that_it_stands_for(variant):
    raw = load_game("risk", {**VARIANTS[variant], "turn_limit": "24"}).start(1)
    game = game_in_plans(raw.game)
    state, rng = position_in_plans(raw, game), stream(1, "play")
    plan, begun, turn = None, False, -1
    for _ in range(250):
        if state.is_terminal:
            break
        if state.is_chance:
            outcome = state.apply_chance(rng)
            raw.apply(outcome)
        else:
            plan, begun, turn = state.sample_action(rng), False, int(raw.record.turn)
            assert not LOSSES <= plan < PLACE
            assert all(state.is_legal(listed) for listed in state.legal_actions)
            state.apply(plan)
        while plan is not None and raw.player >= 0 and int(raw.record.turn) == turn:
            step = int(next_step(raw.game.tables, raw.array[0], plan, begun))
            if step == DONE_WITH:
                break
            raw.apply(step)
            begun = True
        assert same(state, raw)
        assert state.player == raw.player
        if raw.player >= 0:
            plan = None
            assert int(state.record.plan) == 0


def test_playout_policies_play_in_plans():
    """What they choose is a raw action, which is a plan, too."""
    raw = load_game("risk", {"players": "3", "setup": "dealt", "turn_limit": "30"})
    game = game_in_plans(raw)
    state, rng = game.start(1), stream(1, "play")
    policy = game.policies["angry"]
    for _ in range(200):
        if state.is_terminal:
            break
        if state.is_chance:
            state.apply_chance(rng)
            continue
        view = View(state, state.player)
        action = view.policy_action(policy, rng)
        as_raw = position_in_plans(state, game)
        assert load_position(raw, as_raw).is_legal(action)
        state.apply(action)
    assert int(state.record.turn) > 2


def test_numbers_that_are_no_plans_are_refused():
    state = game_in_plans(load_game("risk", {"players": "2", "setup": "bare"})).start(1)
    for plan in (
        PLACE + 63,
        PLACE + 64,
        ATTACK + 64 * 60 + 1,
        KEEP + 62,
        MOVE + 64 * 63,
        MOVE + 64 * 64,
        2**31 - 1,
        -1,
    ):
        assert not state.is_legal(plan)


def load_position(raw, position):
    """Return a position of the game in plans as one of the raw game."""
    state = raw.start(1)
    for name, *_ in FIELDS:
        state.array[name] = position.array[name]
    state._cache = None
    return state


@pytest.mark.compiled
@pytest.mark.parametrize("spec", ["one-step", "uct:iterations=60", "flat-mc:iterations=20"])
def test_searches_carry_their_plans_out(spec):
    game = GameSpec("risk", (("players", "3"), ("setup", "dealt"), ("turn_limit", "12")))
    records = run_match(MatchSpec(game, (spec, "random", "random"), games=2, seed=1)).records
    assert [record.status for record in records] == ["played"] * 2
    agent = make_agent(spec, game.load())
    state = game.load().start(5)
    rng = stream(5, "play")
    while not int(state.record.turn) or state.is_chance:
        state.apply_chance(rng) if state.is_chance else state.apply(state.sample_action(rng))
    agent.begin_game(state.game, state.player)
    action = agent.choose(View(state, state.player), Budget())
    analysis = agent.last_analysis
    assert isinstance(analysis, Analysis)
    assert action == analysis.action
    assert all(state.is_legal(move.action) for move in analysis.moves)
    assert len({move.action for move in analysis.moves}) == len(analysis.moves)
    assert state.action_text(action).startswith("place")


def test_moves_analysed_are_in_the_order_of_the_game():
    """Amounts are plans in another order, and some of them are open actions."""
    position = Position().hold(0, Alaska=3).place(110).set(target=0).phase(PLACING_AMOUNT)
    state = position.state
    plans = [AMOUNT + 110, AMOUNT + 1, AMOUNT + 55]
    assert AMOUNT + 55 not in list(state.legal_actions)
    analysis = Analysis(plans[0], moves=tuple(MoveAnalysis(plan, 0.5, 1) for plan in plans))
    assert [move.action - AMOUNT for move in in_raw_actions(state, analysis).moves] == [1, 110, 55]


def test_all_generic_searches_are_there():
    game = load_game("risk", {"players": "2"})
    for agent in SEARCHES:
        assert type(make_agent(agent.name, game)) is agent
        assert make_agent(f"{agent.name}:plans=false", game).parameters.plans is False
