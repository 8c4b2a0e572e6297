"""What the server answers: the page's files, games and agents to choose from, and the sockets of rooms."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from oponente.arena.database import StorageError
from oponente.arena.replay import (
    RecordedMatch,
    ReplayError,
    recorded_matches,
    uploaded_matches,
    uploaded_recording,
)
from oponente.kernel import RulesError, UserFileError
from oponente.web import messages
from oponente.web.contest import Contest
from oponente.web.forms import Menu
from oponente.web.guard import LOOPBACK, Guard
from oponente.web.journal import DATABASE
from oponente.web.lobby import FullError, Lobby
from oponente.web.messages import MessageError, Meter
from oponente.web.room import Room
from oponente.web.visitors import Visitor

STATIC = Path(__file__).parent / "static"
MOST_SOCKETS = 1000
MOST_REQUESTS, MOST_UPLOADS = 64, 4
"""Requests that are worked on at a time, and files among them that are received and read; others are refused."""
UPLOAD_SECONDS = 60.0
"""How long a file may take to arrive."""
LISTED_MATCHES = 200
"""Records that the page lists at most, the newest."""
UNKNOWN, UNFIT, TOO_MANY, TOO_FAST = 4404, 4422, 4429, 1008
"""Why a socket is closed: no such room; one that can't be opened now; too many browsers; too many messages."""


Answer = Callable[[Request], Awaitable[Response]]
T = TypeVar("T")
_TOO_MANY = "too many requests at once: try again in a moment"
_REFUSED = (ValueError, FullError, StorageError, UserFileError, RulesError)
"""What is wrong with a request, or with what it is about; the message is one line."""


def create_app(records: str | None, hosts: Iterable[str] = LOOPBACK, menu: Menu | None = None) -> ASGIApp:
    """Return the application.

    Args:
        records: database of games; None: nothing is kept, and there are no records to look at.
        hosts: names and addresses by which browsers may call the server; ``*``: any.
        menu: the games and agents that are offered; None: those of the package.

    Raises:
        StorageError: the database can't be used.
    """
    site = Site(Lobby(records, menu))

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await site.lobby.open()
        yield
        await site.lobby.close()

    app = Starlette(
        routes=[
            Route("/", site.index),
            Route("/api/games", site.games),
            Route("/api/describe", site.limited(site.describe), methods=["POST"]),
            Route("/api/play", site.limited(site.play), methods=["POST"]),
            Route("/api/records", site.limited(site.records)),
            Route("/api/replay", site.limited(site.replay), methods=["POST"]),
            Route("/api/matches", site.matches, methods=["POST"]),
            Route("/api/upload", site.upload, methods=["POST"]),
            Route("/api/tournament", site.limited(site.tournament), methods=["POST"]),
            WebSocketRoute("/room/{token}", site.socket),
            Mount("/static", _Files(directory=STATIC)),
        ],
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(_REFUSED, _refused) | {ClientDisconnect: _gone},
    )
    app.state.lobby = site.lobby
    longest = dict.fromkeys(("/api/matches", "/api/upload"), messages.LONGEST_FILE)
    return Guard(app, hosts, longest, messages.LONGEST_BODY)


def _line(error: Exception, most: int = 300) -> str:
    return " ".join(str(error).split())[:most]


class _Files(StaticFiles):
    """The page's files: a browser asks each time whether its copies are still these, so that it mixes no versions."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        """Return what is sent of a file, or that it has not changed."""
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


async def _refused(_: Request, error: Exception) -> Response:
    return JSONResponse({"error": _line(error)}, 503 if isinstance(error, FullError) else 422)


async def _gone(_: Request, __: Exception) -> Response:
    return JSONResponse({"error": "the request is too long, or was broken off"}, 413)


class Site:
    """Answers requests.

    Args:
        lobby: the rooms.
    """

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self._sockets = 0
        self._working = self._uploading = 0

    def limited(self, answer: Answer) -> Answer:
        """Return what answers only if not too many requests are worked on already; the answer is FullError else.

        Bodies of these are short: one that is slow to come takes nobody's place.
        """

        async def answered(request: Request) -> Response:
            await request.body()
            if self._working >= MOST_REQUESTS:
                raise FullError(_TOO_MANY)
            self._working += 1
            try:
                return await answer(request)
            finally:
                self._working -= 1

        return answered

    async def index(self, _: Request) -> Response:
        """The page itself."""
        return FileResponse(STATIC / "index.html", headers={"cache-control": "no-cache"})

    async def games(self, _: Request) -> Response:
        """The games."""
        return JSONResponse({"games": await run_in_threadpool(self.lobby.menu.games)})

    async def describe(self, request: Request) -> Response:
        """What can be chosen of a game."""
        choice = messages.read(await request.body(), messages.Choice)

        def work() -> dict[str, Any]:
            menu = self.lobby.menu
            return menu.describe(menu.chosen_game(choice.game, choice.options))

        return JSONResponse(await run_in_threadpool(work))

    async def play(self, request: Request) -> Response:
        """Begin a game."""
        return JSONResponse(await self.lobby.begin(messages.read(await request.body(), messages.NewGame)), 201)

    async def records(self, _: Request) -> Response:
        """The newest matches in the database, the newest first, and whether there are more."""
        if self.lobby.records is None:
            return self._listed([])
        found = await run_in_threadpool(recorded_matches, self.lobby.records, newest=LISTED_MATCHES + 1, name=DATABASE)
        return self._listed(found)

    def _listed(self, found: list[RecordedMatch]) -> Response:
        listed = [
            {
                "match": one.match,
                "game": one.spec.game.name,
                "agents": list(one.spec.agents),
                "finished": one.finished,
                "can_show": bool(one.finished) and self.lobby.menu.shows(one.spec.game),
            }
            for one in reversed(found[-LISTED_MATCHES:])
        ]
        return JSONResponse({"matches": listed, "more": len(found) > LISTED_MATCHES})

    async def replay(self, request: Request) -> Response:
        """Open a record of the database."""
        wanted = messages.read(await request.body(), messages.OpenRecord)
        if self.lobby.records is None:
            raise ReplayError("this server keeps no games")
        return JSONResponse({"room": await self.lobby.look_up(wanted.match, wanted.index)}, 201)

    async def matches(self, request: Request) -> Response:
        """The matches in a JSON file that was exported from a database, as of :meth:`records`."""
        return self._listed(await self._read_file(request, partial(uploaded_matches, newest=LISTED_MATCHES + 1)))

    async def upload(self, request: Request) -> Response:
        """Open a game of a JSON file that was exported from a database: the first, or ``?match=…&game=…``."""
        match, index = (request.query_params.get(name) for name in ("match", "game"))
        numbers = [None if text is None else _number(text) for text in (match, index)]
        read = partial(uploaded_recording, index=numbers[1] or 0, match=numbers[0])
        recording = await self._read_file(request, read)
        return JSONResponse({"room": await self.lobby.look_at(recording)}, 201)

    async def _read_file(self, request: Request, read: Callable[[bytes], T]) -> T:
        """Receive a file, and return what is read of it; FullError: there are too many already, or it does not come."""
        if self._uploading >= MOST_UPLOADS:
            raise FullError(_TOO_MANY)
        self._uploading += 1
        try:
            with anyio.fail_after(UPLOAD_SECONDS):
                body = await request.body()
            return await run_in_threadpool(read, body)
        except TimeoutError:
            raise FullError(f"the file has not come within {UPLOAD_SECONDS:g} seconds") from None
        finally:
            self._uploading -= 1

    async def tournament(self, request: Request) -> Response:
        """Begin a tournament."""
        wanted = messages.read(await request.body(), messages.NewTournament)
        return JSONResponse({"room": await self.lobby.compete(wanted)}, 201)

    # --- sockets -----------------------------------------------------------------------------------------------------

    async def socket(self, socket: WebSocket) -> None:
        """Let a browser into the room of its link."""
        await socket.accept()
        if self._sockets >= MOST_SOCKETS:
            await socket.close(TOO_MANY, "too many browsers")
            return
        self._sockets += 1
        try:
            try:
                found = await self.lobby.find(socket.path_params["token"])
            except _REFUSED as error:  # it was kept, but can't go on
                await socket.close(UNFIT, _line(error).encode()[:120].decode(errors="ignore"))  # more is not allowed
                return
            if found is None:
                await socket.close(UNKNOWN, "there is no such room")
                return
            room, seat = found
            await (self._watch(socket, room) if isinstance(room, Contest) else self._visit(socket, room, seat))
        finally:
            self._sockets -= 1

    async def _visit(self, socket: WebSocket, room: Room, seat: int | None) -> None:
        visitor = room.enter(seat)
        if visitor is None:
            await socket.close(TOO_MANY, "too many browsers have this game open")
            return
        room.changed()  # others see who is here
        branching: list[asyncio.Task[None]] = []

        async def send() -> None:
            while True:
                for message in await visitor.next():
                    await _send(socket, message)

        def take(text: str | bytes) -> None:
            try:
                message = messages.read(text, messages.Message)
                if isinstance(message, messages.Branch):
                    branching.append(asyncio.create_task(self._branch(room, visitor, message)))
                else:
                    room.handle(visitor, message)
            except MessageError as error:
                visitor.error(f"not understood: {error}")

        try:
            await _both(send, partial(_receive, socket, take))
        finally:
            room.leave(visitor)

    async def _branch(self, room: Room, visitor: Visitor, message: messages.Branch) -> None:
        try:
            visitor.tell({"type": "branched", **await self.lobby.branch(room, message)})
        except _REFUSED as error:
            visitor.error(_line(error))

    async def _watch(self, socket: WebSocket, contest: Contest) -> None:
        changed = contest.subscribe()

        async def send() -> None:
            while True:
                await changed.wait()
                changed.clear()
                await _send(socket, contest.table)
                await asyncio.sleep(0.2)

        def take(text: str | bytes) -> None:
            with contextlib.suppress(MessageError):
                if isinstance(messages.read(text, messages.Message), messages.StopAnalysis):
                    contest.stop()

        try:
            await _both(send, partial(_receive, socket, take))
        finally:
            contest.unsubscribe(changed)


async def _receive(socket: WebSocket, take: Any) -> None:
    """Hand on what comes, until the browser leaves or sends too much."""
    meter = Meter(time.monotonic())
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        data = message.get("text")
        data = message.get("bytes") or b"" if data is None else data
        if len(data) > messages.LONGEST_MESSAGE:
            await socket.close(1009, "too long")
            return
        if not meter.take(time.monotonic()):
            await socket.close(TOO_FAST, "too many messages")
            return
        take(data)


async def _both(*works: Callable[[], Awaitable[None]]) -> None:
    """Run all until one of them ends, which is when the browser has gone."""
    async with anyio.create_task_group() as group:

        async def run(work: Callable[[], Awaitable[None]]) -> None:
            with contextlib.suppress(WebSocketDisconnect):
                await work()
            group.cancel_scope.cancel()

        for work in works:
            group.start_soon(run, work)


async def _send(socket: WebSocket, message: Any) -> None:
    """Send a message, unless the socket is being closed."""
    if socket.application_state is WebSocketState.CONNECTED:
        await socket.send_text(messages.write(message))


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise ReplayError(f"{text[:20]!r} is no number of a match or game")
    return int(text)
