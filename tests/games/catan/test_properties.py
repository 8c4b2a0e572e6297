"""Catan: properties of all positions of random play, and the conformance suite."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oponente import load_game
from oponente.games.catan import rules
from oponente.games.catan.cards import count_of, unpack
from oponente.games.catan.moves import ANSWERING, MAIN, OFFER, offer_id
from oponente.kernel import COMPILED, Game, State, stream
from oponente.testing import GameConformance
from tests.games.catan.positions import OBSERVERS, check_state, may_have_more

FEW = os.environ.get("HYPOTHESIS_PROFILE") == "few"
"""Whether fewer random cases are wanted, as in the stage with bounds checks."""

VARIANTS: dict[str, dict[str, str]] = {
    "official": {},
    "three without trade": {"players": "3", "trade": "false"},
    "two, as catanatron": {"players": "2", "preset": "catanatron", "friendly_robber": "true", "numbers": "random"},
    "beginner": {"board": "beginner", "preset": "jsettlers"},
}


class CatanConformance(GameConformance):
    options: dict[str, str]
    games = 1
    interpreted_turns = "12"
    """Enough that something is hidden."""

    def make_game(self) -> Game:
        # Samples are played to their end at random, which takes long where all may trade, and in the interpreter.
        return load_game("catan", {**self.options, "turn_limit": "80" if COMPILED else self.interpreted_turns})

    def invariant(self, state: State) -> None:
        check_state(state)


class TestOfficial(CatanConformance):
    options = VARIANTS["official"]


@pytest.mark.skipif(FEW, reason="fewer random cases")
class TestThreeWithoutTrade(CatanConformance):
    options = VARIANTS["three without trade"]


class TestTwoAsCatanatron(CatanConformance):
    options = VARIANTS["two, as catanatron"]
    interpreted_turns = "40"


@pytest.mark.skipif(FEW, reason="fewer random cases")
class TestBeginner(CatanConformance):
    options = VARIANTS["beginner"]


def random_offer(state: State, rng: np.random.Generator) -> int | None:
    """Return an offer or counter-offer of any amounts that the player to move may make; None if it may make none."""
    record = state.record
    cards = np.array(unpack(record.known[state.player, state.player]))
    give = rng.integers(0, cards + 1) * rng.integers(0, 2, 5)
    want = np.where(give > 0, 0, rng.integers(0, 4, 5) * rng.integers(0, 2, 5))
    action = offer_id([int(count) for count in np.minimum(give, 31)], [int(count) for count in want])
    return action if state.is_legal(action) else None


def play(game: Game, seed: int, plies: int, check_every: int = 1) -> State:
    """Play at random, with offers of any amounts, and check the positions; return the last one."""
    state = game.start(seed)
    state.undoable = False
    rng, choose = stream(seed, "play"), np.random.default_rng(seed)
    for ply in range(plies):
        if state.is_terminal:
            break
        if state.is_chance:
            state.apply(state.sample_chance(rng))
        else:
            assert len(state.legal_actions) > 0
            action = None
            if state.record.phase in (MAIN, ANSWERING) and choose.random() < 0.1:
                action = random_offer(state, choose)
            state.apply(state.sample_action(rng) if action is None else action)
        if ply % check_every == 0:
            check_state(state)
    check_state(state)
    return state


@pytest.mark.parametrize("variant", VARIANTS)
@settings(max_examples=4)
@given(seed=st.integers(0, 2**32))
def test_random_play_keeps_the_invariants(variant: str, seed: int) -> None:
    play(Game(rules, VARIANTS[variant]), seed, 600, check_every=7)


@pytest.mark.long
@pytest.mark.parametrize("variant", VARIANTS)
def test_millions_of_random_actions_keep_the_invariants(variant: str) -> None:
    game = Game(rules, VARIANTS[variant])
    actions, seed = 0, 1_000_000
    while actions < 500_000:
        actions += len(play(game, seed, 20_000, check_every=50).history)
        seed += 1


# --- views leak nothing ----------------------------------------------------------------------------------------------


def other_world(state: State, seat: int, seed: int) -> State:
    """Return a state that differs in what a seat can't know: two cards of two hands that it can't tell are swapped, and
    development cards of others among each other and with the deck.
    """
    other = state.copy()
    record = other.record
    players = state.game.num_players
    hidden = []
    for holder in range(players):
        unknown = np.array(unpack(record.known[holder, holder])) - np.array(unpack(record.known[holder, seat]))
        hidden += [(holder, resource) for resource in range(5) if unknown[resource] > 0]
    for holder, resource in hidden:
        for partner, wanted in hidden:
            if (
                holder < partner
                and resource != wanted
                and seat not in (holder, partner)
                and may_have_more(record, holder, seat, wanted)
                and may_have_more(record, partner, seat, resource)
            ):
                record.known[holder, holder] = record.known[holder, holder] + one(wanted) - one(resource)
                record.known[partner, partner] = record.known[partner, partner] + one(resource) - one(wanted)
                return shuffle_development(other, seat, seed)
    return shuffle_development(other, seat, seed)


def one(resource: int) -> np.uint64:
    return np.uint64(1 << 8 * resource)


def shuffle_development(state: State, seat: int, seed: int) -> State:
    """Deal the development cards that a seat can't see anew."""
    record = state.record
    rng = np.random.default_rng(seed)
    others = [s for s in range(state.game.num_players) if s != seat]
    cards = [card for card in range(5) for _ in range(int(record.deck[card] + record.cards[others, card].sum()))]
    rng.shuffle(cards)
    bought = int(record.fresh.sum())
    for holder in others:
        count = int(record.cards[holder].sum())
        dealt, cards = cards[:count], cards[count:]
        record.cards[holder] = [dealt.count(card) for card in range(5)]
        if holder == record.mover:
            record.fresh[:] = [dealt[:bought].count(card) for card in range(5)]
    record.deck[:] = [cards.count(card) for card in range(5)]
    state._cache = None
    return state


@pytest.mark.parametrize("players", [3, 4])
def test_views_leak_nothing(players: int) -> None:
    game = Game(rules, {"players": str(players)})
    differing = 0
    for seed in range(12):
        state = play(game, seed, 150 + 60 * seed, check_every=1000)
        if state.is_terminal:
            continue
        for seat in range(players):
            other = other_world(state, seat, seed)
            if other == state:
                other = state.determinize(seat, stream(seed, "another world"))
            differing += other != state
            assert (state.encode(seat) == other.encode(seat)).all()
            for key in range(3):
                sampled = state.determinize(seat, stream(key, "world"))
                if not sampled.is_terminal:
                    check_state(sampled)
                assert sampled == other.determinize(seat, stream(key, "world"))
            if state.player == seat:
                assert list(state.legal_actions) == list(other.legal_actions)
    assert differing > 20


def test_what_is_known_for_certain_is_in_every_sample() -> None:
    game = Game(rules, {"players": "4"})
    for seed in range(6):
        state = play(game, seed, 400, check_every=1000)
        for seat in range(4):
            for key in range(10):
                sampled = state.determinize(seat, stream(key)).record
                for holder in range(4):
                    hand = sampled.known[holder, holder]
                    for resource in range(5):
                        known = int(count_of(state.record.known[holder, seat], resource))
                        assert int(count_of(hand, resource)) >= known
                assert (sampled.known[seat, seat] == state.record.known[seat, seat]).all()
                assert sampled.bank == state.record.bank


def test_open_offers_come_up_in_the_tests() -> None:
    state = play(Game(rules), 5, 800, check_every=1000)
    assert any(action >= OFFER for action in state.history)
    assert state.record.known.shape == (4, OBSERVERS)
