"""The rooms of a server, by the tokens in their links."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

from oponente.arena.match import MatchSpec
from oponente.arena.replay import Recording, load_recording
from oponente.kernel import Game
from oponente.web.contest import Contest
from oponente.web.forms import Menu, moves_on
from oponente.web.journal import DATABASE, Begun, Journal
from oponente.web.messages import Branch, NewGame, NewSeat, NewTournament
from oponente.web.replaying import Replay
from oponente.web.room import Room
from oponente.web.table import Table
from oponente.web.threads import Threads

MOST_ROOMS = 200
"""Rooms that are open at a time."""
MOST_CONTESTS = 4
"""Tournaments that are played at a time."""
IDLE_SECONDS = 600.0
"""After how long a room that nobody is in is closed; what is in the database comes back when a link is followed."""
GRACE_SECONDS = 30.0
"""How long a room stays open at least that nobody has entered yet."""
SWEEP_SECONDS = 30.0
"""How often idle rooms are looked for."""


class FullError(Exception):
    """There is no room left; the message is one line."""


def token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(18)


class Lobby:
    """The rooms of a server.

    Args:
        records: database of games: those that are finished, and those that go on; None: nothing is kept.
        menu: the games and agents that there are.

    Raises:
        StorageError: the database can't be used.
    """

    def __init__(self, records: str | None, menu: Menu | None = None) -> None:
        self.records = records
        self.menu = menu or Menu()
        self.journal = None if records is None else Journal(records)
        # A thread for each decision: an agent that thinks long keeps no other game waiting.
        self._executor = Threads("agent")
        self._doors: dict[str, tuple[Room | Contest, int | None]] = {}
        self._entered: dict[Room | Contest, float] = {}
        self._coming = self._coming_contests = 0  # rooms, and tournaments among them, that are being made
        self._shelf: dict[tuple[int, int], str] = {}
        self._waking = asyncio.Lock()
        self._sweeping: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Begin to close rooms that nobody is in any more."""
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Break off everything; games that go on are kept."""
        if self._sweeping is not None:
            self._sweeping.cancel()
        await self._close_rooms(list(self._entered))
        if self.journal is not None:
            await asyncio.to_thread(self.journal.close)

    async def _close_rooms(self, rooms: Sequence[Room | Contest]) -> None:
        """Close rooms all at once: one whose agent does not stop, or that fails, keeps no other from closing."""
        await asyncio.gather(*map(self._close_room, rooms), return_exceptions=True)

    async def _close_room(self, room: Room | Contest) -> None:
        self._doors = {key: door for key, door in self._doors.items() if door[0] is not room}
        self._shelf = {place: key for place, key in self._shelf.items() if key in self._doors}
        self._entered.pop(room, None)
        await room.close()

    async def find(self, key: str) -> tuple[Room | Contest, int | None] | None:
        """Return the room and the seat that a token opens; None: there is none.

        Raises:
            ValueError, StorageError, RulesError, UserFileError: there is one that can't go on; the message says why.
        """
        if key not in self._doors and self.journal is not None and len(key) <= 100:
            async with self._waking:  # all browsers come back at once
                if key not in self._doors:
                    begun = await asyncio.wrap_future(self.journal.find(key))
                    if begun is not None:
                        await self._wake(begun)
        found = self._doors.get(key)
        if found is not None:
            self._entered[found[0]] = time.monotonic()
        return found

    # --- making rooms ------------------------------------------------------------------------------------------------

    async def begin(self, wanted: NewGame) -> dict[str, Any]:
        """Begin a game.

        Returns:
            ``seats``, the token of each seat (empty for agents), and ``watch``, that of those who watch.

        Raises:
            ValueError: the game, an agent or an option is none; the message is one line.
            FullError: there are too many rooms.
        """
        game = await asyncio.to_thread(self.menu.chosen_game, wanted.game, wanted.options)
        seed = secrets.randbelow(2**31) if wanted.seed is None else wanted.seed
        return await self._begin(game, wanted.seats, seed, None, wanted.pace, wanted.paused, ())

    async def branch(self, room: Room, wanted: Branch) -> dict[str, Any]:
        """Begin another game in a position of one that is over; see :meth:`begin`."""
        if not room.over or room.line is None:
            raise ValueError("the game goes on: take back instead")
        if wanted.ply > len(room.line):
            raise ValueError(f"the game has {len(room.line)} actions")
        actions = tuple(room.line.actions[: wanted.ply])
        if isinstance(room, Table):
            seed, start_seed, pace = room.spec.seed, room.start_seed, room.pace
        else:
            assert isinstance(room, Replay)
            seed, start_seed, pace = room.recording.start_seed, room.recording.start_seed, 0.6
        return await self._begin(room.game, wanted.seats, seed, start_seed, pace, False, actions)

    async def _begin(
        self,
        game: Game,
        seats: Sequence[NewSeat],
        seed: int,
        start_seed: int | None,
        pace: float,
        paused: bool,
        actions: tuple[int, ...],
    ) -> dict[str, Any]:
        async with self._place():
            names = tuple(seat.agent or "human" for seat in seats)
            spec = self._spec(game, names, seed)
            tokens = tuple(token() if name == "human" else "" for name in names)
            start_seed = spec.start_seed(0) if start_seed is None else start_seed
            options = dict(game.changed_options)
            begun = Begun(0, game.name, options, names, seed, start_seed, pace, tokens, token(), actions)
            table = await asyncio.to_thread(self._table, begun, game, paused)
            if self.journal is not None:
                table.number = await asyncio.wrap_future(self.journal.begin(begun))
            self._enter(table, begun)
        table.begin(actions)
        # Not the seed: whoever knows it knows the cards and dice to come.
        return {"seats": list(tokens), "watch": begun.watch}

    async def look_up(self, match: int, index: int) -> str:
        """Open a recorded game of the database, and return the token of the room.

        Raises:
            ReplayError: there is none, or its game can't be loaded.
            StorageError: the database can't be read.
            FullError: there are too many rooms.
        """
        key = self._shelf.get((match, index))
        if key is None:
            assert self.records is not None
            recording = await asyncio.to_thread(load_recording, self.records, index, match, name=DATABASE)
            key = self._shelf[match, index] = await self.look_at(recording, stored=True)
        self._entered[self._doors[key][0]] = time.monotonic()
        return key

    async def look_at(self, recording: Recording, *, stored: bool = False) -> str:
        """Open a recorded game, and return the token of the room.

        Args:
            recording: the game.
            stored: whether it is in the database.

        Raises:
            ValueError: its game can't be loaded.
            FullError: there are too many rooms.
        """
        async with self._place():
            game = await asyncio.to_thread(self.menu.load_recorded, recording)
            room, key = Replay(game, recording, self.menu, stored=stored), token()
            self._doors[key] = (room, None)
            self._entered[room] = time.monotonic()
        room.begin()
        return key

    async def compete(self, wanted: NewTournament) -> str:
        """Begin a tournament, and return the token of its table.

        Raises:
            ValueError: it can't be played.
            FullError: there are too many rooms.
        """
        playing = sum(isinstance(room, Contest) and not room.over for room in self._entered)
        if playing + self._coming_contests >= MOST_CONTESTS:
            raise FullError(f"{MOST_CONTESTS} tournaments are being played: stop one of them first")
        self._coming_contests += 1
        try:
            async with self._place():
                contest, key = await asyncio.to_thread(Contest, wanted, self.menu, self.records), token()
                self._doors[key] = (contest, None)
                self._entered[contest] = time.monotonic()
        finally:
            self._coming_contests -= 1
        contest.begin()
        return key

    async def _wake(self, begun: Begun) -> None:
        """Open the room of a game in the database: to go on, or to be looked at if it is over."""
        async with self._place():
            if begun.match is not None:
                assert self.records is not None
                recording = await asyncio.to_thread(load_recording, self.records, 0, begun.match, name=DATABASE)
                game = await asyncio.to_thread(self.menu.load_recorded, recording)
                replay = Replay(game, recording, self.menu, at_end=True)
                self._enter(replay, begun)
                replay.begin()
                return
            game = await asyncio.to_thread(self.menu.load, begun.game, begun.options)
            table = await asyncio.to_thread(self._table, begun, game, moves_on(game))
            self._enter(table, begun)
        table.begin(begun.actions)

    def _table(self, begun: Begun, game: Game, paused: bool) -> Table:
        agents = [None if name == "human" else self.menu.chosen_agent(name, game) for name in begun.agents]
        return Table(
            game,
            self._spec(game, begun.agents, begun.seed),
            agents,
            self.menu,
            start_seed=begun.start_seed,
            pace=begun.pace,
            executor=self._executor,
            journal=self.journal,
            number=begun.id,
            paused=paused,
        )

    def _spec(self, game: Game, agents: tuple[str, ...], seed: int) -> MatchSpec:
        """Return the match of one game that is played here; ValueError: the seats are too many or few."""
        spec = MatchSpec(
            self.menu.spec(game), agents, games=1, seed=seed, rotate=False, agent_files=self.menu.agent_files
        )
        spec.check_players(game)
        return spec

    def _enter(self, room: Room, begun: Begun) -> None:
        for key, seat in begun.links.items():
            self._doors[key] = (room, seat)
        self._entered[room] = time.monotonic()

    # --- closing rooms -----------------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Close what nobody has been in for long, now and then."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self._close_rooms(self._idle(IDLE_SECONDS))

    def _idle(self, seconds: float, *, busy: bool = False) -> list[Room | Contest]:
        """Return the rooms that may be closed and that nobody has been in for some time, longest empty first.

        Args:
            seconds: for how long at least.
            busy: whether also those in which agents play on by themselves.
        """
        now = time.monotonic()
        found = []
        for room, entered in self._entered.items():
            since = max(entered, room.left)
            lost = self.journal is None and not room.over
            if not room.occupied and not lost and (busy or not room.busy) and now - since >= seconds:
                found.append((since, room))
        return [room for _, room in sorted(found, key=lambda one: one[0])]

    @contextlib.asynccontextmanager
    async def _place(self) -> AsyncIterator[None]:
        """Keep a place for a room that is made and entered within the context, from now on: others come meanwhile.

        If there are too many the room that has been empty longest is closed.

        Raises:
            FullError: there are too many rooms, and none can be closed.
        """
        self._coming += 1
        try:
            if len(self._entered) + self._coming > MOST_ROOMS:
                idle = [room for room in self._idle(0.0) if room.over] or self._idle(GRACE_SECONDS, busy=True)
                if not idle:
                    raise FullError(f"{MOST_ROOMS} games are open, and none can be closed: end one of them first")
                await self._close_room(idle[0])
            yield
        finally:
            self._coming -= 1
