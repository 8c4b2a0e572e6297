"""Connect Four: the search of the perfect solver (:mod:`oponente.games.connect4.solver`).

Null-window searches (each proves that the score is, or is not, at least some number) home in on the exact score. The
search is depth-first alpha-beta (Knuth and Moore 1975) written as a loop over an explicit stack, and it

1. never expands a node whose mover has an immediate win or can't stop one: both are seen in the parent;
2. bounds the score by the stones that are left, by the rows of four that a side can still fill, and by the follow-up
   strategy ("claimeven", Allis 1988), where one side answers each move in the same column;
3. keeps lower and upper bounds in a transposition table, and looks up all children before it searches the first
   (enhanced transposition cutoffs, Plaat et al. 1996);
4. tries first the moves that leave most winning cells, those that count for most which the opponent can't fill at once
   and which lie in the rows that zugzwang gives to the mover; then those nearest to the middle.

The score of a position is 0 for a draw; otherwise its sign tells whether the side to move wins, and its magnitude is 22
minus the number of stones that the winner has at the end.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.connect4.bitboard import (
    BOARD,
    CELLS,
    COLUMN,
    COLUMNS,
    D7,
    EVEN_ROWS,
    ODD_ROWS,
    ONE,
    THREE,
    ZERO,
    canonical_key,
    has_four,
    playable,
    position_key,
    prefetch,
    several,
    winning_cells,
)
from oponente.kernel import entry, expired, njit
from oponente.kernel.bits import popcount

STOPPED = 99
"""What a kernel returns in place of a score when it had to stop."""

WORST, BEST = -21, 21

# --- transposition table -------------------------------------------------------------------------------------------
# An entry is 64 bits: what the bucket's number leaves of the scrambled key (36 bits at most), the lower and the upper
# bound of the score (6 each, 22 added), the logarithm of the nodes that were spent (6) and the generation (10).

WAYS = 4
_LOWER_AT, _UPPER_AT, _WORK_AT, _GENERATION_AT = (np.uint64(n) for n in (36, 42, 48, 54))
_SIX_BITS = np.uint64(63)
_MATCH = np.uint64((1 << 36) - 1 | 1023 << 54)
_KEY_MASK = np.uint64((1 << 49) - 1)
_SCRAMBLE = np.uint64(0x1C6EF372FE94F82B & ((1 << 49) - 1) | 1)
_FOLD = np.uint64(25)
_OFFSET = 22
GENERATIONS = 1024
MIN_BUCKET_BITS = 13


@njit
def _slot_and_tag(key: Any, bucket_bits: Any, generation: Any) -> Any:
    """Return the first slot of a key's bucket and what identifies the key there: a bijection, so no two keys clash."""
    scrambled = ((key ^ (key >> _FOLD)) * _SCRAMBLE) & _KEY_MASK
    shift = np.uint64(49) - bucket_bits
    slot = np.int64(scrambled >> shift) * WAYS
    return slot, (scrambled & ((ONE << shift) - ONE)) | (generation << _GENERATION_AT)


@njit
def _find(table: Any, slot: Any, tag: Any) -> Any:
    """Return the entry with the tag, or 0."""
    for way in range(WAYS):
        found = table[slot + way]
        if found & _MATCH == tag:
            return found
    return ZERO


@njit
def _lower(found: Any) -> int:
    return np.int64((found >> _LOWER_AT) & _SIX_BITS) - _OFFSET


@njit
def _upper(found: Any) -> int:
    return np.int64((found >> _UPPER_AT) & _SIX_BITS) - _OFFSET


@njit
def _store(table: Any, slot: Any, tag: Any, lower: Any, upper: Any, nodes: Any) -> None:
    """Store bounds in place of the same position, of an entry of another generation, or of the cheapest entry."""
    work = ZERO
    while nodes > 1:
        work += ONE
        nodes >>= 1
    victim, cheapest = slot, np.uint64(1 << 20)
    generation = tag >> _GENERATION_AT
    for way in range(WAYS):
        found = table[slot + way]
        if found & _MATCH == tag:
            victim = slot + way
            lower, upper = max(lower, _lower(found)), min(upper, _upper(found))
            work = max(work, (found >> _WORK_AT) & _SIX_BITS)
            break
        cost = ONE + ((found >> _WORK_AT) & _SIX_BITS) if found >> _GENERATION_AT == generation else ZERO
        if cost < cheapest:
            victim, cheapest = slot + way, cost
    bounds = (np.uint64(lower + _OFFSET) << _LOWER_AT) | (np.uint64(upper + _OFFSET) << _UPPER_AT)
    table[victim] = tag | bounds | (work << _WORK_AT)


@njit
def _grow(table: Any, bucket_bits: Any) -> None:
    """Double the number of buckets in use: bucket n falls apart into 2n and 2n + 1.

    From the last bucket to the first, for what is written lies at or above what is read.
    """
    top = ONE << (np.uint64(48) - bucket_bits)
    kept = np.empty(WAYS, np.uint64)
    for bucket in range((1 << np.int64(bucket_bits)) - 1, -1, -1):
        for way in range(WAYS):
            kept[way] = table[bucket * WAYS + way]
        for way in range(2 * WAYS):
            table[2 * bucket * WAYS + way] = ZERO
        for way in range(WAYS):
            half = np.int64(kept[way] & top != ZERO)
            table[(2 * bucket + half) * WAYS + way] = kept[way] & ~top


# --- bounds without search -----------------------------------------------------------------------------------------


@njit
def _upper_bound(mine: Any, theirs: Any, their_wins: Any, upper: Any) -> int:
    """Lower the mover's upper bound by what the opponent can hold without calculation.

    A side that can't complete a row even with all free cells does not win. If all columns have an even number of free
    cells, the opponent can answer each move on top of it (claimeven): the mover then gets the odd rows only, and
    nothing above an even winning cell of the opponent, which ends the game. If two columns have an odd number, the
    opponent answers a move in one of them with the other (baseinverse): the mover gets one of the two cells as well.
    """
    full = mine | theirs
    free = full ^ BOARD
    floor = playable(full)
    odd = floor & EVEN_ROWS
    first = odd & (ZERO - odd)
    second = odd ^ first
    if several(second) or (odd != ZERO and second == ZERO):
        return min(upper, 0) if not has_four(mine | free) else upper
    reach = free & ODD_ROWS
    wins = their_wins & EVEN_ROWS & ~floor
    reach &= ~(wins << ONE) & ~(wins << THREE)
    if has_four(mine | reach | first) or (second != ZERO and has_four(mine | reach | second)):
        return upper
    return min(upper, -1 if wins != ZERO else 0)


@njit
def _lower_bound(mine: Any, theirs: Any, my_wins: Any, lower: Any) -> int:
    """Raise the mover's lower bound: the same for the mover, who has to play in an odd column first."""
    full = mine | theirs
    odd = playable(full) & EVEN_ROWS
    if odd == ZERO or popcount(odd) > 3:
        return max(lower, 0) if not has_four(theirs | (full ^ BOARD)) else lower
    while odd != ZERO:
        move = odd & (ZERO - odd)
        odd ^= move
        lower = max(lower, -_upper_bound(theirs, mine | move, my_wins & ~move, BEST))
    return lower


# --- search --------------------------------------------------------------------------------------------------------

_ORDER = np.array([3, 2, 4, 1, 5, 0, 6], np.int64)
NODES, BUCKET_BITS, START = range(3)
COUNTERS = 3
_POLL = 255
_NODES_PER_ENTRY = 8
_MIRROR_UNTIL = 12
_SHALLOW = 36
_WIDTH = 8
_MOVE, _WINS, _LOST, _RANK = (_WIDTH * part for part in range(4))


@njit
def _loses_at_once(full: Any, their_wins: Any) -> bool:
    """Tell whether each move of a mover without a winning move lets the opponent win with the next stone."""
    moves = playable(full)
    forced = moves & their_wins
    if forced != ZERO:
        return several(forced) or forced & (their_wins >> ONE) != ZERO
    return moves & ~(their_wins >> ONE) == ZERO


@njit
def _safe_moves(full: Any, their_wins: Any) -> Any:
    """Return the moves after which the opponent can't win at once; there is at least one."""
    moves = playable(full)
    forced = moves & their_wins
    if forced != ZERO:
        moves = forced
    return moves & ~(their_wins >> ONE)


@njit
def _look_ahead(mine: Any, theirs: Any, moves: Any, good_rows: Any, lanes: Any) -> None:
    """Write for each column what its move leads to.

    All lanes take the same steps, whether or not there is a move, so that the compiler makes vector instructions of
    them.
    """
    full = mine | theirs
    for lane in range(_WIDTH):
        move = moves & (COLUMN << (np.uint64(lane) * D7))
        after = full | move
        wins = winning_cells(mine | move, after)
        replies = playable(after)
        forced = replies & wins
        safe = (replies if forced == ZERO else forced) & ~(wins >> ONE)
        lanes[_MOVE + lane] = move
        lanes[_WINS + lane] = wins
        lanes[_LOST + lane] = np.uint64((safe == ZERO) | several(forced))
        later = wins & ~replies
        lanes[_RANK + lane] = np.uint64(popcount(wins) + popcount(later) + popcount(later & good_rows))


@njit
def _key(mine: Any, full: Any, ply: Any) -> Any:
    """Return the table's key: mirror images share it early on, where they are frequent."""
    return canonical_key(mine, full) if ply < _MIRROR_UNTIL else position_key(mine, full)


@njit
def _null_window(mine: Any, theirs: Any, alpha: Any, table: Any, generation: Any, counters: Any, control: Any) -> int:
    """Search whether the score is above `alpha`; the position has no winning move and a safe one.

    Returns a lower bound of the score if it is above alpha, else an upper bound; or STOPPED.
    """
    # One frame per ply from here: position, winning cells of both, children with the winning cells that they leave.
    frame_mine, frame_theirs = np.empty(CELLS + 1, np.uint64), np.empty(CELLS + 1, np.uint64)
    frame_my_wins = np.empty(CELLS + 1, np.uint64)
    frame_best, frame_upper = np.empty(CELLS + 1, np.int64), np.empty(CELLS + 1, np.int64)
    frame_next, frame_count, frame_start = (
        np.empty(CELLS + 1, np.int64),
        np.empty(CELLS + 1, np.int64),
        np.empty(CELLS + 1, np.int64),
    )
    frame_their_wins = np.empty(CELLS + 1, np.uint64)
    child_move, child_wins = np.empty((CELLS + 1) * _WIDTH, np.uint64), np.empty((CELLS + 1) * _WIDTH, np.uint64)
    child_slot, child_tag = np.empty(_WIDTH, np.int64), np.empty(_WIDTH, np.uint64)
    child_rank = np.empty(_WIDTH, np.int64)
    lanes = np.empty(4 * _WIDTH, np.uint64)

    root = ply = popcount(mine | theirs)
    my_wins, their_wins = winning_cells(mine, mine | theirs), winning_cells(theirs, mine | theirs)
    nodes = counters[NODES]
    bucket_bits = np.uint64(counters[BUCKET_BITS])
    limit = np.int64(_NODES_PER_ENTRY * WAYS) << counters[BUCKET_BITS]
    value = 0
    descending = True
    while True:
        if descending:
            # Enter a node. 1: count and poll.
            nodes += 1
            if nodes & _POLL == 0:
                if expired(control):
                    counters[NODES] = nodes
                    return STOPPED
                if nodes - counters[START] > limit and (WAYS << np.int64(bucket_bits)) < len(table):
                    _grow(table, bucket_bits)
                    bucket_bits += ONE
                    counters[BUCKET_BITS] = np.int64(bucket_bits)
                    limit = np.int64(_NODES_PER_ENTRY * WAYS) << np.int64(bucket_bits)
            descending = False
            full = mine | theirs
            beta = alpha + 1
            upper, lower = (41 - ply) // 2, -((40 - ply) // 2)
            # 2: bounds without search.
            if ply >= CELLS - 2:
                value = 0
            elif upper <= alpha:
                value = upper
            elif lower > alpha:
                value = lower
            else:
                if alpha >= 0 or alpha == -1:
                    upper = _upper_bound(mine, theirs, their_wins, upper)
                if alpha <= 0:
                    lower = _lower_bound(mine, theirs, my_wins, lower)
                if upper <= alpha:
                    value = upper
                elif lower > alpha:
                    value = lower
                else:
                    # 3: look at all children.
                    good_rows = ODD_ROWS if ply & 1 == 0 else EVEN_ROWS
                    _look_ahead(mine, theirs, _safe_moves(full, their_wins), good_rows, lanes)
                    base = ply * _WIDTH
                    count = 0
                    best = lower
                    done = False
                    use_table = ply < _SHALLOW
                    for position in range(COLUMNS):
                        lane = _ORDER[position]
                        move = lanes[_MOVE + lane]
                        if move == ZERO:
                            continue
                        if lanes[_LOST + lane] != ZERO:
                            value, done = upper, True
                            break
                        wins = lanes[_WINS + lane]
                        rank = np.int64(lanes[_RANK + lane])
                        at = count
                        while at > 0 and child_rank[at - 1] < rank:
                            child_rank[at] = child_rank[at - 1]
                            child_move[base + at] = child_move[base + at - 1]
                            child_wins[base + at] = child_wins[base + at - 1]
                            child_slot[at], child_tag[at] = child_slot[at - 1], child_tag[at - 1]
                            at -= 1
                        child_rank[at], child_move[base + at], child_wins[base + at] = rank, move, wins
                        if use_table:
                            slot, tag = _slot_and_tag(_key(theirs, full | move, ply + 1), bucket_bits, generation)
                            prefetch(table, slot)
                            child_slot[at], child_tag[at] = slot, tag
                        count += 1
                    if not done:
                        # None of the moves forces a win with the stone after next.
                        upper = min(upper, (39 - ply) // 2)
                        if upper <= alpha:
                            value, done = upper, True
                    if not done and use_table:
                        # 4: enhanced transposition cutoffs.
                        kept = 0
                        for at in range(count):
                            found = _find(table, child_slot[at], child_tag[at])
                            if found != ZERO:
                                if -_upper(found) > alpha:
                                    value, done = -_upper(found), True
                                    break
                                if -_lower(found) <= alpha:
                                    best = max(best, -_lower(found))
                                    continue
                            child_move[base + kept] = child_move[base + at]
                            child_wins[base + kept] = child_wins[base + at]
                            kept += 1
                        count = kept
                        if not done and count == 0:
                            value, done = best, True
                    if not done:
                        frame_mine[ply], frame_theirs[ply] = mine, theirs
                        frame_my_wins[ply], frame_their_wins[ply] = my_wins, their_wins
                        frame_best[ply], frame_upper[ply] = best, upper
                        frame_next[ply], frame_count[ply], frame_start[ply] = 0, count, nodes
                        # 5: go down.
                        move = child_move[base]
                        mine, theirs = theirs, mine | move
                        my_wins, their_wins = their_wins & ~move, child_wins[base]
                        ply += 1
                        alpha = -beta
                        descending = True
        else:
            # Leave a node with `value`, seen by its mover; `alpha` is that of the node.
            if ply == root:
                counters[NODES] = nodes
                return value
            ply -= 1
            alpha = -alpha - 1
            value = -value
            if value <= alpha:
                best = max(frame_best[ply], value)
                frame_best[ply] = best
                following = frame_next[ply] + 1
                if following < frame_count[ply]:
                    frame_next[ply] = following
                    at = ply * _WIDTH + following
                    move = child_move[at]
                    mine, theirs = frame_theirs[ply], frame_mine[ply] | move
                    my_wins, their_wins = frame_their_wins[ply] & ~move, child_wins[at]
                    ply += 1
                    alpha = -alpha - 1
                    descending = True
                    continue
                value = best
            if ply < _SHALLOW:
                lower, upper = (value, frame_upper[ply]) if value > alpha else (WORST, value)
                mine, theirs = frame_mine[ply], frame_theirs[ply]
                slot, tag = _slot_and_tag(_key(mine, mine | theirs, ply), bucket_bits, generation)
                _store(table, slot, tag, lower, upper, nodes - frame_start[ply])


@entry
def solve_kernel(
    mine: Any,
    theirs: Any,
    lower: int,
    table: Any,
    generation: Any,
    counters: Any,
    control: Any,
) -> int:
    """Return the exact score of a position that is not over, known not to be below the bound; or STOPPED."""
    counters[START] = counters[NODES]
    full = mine | theirs
    ply = popcount(full)
    if winning_cells(mine, full) & playable(full) != ZERO:
        return (CELLS + 1 - ply) // 2
    if ply == CELLS - 1:
        return 0
    if _loses_at_once(full, winning_cells(theirs, full)):
        return -((CELLS - ply) // 2)
    lower, upper = max(lower, -((CELLS - 2 - ply) // 2)), (CELLS - 1 - ply) // 2
    while lower < upper:
        # Win, draw or loss first; then one step at a time from the side of the draw, where most scores lie.
        alpha = max(lower, min(0, upper - 1))
        value = _null_window(mine, theirs, alpha, table, generation, counters, control)
        if value == STOPPED:
            return STOPPED
        if value > alpha:
            lower = max(lower, value)
        else:
            upper = min(upper, value)
    return lower
