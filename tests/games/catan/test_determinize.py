"""Catan: samples of what a seat can't know, against the exact posterior by enumeration.

A story is a course of public events: cards gained, thefts whose card is not seen, cards shown, paid or handed over in a
monopoly. The exact posterior of all hands follows from every identity that the stolen cards may have had, each weighted
with its probability at the time of the theft, and only those kept in which every later event was possible.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from oponente.games.catan.cards import KNIGHT, RESOURCES, VICTORY_POINT, unpack
from oponente.games.catan.knowledge import slot_of
from oponente.games.catan.moves import (
    BUY_CARD,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
    END_TURN,
    MAIN,
    PLAY_MONOPOLY,
    REJECT,
    ROBBING,
    STEAL,
)
from oponente.kernel import stream
from tests.games.catan.positions import Position, check_knowledge, offer, robber

pytestmark = pytest.mark.compiled

Hands = tuple[tuple[int, ...], ...]
Event = tuple[Any, ...]
SAMPLES = 4000
PLACES = ("a3", "a5", "b4", "a4")
"""One corner of the first tile for each seat, so that the robber there can take cards of all."""


def index(name: str) -> int:
    return RESOURCES.index(name)


# --- the exact posterior ---------------------------------------------------------------------------------------------


def add(hands: Hands, seat: int, resource: int, count: int) -> Hands | None:
    """Return the hands after a change; None if it is not possible."""
    hand = list(hands[seat])
    hand[resource] += count
    if hand[resource] < 0:
        return None
    return (*hands[:seat], tuple(hand), *hands[seat + 1 :])


def posterior(players: int, story: list[Event], observer: int, truth: list[int]) -> dict[Hands, float]:
    """Return the probability of all hands after a story, for an observer.

    Args:
        truth: the card stolen in each theft, which thief and victim see.
    """
    worlds: dict[Hands, Fraction] = {((0,) * 5,) * players: Fraction(1)}
    stolen = iter(truth)
    for kind, seat, *rest in story:
        found: dict[Hands, Fraction] = {}
        true_card = next(stolen) if kind == "steal" else None
        for hands, weight in worlds.items():
            for after, share in outcomes(hands, kind, seat, rest, observer, true_card):
                found[after] = found.get(after, Fraction(0)) + weight * share
        worlds = found
    whole = sum(worlds.values())
    return {hands: float(weight / whole) for hands, weight in worlds.items()}


def outcomes(
    hands: Hands, kind: str, seat: int, rest: list[Any], observer: int, true_card: int | None
) -> list[tuple[Hands, Fraction]]:
    """Return the hands that an event leads to, each with its probability."""
    if kind == "gain":
        after = add(hands, seat, rest[0], rest[1])
        return [(after, Fraction(1))] if after else []
    if kind == "discard":
        after = add(hands, seat, rest[0], -1)
        return [(after, Fraction(1))] if after else []
    if kind == "show":
        return [(hands, Fraction(1))] if hands[seat][rest[0]] >= 1 else []
    if kind == "buy":
        now: Hands | None = hands
        for resource in (2, 3, 4):
            now = add(now, seat, resource, -1) if now else None
        return [(now, Fraction(1))] if now else []
    if kind == "monopoly":
        # How many each hands over is seen: the story tells it.
        resource, counts = rest
        if any(hands[other][resource] != counts[other] for other in range(len(hands)) if other != seat):
            return []
        taken = sum(counts) - counts[seat]
        changed: Hands = tuple(
            tuple((h[r] + taken if other == seat else 0) if r == resource else h[r] for r in range(5))
            for other, h in enumerate(hands)
        )
        return [(changed, Fraction(1))]
    assert kind == "steal"
    victim = rest[0]
    size = sum(hands[victim])
    found = []
    for resource in range(5):
        if hands[victim][resource] and (observer not in (seat, victim) or resource == true_card):
            after = add(hands, victim, resource, -1)
            assert after is not None
            with_card = add(after, seat, resource, 1)
            assert with_card is not None
            found.append((with_card, Fraction(hands[victim][resource], size)))
    return found


# --- the same by the rules -------------------------------------------------------------------------------------------


def tell(players: int, story: list[Event], truth: list[int]) -> Position:
    """Play a story, in which these cards are stolen; return the position."""
    position = Position(players=players)
    stolen = iter(truth)
    for seat in range(players):
        position.settlement(seat, PLACES[seat])
    for kind, seat, *rest in story:
        position.turn(seat)
        if kind == "gain":
            position.give(seat, **{RESOURCES[rest[0]]: rest[1]})
        elif kind == "discard":
            record = position.record
            record.phase, record.owed[seat] = DISCARDING, 1
            position.do(DISCARD + rest[0])
        elif kind == "show":
            wanted = RESOURCES[(rest[0] + 1) % 5]
            position.do(offer({RESOURCES[rest[0]]: 1}, {wanted: 1}))
            while position.record.phase != MAIN:
                position.do(REJECT)
        elif kind == "buy":
            position.do(BUY_CARD, DRAW_CARD + KNIGHT)
        elif kind == "monopoly":
            position.develop(seat, 2).do(PLAY_MONOPOLY + rest[0])
        else:
            record = position.record
            record.phase, record.robber = 5, 9
            position.do(robber(0, rest[0]))
            position.do(STEAL + next(stolen))
        check_knowledge(position.state)
    return position


def sampled(position: Position, observer: int, players: int, samples: int = SAMPLES) -> dict[Hands, float]:
    """Return the frequencies of hands in determinizations."""
    rng = stream(11, "determinize")
    counts: Counter[Hands] = Counter()
    for _ in range(samples):
        record = position.state.determinize(observer, rng).record
        counts[tuple(unpack(record.known[holder, holder]) for holder in range(players))] += 1
    return {hands: count / samples for hands, count in counts.items()}


def distance(first: dict[Hands, float], second: dict[Hands, float]) -> float:
    """Return the total variation distance: by how much the probability of an event can differ."""
    return sum(abs(first.get(key, 0.0) - second.get(key, 0.0)) for key in {*first, *second}) / 2


def compare(players: int, story: list[Event], truth: list[int], observer: int) -> float:
    """Return how far samples are from the exact posterior after a story."""
    position = tell(players, story, truth)
    exact = posterior(players, story, observer, truth)
    true_hands = tuple(unpack(position.record.known[s, s]) for s in range(players))
    assert exact.get(true_hands, 0.0) > 0.0
    return distance(sampled(position, observer, players), exact)


L, B, W, G, O = range(5)  # noqa: E741 (as in the tables of cards)

EXACT: dict[str, tuple[int, list[Event], list[int], int]] = {
    "a theft between others": (3, [("gain", 0, W, 2), ("gain", 0, O, 1), ("steal", 1, 0)], [W], 2),
    "a theft from a hand of all kinds": (
        4, [*(("gain", 0, r, r + 1) for r in range(5)), ("gain", 1, W, 1), ("steal", 1, 0)], [G], 3,
    ),
    "a theft, then the thief spends": (
        3, [("gain", 0, W, 2), ("gain", 0, O, 2), ("gain", 1, W, 1), ("gain", 1, G, 1), ("steal", 1, 0), ("buy", 1)],
        [O], 2,
    ),
    "a theft, then the victim discards": (
        3, [("gain", 0, W, 2), ("gain", 0, O, 1), ("gain", 0, G, 1), ("steal", 1, 0), ("discard", 0, O)], [W], 2,
    ),
    "a theft, then an offer shows a card": (
        3, [("gain", 0, W, 2), ("gain", 0, O, 1), ("gain", 0, G, 1), ("steal", 1, 0), ("show", 0, O)], [W], 2,
    ),
    "a theft, then a monopoly": (
        3, [("gain", 0, W, 2), ("gain", 0, O, 1), ("gain", 0, G, 1), ("steal", 1, 0), ("monopoly", 2, G, (1, 0, 0))],
        [W], 2,
    ),
    "two thefts from two hands": (
        4,
        [("gain", 0, W, 1), ("gain", 0, O, 1), ("gain", 1, G, 2), ("gain", 1, B, 1), ("steal", 2, 0), ("steal", 2, 1)],
        [W, G], 3,
    ),
    "two thefts from one hand by two": (
        4, [("gain", 0, W, 2), ("gain", 0, O, 2), ("steal", 1, 0), ("steal", 2, 0)], [W, O], 3,
    ),
    "two thefts from one hand by one": (
        3, [("gain", 0, W, 2), ("gain", 0, O, 2), ("steal", 1, 0), ("steal", 1, 0)], [W, O], 2,
    ),
    "a theft and another from the thief": (
        4, [("gain", 0, W, 1), ("gain", 0, O, 1), ("gain", 1, G, 1), ("steal", 1, 0), ("steal", 2, 1)], [W, W], 3,
    ),
    "a theft, then the thief shows the card": (
        4,
        [("gain", 2, L, 2), ("gain", 2, O, 2), ("steal", 0, 2), ("show", 0, L), ("gain", 3, B, 2), ("gain", 3, O, 1),
         ("steal", 0, 3)],
        [L, B], 1,
    ),
    "two thefts, then the first is known, then one by the first victim": (
        4,
        [("gain", 0, L, 1), ("gain", 0, B, 1), ("gain", 1, G, 1), ("gain", 1, W, 1), ("steal", 2, 0), ("steal", 2, 1),
         ("show", 0, B), ("steal", 0, 1)],
        [L, G, W], 3,
    ),
    "a theft and back": (
        3, [("gain", 0, W, 1), ("gain", 0, O, 1), ("gain", 1, G, 1), ("steal", 1, 0), ("steal", 0, 1)], [W, G], 2,
    ),
}  # fmt: skip


# The state keeps shares and bounds for each hand, not how hands depend on each other.
CLOSE: dict[str, tuple[int, list[Event], list[int], int]] = {
    "two thefts from two hands with cards in common": (
        4,
        [("gain", 2, W, 1), ("gain", 2, G, 1), ("gain", 3, W, 2), ("gain", 3, G, 1), ("steal", 0, 2), ("steal", 0, 3)],
        [G, W], 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CLOSE)
def test_posterior_is_close(name: str) -> None:
    assert compare(*CLOSE[name]) <= 0.2


@pytest.mark.parametrize("name", EXACT)
def test_posterior_is_exact(name: str) -> None:
    assert compare(*EXACT[name]) <= 0.03


def test_a_second_theft_leaves_the_thief_less_of_what_the_first_may_have_brought() -> None:
    gains = [("gain", seat, resource, 1) for seat, resource in ((0, L), (0, B), (1, G), (1, W))]
    record = tell(4, [*gains, ("steal", 2, 0), ("steal", 2, 1)], [L, G]).record
    shares = record.mix[2, slot_of(2, 3)]
    assert shares[[L, B, G, W]] / 255 == pytest.approx(0.25, abs=0.01)


def random_story(rng: np.random.Generator, players: int, most: int) -> tuple[list[Event], list[int]]:
    """Return a story of `most` thefts and events that follow from a true course of play, and the cards stolen."""
    hands = [[0] * 5 for _ in range(players)]
    story: list[Event] = []
    truth: list[int] = []
    for seat in range(players):
        for resource in rng.choice(5, 2, replace=False):
            count = int(rng.integers(1, 3))
            story.append(("gain", seat, int(resource), count))
            hands[seat][resource] += count
    thefts = 0
    while thefts < most or len(story) < 2 * players + 6:
        seat = int(rng.integers(players))
        kind = str(rng.choice(["steal", "steal", "gain", "discard", "show"]))
        held = [r for r in range(5) if hands[seat][r]]
        if kind == "gain":
            resource = int(rng.integers(5))
            hands[seat][resource] += 1
            story.append((kind, seat, resource, 1))
        elif kind in ("discard", "show") and held:
            resource = int(rng.choice(held))
            hands[seat][resource] -= kind == "discard"
            story.append((kind, seat, resource))
        elif kind == "steal" and thefts < most:
            victims = [v for v in range(players) if v != seat and sum(hands[v])]
            if victims:
                victim = int(rng.choice(victims))
                cards = [r for r in range(5) for _ in range(hands[victim][r])]
                card = int(rng.choice(cards))
                hands[victim][card] -= 1
                hands[seat][card] += 1
                truth.append(card)
                story.append((kind, seat, victim))
                thefts += 1
    return story, truth


LIMITS = ((3, 2, 0.01, 0.002), (4, 2, 0.04, 0.01), (3, 3, 0.02, 0.01), (4, 3, 0.05, 0.02))
"""Players, thefts, the mean distance from the posterior, and the mean share of impossible samples, at most."""


def test_samples_of_random_stories_are_close_to_the_posterior_and_possible() -> None:
    for players, thefts, mean, impossible in LIMITS:
        off, ruled_out = [], []
        for seed in range(12):
            story, truth = random_story(np.random.default_rng(100 * thefts + seed), players, thefts)
            position = tell(players, story, truth)
            exact = posterior(players, story, seed % players, truth)
            found = sampled(position, seed % players, players, 2000)
            off.append(distance(found, exact))
            ruled_out.append(sum(share for hands, share in found.items() if hands not in exact))
        assert sum(off) / 12 <= mean, (players, thefts)
        assert sum(ruled_out) / 12 <= impossible, (players, thefts)


# --- development cards -----------------------------------------------------------------------------------------------


def development(position: Position, seat: int, samples: int = SAMPLES) -> Counter[tuple[int, ...]]:
    rng = stream(12, "determinize")
    return Counter(tuple(position.state.determinize(seat, rng).record.cards[1].tolist()) for _ in range(samples))


def test_unseen_development_cards_are_uniform_over_those_left() -> None:
    position = Position().develop(1, VICTORY_POINT).develop(0, KNIGHT, KNIGHT, VICTORY_POINT)
    counts = development(position, 0)
    left = (12, 2, 2, 2, 4)
    for card in range(5):
        hand = tuple(int(c == card) for c in range(5))
        assert counts[hand] / SAMPLES == pytest.approx(left[card] / 22, abs=0.03)


def test_two_unseen_cards_are_drawn_without_replacement() -> None:
    counts = development(Position().develop(1, KNIGHT, KNIGHT), 0)
    both_plenty = counts[(0, 2, 0, 0, 0)] / SAMPLES
    assert both_plenty == pytest.approx(2 / 25 * 1 / 24, abs=0.004)
    assert counts[(2, 0, 0, 0, 0)] / SAMPLES == pytest.approx(14 / 25 * 13 / 24, abs=0.03)


def test_cards_with_which_somebody_would_have_won_are_left_out() -> None:
    position = Position().city(1, "a3", "a5", "a7", "a9").settlement(1, "c4").develop(1, KNIGHT)
    position.record.points_before[1] = 9
    counts = development(position, 0)
    assert counts[(0, 0, 0, 0, 1)] == 0
    for card, left in enumerate((14, 2, 2, 2)):
        assert counts[tuple(int(c == card) for c in range(5))] / SAMPLES == pytest.approx(left / 20, abs=0.03)


def test_points_made_since_the_last_turn_do_not_rule_victory_points_out() -> None:
    position = Position().city(1, "a3", "a5", "a7", "a9").settlement(1, "c4").develop(1, KNIGHT)
    position.record.points_before[1] = 7  # the longest road came to it on another's turn
    assert development(position, 0)[(0, 0, 0, 0, 1)] / SAMPLES == pytest.approx(5 / 25, abs=0.03)


def test_points_at_the_end_of_an_earlier_turn_are_not_forgotten() -> None:
    """Who ended a turn with 9 points and a card can't have a victory point, whatever it has lost since."""
    position = Position().city(1, "a3", "a5", "a7", "a9").settlement(1, "c4").develop(1, KNIGHT)
    position.record.mover = position.record.actor = 1
    position.do(END_TURN)
    assert position.record.points_before[1] == 9
    position.record.points[1] = 7  # its road was cut
    assert development(position, 0)[(0, 0, 0, 0, 1)] == 0
    position.record.mover = position.record.actor = 1
    position.record.phase = MAIN
    position.do(END_TURN)
    assert development(position, 0)[(0, 0, 0, 0, 1)] == 0


def test_a_card_bought_since_may_be_a_victory_point() -> None:
    position = Position().city(1, "a3", "a5", "a7", "a9").settlement(1, "c4").give_for(1, cards=1)
    position.record.points_before[1] = 9
    position.record.points[1] = 7
    position.record.mover = position.record.actor = 1
    position.do(BUY_CARD, DRAW_CARD + KNIGHT)
    assert position.record.points_before[1] == 8
    assert development(position, 0)[(0, 0, 0, 0, 1)] > 0


def test_a_robber_that_tells_hidden_points_tells_the_same_in_every_sample() -> None:
    """Whom it spares depends on hidden points there, and shows in what is legal."""
    for card in (KNIGHT, VICTORY_POINT):
        position = Position(preset="catanatron", friendly_robber=True).settlement(1, "a3", "c4").develop(1, card)
        position.record.phase = ROBBING
        legal = list(position.state.legal_actions)
        rng = stream(12, "determinize")
        found = [position.state.determinize(0, rng) for _ in range(200)]
        assert all(list(state.legal_actions) == legal for state in found)
        assert len({tuple(state.record.cards[1].tolist()) for state in found}) == (4 if card == KNIGHT else 1)


def test_points_that_win_on_any_turn_are_left_out_on_anothers() -> None:
    position = Position(win_on_any_turn=True).city(1, "a3", "a5", "a7", "a9").settlement(1, "c4").develop(1, KNIGHT)
    position.record.points_before[1] = 7
    assert development(position, 0)[(0, 0, 0, 0, 1)] == 0


def test_a_game_drawn_by_the_limit_may_leave_the_next_player_with_points_enough() -> None:
    position = Position(turn_limit=5).develop(1, VICTORY_POINT)
    position.record.turn, position.record.points[1] = 5, 10
    position.do(END_TURN)
    assert position.state.is_terminal
    assert development(position, 0)[(0, 0, 0, 0, 1)] > 0


def test_own_development_cards_stay() -> None:
    position = Position().develop(0, KNIGHT, VICTORY_POINT).develop(1, KNIGHT)
    record = position.state.determinize(0, stream(1)).record
    assert record.cards[0].tolist() == [1, 0, 0, 0, 1]


def mean_cards(worlds: dict[Hands, float]) -> np.ndarray[Any, Any]:
    """Return the mean number of cards of each resource in each hand."""
    return sum((np.array(hands) * share for hands, share in worlds.items()), np.zeros(1))


if __name__ == "__main__":
    print("total variation distance of 4,000 samples from the exact posterior (0: equal; about 0.01 by chance)")
    for case, given in {**EXACT, **CLOSE}.items():
        print(f"{compare(*given):.3f}  {case}")
    print("\nafter random stories of so many thefts, 40 each: distance from the posterior, mean and greatest; share of")
    print("samples that are impossible, mean; cards of a resource in a hand, mean of the greatest error")
    for number in (3, 4):
        for count in (1, 2, 3, 5):
            distances, impossible, cards = [], [], []
            for seed in range(40):
                told, stolen = random_story(np.random.default_rng(seed), number, count)
                exact = posterior(number, told, seed % number, stolen)
                found = sampled(tell(number, told, stolen), seed % number, number)
                distances.append(distance(found, exact))
                impossible.append(sum(share for hands, share in found.items() if hands not in exact))
                cards.append(float(abs(mean_cards(found) - mean_cards(exact)).max()))
            print(
                f"{number} players, {count} thefts: {np.mean(distances):.3f} {max(distances):.3f};"
                f" {np.mean(impossible):.3f}; {np.mean(cards):.3f}"
            )
