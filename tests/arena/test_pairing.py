"""Pairs of a Swiss round, against all pairings of small fields and what large ones need."""

import itertools
import random
import time
from collections import Counter

import pytest

from oponente.arena.pairing import neighbour_pairs, who_rests


def pairings(field):
    """Yield all pairings of an even number, in the order in which a search from the top comes to them."""
    if not field:
        yield []
        return
    first, *others = field
    for other in others:
        for rest in pairings([one for one in others if one != other]):
            yield [(first, other), *rest]


def repeats(pairs, met):
    return sum(met[frozenset(pair)] > 0 for pair in pairs)


def some_meetings(rng, size, share, most=1):
    pairs = itertools.combinations(range(size), 2)
    return Counter({frozenset(pair): rng.randint(1, most) for pair in pairs if rng.random() < share})


@pytest.mark.parametrize("size", [2, 4, 6, 8])
def test_as_few_repeats_as_there_can_be_and_else_the_first_pairing(size):
    rng = random.Random(size)
    for share in (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0) * 6:
        met = some_meetings(rng, size, share)
        ranking = rng.sample(range(size), size)
        pairs = neighbour_pairs(ranking, met)
        every = list(pairings(ranking))
        fewest = min(repeats(one, met) for one in every)
        assert sorted(entrant for pair in pairs for entrant in pair) == list(range(size))
        assert repeats(pairs, met) == fewest
        if fewest == 0:
            assert pairs == next(one for one in every if repeats(one, met) == 0)


@pytest.mark.parametrize("size", [3, 5, 7])
def test_who_rests_spares_others_a_repeat(size):
    rng = random.Random(size)

    def fewest(out, met):
        return min(repeats(one, met) for one in pairings([i for i in range(size) if i != out]))

    for share in (0.2, 0.4, 0.6, 0.8, 0.9, 1.0) * 6:
        met = some_meetings(rng, size, share)
        candidates = rng.sample(range(size), rng.randint(1, size))
        out = who_rests(range(size), met, candidates)
        least = min(fewest(one, met) for one in candidates)
        assert out == next(one for one in candidates if fewest(one, met) == least)


def test_all_meet_again_before_any_meet_a_third_time():
    met = Counter()
    for round_ in range(1, 21):
        pairs = neighbour_pairs(range(6), met)
        met.update(frozenset(pair) for pair in pairs)
        assert max(met.values()) == -(-round_ // 5)
    assert set(met.values()) == {4}


def test_odd_cycles():
    """Two triangles that a path joins, and a ring of five with a tail: each has one pairing, through a cycle."""
    for size, joined, pairs in (
        (6, [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)], [(0, 1), (2, 3), (4, 5)]),
        (6, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4), (2, 5)], [(0, 1), (2, 5), (3, 4)]),
        (6, [(1, 2), (2, 3), (3, 4), (4, 5), (1, 5), (0, 3)], [(0, 3), (1, 2), (4, 5)]),
    ):
        apart = {frozenset(pair) for pair in itertools.combinations(range(size), 2)} - set(map(frozenset, joined))
        assert neighbour_pairs(range(size), Counter(apart)) == pairs


def test_large_fields_take_seconds_and_neighbours_stay_near():
    rng = random.Random(3)
    skill = [rng.gauss(0.0, 1.0) for _ in range(2100)]
    points, met = [0] * len(skill), Counter()
    begin = time.perf_counter()
    for round_ in range(12):
        pairs = neighbour_pairs(sorted(range(len(skill)), key=lambda one: (-points[one], one)), met)
        assert repeats(pairs, met) == 0
        assert max(abs(points[one] - points[other]) for one, other in pairs) <= 1 + (round_ > 8)
        met.update(map(frozenset, pairs))
        for pair in pairs:
            points[max(pair, key=lambda one: skill[one] + rng.gauss(0.0, 0.7))] += 1
    assert time.perf_counter() - begin < 60
