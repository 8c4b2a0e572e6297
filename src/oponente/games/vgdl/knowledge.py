"""VGDL: what an agent learns in play about the types of sprites, and what a place is worth for what is near it.

Sources: D. Perez, S. Samothrakis, S. Lucas, "Knowledge-based fast evolutionary MCTS for general video game playing"
(CIG 2014); D. Soemers, C. Sironi, T. Schuster, M. Winands, "Enhancements for real-time Monte-Carlo tree search in
general video game playing" (CIG 2016), section on knowledge-based evaluations.

Before each search of a decision, with nothing but what an agent may observe:

1. *Events.* The last tick of the game, and some courses of random actions, are looked through for collisions in which
   the avatar, or a sprite that it has made, takes part, and nothing that is hidden from the player. Of the other's
   type it is noted how often that was, how the score changed in these ticks, how often they won or lost, how often the
   avatar had more health or resources after them, and how often it wanted to move and did not.
2. *Weights.* A type weighs what a collision with it has brought on the average: a change of score, as a share of the
   greatest one that was seen, 1 for a win, -1 for a loss, `GAINED` for health or resources. It is as if there had been
   a first collision with every type that brought `CURIOSITY`. So what was never met attracts a little, and the less the
   more often it was met in vain. What harms repels if it moves; of what stays where it is the search itself sees that
   it must not be touched.
3. *Ways.* From the fixed sprites of each type that weighs something the ways are measured around what has proved to be
   an obstacle; to other sprites it is the straight line.

In the search, at the end of a playout, it is looked up how near each of these types is. The sum by weights, scaled to 0
to `BOUND`, is added to the score, so that it decides where scores are alike.

What differs from the sources: courses apart from the search gather the events, so evaluations stay the same throughout
a search, whatever its threads do; distances are those at the end of a playout, not the changes of distances; an average
with a first collision stands in place of a learning rate; a type of which there are fewer sprites than before the
search counts as reached, so what is taken is not missed; ways are measured from the sprites to all places at once,
breadth first, in place of A*; fixed sprites never repel (a water that drowns must be crossed beside the bridge).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.vgdl.contact import column_of, row_of
from oponente.games.vgdl.kinds import NIL, USE
from oponente.games.vgdl.layout import AMOUNTS, AREA, TYPES
from oponente.games.vgdl.nearness import nearest_of
from oponente.games.vgdl.open_loop import list_actions
from oponente.games.vgdl.rules import MAX_ACTIONS, copy_state, reseed
from oponente.games.vgdl.sprites import count_of, is_alive
from oponente.games.vgdl.tick import tick
from oponente.kernel import State, Stream, entry, njit, random_below, record, subroutine

BOUND = 0.5
"""What nearness adds at most. Scores are whole numbers in most games."""
CURIOSITY = 0.1
"""Weight of a type that was never met."""
GAINED = 0.1
"""What a collision is worth in which the avatar gains health or resources."""
NEGLIGIBLE = 0.005
"""A type that weighs less is left out."""
LENGTH = 10
"""Ticks of a course."""
FIELDS = 16
"""Types to which ways are measured at most; to further ones it is the straight line."""
UNSEEN = -2
"""In place of the tick of the last decision, if there was none."""
NOBODY = -1
"""In place of the seat of one who knows something."""
ORIGIN, WORK = range(2)
"""Records of states."""

Subject = record(
    ("met", "f8"),  # ticks with a collision
    ("gain", "f8"),  # change of the score in these
    ("won", "f8"),  # how many of these won
    ("lost", "f8"),
    ("gained", "f8"),  # in how many the avatar gained health or resources
    ("blocked", "f8"),  # in how many the avatar wanted to move and did not
    ("weight", "f8"),
    ("count", "i4"),  # sprites at the root
    ("field", "i4"),  # row of the ways to it; -1: the straight line
    ("listed", "i4"),  # not of this type: which one is considered as the first, the second, ...
)
"""What is known of a type of sprites."""

Root = record(
    ("largest", "f8"),  # greatest change of the score that was seen
    ("score", "f8"),
    ("tick", "i4"),
    ("x", "i4"),  # of the avatar, in pixels
    ("y", "i4"),
    ("held", "i4"),  # its health and resources
    ("seat", "i4"),
    ("considered", "i4"),  # how many types are considered
)
"""The position of the last decision, and what is known of the game."""


class Knowledge(NamedTuple):
    """What an agent knows of a game; the arrays change in place."""

    subjects: npt.NDArray[Any]
    """A `Subject` for each type."""
    root: npt.NDArray[Any]
    """One `Root`."""
    fields: npt.NDArray[np.int16]
    """A row for each type that ways are measured to: steps to the nearest from each cell, -1 if there is no way."""
    queue: npt.NDArray[np.int32]
    """Work space: a cell after the other."""
    obstacles: npt.NDArray[np.uint8]
    """Which cells hold an obstacle."""


def no_knowledge() -> Knowledge:
    """Return the knowledge of those who learn nothing, which takes no room."""
    return _knowledge(1, 1, 1)


def new_knowledge() -> Knowledge:
    """Return room for what an agent learns; at first it knows nothing."""
    return _knowledge(TYPES, FIELDS, AREA)


def _knowledge(types: int, fields: int, area: int) -> Knowledge:
    knowledge = Knowledge(
        np.zeros(types, Subject),
        np.zeros(1, Root),
        np.zeros((fields, area), np.int16),
        np.zeros(area, np.int32),
        np.zeros(area, np.uint8),
    )
    forget(knowledge)
    return knowledge


def forget(knowledge: Knowledge) -> None:
    """Know nothing: a game begins."""
    knowledge.subjects.fill(0)
    knowledge.root.fill(0)
    knowledge.root[0].seat, knowledge.root[0].tick = NOBODY, UNSEEN


def learn(knowledge: Knowledge, root: State, seat: int, courses: int, rng: Stream) -> None:
    """Learn from the last tick of a game and from courses of random actions, and make ready to evaluate.

    Args:
        knowledge: changes.
        root: position that the player may know, with the actions that it considers.
        seat: whose avatar it is about.
        courses: how many, of `LENGTH` ticks each.
        rng: stream: draws the actions and the futures.
    """
    states = root.game.new_states(2)
    root.game.put(states, ORIGIN, root.array)
    study(root.game.tables, states, knowledge, seat, courses, rng)


@entry
def study(game: Any, states: Any, knowledge: Any, player: Any, courses: Any, rng: Any) -> Any:
    """Do so.

    Args:
        game: tables of a VGDL game.
        states: two states, the first one the root, the other for work.
        knowledge: see :class:`Knowledge`.
        player: whose avatar it is about.
        courses: how many.
        rng: stream.
    """
    at, origin = knowledge.root[0], states[ORIGIN]
    own = origin.sprites[np.int64(origin.avatar[player])]
    # 1. Events
    if at.tick + 1 == origin.tick:
        note_events(knowledge, game, origin, player, at.score, at.x, at.y, at.held)
    at.seat, at.tick, at.score, at.x, at.y = player, origin.tick, origin.score[player], own.x, own.y
    at.held = possessions(own)
    run_courses(game, states, knowledge, player, courses, rng)
    # 2. Weights
    weigh(knowledge, game, origin, player)
    # 3. Ways
    measure(knowledge, game, origin)
    return 0


# --- 1. events -------------------------------------------------------------------------------------------------------


@subroutine
def run_courses(game: Any, states: Any, knowledge: Any, player: Any, courses: Any, rng: Any) -> None:
    """Play random actions from the root, and note the events of each tick."""
    state = states[WORK]
    listed = np.empty(MAX_ACTIONS, np.int64)
    for _ in range(courses):
        copy_state(game, states, WORK, ORIGIN)
        reseed(game, state, rng)
        for _ in range(LENGTH):
            if state.ended:
                break
            for i in range(game.program.players):
                count = list_actions(game, state, i, game.program.list_nil != 0, listed)
                state.chosen[i] = listed[random_below(rng, count)]
            own = state.sprites[np.int64(state.avatar[player])]
            score, x, y = state.score[player], np.int64(own.x), np.int64(own.y)
            held = possessions(own)
            tick(game, state)
            note_events(knowledge, game, state, player, score, x, y, held)


@subroutine
def note_events(knowledge: Any, game: Any, state: Any, player: Any, score: Any, x: Any, y: Any, held: Any) -> None:
    """Note the collisions of the last tick; what a player and its avatar had before, and where that was, is given."""
    at = knowledge.root[0]
    own = state.sprites[np.int64(state.avatar[player])]
    action = np.int64(state.last[player])
    stopped = action not in (NIL, USE) and own.x == x and own.y == y
    richer = possessions(own) > held
    change = state.score[player] - score
    at.largest = max(at.largest, abs(change))
    for i in range(state.n_events):
        event = state.events[i]
        if game.program.types[event.passive].hidden >> player & 1:
            continue
        if event.shot and game.program.types[event.active].hidden >> player & 1:
            continue
        # Whose shot it was is not known; an avatar is known by its number.
        if game.program.players > 1 and not event.shot and event.active_id != own.id:
            continue
        subject = knowledge.subjects[event.passive]
        subject.met += 1.0
        subject.gain += change
        if state.ended:
            subject.won += state.win[player] == 1
            subject.lost += state.win[player] == 0
        subject.gained += richer
        subject.blocked += stopped and not event.shot


@njit
def possessions(s: Any) -> Any:
    """Return how much health and resources an avatar has together, those left out for which it has too many kinds."""
    total = np.int64(s.health)
    for i in range(AMOUNTS):
        total += s.amounts[i]
    return total


# --- 2. weights ------------------------------------------------------------------------------------------------------


@subroutine
def weigh(knowledge: Any, game: Any, state: Any, player: Any) -> None:
    """List the types that are seen and weigh something."""
    at = knowledge.root[0]
    at.considered = 0
    for number in range(game.program.n_types):
        t, subject = game.program.types[number], knowledge.subjects[number]
        if t.kind < 0 or t.avatar or (t.hidden >> player & 1):
            continue
        subject.weight = weight_of(subject, at.largest)
        subject.count = count_of(state, number)
        group = state.group[number]
        moving = group.count > 0
        # Its own shots are always near.
        made = moving and state.sprites[np.int64(group.head)].shot
        # What harms and stays where it is only has to be kept from touching, and the search sees to that.
        matters = subject.weight >= NEGLIGIBLE or (subject.weight <= -NEGLIGIBLE and moving)
        if subject.count > 0 and not made and matters:
            knowledge.subjects[at.considered].listed = number
            at.considered += 1


@njit
def weight_of(subject: Any, largest: Any) -> float:
    """Return what a collision has brought on the average, from -1 to 1."""
    brought = subject.won - subject.lost + GAINED * subject.gained
    if largest > 0.0:
        brought += subject.gain / largest
    average = np.float64((CURIOSITY + brought) / (1.0 + subject.met))
    return float(min(max(average, -1.0), 1.0))


# --- 3. ways ---------------------------------------------------------------------------------------------------------


@subroutine
def measure(knowledge: Any, game: Any, state: Any) -> None:
    """Measure the ways to the types whose sprites are all fixed."""
    p, at = game.program, knowledge.root[0]
    cells = np.int64(p.stride * (p.rows + 2))
    for c in range(cells):
        row, column = c // p.stride, c % p.stride
        # The ring around the level is no way.
        knowledge.obstacles[c] = row == 0 or row > p.rows or column == 0 or column > p.columns
    for number in range(p.n_types):
        subject = knowledge.subjects[number]
        if subject.blocked * 2.0 > subject.met:
            count = list_cells(knowledge, game, state, number)
            for i in range(count):
                knowledge.obstacles[knowledge.queue[i]] = 1
    fields = np.int64(0)
    for i in range(at.considered):
        listed = np.int64(knowledge.subjects[i].listed)
        subject = knowledge.subjects[listed]
        subject.field = -1
        if state.group[listed].count == 0 and fields < FIELDS:
            subject.field = fields
            spread_from(knowledge, game, state, listed, fields)
            fields += 1


@subroutine
def list_cells(knowledge: Any, game: Any, state: Any, number: Any) -> Any:
    """Put the cells of the sprites of a type in the queue, as many as there is room for; return how many."""
    p, t = game.program, game.program.types[number]
    count = np.int64(0)
    for position in range(t.fixed, t.fixed + t.n_fixed):
        fixed = np.int64(p.by_type[position])
        if is_alive(game, state, fixed) and count < knowledge.queue.size:
            knowledge.queue[count] = cell_of(game, p.fixed[fixed].x, p.fixed[fixed].y)
            count += 1
    group = state.group[number]
    slot = np.int64(group.head) if group.count > 0 else np.int64(-1)
    while slot >= 0:
        s = state.sprites[slot]
        if s.disabled == 0 and count < knowledge.queue.size:
            knowledge.queue[count] = cell_of(game, s.x, s.y)
            count += 1
        slot = np.int64(s.next)
    return count


@njit
def cell_of(game: Any, x: Any, y: Any) -> Any:
    """Return the cell that a pixel lies in."""
    return row_of(game, y) * game.program.stride + column_of(game, x)


@subroutine
def spread_from(knowledge: Any, game: Any, state: Any, number: Any, row: Any) -> None:
    """Write the steps from each cell to the nearest sprite of a type to a row of the fields, breadth first.

    A sprite is reached though it is an obstacle itself: it is touched from beside.
    """
    p = game.program
    field, queue = knowledge.fields[row], knowledge.queue
    for c in range(p.stride * (p.rows + 2)):
        field[c] = -1
    listed = list_cells(knowledge, game, state, number)
    end = np.int64(0)
    for i in range(listed):
        c = queue[i]
        if field[c] < 0:
            field[c] = 0
            queue[end] = c
            end += 1
    at = np.int64(0)
    while at < end:
        cell = np.int64(queue[at])
        at += 1
        for direction in range(4):
            step = 1 if direction < 2 else np.int64(p.stride)
            other = cell + (step if direction % 2 == 0 else -step)
            if 0 <= other < p.stride * (p.rows + 2) and field[other] < 0 and not knowledge.obstacles[other]:
                field[other] = field[cell] + 1
                queue[end] = other
                end += 1


# --- evaluation ------------------------------------------------------------------------------------------------------


@njit
def worth_of_nearness(knowledge: Any, game: Any, state: Any, player: Any) -> float:
    """Return what it is worth to a player how near its avatar is to the types that weigh something: 0 to `BOUND`."""
    p, at = game.program, knowledge.root[0]
    own = state.sprites[np.int64(state.avatar[player])]
    here = cell_of(game, own.x, own.y)
    far = np.float64(p.columns + p.rows)
    total, weights = 0.0, 0.0
    for i in range(at.considered):
        number = np.int64(knowledge.subjects[i].listed)
        subject = knowledge.subjects[number]
        distance = -1.0
        if subject.weight > 0.0 and count_of(state, number) < subject.count:
            distance = 0.0
        elif subject.field >= 0:
            distance = np.float64(knowledge.fields[subject.field, here])
        else:
            count, squared = nearest_of(game, state, number, own.x, own.y)
            if count > 0:
                distance = math.sqrt(squared) * p.inverse
        if distance >= 0.0:
            total += subject.weight * far / (far + distance)
        weights += abs(subject.weight)
    return 0.5 * BOUND * (1.0 + total / weights) if weights > 0.0 else 0.0
