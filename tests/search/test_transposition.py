"""The transposition table: what is kept, what is replaced, how positions are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente import load_game
from oponente.kernel import hash_state, stream
from oponente.search.transposition import ENTRY, TranspositionTable, entry_to_replace, find_entry


def words_of(state):
    size = state.game.state_dtype.itemsize
    dtype = np.dtype("u8" if size % 8 == 0 else "u1")
    return state.array.view(np.uint8).view(dtype).reshape(1, -1)[0]


def hashed(state):
    out = np.zeros(2, np.uint64)
    hash_state(state.game.tables, state.array[0], words_of(state), out)
    return int(out[0]), int(out[1])


@pytest.mark.compiled
@pytest.mark.parametrize("name", ["tictactoe", "connect4"])
def test_equal_states_have_equal_words_and_others_have_not(name):
    game = load_game(name)
    known = {}
    for seed in range(40):
        state, rng = game.start(), stream(seed, "walk")
        while not state.is_terminal:
            state.apply(state.sample_action(rng))
            key = state.array.tobytes()
            assert known.setdefault(key, hashed(state)) == hashed(state)
    assert len(known) > 200
    for word in (0, 1):
        assert len({words[word] for words in known.values()}) == len(known)
        # The lowest bits choose the bucket: they must be spread evenly.
        share = np.mean([words[word] & 1 for words in known.values()])
        assert 0.35 < share < 0.65


@given(st.floats(0.001, 4.0), st.integers(1, 6))
def test_a_table_takes_no_more_memory_than_it_may(mebibytes, players):
    table = TranspositionTable(mebibytes, players).entries
    taken = table.fixed.nbytes + table.values.nbytes
    assert taken <= mebibytes * 2**20
    assert 2 * taken > mebibytes * 2**20 or table.fixed.size == 2
    assert table.fixed.size & (table.fixed.size - 1) == 0


def put(table, key, place, stamp, left):
    index = entry_to_replace(table.entries.fixed, np.uint64(key), np.uint64(place), stamp, left)
    entry = table.entries.fixed[index]
    entry.key, entry.stamp, entry.left = key, stamp, left
    return index


def find(table, key, place, stamp):
    return find_entry(table.entries.fixed, np.uint64(key), np.uint64(place), stamp)


def test_what_took_more_work_stays():
    table = TranspositionTable(64 * ENTRY.itemsize / 2**20, 2)
    table.begin()
    deep = put(table, 11, 4, 1, 7)
    shallow = put(table, 12, 4, 1, 3)
    assert {deep, shallow} == {4, 5}
    assert find(table, 11, 4, 1) == deep
    assert find(table, 12, 5, 1) == shallow
    assert put(table, 13, 4, 1, 2) == shallow, "the second entry of a bucket goes to whatever comes last"
    assert find(table, 12, 4, 1) == -1
    assert find(table, 11, 4, 1) == deep
    assert put(table, 11, 4, 1, 1) == deep, "a position has one entry"
    assert put(table, 14, 4, 1, 9) == deep


def test_another_search_finds_nothing():
    table = TranspositionTable(64 * ENTRY.itemsize / 2**20, 2)
    table.begin()
    index = put(table, 11, 4, table.stamp, 7)
    table.begin()
    assert find(table, 11, 4, table.stamp) == -1
    assert put(table, 12, 4, table.stamp, 1) == index, "what an earlier search wrote counts as empty"


def test_stamps_run_out_without_harm():
    table = TranspositionTable(64 * ENTRY.itemsize / 2**20, 2)
    table.begin()
    put(table, 11, 4, table.stamp, 7)
    table.stamp = 2**32 - 1
    table.begin()
    assert table.stamp == 1
    assert find(table, 11, 4, 1) == -1


def test_what_the_machine_can_not_hold_is_told_in_one_line():
    with pytest.raises(MemoryError, match=r"^table=1e\+12: .* give fewer$"):
        TranspositionTable(1e12, 2)
