"""VGDL: forward planning in one future, breadth first, with what is not new left out.

Sources: N. Lipovetzky, H. Geffner, "Width and serialization of classical planning problems" (ECAI 2012), the iterated
width algorithm; T. Geffner, H. Geffner, "Width-based planning for general video-game playing" (AIIDE 2015).

Random numbers are as they are at the root, so a node is a state. When states are compared they are left out, and so are
the names of sprites, the tick, and what goes with it: when a spawner's turn is, when an effect of time is due that the
InteractionSet names. What an effect queues has its time. States are expanded in the order in which they were reached:

1. Each action of the avatar, doing nothing too, is played for a tick. What loses is left out; a win ends the search.
2. With *width* 0 a state that was seen before is left out. With width 1 one that makes nothing true that was not true
   before: a sprite of a type at a place, the avatar's orientation, health or possessions, a fixed sprite gone, a score.
3. The best plan leads to a win, else to the greatest score, of which what is farther away counts less.

States lie packed in a pool, only what is in use of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from oponente.games.vgdl import kinds as k
from oponente.games.vgdl.kinds import NIL
from oponente.games.vgdl.layout import (
    AMOUNTS,
    BEFORE_ALIVE,
    BEFORE_GROUPS,
    BEFORE_SPRITES,
    GROUP_BYTES,
    MORE,
    SPRITE_BYTES,
    TIMER,
)
from oponente.games.vgdl.rules import MAX_ACTIONS, copy_state, reseed
from oponente.games.vgdl.tick import tick
from oponente.kernel import Control, State, Stream, entry, expired, njit, record
from oponente.kernel.random import mix64

WORD = 8
POOL_WORDS, NODES = 1 << 25, 1 << 20
"""Room for states (256 MiB, taken only as it is needed) and nodes."""
BRIEF, LONG = 1 << 17, 1 << 22
"""Room for what was seen, in a search of one decision and of several."""
FADING = 0.98
"""By how much a gain counts less for each tick that it is farther away."""
WORK, PARENT, ORIGIN = range(3)
"""Records of states."""

Node = record(
    ("offset", "i8"),  # of its state in the pool
    ("score", "f8"),
    ("parent", "i4"),
    ("depth", "i4"),  # ticks below the root
    ("action", "i4"),  # that led here
)
"""A state that was reached. Node 0 is the root; they stand in the order in which they were reached."""

Progress = record(
    ("best_value", "f8"),
    ("used", "i8"),  # words of the pool
    ("count", "i8"),  # nodes
    ("next", "i8"),  # the node to be expanded
    ("seen", "i8"),  # states that were seen
    ("ticks", "i8"),
    ("limit", "i8"),  # ticks at most
    ("best", "i4"),  # the node with the greatest gain; 0: none
    ("won", "i4"),  # a node after which `last` wins; -1: none
    ("last", "i4"),
    ("width", "i4"),
    ("losing", "i4"),  # actions at the root that lost at once, a bit each
    ("full", "i4"),
)
"""Where a search stands, so that it can go on."""


@njit
def pack(game: Any, words: Any, pool: Any, offset: Any) -> Any:
    """Copy what is in use of the state for work to the pool; return how many words there are."""
    at = offset
    groups = (BEFORE_GROUPS + game.program.n_types * GROUP_BYTES + WORD - 1) // WORD
    for i in range(groups):
        pool[at + i] = words[WORK, i]
    at += groups
    alive, n_alive = BEFORE_ALIVE // WORD, (game.program.n_mortal + 63) // 64
    for i in range(n_alive):
        pool[at + i] = words[WORK, alive + i]
    return at + n_alive - offset


@njit
def pack_sprites(slots: Any, words: Any, pool: Any, offset: Any) -> Any:
    """Copy the slots of the state for work; return how many words there are."""
    begin, count = BEFORE_SPRITES // WORD, slots * (SPRITE_BYTES // WORD)
    for i in range(count):
        pool[offset + i] = words[WORK, begin + i]
    return count


@njit
def unpack(game: Any, states: Any, words: Any, pool: Any, offset: Any) -> None:
    """Copy a state from the pool to the parent's record."""
    at = offset
    groups = (BEFORE_GROUPS + game.program.n_types * GROUP_BYTES + WORD - 1) // WORD
    for i in range(groups):
        words[PARENT, i] = pool[at + i]
    at += groups
    alive, n_alive = BEFORE_ALIVE // WORD, (game.program.n_mortal + 63) // 64
    for i in range(n_alive):
        words[PARENT, alive + i] = pool[at + i]
    at += n_alive
    begin, count = BEFORE_SPRITES // WORD, np.int64(states[PARENT].slots) * (SPRITE_BYTES // WORD)
    for i in range(count):
        words[PARENT, begin + i] = pool[at + i]
    states[PARENT].n_events = 0


# --- what is new ---------------------------------------------------------------------------------------------------


@njit
def mixed(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return 64 bits that depend on four whole numbers."""
    first = np.uint64(np.int64(a) & 0xFFFF) | np.uint64(np.int64(b) & 0xFFFF) << np.uint64(16)
    second = np.uint64(np.int64(c) & 0xFFFF) << np.uint64(32) | np.uint64(np.int64(d) & 0xFFFF) << np.uint64(48)
    return mix64(first | second)


@njit
def note_key(seen: Any, key: Any) -> bool:
    """Enter a key; tell whether it was not there. With no room nothing is new."""
    mask = np.uint64(seen.size - 1)
    key |= np.uint64(1)
    place = (key >> np.uint64(20)) & mask
    for _ in range(64):
        held = seen[np.int64(place)]
        if held == key:
            return False
        if held == 0:
            seen[np.int64(place)] = key
            return True
        place = (place + np.uint64(1)) & mask
    return False


@njit
def waiting(game: Any, state: Any, s: Any) -> Any:
    """Return for how long a sprite that can't move in every tick has not moved."""
    cooldown = np.int64(game.program.types[s.type].cooldown)
    return min(np.int64(state.tick) - np.int64(s.moved), cooldown) if cooldown > 1 else np.int64(0)


@njit
def inner(game: Any, s: Any) -> Any:
    """Return what there is to a sprite besides what it holds and how it looks, as far as it matters for its class."""
    t = game.program.types[s.type]
    # Only these go by the last direction.
    keeps = t.cons > 0 or t.kind == k.LOS_CHASER or t.avatar != 0
    direction = np.int64(s.direction) if keeps else np.int64(0)
    age = np.int64(s.age) if t.cons > 0 or t.lingers != 0 else np.int64(0)
    made, makes = np.int64(0), np.int64(0)
    if k.SPAWN_POINT <= t.kind <= k.BOMBER_RANDOM_MISSILE:
        made, makes = np.int64(s.made) if t.total > 0 else made, np.int64(s.makes)
        for i in range(t.n_others if t.kind == k.BOMBER_RANDOM_MISSILE else 0):
            makes = makes * 256 + np.int64(s.replaced[i])
    shape = mixed(np.int64(s.speed * 256.0), s.w, s.h, direction)
    return mix64(mixed(age, s.ttl, made, s.afloat) ^ shape) + np.uint64(makes + 1)


@njit
def is_unseen(game: Any, state: Any, seen: Any) -> bool:
    """Enter the state, whatever was before; tell whether it was not seen."""
    key = mix64(np.uint64(np.int64(state.score[0] * 16.0)) + np.uint64(1))
    key = mix64(key ^ mixed(np.int64(state.heading[0] * 64.0), 0, 0, 60008))
    for i in range(game.program.n_counters):
        key = mix64(key + np.uint64(np.int64(state.counters[i])))
    for i in range((game.program.n_mortal + 63) >> 6):
        key = mix64(key ^ state.alive[i])
    total = np.uint64(0)
    for slot in range(state.slots):
        s = state.sprites[slot]
        if s.type >= 0:
            one = mixed(s.type, s.x, s.y, s.health)
            one = mix64(one ^ mixed(np.int64(s.ox * 16.0), np.int64(s.oy * 16.0), waiting(game, state, s), s.disabled))
            one = mix64(one ^ inner(game, s))
            for i in range(AMOUNTS):
                if s.amounts[i] != 0:
                    one = mix64(one + np.uint64(i + 1) * np.uint64(np.int64(s.amounts[i])))
            total += one
        elif s.type == MORE:
            for i in range(AMOUNTS):
                total += mixed(7, i, s.amounts[i], 7)
        elif s.type == TIMER and game.program.effects[s.made].owner < 0:
            total += mixed(8, s.made, np.int64(s.begun) - np.int64(state.tick), 60009)
    return note_key(seen, mix64(key ^ total))


@njit
def is_novel(game: Any, state: Any, seen: Any) -> bool:
    """Enter what is true of the state; tell whether any of it was never true before."""
    new = note_key(seen, mixed(1, np.int64(state.score[0] * 4.0), 0, 60001))
    for i in range((game.program.n_mortal + 63) >> 6):
        gone = ~state.alive[i]
        left = np.int64(game.program.n_mortal) - (i << 6)
        if left < 64:
            gone &= (np.uint64(1) << np.uint64(left)) - np.uint64(1)
        number = i << 6
        while gone != np.uint64(0):
            if gone & np.uint64(1):
                new = note_key(seen, mixed(2, number, 0, 60002)) or new
            gone >>= np.uint64(1)
            number += 1
    for slot in range(state.slots):
        s = state.sprites[slot]
        if s.type < 0 or s.disabled:
            continue
        new = note_key(seen, mixed(s.type, s.x, s.y, 60003)) or new
        if s.player >= 0:
            new = note_key(seen, mixed(s.x, s.y, np.int64(s.ox) * 3 + np.int64(s.oy), 60004)) or new
            new = note_key(seen, mixed(s.x, s.y, waiting(game, state, s), 60005)) or new
            new = note_key(seen, mixed(s.health, 0, 0, 60006)) or new
            for i in range(AMOUNTS):
                new = note_key(seen, mixed(i, s.amounts[i], 0, 60007)) or new
    return new


# --- the search ----------------------------------------------------------------------------------------------------


@entry
def explore(game: Any, states: Any, words: Any, pool: Any, nodes: Any, seen: Any, progress: Any, control: Any) -> Any:
    """Search on until a win is found, all is expanded, the room is used up, or the control says so.

    Args:
        game: tables of a VGDL game for one player.
        states: array of three records, the last one the root.
        words: the same memory as unsigned words, a row a record.
        pool: uint64: packed states.
        nodes: array of `Node`.
        seen: uint64, a power of two: hash table.
        progress: array of one `Progress`; all zero: a new search begins, with the given width.
        control: stops the search.
    """
    at = progress[0]
    buffer = np.empty(MAX_ACTIONS, np.int64)
    if at.count == 0:
        copy_state(game, states, WORK, ORIGIN)
        used = pack(game, words, pool, 0)
        at.used = used + pack_sprites(np.int64(states[WORK].slots), words, pool, used)
        nodes[0].offset, nodes[0].parent, nodes[0].depth, nodes[0].action = 0, -1, 0, NIL
        nodes[0].score = states[WORK].score[0]
        at.count, at.won = 1, -1
        if at.width == 0:
            is_unseen(game, states[WORK], seen)
        else:
            is_novel(game, states[WORK], seen)
    start = nodes[0].score
    state = states[WORK]
    while at.next < at.count:
        if expired(control) or at.ticks >= at.limit:
            return 0
        node = np.int64(at.next)
        unpack(game, states, words, pool, nodes[node].offset)
        room = np.int64(states[PARENT].slots + 64) * (SPRITE_BYTES // WORD) + BEFORE_SPRITES // WORD
        if at.count + MAX_ACTIONS > nodes.size or at.used + MAX_ACTIONS * room > pool.size or at.seen > seen.size // 2:
            at.full = 1
            return 0
        count = list_all(game, states[PARENT], buffer)
        for i in range(count):
            action = buffer[i]
            copy_state(game, states, WORK, PARENT)
            state.chosen[0] = action
            tick(game, state)
            at.ticks += 1
            if state.ended:
                if state.win[0] == 1:
                    at.won, at.last = node, action
                    return 0
                if node == 0:
                    at.losing |= 1 << action
                continue
            fresh = is_unseen(game, state, seen) if at.width == 0 else is_novel(game, state, seen)
            if not fresh:
                continue
            at.seen += 1
            new = np.int64(at.count)
            at.count += 1
            nodes[new].offset, nodes[new].parent, nodes[new].action = at.used, node, action
            depth = np.int64(nodes[node].depth) + 1
            nodes[new].depth, nodes[new].score = depth, state.score[0]
            at.used += pack(game, words, pool, np.int64(at.used))
            at.used += pack_sprites(np.int64(state.slots), words, pool, np.int64(at.used))
            value = (state.score[0] - start) * FADING**depth
            if value > at.best_value:
                at.best_value, at.best = value, new
        at.next += 1
    return 0


@njit
def list_all(game: Any, state: Any, out: Any) -> Any:
    """List what the avatar can do, then doing nothing; return how many."""
    s = state.sprites[np.int64(state.avatar[0])]
    count = np.int64(0)
    if s.disabled == 0:
        t = game.program.types[s.type]
        for i in range(t.legal, t.legal + t.n_legal):
            if game.program.ints[i] != NIL:
                out[count] = game.program.ints[i]
                count += 1
    out[count] = NIL
    return count + 1


@entry
def try_plan(game: Any, states: Any, plan: Any, samples: Any, rng: Any, outcome: Any) -> Any:
    """Play a plan from the root in several futures.

    Args:
        game: tables of a VGDL game for one player.
        states: array of three records, the last one the root.
        plan: int64: actions.
        samples: how many futures.
        rng: stream: draws them.
        outcome: float64, three: receives the shares of wins and of losses, and the mean gain in score.
    """
    outcome[:] = 0.0
    state = states[WORK]
    for _ in range(samples):
        copy_state(game, states, WORK, ORIGIN)
        reseed(game, state, rng)
        for i in range(plan.size):
            if state.ended:
                break
            state.chosen[0] = plan[i]
            tick(game, state)
        if state.ended and state.win[0] == 1:
            outcome[0] += 1.0 / samples
        elif state.ended:
            outcome[1] += 1.0 / samples
        outcome[2] += (state.score[0] - states[ORIGIN].score[0]) / samples
    return 0


class Outcome(NamedTuple):
    """What became of a plan in several futures."""

    wins: float
    """Share."""
    losses: float
    gain: float
    """Mean."""


class Plan(NamedTuple):
    """What a search has found."""

    actions: tuple[int, ...]
    """Of the best plan; none if there is no gain."""
    value: float
    """Infinite for a win, else the gain in score, less the farther away it is."""
    losing: frozenset[int]
    """Actions that lose at once in this future."""
    exhausted: bool
    """Whether all that is left in was looked at."""


class Explorer:
    """A search that can go on where it stopped, with its memory, which is kept for the next one."""

    def __init__(self) -> None:
        self._pool = np.empty(POOL_WORDS, np.uint64)
        self._nodes = np.empty(NODES, Node)
        self._seen = np.zeros(LONG, np.uint64)
        self._room = LONG
        self._progress = np.zeros(1, Progress)
        self._states: Any = None
        self._game: Any = None

    def look_from(self, root: State) -> None:
        """Take a position of a game for one player as the root; its random numbers are the future."""
        game = root.game
        if self._states is None or self._game is not game:
            self._game, self._states = game, game.new_states(3)
        game.put(self._states, ORIGIN, root.array)

    def begin(self, root: State, width: int, *, long: bool = False) -> None:
        """Begin a new search.

        Args:
            root: see :meth:`look_from`.
            width: 0: only what was seen before is left out; 1: all that is not novel.
            long: whether it will go on over several decisions.
        """
        self.look_from(root)
        self._room = LONG if long else BRIEF
        self._seen[: self._room].fill(0)
        self._progress = np.zeros(1, Progress)
        self._progress[0].width = width

    def search(self, control: Control, ticks: int | None = None) -> Plan:
        """Search on, for so many ticks at most; return what there is."""
        states = self._states
        words = states.view(np.uint64).reshape(states.size, -1)
        at = self._progress[0]
        at.limit = np.iinfo(np.int64).max if ticks is None else int(at.ticks) + ticks
        explore(
            self._game.tables,
            states,
            words,
            self._pool,
            self._nodes,
            self._seen[: self._room],
            self._progress,
            control.array,
        )
        return self.plan()

    def try_plan(self, plan: Sequence[int], samples: int, rng: Stream) -> Outcome:
        """Return what becomes of a plan from the root in several futures."""
        outcome = np.zeros(3)
        try_plan(self._game.tables, self._states, np.array(plan, np.int64), samples, rng, outcome)
        return Outcome(*outcome.tolist())

    def plan(self) -> Plan:
        """Return what the search has found so far."""
        at = self._progress[0]
        if at.won >= 0:
            actions, value = (*self._actions_to(int(at.won)), int(at.last)), float("inf")
        else:
            actions, value = self._actions_to(int(at.best)), float(at.best_value)
        losing = frozenset(action for action in range(MAX_ACTIONS) if int(at.losing) >> action & 1)
        return Plan(actions, value, losing, bool(at.next >= at.count))

    @property
    def ticks(self) -> int:
        """Ticks that were played in this search."""
        return int(self._progress[0].ticks)

    @property
    def full(self) -> bool:
        """Whether there is no more room."""
        return bool(self._progress[0].full)

    def _actions_to(self, node: int) -> tuple[int, ...]:
        found = []
        while node > 0:
            found.append(int(self._nodes["action"][node]))
            node = int(self._nodes["parent"][node])
        return tuple(reversed(found))
