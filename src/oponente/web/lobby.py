"""The rooms of a server, by the tokens in their links."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from oponente.arena.match import MatchSpec
from oponente.arena.replay import Recording
from oponente.games.catalogue import GameSpec, load_game
from oponente.kernel import Game
from oponente.web import forms
from oponente.web.contest import Contest
from oponente.web.journal import Begun, Journal
from oponente.web.messages import Branch, NewGame, NewSeat, NewTournament
from oponente.web.replaying import Replay
from oponente.web.room import Room
from oponente.web.table import Table

MOST_ROOMS = 200
"""Rooms that are open at a time."""
IDLE_SECONDS = 3600.0
"""After how long a room that nobody is in may be closed for another; a game that goes on stays in the database."""


class FullError(Exception):
    """There is no room left; the message is one line."""


def token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(18)


class Lobby:
    """The rooms of a server.

    Args:
        records: database of games: those that are finished, and those that go on; None: nothing is kept.

    Raises:
        StorageError: the database can't be used.
    """

    def __init__(self, records: str | None) -> None:
        self.records = records
        self.journal = None if records is None else Journal(records)
        # A thread for each decision: an agent that thinks long keeps no other game waiting.
        self._executor = ThreadPoolExecutor(MOST_ROOMS, thread_name_prefix="agent")
        self._doors: dict[str, tuple[Room | Contest, int | None]] = {}
        self._touched: dict[Room | Contest, float] = {}
        self._asleep: dict[str, Begun] = {}
        self._waking = asyncio.Lock()

    async def open(self) -> None:
        """Find the games that went on when the server ended; each wakes up when somebody follows a link to it."""
        if self.journal is not None:
            for begun in await asyncio.to_thread(self.journal.going_on):
                for key in (*begun.tokens, begun.watch):
                    if key:
                        self._asleep[key] = begun

    async def close(self) -> None:
        """Break off everything; games that go on are kept."""
        for room in list(self._touched):
            await self._close_room(room)
        self._executor.shutdown(wait=False, cancel_futures=True)
        if self.journal is not None:
            await asyncio.to_thread(self.journal.close)

    async def _close_room(self, room: Room | Contest) -> None:
        self._doors = {key: door for key, door in self._doors.items() if door[0] is not room}
        self._touched.pop(room, None)
        if isinstance(room, Contest):
            room.stop()
        else:
            await room.close()

    async def find(self, key: str) -> tuple[Room | Contest, int | None] | None:
        """Return the room and the seat that a token opens; None: there is none."""
        if key in self._asleep:
            async with self._waking:  # all browsers come back at once
                begun = self._asleep.get(key)
                if begun is not None:
                    await self._wake(begun)
        found = self._doors.get(key)
        if found is not None:
            self._touched[found[0]] = time.monotonic()
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
        game = await asyncio.to_thread(forms.chosen_game, wanted.game, wanted.options)
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
        await self._make_room()
        names = tuple(seat.agent or "human" for seat in seats)
        spec = _spec(game, names, seed)
        tokens = tuple(token() if name == "human" else "" for name in names)
        start_seed = spec.start_seed(0) if start_seed is None else start_seed
        options = dict(game.changed_options)
        begun = Begun(0, game.name, options, names, seed, start_seed, pace, tokens, token(), actions)
        table = await asyncio.to_thread(self._table, begun, game, paused)
        if self.journal is not None:
            table.number = await asyncio.wrap_future(self.journal.begin(begun))
        self._enter(table, begun)
        table.begin(actions)
        return {"seats": list(tokens), "watch": begun.watch, "seed": seed}

    async def look_at(self, recording: Recording) -> str:
        """Open a recorded game, and return the token of the room.

        Raises:
            ValueError: its game can't be loaded.
            FullError: there are too many rooms.
        """
        await self._make_room()
        game = await asyncio.to_thread(recording.load_game)
        room, key = Replay(game, recording), token()
        self._doors[key] = (room, None)
        self._touched[room] = time.monotonic()
        room.begin()
        return key

    async def compete(self, wanted: NewTournament) -> str:
        """Begin a tournament, and return the token of its table.

        Raises:
            ValueError: it can't be played.
            FullError: there are too many rooms.
        """
        await self._make_room()
        contest, key = await asyncio.to_thread(Contest, wanted, self.records), token()
        self._doors[key] = (contest, None)
        self._touched[contest] = time.monotonic()
        contest.begin()
        return key

    async def _wake(self, begun: Begun) -> None:
        game = await asyncio.to_thread(load_game, begun.game, begun.options, kept=True)
        table = await asyncio.to_thread(self._table, begun, game, forms.moves_on(game))
        table.number = begun.id
        for key in (*begun.tokens, begun.watch):
            self._asleep.pop(key, None)
        self._enter(table, begun)
        table.begin(begun.actions)

    def _table(self, begun: Begun, game: Game, paused: bool) -> Table:
        spec = _spec(game, begun.agents, begun.seed)
        agents = [None if name == "human" else forms.chosen_agent(name, game) for name in begun.agents]
        return Table(
            game,
            spec,
            agents,
            start_seed=begun.start_seed,
            pace=begun.pace,
            executor=self._executor,
            journal=self.journal,
            number=begun.id,
            paused=paused,
        )

    def _enter(self, table: Table, begun: Begun) -> None:
        for seat, key in enumerate(begun.tokens):
            if key:
                self._doors[key] = (table, seat)
        self._doors[begun.watch] = (table, None)
        self._touched[table] = time.monotonic()

    async def _make_room(self) -> None:
        """Close the room that has been empty longest, if there are too many."""
        if len(self._touched) < MOST_ROOMS:
            return
        now = time.monotonic()
        empty = [
            (since, room)
            for room, since in self._touched.items()
            if isinstance(room, Room) and not room.visitors and (room.over or now - since > IDLE_SECONDS)
        ]
        if not empty:
            raise FullError(f"{MOST_ROOMS} games are open, and none can be closed: end one of them first")
        room = min(empty, key=lambda one: one[0])[1]
        with contextlib.suppress(Exception):
            if isinstance(room, Table) and not room.over and self.journal is not None:
                self._fall_asleep(room)
            await self._close_room(room)

    def _fall_asleep(self, table: Table) -> None:
        keys = {seat: key for key, (room, seat) in self._doors.items() if room is table}
        line = table.line
        begun = Begun(
            table.number,
            table.game.name,
            dict(table.game.changed_options),
            table.names,
            table.spec.seed,
            table.start_seed,
            table.pace,
            tuple(keys.get(seat, "") for seat in range(len(table.names))),
            keys.get(None, ""),
            tuple(line.actions) if line is not None else (),
        )
        for key in keys.values():
            self._asleep[key] = begun


def _spec(game: Game, agents: tuple[str, ...], seed: int) -> MatchSpec:
    """Return the match of one game that people, or those who watch, play; ValueError: the seats are too many or few."""
    options = tuple(sorted(game.changed_options.items()))
    spec = MatchSpec(GameSpec(game.name, options), agents, games=1, seed=seed, rotate=False)
    spec.check_players(game)
    return spec
