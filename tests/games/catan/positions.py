"""Positions for the tests, built directly on the record, and plain re-computations to compare them with.

Nodes are written by row and column (``c4``), edges as two nodes (``c4-c5``), and roads as a chain (``c4-c5-c6``).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from oponente.games.catan import moves, rules
from oponente.games.catan.board import (
    DOWN,
    EDGE_IDS,
    FIRST_COLUMN,
    HARBOUR_ENDS,
    NODES,
    ROW_START,
    ROWS,
    edge_ends,
    node_at,
)
from oponente.games.catan.cards import DEVELOPMENT_CARDS, RESOURCES, VICTORY_POINT, count_of, pack, unpack
from oponente.games.catan.knowledge import slot_of
from oponente.kernel import Game, State, stream

OBSERVERS = 5
PUBLIC = 4


@functools.cache
def game_of(**options: Any) -> Game:
    """Return the game on the beginner's board, unless the options name another one."""
    texts = {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in options.items()}
    return Game(rules, {"board": "beginner", **texts})


def node(name: str) -> int:
    """Return the node with a name."""
    return node_at(ROWS.index(name[0]), int(name[1:]))


def _edges() -> dict[frozenset[int], int]:
    across = [n for row in range(6) for n in range(ROW_START[row], ROW_START[row + 1] - 1)]
    down = [DOWN + node_at(r, c) for r, cs in enumerate(DOWN_COLUMNS) for c in cs]
    return {frozenset(edge_ends(e)): e for e in [*across, *down]}


DOWN_COLUMNS = ((3, 5, 7, 9), (2, 4, 6, 8, 10), (1, 3, 5, 7, 9, 11), (2, 4, 6, 8, 10), (3, 5, 7, 9))
"""Columns of each row from which an edge runs down."""
EDGES = _edges()
"""All 72 edges by their two ends."""
assert len(EDGES) == 72
assert max(EDGES.values()) < EDGE_IDS


def edge(name: str) -> int:
    """Return the edge between two nodes."""
    a, b = name.split("-")
    return EDGES[frozenset((node(a), node(b)))]


def chain(names: str) -> list[int]:
    """Return the edges along a chain of nodes."""
    nodes = names.split("-")
    return [edge(f"{a}-{b}") for a, b in itertools.pairwise(nodes)]


def hand_of(**cards: int) -> np.uint64:
    """Return a set of cards: ``hand_of(wool=2)``."""
    assert set(cards) <= set(RESOURCES)
    return pack([cards.get(name, 0) for name in RESOURCES])


def offer(give: dict[str, int], want: dict[str, int]) -> int:
    """Return the action of offering cards for cards."""
    return moves.offer_id([give.get(r, 0) for r in RESOURCES], [want.get(r, 0) for r in RESOURCES])


def bank_trade(given: str, taken: str) -> int:
    """Return the trade with the bank of one resource for another."""
    return moves.BANK_TRADE + 5 * RESOURCES.index(given) + RESOURCES.index(taken)


def plenty(*cards: str) -> int:
    """Return the action of taking one or two cards with year of plenty."""
    numbers = sorted(RESOURCES.index(card) for card in cards)
    if len(numbers) == 1:
        return moves.PLAY_YEAR_OF_PLENTY + 25 + numbers[0]
    return moves.PLAY_YEAR_OF_PLENTY + 5 * numbers[0] + numbers[1]


def robber(tile: int, victim: int = moves.NOBODY_ROBBED) -> int:
    """Return the action of moving the robber."""
    return moves.MOVE_ROBBER + 5 * tile + victim


def random_states(game: Game, seed: int, count: int) -> Iterator[State]:
    """Yield the states of a random game, `count` at most and the last one among them; each is the same object."""
    state, rng = game.start(seed), stream(seed, "random states")
    for _ in range(count):
        if state.is_terminal:
            break
        yield state
        state.apply(state.sample_chance(rng) if state.is_chance else state.sample_action(rng))
    yield state


class Position:
    """A position after the set-up: seat 0 has rolled an 8, the board has no pieces, nobody has cards.

    Args:
        options: of the game; the board is the beginner's unless they say otherwise.
    """

    def __init__(self, **options: Any) -> None:
        self.game = game_of(**options)
        self.state = self.game.start(0)
        record = self.record
        record.placed = 2 * self.game.num_players
        record.turn = 1
        self.turn(0)

    @property
    def record(self) -> Any:
        """The record, to be read or written."""
        self.state._cache = None
        return self.state.record

    def turn(self, seat: int, phase: int = moves.MAIN, rolled: int = 8) -> Position:
        """Make it a player's turn; with phase ``BEFORE_ROLL`` nothing is rolled."""
        record = self.record
        record.mover = record.actor = seat
        record.phase = phase
        record.rolled = 0 if phase == moves.BEFORE_ROLL else rolled
        record.card_played = record.offers = 0
        record.fresh[:] = 0
        return self

    def give(self, seat: int, **cards: int) -> Position:
        """Give a player cards of the bank that all see."""
        added = hand_of(**cards)
        for observer in range(OBSERVERS):
            self.record.known[seat, observer] += added
        self.record.bank -= added
        return self

    def give_for(self, seat: int, roads: int = 0, settlements: int = 0, cities: int = 0, cards: int = 0) -> Position:
        """Give a player what pieces and development cards cost."""
        return self.give(
            seat,
            lumber=roads + settlements,
            brick=roads + settlements,
            wool=settlements + cards,
            grain=settlements + 2 * cities + cards,
            ore=3 * cities + cards,
        )

    def develop(self, seat: int, *cards: int, fresh: bool = False) -> Position:
        """Give a player development cards of the deck, bought in an earlier turn unless `fresh`."""
        record = self.record
        for card in cards:
            record.deck[card] -= 1
            record.cards[seat, card] += 1
            record.fresh[card] += fresh
        return self

    def settlement(self, seat: int, *nodes: str) -> Position:
        """Place settlements, with the use of their harbours."""
        record = self.record
        for name in nodes:
            record.settlements[seat] |= np.uint64(1 << node(name))
            record.points[seat] += 1
            for kind, ends in zip(record.harbour, HARBOUR_ENDS, strict=True):
                if node(name) in ends:
                    record.reach[seat] |= 1 << int(kind)
        return self

    def city(self, seat: int, *nodes: str) -> Position:
        """Place cities."""
        self.settlement(seat, *nodes)
        record = self.record
        for name in nodes:
            record.settlements[seat] &= ~np.uint64(1 << node(name))
            record.cities[seat] |= np.uint64(1 << node(name))
            record.points[seat] += 1
        return self

    def road(self, seat: int, *chains: str) -> Position:
        """Place roads along chains of nodes. The longest road stays with its holder: see :meth:`holder`."""
        record = self.record
        for names in chains:
            for number in chain(names):
                if number < DOWN:
                    record.across[seat] |= np.uint64(1 << number)
                else:
                    record.down[seat] |= np.uint64(1 << number - DOWN)
        record.road_length[seat] = road_length(record, seat)
        return self

    def holder(self, seat: int) -> Position:
        """Give a player the longest road."""
        self.record.road_holder = seat
        self.record.points[seat] += 2
        return self

    def can(self, action: int) -> bool:
        """Tell whether an action is legal."""
        self.state._cache = None
        return self.state.is_legal(action)

    def do(self, *actions: int) -> Position:
        """Take actions and chance outcomes."""
        self.state._cache = None
        for action in actions:
            self.state.apply(action)
        return self

    def build(self, seat: int, *what: str) -> Position:
        """Let a player build and pay roads (``c4-c5``) and settlements (``c4``) on its turn."""
        for name in what:
            self.turn(seat)
            if "-" in name:
                self.give_for(seat, roads=1).do(moves.BUILD_ROAD + edge(name))
            else:
                self.give_for(seat, settlements=1).do(moves.BUILD_SETTLEMENT + node(name))
        return self

    def listed(self) -> list[int]:
        """Return the listed legal actions."""
        self.state._cache = None
        return list(self.state.legal_actions)

    def listed_in(self, kind: int, size: int) -> list[int]:
        """Return what of a range of actions is listed, counted from its beginning."""
        return [action - kind for action in self.listed() if kind <= action < kind + size]

    def hand(self, seat: int) -> dict[str, int]:
        """Return the resource cards of a player."""
        return cards_in(self.record.known[seat, seat])

    def bank(self) -> dict[str, int]:
        """Return the cards in the bank."""
        return cards_in(self.record.bank)


def cards_in(cards: Any) -> dict[str, int]:
    """Return the cards of a set by name, without the resources of which there are none."""
    return {name: count for name, count in zip(RESOURCES, unpack(cards), strict=True) if count}


# --- plain re-computations -------------------------------------------------------------------------------------------


def roads_of(record: Any, seat: int) -> list[tuple[int, int]]:
    """Return a player's roads, each as its two nodes."""
    across, down = int(record.across[seat]), int(record.down[seat])
    return [
        (min(ends), max(ends))
        for ends, number in EDGES.items()
        if (across >> number if number < DOWN else down >> number - DOWN) & 1
    ]


def buildings_of(record: Any, seat: int) -> set[int]:
    """Return the nodes at which a player has a settlement or city."""
    both = int(record.settlements[seat]) | int(record.cities[seat])
    return {n for n in range(NODES) if both >> n & 1}


def road_length(record: Any, seat: int) -> int:
    """Return the length of a player's longest road, by trying every trail of the graph."""
    walls = set().union(*(buildings_of(record, other) for other in range(4) if other != seat))
    return longest_trail(tuple(sorted(roads_of(record, seat))), frozenset(walls))


@functools.cache
def longest_trail(pieces: tuple[tuple[int, int], ...], walls: frozenset[int]) -> int:
    """Return the most pieces in a row, none twice, that pass through no wall (exhaustive search)."""

    def extend(at: int, used: frozenset[int]) -> int:
        best = len(used)
        if used and at in walls:
            return best
        for i, (a, b) in enumerate(pieces):
            if i not in used and at in (a, b):
                best = max(best, extend(b if at == a else a, used | {i}))
        return best

    return max((extend(start, frozenset()) for start in {n for piece in pieces for n in piece}), default=0)


def public_points(record: Any, seat: int) -> int:
    """Return the points that all see, from pieces and awards."""
    points = int(record.settlements[seat]).bit_count() + 2 * int(record.cities[seat]).bit_count()
    return points + 2 * (record.road_holder == seat) + 2 * (record.army_holder == seat)


def all_points(record: Any, seat: int) -> int:
    """Return a player's points, hidden cards included."""
    return public_points(record, seat) + int(record.cards[seat][VICTORY_POINT])


def check_state(state: State) -> None:
    """Raise AssertionError for a state of the game that can't be: the invariants of the rules."""
    record = state.record
    players = state.game.num_players
    full = int(state.game.tables.rules.bank)
    hands = [unpack(record.known[seat, seat]) for seat in range(4)]
    bank = unpack(record.bank)
    for resource in range(5):
        assert bank[resource] + sum(hand[resource] for hand in hands) == full, "resource cards are conserved"
    assert int(record.deck.sum()) + int(record.cards.sum()) + int(record.played.sum()) == sum((14, 2, 2, 2, 5)), (
        "development cards are conserved"
    )
    for card in range(len(DEVELOPMENT_CARDS)):
        found = int(record.deck[card]) + int(record.cards[:, card].sum()) + int(record.played[:, card].sum())
        assert found == (14, 2, 2, 2, 5)[card], "development cards are conserved by kind"
        assert record.fresh[card] <= record.cards[record.mover][card], "a card bought this turn is in hand"
    taken: set[int] = set()
    pieces: set[tuple[int, int]] = set()
    for seat in range(players):
        assert record.points[seat] == public_points(record, seat), "points are what is on the board"
        assert int(record.settlements[seat]).bit_count() <= 5
        assert int(record.cities[seat]).bit_count() <= 4
        roads = roads_of(record, seat)
        assert len(roads) <= 15
        assert not pieces & set(roads), "one road on each edge"
        pieces |= set(roads)
        nodes = buildings_of(record, seat)
        assert not int(record.settlements[seat]) & int(record.cities[seat])
        assert not taken & nodes
        taken |= nodes
        assert record.road_length[seat] == road_length(record, seat), "the longest road is as a plain search finds it"
    for a, b in (tuple(ends) for ends in EDGES):
        assert not (a in taken and b in taken), "the distance rule"
    check_road_holder(state)
    check_knowledge(state)
    if state.is_terminal and record.winner < 4:
        assert all_points(record, int(record.winner)) >= state.game.tables.rules.points
    elif not state.is_terminal and record.turn > 0:
        assert all_points(record, int(record.mover)) < state.game.tables.rules.points, "who has enough has won"


def check_road_holder(state: State) -> None:
    """The holder has the longest road of at least 5; without one, nobody is alone in having it."""
    record = state.record
    lengths = [int(record.road_length[seat]) for seat in range(state.game.num_players)]
    longest = max(lengths)
    if state.game.tables.rules.cut_keeps_card:
        return
    if record.road_holder >= 0:
        assert lengths[record.road_holder] == longest
        assert longest >= 5
    else:
        assert longest < 5 or lengths.count(longest) > 1


def check_knowledge(state: State) -> None:
    """What is known is true, and no card that is there is ruled out."""
    record = state.record
    players = state.game.num_players
    for holder in range(players):
        true = unpack(record.known[holder, holder])
        for observer in range(OBSERVERS):
            known = unpack(record.known[holder, observer])
            for resource in range(5):
                unknown = true[resource] - known[resource]
                assert unknown >= 0, f"seat {holder} has what {observer} knows it to have"
                if holder != observer:
                    most = int(record.most[holder, slot_of(holder, observer)]) >> 3 * resource & 7
                    assert unknown <= most or most == 7, "no more is there than is possible"


def may_have_more(record: Any, holder: int, observer: int, resource: int) -> bool:
    """Tell whether a hand may hold one card more of a resource than is there, as another knows."""
    unknown = int(count_of(record.known[holder, holder], resource)) - int(
        count_of(record.known[holder, observer], resource)
    )
    most = int(record.most[holder, slot_of(holder, observer)]) >> 3 * resource & 7
    return most == 7 or unknown < most


def letter(number: int) -> str:
    """Return the name of a node."""
    row = max(r for r in range(6) if ROW_START[r] <= number)
    return f"{ROWS[row]}{number - ROW_START[row] + FIRST_COLUMN[row]}"
