"""Hands as far as messages tell: all combinations that are possible, one that stands for them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.interop.jsettlers import ledger as ledger_module
from oponente.interop.jsettlers.ledger import NOBODY, Ledger, LedgerError


def unit(resource):
    return [int(kind == resource) for kind in range(5)]


def test_a_theft_is_open_until_the_card_shows():
    ledger = Ledger(3)
    ledger.gain(0, (1, 1, 0, 0, 0))
    ledger.open(0, 1)
    assert ledger.size(0) == ledger.size(1) == 1
    assert ledger.least(0) == ledger.least(1) == (0, 0, 0, 0, 0)
    ledger.lose(1, unit(1))
    assert ledger.least(0) == (1, 0, 0, 0, 0)
    assert ledger.hands[0] == [1, 0, 0, 0, 0]
    assert ledger.resolved() == [1]


def test_what_can_only_be_one_is_known():
    ledger = Ledger(2)
    ledger.gain(0, (0, 0, 3, 0, 0))
    ledger.open(0, 1)
    assert ledger.least(1) == (0, 0, 1, 0, 0)


def test_probabilities_are_those_of_bayes():
    ledger = Ledger(2)
    ledger.gain(0, (3, 1, 0, 0, 0))
    ledger.open(0, 1)
    by_card = {tuple(world[5:]): weight for world, weight in zip(ledger.worlds.tolist(), ledger.weights, strict=True)}
    assert by_card[1, 0, 0, 0, 0] == pytest.approx(0.75)
    assert by_card[0, 1, 0, 0, 0] == pytest.approx(0.25)


def test_an_exact_count_decides():
    ledger = Ledger(3)
    ledger.gain(0, (2, 2, 0, 0, 0))
    ledger.open(0, 1)
    ledger.open(0, 2)
    ledger.exact(0, 0, 0)
    assert ledger.least(1) == ledger.least(2) == (1, 0, 0, 0, 0)


def test_what_cannot_be_is_refused():
    ledger = Ledger(2)
    ledger.gain(0, (1, 0, 0, 0, 0))
    ledger.open(0, NOBODY)
    with pytest.raises(LedgerError, match="seat 0"):
        ledger.lose(0, (1, 0, 0, 0, 0))
    with pytest.raises(LedgerError, match="no card"):
        Ledger(2).open(0, 1)


@given(st.integers(0, 2**32))
def test_random_games_are_never_contradicted_and_always_resolved(seed):
    rng = random.Random(seed)
    truth = [[0] * 5 for _ in range(4)]
    ledger = Ledger(4, seed)
    opened = []
    for _ in range(60):
        seat = rng.randrange(4)
        held = [resource for resource in range(5) for _ in range(truth[seat][resource])]
        kind = rng.randrange(5)
        if kind == 0 or not held:
            resource = rng.randrange(5)
            truth[seat][resource] += 1
            ledger.gain(seat, unit(resource))
            continue
        resource = rng.choice(held)
        if kind == 1:
            truth[seat][resource] -= 1
            ledger.lose(seat, unit(resource))
        elif kind == 2:
            ledger.show(seat, unit(resource))
        elif kind == 3:
            other = rng.choice([taker for taker in range(4) if taker != seat])
            truth[seat][resource] -= 1
            truth[other][resource] += 1
            ledger.open(seat, other)
            opened.append((seat, other))
        else:
            truth[seat][resource] -= 1
            ledger.open(seat, NOBODY)
            opened.append((seat, NOBODY))
        assert any(world == [count for hand in truth for count in hand] for world in ledger.worlds.tolist())
        assert [sum(hand) for hand in ledger.hands] == [sum(hand) for hand in truth]
        for player in range(4):
            assert all(known <= true for known, true in zip(ledger.least(player), truth[player], strict=True))
    assert len(ledger.resolved()) == len(opened)


@pytest.mark.parametrize("seed", range(20))
def test_the_world_that_stands_for_all_is_among_those_that_are_kept(seed, monkeypatch):
    monkeypatch.setattr(ledger_module, "MAX_WORLDS", 3)
    rng = random.Random(seed)
    ledger = Ledger(3, seed)
    for seat in range(3):
        ledger.gain(seat, (3, 2, 2, 1, 1))
    for number in range(12):
        giver = number % 3
        ledger.open(giver, rng.choice([NOBODY, (giver + 1) % 3]))
        assert len(ledger.worlds) <= 3
        assert ledger.weights.sum() == pytest.approx(1.0)
        assert [count for hand in ledger.hands for count in hand] in ledger.worlds.tolist()
    assert len(ledger.resolved()) == 12
