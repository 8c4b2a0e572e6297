"""Catan: the board (ruling 9)."""

import json
from collections import Counter

import pytest

from oponente.games.catan.board import FIRST_TILE_COLUMN, HARBOUR_ENDS, TILE_ROW_START, TILES, tile_corners
from oponente.games.catan.cards import BRICK, DESERT, GRAIN, LUMBER, ORE, WOOL
from oponente.games.catan.layout import ANY, BEGINNER, read_board
from oponente.games.catan.moves import MOVE_ROBBER, NOBODY_ROBBED
from oponente.games.catan.names import action_text
from tests.games.catan.positions import EDGES, game_of, node

TOKENS = [5, 2, 6, 3, 8, 10, 9, 12, 11, 4, 8, 10, 9, 4, 5, 6, 3, 11]
"""A to R."""
SEEDS = range(40)


def touching(a, b):
    return a != b and len(set(tile_corners(a)) & set(tile_corners(b))) == 2


def place(tile):
    """Return where the middle of a tile lies: column, row."""
    row = max(r for r in range(5) if TILE_ROW_START[r] <= tile)
    return FIRST_TILE_COLUMN[row] + 2 * (tile - TILE_ROW_START[row]), row


def all_spirals(clockwise):
    """Return the six ways inwards, walked over the touching tiles of each ring by angle."""
    from math import atan2, hypot

    def polar(tile):
        x, y = place(tile)
        x, y = (x - 6) * 0.866, (2 - y) * 1.5
        return round(hypot(x, y), 3), atan2(y, x)

    outer = sorted((t for t in range(TILES) if polar(t)[0] > 2.9), key=lambda t: polar(t)[1])
    inner = sorted((t for t in range(TILES) if 1 < polar(t)[0] < 2.9), key=lambda t: polar(t)[1])
    assert (len(outer), len(inner)) == (12, 6)
    if clockwise:
        outer, inner = outer[::-1], inner[::-1]
    ways = []
    for start in outer:
        if sum(touching(start, t) for t in outer) == 2 and sum(touching(start, t) for t in range(TILES)) == 3:
            i = outer.index(start)
            first = next(t for t in inner if touching(start, t))
            j = inner.index(first)
            ways.append(outer[i:] + outer[:i] + inner[j:] + inner[:j] + [9])
    assert len(ways) == 6
    return ways


@pytest.mark.parametrize(("option", "clockwise"), [("spiral", False), ("spiral-clockwise", True)])
def test_tokens_lie_along_a_spiral_from_any_corner_and_skip_the_desert(option, clockwise):
    used = set()
    for seed in SEEDS:
        record = game_of(board="variable", numbers=option).start(seed).record
        fits = [
            i
            for i, way in enumerate(all_spirals(clockwise))
            if [record.number[t] for t in way if record.terrain[t] != DESERT] == TOKENS
        ]
        assert len(fits) == 1
        used.add(fits[0])
    assert used == set(range(6))


@pytest.mark.parametrize("numbers", ["spiral", "spiral-clockwise", "random"])
def test_no_red_numbers_are_adjacent(numbers):
    for seed in SEEDS:
        record = game_of(board="variable", numbers=numbers).start(seed).record
        red = [t for t in range(TILES) if record.number[t] in (6, 8)]
        assert len(red) == 4
        assert not any(touching(a, b) for a in red for b in red)


def test_random_numbers_are_all_tokens_on_all_hexes_but_the_desert():
    seen = set()
    for seed in SEEDS:
        record = game_of(board="variable", numbers="random").start(seed).record
        assert sorted(record.number) == sorted([0, *TOKENS])
        assert record.number[list(record.terrain).index(DESERT)] == 0
        seen.add(tuple(record.number))
    assert len(seen) == len(SEEDS)


def test_hexes_are_shuffled():
    counts = {LUMBER: 4, BRICK: 3, WOOL: 4, GRAIN: 4, ORE: 3, DESERT: 1}
    deserts = set()
    for seed in SEEDS:
        record = game_of(board="variable").start(seed).record
        assert Counter(record.terrain.tolist()) == counts
        assert record.terrain[record.robber] == DESERT
        deserts.add(int(record.robber))
    assert len(deserts) > 10


def test_harbours_are_shuffled_over_their_places_or_fixed():
    boards = [game_of(board="variable").start(seed).record.harbour.tolist() for seed in SEEDS]
    assert all(Counter(kinds) == {ANY: 4, LUMBER: 1, BRICK: 1, WOOL: 1, GRAIN: 1, ORE: 1} for kinds in boards)
    assert len(set(map(tuple, boards))) > 30
    fixed = [game_of(board="variable", harbours="fixed").start(seed).record.harbour.tolist() for seed in SEEDS]
    assert fixed == [[ANY, GRAIN, ORE, ANY, WOOL, ANY, ANY, BRICK, LUMBER]] * len(SEEDS)


def test_beginners_board_is_the_rule_books():
    rows = (
        "ore10 wool2 lumber9",
        "grain12 brick6 wool4 brick10",
        "grain9 lumber11 desert0 lumber3 ore8",
        "lumber8 ore3 grain4 wool5",
        "brick5 grain6 wool11",
    )
    names = {-1: "desert", 0: "lumber", 1: "brick", 2: "wool", 3: "grain", 4: "ore"}
    record = game_of().start().record
    found = [f"{names[int(t)]}{n}" for t, n in zip(record.terrain, record.number, strict=True)]
    assert " ".join(found) == " ".join(rows)
    assert record.robber == 9


def test_a_board_reads_back_as_written():
    assert read_board(BEGINNER.to_json()) == BEGINNER
    data = json.loads(BEGINNER.to_json())
    del data["robber"]
    assert read_board(json.dumps(data)).robber == 9


def test_a_board_counts_hexes_from_1_as_the_notation_does():
    data = json.loads(BEGINNER.to_json())
    assert data["robber"] == 10
    data["robber"] = 3
    state = game_of(board=json.dumps(data)).start()
    assert state.record.robber == 2
    assert action_text(state, MOVE_ROBBER + 5 * 2 + NOBODY_ROBBED) == "robber 3"
    data["tiles"][9] = ["ore", 2]
    del data["robber"]
    assert read_board(json.dumps(data)).robber == 0


def test_nine_harbours_at_the_coast_two_nodes_each():
    nodes = [n for ends in HARBOUR_ENDS for n in ends]
    assert len(set(nodes)) == 18
    tiles_at = Counter(n for tile in range(TILES) for n in tile_corners(tile))
    for ends in HARBOUR_ENDS:
        assert frozenset(ends) in EDGES
        assert all(tiles_at[n] <= 2 for n in ends)


def test_graph_of_the_island():
    sides = {frozenset((c[i], c[(i + 1) % 6])) for c in map(tile_corners, range(TILES)) for i in range(6)}
    assert sides == set(EDGES)
    assert Counter(Counter(n for ends in EDGES for n in ends).values()) == {3: 36, 2: 18}
    assert tile_corners(9)[0] == node("c6")
