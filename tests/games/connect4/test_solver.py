"""The perfect solver: against positions with known scores, against plain negamax, and its manners."""

import json
import struct
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oponente.games.connect4.bitboard import COLUMNS, HEIGHT, ROWS
from oponente.games.connect4.book import Book, shipped_book
from oponente.games.connect4.solver import Solver, Stopped
from oponente.games.connect4.solver_search import GENERATIONS
from oponente.kernel import Control

DATA = Path(__file__).parents[2] / "data" / "connect4-positions.json"
KNOWN = json.loads(DATA.read_text())["positions"]


def drop(stones, column):
    """Drop a stone of the side to move, without a look at the rules; None if the column is full."""
    full = stones[0] | stones[1]
    cell = (full + (1 << column * HEIGHT)) & (((1 << ROWS) - 1) << column * HEIGHT)
    mover = full.bit_count() & 1
    return tuple(own | cell if side == mover else own for side, own in enumerate(stones)) if cell else None


def play(moves):
    stones = (0, 0)
    for digit in moves:
        stones = drop(stones, int(digit) - 1)
    return stones


def mirror(stones):
    return tuple(
        sum((own >> column * HEIGHT & 127) << (COLUMNS - 1 - column) * HEIGHT for column in range(COLUMNS))
        for own in stones
    )


def won(stones):
    return any(stones & stones >> step & stones >> 2 * step & stones >> 3 * step for step in (1, 6, 7, 8))


def negamax(stones, memory):
    """Return the scores of all columns, by trying everything."""
    if stones not in memory:
        full = stones[0] | stones[1]
        mover = full.bit_count() & 1
        scores = []
        for column in range(COLUMNS):
            after = drop(stones, column)
            if after is None:
                scores.append(None)
            elif won(after[mover]):
                scores.append(22 - after[mover].bit_count())
            elif full.bit_count() == COLUMNS * ROWS - 1:
                scores.append(0)
            else:
                scores.append(-best(negamax(after, memory)))
        memory[stones] = scores
    return memory[stones]


def best(scores):
    return max(score for score in scores if score is not None)


@pytest.fixture(scope="module")
def solver():
    return Solver(table_mib=8, book=False)


@pytest.mark.parametrize("case", [case for case in KNOWN if case["ply"] >= 16][::3], ids=lambda case: case["moves"])
def test_known_scores(solver, case):
    solver.reset()
    assert solver.solve(*play(case["moves"])) == case["score"]


@pytest.mark.parametrize("case", [case for case in KNOWN if case["ply"] >= 18][::3], ids=lambda case: case["moves"])
def test_known_move_scores(solver, case):
    solver.reset()
    assert solver.move_scores(*play(case["moves"])) == case["move_scores"]


def test_reset_does_not_change_scores_when_generations_wrap():
    solver = Solver(table_mib=0.25, book=False)
    case = next(case for case in KNOWN if case["ply"] == 26)
    for _ in range(GENERATIONS + 2):
        solver.reset()
        assert solver.solve(*play(case["moves"])) == case["score"]


@st.composite
def late_positions(draw):
    stones, count = (0, 0), draw(st.integers(30, 41))
    for _ in range(count):
        choices = [after for column in range(COLUMNS) if (after := drop(stones, column)) is not None]
        choices = [after for after in choices if not won(after[0]) and not won(after[1])]
        if not choices:
            break
        stones = draw(st.sampled_from(choices))
    return stones


@given(late_positions())
@settings(max_examples=150, deadline=None)
def test_agrees_with_plain_negamax(stones):
    solver = _small_solver()
    expected = negamax(stones, {})
    assert solver.move_scores(*stones) == expected
    assert solver.solve(*stones) == best(expected)


_SMALL = []


def _small_solver():
    # One solver for all examples: what it keeps from one must not harm the next.
    if not _SMALL:
        _SMALL.append(Solver(table_mib=0.25, book=False))
    return _SMALL[0]


@pytest.mark.parametrize("moves", ["4444422", "43334427661", "1234567"])
@pytest.mark.parametrize("more", ["17263", "3526"])
def test_mirror_images_have_equal_scores(moves, more):
    line = moves + more + "5612" * 2
    stones = (0, 0)
    for digit in line:
        after = drop(stones, int(digit) - 1)
        if after and not won(after[0]) and not won(after[1]):
            stones = after
    solver = Solver(table_mib=8, book=False)
    scores = solver.move_scores(*stones)
    solver.reset()
    assert solver.move_scores(*mirror(stones)) == scores[::-1]


# --- the opening book ----------------------------------------------------------------------------------------------


# The book is too shallow for a search of its positions to be quick; `--long` does one.


def test_empty_board_is_answered_from_the_book():
    solver = Solver(table_mib=1)
    assert solver.move_scores(0, 0) == [-2, -1, 0, 1, 0, -1, -2]
    assert solver.solve(0, 0) == 1
    assert solver.nodes == 0


def test_book_holds_every_position_and_scores_follow_from_those_of_the_children():
    book = shipped_book()
    layer = {(0, 0)}
    for stones in range(book.stones + 1):
        following = set()
        for position in layer:
            mover = stones & 1
            score = book.score(position[mover], position[1 - mover])
            assert score is not None
            assert book.score(*(mirror(position) if mover == 0 else mirror(position)[::-1])) == score
            children = [drop(position, column) for column in range(COLUMNS)]
            if stones < book.stones:
                assert score == max(-book.score(child[1 - mover], child[mover]) for child in children)
            following.update(children)
        layer = following


@pytest.mark.long
def test_book_agrees_with_search():
    book = shipped_book()
    solver = Solver(table_mib=256, book=False)
    stones = play("44444444"[: book.stones])
    mover = book.stones & 1
    assert solver.solve(*stones) == book.score(stones[mover], stones[1 - mover])


def test_corrupt_books_are_refused():
    data = shipped_book().dump()
    assert Book.load(data).dump() == data
    other_version = data[:8] + struct.pack("<H", 77) + data[10:]
    flipped = data[:-9] + bytes([data[-9] ^ 1]) + data[-8:]
    for broken in (b"", b"OPC4", b"X" + data[1:], other_version, flipped, data[:-1], data + b"\0"):
        with pytest.raises(ValueError, match="book"):
            Book.load(broken)


# --- manners -------------------------------------------------------------------------------------------------------


def test_deadline_stops_the_search_in_time(solver):
    solver.solve(*play(KNOWN[-1]["moves"]))
    taken = []
    give_up = time.monotonic() + 20
    # On a busy machine most tries lose their processor at some time; the best one tells what the solver does.
    while len(taken) < 3 or (min(taken) >= 0.15 and time.monotonic() < give_up):
        solver.reset()
        start = time.perf_counter()
        with pytest.raises(Stopped):
            solver.solve(0, 0, control=Control(0.05))
        taken.append(time.perf_counter() - start)
    assert 0.045 < min(taken) < 0.15
    # What a stopped search left behind does no harm.
    case = next(case for case in KNOWN if case["ply"] == 16)
    assert solver.solve(*play(case["moves"])) == case["score"]


def test_stop_flag_ends_the_search_from_another_thread(solver):
    solver.solve(*play(KNOWN[-1]["moves"]))
    late = []
    give_up = time.monotonic() + 20
    while len(late) < 3 or (min(late) >= 0.05 and time.monotonic() < give_up):
        solver.reset()
        late.append(_seconds_to_stop(solver))
    assert min(late) < 0.05


def _seconds_to_stop(solver):
    control, ended = Control(), []

    def search():
        with pytest.raises(Stopped):
            solver.move_scores(0, 0, control=control)
        ended.append(time.perf_counter())

    thread = threading.Thread(target=search)
    thread.start()
    time.sleep(0.1)
    assert not ended
    asked = time.perf_counter()
    control.stop()
    thread.join(20)
    assert ended
    return ended[0] - asked


@pytest.mark.parametrize(
    ("stones", "message"),
    [
        ((0b1, 0b1), "one cell"),
        ((0b10, 0), "empty cell below"),
        ((0b11, 0), "as many stones"),
        ((0, 0b1), "as many stones"),
        ((1 << 6, 0), "outside"),
        ((1 << 49, 0), "outside"),
        ((-1, 0), "outside"),
        (play("1212121"), "four in a row"),
        (play("17271727"), "four in a row"),
    ],
)
def test_impossible_and_finished_positions_are_refused(solver, stones, message):
    for ask in (solver.solve, solver.move_scores):
        with pytest.raises(ValueError, match=message):
            ask(*stones)


def test_full_board_is_refused(solver):
    # Columns in threes: no row of four anywhere.
    stones = play("121212" + "212121" + "343434" + "434343" + "565656" + "656565" + "777777")
    assert not won(stones[0])
    assert not won(stones[1])
    with pytest.raises(ValueError, match="board is full"):
        solver.solve(*stones)
