"""Risk: properties of all positions of random play, and the conformance suite."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oponente import load_game
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACK,
    BONUS,
    LOSSES,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_AMOUNT,
    OVER,
    THROWING,
)
from oponente.games.risk.state import DRAW, NEUTRAL
from oponente.kernel import COMPILED, Game, State, stream
from oponente.testing import GameConformance
from tests.games.risk.positions import FEW, Position, check_state

VARIANTS: dict[str, dict[str, str]] = {
    "classic for three": {"players": "3", "setup": "dealt"},
    "classic for two": {"players": "2", "fortify": "unlimited"},
    "thesis": {"rules": "thesis-2022", "dice": "thesis"},
    "war": {"rules": "war-grow", "players": "4"},
    "capitals": {"players": "4", "setup": "dealt", "victory": "capitals-short", "fortify": "connected"},
    "missions, few armies": {"players": "5", "setup": "dealt", "victory": "missions", "army_limit": "12"},
}


class RiskConformance(GameConformance):
    options: dict[str, str]
    turns = "24"
    interpreted_turns = "4"
    games = 1

    def make_game(self) -> Game:
        # Samples of what is hidden are played to their end, which takes long in the interpreter.
        return load_game("risk", {**self.options, "turn_limit": self.turns if COMPILED else self.interpreted_turns})

    def invariant(self, state: State) -> None:
        check_state(state)


class TestClassicForThree(RiskConformance):
    options = VARIANTS["classic for three"]
    interpreted_turns = "4"


@pytest.mark.compiled
@pytest.mark.skipif(FEW, reason="fewer random cases")
class TestThesis(RiskConformance):
    options = VARIANTS["thesis"]
    turns = "12"


@pytest.mark.compiled
class TestWar(RiskConformance):
    options = VARIANTS["war"]


@pytest.mark.long
@pytest.mark.compiled
class TestCapitals(RiskConformance):
    options = VARIANTS["capitals"]


def armies_of(state: State) -> int:
    """Return all armies on the board and those that are still to be placed."""
    return int(state.record.armies.sum()) + int(state.record.pool.sum()) + int(state.record.reserved.sum())


def play(game: Game, seed: int, plies: int) -> State:
    """Play at random and check every position and what becomes of the armies; return the last position."""
    state = game.start(seed)
    state.undoable = False
    rng = stream(seed, "play")
    for _ in range(plies):
        if state.is_terminal:
            break
        before, turn, throwing = armies_of(state), int(state.record.turn), int(state.record.phase) == THROWING
        if state.is_chance:
            dice = int(state.record.dice), int(state.record.armies[state.record.target])
            action = state.apply_chance(rng)
        else:
            assert len(state.legal_actions) > 0
            action = state.sample_action(rng)
            state.apply(action)
        bonus = BONUS <= action < MOVE_FROM
        check_state(state)
        after = armies_of(state)
        if throwing:
            stake = min(dice[0], dice[1], int(game.tables.rules.defence_dice))
            assert 0 <= action - LOSSES <= stake
            # With nothing left to do, the next turn begins at once, and brings armies.
            assert after == before - stake or int(state.record.turn) > turn
        elif int(state.record.turn) == turn and int(state.record.phase) != OVER and action < ATTACK and not bonus:
            assert after <= before  # fewer only where there was no room
    return state


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=2 if COMPILED else 1)
@given(seed=st.integers(0, 2**32))
def test_random_play_keeps_the_invariants(variant: str, seed: int) -> None:
    play(load_game("risk", VARIANTS[variant]), seed, 700 if COMPILED else 250)


def test_neutral_armies_only_defend() -> None:
    """After the set-up they lose armies and territories, and nothing else becomes of them."""
    for seed in range(3):
        state = load_game("risk", {"players": "2", "turn_limit": "30"}).start(seed)
        rng = stream(seed, "play")
        before: dict[int, int] | None = None
        for _ in range(400):
            if state.is_terminal:
                break
            record = state.record
            assert int(record.mover) < 2
            neutral = {t: int(record.armies[t]) for t in range(42) if int(record.owner[t]) == NEUTRAL}
            if before is not None:
                assert all(count <= before.get(territory, 0) for territory, count in neutral.items())
            before = neutral if int(record.turn) else None
            if state.is_chance:
                state.apply_chance(rng)
            else:
                state.apply(state.sample_action(rng))
        assert before


@pytest.mark.parametrize("seed", range(4))
def test_the_moves_of_a_turn_suffice_for_every_rearrangement(seed: int) -> None:
    """Armies flow along a tree of own borders: first out of territories into which nothing flows any more."""
    draw = random.Random(seed)
    position = Position(fortify="unlimited")
    world, record = position.game.options.world, position.state.record
    own, waiting, parent = [draw.randrange(42)], [], {}
    while len(own) < 20:
        waiting = [(a, b) for a in own for b in world.territories[a].neighbours if b not in own]
        origin, territory = draw.choice(waiting)
        parent[territory] = origin
        own.append(territory)
    position.hold(0, **{world.territories[t].name.replace(" ", "_"): draw.randint(1, 9) for t in own})
    total = sum(int(record.armies[t]) for t in own)
    goal = dict.fromkeys(own, 1)
    for _ in range(total - len(own)):
        goal[draw.choice(own)] += 1
    surplus = {t: int(record.armies[t]) - goal[t] for t in own}
    flows = []
    for territory in reversed(own[1:]):  # from the leaves on
        count = surplus[territory]
        surplus[parent[territory]] += count
        if count:
            ends = (territory, parent[territory]) if count > 0 else (parent[territory], territory)
            flows.append((*ends, abs(count)))
    state = position.do("done")
    assert int(state.record.phase) == MOVING
    while flows:
        first = next(flow for flow in flows if all(flow[0] != other[1] for other in flows))
        flows.remove(first)
        state.apply(MOVE_FROM + first[0])
        state.apply(MOVE_TO + first[1])
        if int(state.record.phase) == MOVING_AMOUNT:
            state.apply(AMOUNT + first[2])
    assert {t: int(state.record.armies[t]) for t in own} == goal


@pytest.mark.compiled
@pytest.mark.parametrize("variant", VARIANTS)
def test_games_end_by_the_limit_at_the_latest(variant: str) -> None:
    game = load_game("risk", {**VARIANTS[variant], "turn_limit": "40"})
    for seed in range(3):
        state = game.start(seed)
        state.undoable = False
        rng = stream(seed, "whole")
        while not state.is_terminal:
            if state.is_chance:
                state.apply_chance(rng)
            else:
                state.apply(state.sample_action(rng))
        assert int(state.record.turn) <= 40
        if int(state.record.winner) == DRAW:
            assert state.returns == pytest.approx([(2 - game.num_players) / game.num_players] * game.num_players)
        else:
            assert sorted(state.returns) == [-1.0] * (game.num_players - 1) + [1.0]


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
def test_many_random_actions_keep_the_invariants(variant: str) -> None:
    game = load_game("risk", VARIANTS[variant])
    actions, seed = 0, 1_000_000
    while actions < 200_000:
        actions += len(play(game, seed, 20_000).history)
        seed += 1
