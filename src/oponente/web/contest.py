"""A tournament that is played while people watch its table."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import threading
import time
from typing import Any

from oponente.arena.play import close
from oponente.arena.runner import Progress
from oponente.arena.storage import Store
from oponente.arena.tournament import TournamentResult, TournamentSpec, run_tournament
from oponente.web.forms import Menu
from oponente.web.journal import DATABASE
from oponente.web.messages import NewTournament

SUMMARY_SECONDS = 1.0
"""From one summary to the next at least, while games are played."""
SUMMARY_SHARE = 0.1
"""Share of the time that summaries may take: ratings take longer than many games."""


class Contest:
    """A tournament in a thread of its own; what has come of it so far is told to those who wait for it.

    Args:
        wanted: the tournament.
        menu: the games and agents that there are.
        records: the database that keeps its games.

    Raises:
        ValueError: it can't be played; the message is one line.
    """

    def __init__(self, wanted: NewTournament, menu: Menu, records: str | None) -> None:
        game = menu.chosen_game(wanted.game, wanted.options)
        if game.num_players < 2:
            raise ValueError("a tournament is for games of at least two players")
        for spec in wanted.entrants:
            close(menu.chosen_agent(spec, game))
        self.spec = TournamentSpec(
            menu.spec(game),
            tuple(wanted.entrants),
            blocks=wanted.blocks,
            opening_plies=wanted.opening_plies,
            seed=secrets.randbelow(2**31) if wanted.seed is None else wanted.seed,
            agent_files=menu.agent_files,
        )
        self.spec.groups(game.num_players)  # too many raise here
        self._records = records
        self._stopped = threading.Event()
        self._summary, self._due = dict[str, Any](), 0.0  # and when there may be another one
        self._waiting: set[asyncio.Event] = set()
        self.table: dict[str, Any] = {"type": "table", "done": False, "games": 0, "of": 0, "entrants": []}
        """What was told last."""
        self.left = time.monotonic()
        """When the last who watched has gone."""

    def begin(self) -> None:
        """Let it be played."""
        loop = asyncio.get_running_loop()

        def post(table: dict[str, Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._tell, table)

        threading.Thread(target=self._run, args=(post,), name="tournament", daemon=True).start()

    @property
    def over(self) -> bool:
        """Whether nothing more is played."""
        return bool(self.table["done"])

    @property
    def occupied(self) -> bool:
        """Whether somebody watches."""
        return bool(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether it goes on without anybody."""
        return not self.over

    async def close(self) -> None:
        """Let it end."""
        self.stop()

    def stop(self) -> None:
        """End after the game that is played; what is finished is kept."""
        self._stopped.set()

    def subscribe(self) -> asyncio.Event:
        """Return an event that is set whenever the table has changed."""
        event = asyncio.Event()
        event.set()
        self._waiting.add(event)
        return event

    def unsubscribe(self, event: asyncio.Event) -> None:
        """Forget what :meth:`subscribe` returned."""
        self._waiting.discard(event)
        self.left = time.monotonic()

    def _tell(self, table: dict[str, Any]) -> None:
        self.table = table
        for event in self._waiting:
            event.set()

    def _run(self, post: Any) -> None:
        latest: tuple[TournamentResult, Progress] | None = None

        def progress(result: TournamentResult, match: Progress) -> None:
            nonlocal latest
            latest = result, match
            if self._stopped.is_set():
                raise _Stopped
            post(self._table(result, match, done=False))

        try:
            with contextlib.ExitStack() as stack:
                store = None if self._records is None else stack.enter_context(Store(self._records, name=DATABASE))
                result = run_tournament(self.spec, store=store, progress=progress)
            post(self._table(result, None, done=True))
        except _Stopped:
            assert latest is not None, "who stops it is told how far it was"
            post({**self._table(*latest, done=True), "stopped": True})
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            post({**self.table, "done": True, "failed": text})

    def _table(self, result: TournamentResult, match: Progress | None, *, done: bool) -> dict[str, Any]:
        begun = time.monotonic()
        if done or (begun >= self._due and result.finished + (match.done if match is not None else 0)):
            self._summary = (result if match is None else result.so_far(match)).summary()
            ended = time.monotonic()
            self._due = ended + max(SUMMARY_SECONDS, (ended - begun) / SUMMARY_SHARE)
        return {
            "type": "table",
            "game": self.spec.game.name,
            "done": done,
            "games": result.finished + (match.done if match is not None else 0),
            "of": result.games,
            "entrants": self._summary.get("entrants", []),
            "cross": self._summary.get("cross", []),
            "copies": self._summary.get("copies", 0),
        }


class _Stopped(Exception):
    """Nobody wants the tournament any more."""
