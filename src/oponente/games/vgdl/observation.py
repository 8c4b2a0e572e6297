"""VGDL: what a controller may see of a state, as the framework's forward model gives it.

Each sprite is seen as an `Observation`, grouped by category and type; types are numbers, and their names are there for
those who want them. Types that the description hides from a player are left out everywhere: among sprites, in events,
as avatars of others, and among resources. Its own avatar a player always sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from oponente.games.vgdl.kinds import NIL
from oponente.games.vgdl.scene import loaded, resources_of
from oponente.kernel import State


class Category(IntEnum):
    """What kind of thing a sprite is; the first that fits."""

    AVATAR = 0
    RESOURCE = 1
    PORTAL = 2
    NPC = 3
    IMMOVABLE = 4
    FROM_AVATAR = 5
    MOVABLE = 6


class Winner(IntEnum):
    """How a game has ended for a player."""

    NO_WINNER = -1
    LOSES = 0
    WINS = 1
    DISQUALIFIED = -100


DISQUALIFIED_SCORE = -1000.0
"""The score of who is disqualified, whatever was scored before."""


@dataclass(frozen=True)
class Observation:
    """A sprite as a controller sees it."""

    category: Category
    type: int
    id: int
    """Unique for the whole game."""
    position: tuple[int, int]
    """Pixels, of the upper left corner."""
    reference: tuple[int, int]
    squared_distance: int
    """From the reference."""


@dataclass(frozen=True, order=True)
class Event:
    """A collision in which an avatar, or a sprite that one has made, took part; one a tick of each kind."""

    tick: int
    from_avatar: bool
    """Whether the active one is a sprite that an avatar has made, not the avatar itself."""
    active_type: int
    passive_type: int
    active_id: int
    passive_id: int
    position: tuple[int, int]
    """Of the active one."""


@dataclass(frozen=True)
class AvatarView:
    """A player's avatar."""

    position: tuple[int, int]
    """Pixels; (-1, -1) when the game is over, or the avatar is hidden."""
    orientation: tuple[float, float]
    speed: float
    type: int
    """-1: hidden."""
    health: int
    max_health: int
    limit_health: int
    resources: dict[int, int]
    """Amounts by type."""
    last_action: int
    """What it did in the last tick; NIL before the first."""
    alive: bool


class StateObservation:
    """What the player in `seat` sees of `state`.

    The state is not copied: look before it changes, or give a copy.

    Args:
        state: what is seen.
        seat: who looks.
        history: what was seen before; None: nothing but the start of the game.
        disqualified: the player who was disqualified, as ``forfeited_by`` of a record says. That is decided outside of
            the state, and ends the game.
    """

    def __init__(
        self, state: State, seat: int = 0, history: History | None = None, *, disqualified: int | None = None
    ) -> None:
        self.state, self.seat, self._disqualified = state, seat, disqualified
        self._history = history
        self._program = state.game.tables.program
        self._seen: list[Observation] | None = None

    # --- the game --------------------------------------------------------------------------------------------------

    @property
    def tick(self) -> int:
        """How many ticks have passed."""
        return int(self.state.record.tick) + 1

    @property
    def num_players(self) -> int:
        """How many play."""
        return self.state.game.num_players

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.state.record.ended) or self._disqualified is not None

    def score(self, player: int | None = None) -> float:
        """Return a player's score; None: one's own."""
        player = self.seat if player is None else player
        return DISQUALIFIED_SCORE if player == self._disqualified else float(self.state.record.score[player])

    def winner(self, player: int | None = None) -> Winner:
        """Return how the game has ended for a player; None: for oneself."""
        player = self.seat if player is None else player
        return Winner.DISQUALIFIED if player == self._disqualified else Winner(int(self.state.record.win[player]))

    @property
    def world_size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return int(self._program.width), int(self._program.height)

    @property
    def block_size(self) -> int:
        """Size of a cell in pixels."""
        return int(self._program.cell)

    def available_actions(self, player: int | None = None, *, with_nil: bool | None = None) -> list[int]:
        """Return what a player's avatar can do; none when the game is over.

        Args:
            player: None: oneself.
            with_nil: whether doing nothing is listed; None: if there are several players.
        """
        if self.is_over:
            return []
        record = self.state.record
        s = record.sprites[int(record.avatar[self.seat if player is None else player])]
        t = self._program.types[int(s.type)]
        actions = [] if s.disabled else self._program.ints[int(t.legal) : int(t.legal) + int(t.n_legal)].tolist()
        return actions + ([NIL] if (self.num_players > 1 if with_nil is None else with_nil) else [])

    def avatar(self, player: int | None = None) -> AvatarView:
        """Return a player's avatar; None: one's own.

        Of another's that is hidden there is only what all are told: its last action, and whether it is alive.
        """
        player = self.seat if player is None else player
        record, compiled = self.state.record, loaded(self.state).compiled
        s = record.sprites[int(record.avatar[player])]
        if player != self.seat and self._is_hidden(int(s.type)):
            return AvatarView(
                position=(-1, -1),
                orientation=(-1.0, -1.0),
                speed=0.0,
                type=-1,
                health=0,
                max_health=0,
                limit_health=0,
                resources={},
                last_action=int(record.last[player]),
                alive=not s.disabled,
            )
        t = self._program.types[int(s.type)]
        over = self.is_over
        resources = {
            compiled.description.number(name): amount for name, amount in resources_of(self.state, player).items()
        }
        return AvatarView(
            position=(-1, -1) if over else (int(s.x), int(s.y)),
            orientation=(-1.0, -1.0) if over else (float(s.ox), float(s.oy)),
            speed=0.0 if over else float(s.speed),
            type=int(s.type),
            health=int(s.health),
            max_health=int(s.max_health),
            limit_health=int(t.limit_health),
            resources={number: amount for number, amount in resources.items() if not self._is_hidden(number)},
            last_action=int(record.last[player]),
            alive=not s.disabled,
        )

    # --- sprites ---------------------------------------------------------------------------------------------------

    def positions(self, category: Category, reference: tuple[int, int] | None = None) -> list[list[Observation]] | None:
        """Return the sprites of a category, a list for each type that was ever seen in it, ordered by its number.

        A list is empty while no sprite of its type is there. What was seen are the types of the start of the game,
        those that are there now, and those in the history that was given.

        Args:
            category: which.
            reference: place in pixels from which they are ordered, nearest first; None: in order of creation.

        Returns:
            None if no type of the category was seen so far.
        """
        by_type: dict[int, list[Observation]] = {number: [] for number in self._known(category)}
        for seen in self._observations():
            if seen.category == category:
                by_type.setdefault(seen.type, []).append(seen if reference is None else _from(seen, reference))
        if not by_type:
            return None
        if reference is not None:
            for found in by_type.values():
                found.sort(key=lambda seen: seen.squared_distance)
        return [by_type[number] for number in sorted(by_type)]

    def grid(self) -> list[list[list[Observation]]]:
        """Return for each column and row what is in the cell; what lies across cells is in each of them."""
        columns, rows, cell = int(self._program.columns), int(self._program.rows), self.block_size
        cells: list[list[list[Observation]]] = [[[] for _ in range(rows)] for _ in range(columns)]
        for seen in self._observations():
            x, y = seen.position
            t = self._program.types[seen.type]
            for column in range(x // cell, (x + int(t.w) - 1) // cell + 1):
                for row in range(y // cell, (y + int(t.h) - 1) // cell + 1):
                    if 0 <= column < columns and 0 <= row < rows:
                        cells[column][row].append(seen)
        return cells

    def events(self) -> list[Event]:
        """Return the events of the last tick, in order. A :class:`History` collects them.

        Those in which a hidden sprite takes part are left out, unless that is one's own avatar.
        """
        record = self.state.record
        tick = int(record.tick)
        return sorted(
            Event(
                tick,
                bool(event.shot),
                int(event.active),
                int(event.passive),
                int(event.active_id),
                int(event.passive_id),
                (int(event.x), int(event.y)),
            )
            for event in record.events[: int(record.n_events)]
            if not self._is_hidden(int(event.passive))
            and (not self._is_hidden(int(event.active)) or self._is_own_avatar(event))
        )

    def _is_own_avatar(self, event: Any) -> bool:
        """Tell whether the active one of an event, a record of the state, is one's own avatar."""
        if event.shot:
            return False
        record = self.state.record
        return self.num_players == 1 or int(event.active_id) == int(record.sprites[int(record.avatar[self.seat])].id)

    def type_name(self, number: int) -> str:
        """Return the name of a type, which the framework does not tell its controllers."""
        return loaded(self.state).compiled.names[number]

    def known(self) -> set[tuple[Category, int]]:
        """Return the types that are there now, or were at the start of the game, each with its category."""
        numbers = {int(begin.type) for begin in self._program.start[: int(self._program.n_start)]}
        numbers |= {number for number in range(int(self._program.n_types)) if int(self._program.types[number].n_fixed)}
        found = {(self._category(number, False), number) for number in numbers if not self._is_hidden(number)}
        return found | {(seen.category, seen.type) for seen in self._observations()}

    def _known(self, category: Category) -> set[int]:
        known = self.known() if self._history is None else self.known() | self._history.known
        return {number for kind, number in known if kind == category}

    def _is_hidden(self, number: int) -> bool:
        t = self._program.types[number]
        return bool(int(t.hidden) >> self.seat & 1) or int(t.kind) < 0

    def _observations(self) -> list[Observation]:
        if self._seen is None:
            self._seen = [seen for number in range(int(self._program.n_types)) for seen in self._of_type(number)]
        return self._seen

    def _of_type(self, number: int) -> list[Observation]:
        """Return the sprites of a type in order of creation, unless they are hidden."""
        t, record = self._program.types[number], self.state.record
        if self._is_hidden(number):
            return []
        found = []
        for position in range(int(t.fixed), int(t.fixed) + int(t.n_fixed)):
            fixed = int(self._program.by_type[position])
            if fixed < int(self._program.n_mortal) and not int(record.alive[fixed >> 6]) >> (fixed & 63) & 1:
                continue
            f = self._program.fixed[fixed]
            found.append(self._observation(number, int(f.id), int(f.x), int(f.y), shot=False))
        group = record.group[number]
        slot = int(group.head) if group.count else -1
        while slot >= 0:
            s = record.sprites[slot]
            if not s.disabled:
                found.append(self._observation(number, int(s.id), int(s.x), int(s.y), shot=bool(s.shot)))
            slot = int(s.next)
        return found

    def _observation(self, number: int, identity: int, x: int, y: int, *, shot: bool) -> Observation:
        return Observation(
            self._category(number, shot), number, identity, (x, y), (-1, -1), (x + 1) ** 2 + (y + 1) ** 2
        )

    def _category(self, number: int, shot: bool) -> Category:
        t = self._program.types[number]
        for fits, category in (
            (t.avatar, Category.AVATAR),
            (t.is_resource, Category.RESOURCE),
            (t.portal, Category.PORTAL),
            (t.npc, Category.NPC),
            (t.static, Category.IMMOVABLE),
            (shot, Category.FROM_AVATAR),
        ):
            if fits:
                return category
        return Category.MOVABLE


def _from(seen: Observation, reference: tuple[int, int]) -> Observation:
    dx, dy = seen.position[0] - reference[0], seen.position[1] - reference[1]
    return Observation(seen.category, seen.type, seen.id, seen.position, reference, dx * dx + dy * dy)


class History:
    """The events of a game and the types that were seen, as far as somebody has looked: call :meth:`look` after every
    tick. What a player sees is its own: one history for each.

    A state keeps the events of its last tick only, so that copies of it stay small. A :meth:`copy` goes with a copy of
    the state that is played on.
    """

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._known: set[tuple[Category, int]] = set()
        self._last = -1

    def look(self, observation: StateObservation) -> None:
        """Take note of the events of the last tick, once, and of the types that are there."""
        if observation.tick > self._last:
            self._events += observation.events()
            self._known |= observation.known()
            self._last = observation.tick

    def copy(self) -> History:
        """Return a history that goes on by itself."""
        other = History()
        other._events, other._known, other._last = self._events.copy(), self._known.copy(), self._last
        return other

    @property
    def known(self) -> frozenset[tuple[Category, int]]:
        """The types that were seen so far, each with its category."""
        return frozenset(self._known)

    @property
    def events(self) -> Sequence[Event]:
        """All events so far, ordered."""
        return tuple(self._events)
