"""A robot on a JSettlers server: one connection, any number of games on it at a time.

The connection is read by one task; each game is a task of its own, which takes in what belongs to it, thinks in a
thread, and sends. Every wait has a limit. A connection that is lost is made anew; its games are lost, as the server
gives the seats to robots of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oponente.agents.base import Agent, Budget
from oponente.arena.play import close, end
from oponente.games.catan.layout import printable
from oponente.interop.jsettlers import session
from oponente.interop.jsettlers.logs import failure_details, server_log
from oponente.interop.jsettlers.message import Message, MessageError, parse
from oponente.interop.jsettlers.mirror import game_of
from oponente.interop.jsettlers.results import CAPPED, LOST, PLAYED, GameResult, result_of, returns_of, untold_result
from oponente.interop.jsettlers.seat import Seat
from oponente.interop.jsettlers.transcript import write_entry
from oponente.interop.jsettlers.wire import Decoder, WireError, encode
from oponente.kernel import Control

log = server_log(__name__)

VERSION = session.Version(2700, "2.7.00", "JM20260517", "", "en_US")
"""What the client declares: any server from 2.5 on then speaks as it is expected to."""
OLD_STYLE = {1016, 1019, 1047, 1048, 1054, 1055, 1060, 1066, 1067}
"""Messages by which a server shows that it has not understood the version."""
INVITATION_SECONDS = 5.0
"""How long an invitation may wait for another game to end; then the server looks for another robot."""
CLOSE_SECONDS = 5.0
"""How long what is still to be sent may take when a connection is closed."""
CLOSED = "the connection was closed"
"""Why a game is lost that was going on then."""
MAX_OVERDUE = 5
"""Times that we may wait for too long in a game in which nothing happens, before it is left."""
MAX_LOST = 20
"""Games that may be lost one after another on connections that hold."""


class ClientError(Exception):
    """The server can't be reached, or wants nothing of us; the message is one line."""


class RefusedError(ClientError):
    """The server has refused the robot: to try again would not help, unless it was let in before."""


@dataclass(frozen=True)
class ClientSettings:
    """How to reach the server, and how long to wait for what."""

    host: str = "127.0.0.1"
    port: int = 8880
    cookie: str = ""
    nickname: str = "oponente"
    robot_class: str = "oponente.Robot"
    """The name of our kind of robot: any dotted one but those of the server's own."""
    games: int = 1
    """How many games are to be finished."""
    parallel: int = 1
    """Games at a time at most."""
    seed: int = 1
    max_turns: int = 400
    """Turns, set-up included, after which a game is left: some between robots never end."""
    max_offers: int = 5
    """Offers of ours in a turn at most."""
    offer_seconds: float = 5.0
    """How long others may think about an offer of ours."""
    answer_seconds: float = 30.0
    """How long the server may take to answer."""
    silence_seconds: float = 600.0
    """How long a game may rest; people may think."""
    idle_seconds: float = 600.0
    """How long to wait for an invitation."""
    reconnects: int = 5
    """How many connections may end, one after another, without a game that was finished, before giving up."""
    retry_seconds: float = 1.0
    """Before the second try; twice as long before each further one."""
    transcript: str | None = None
    """A file to which all messages are written."""


class Client:
    """The robot.

    Args:
        settings: see there.
        agent: makes the agent for a game; the several games of a connection each have their own.
        finished: is told each game that has ended, in whatever way. What it raises ends the run: games of which nothing
            is kept would be played in vain.
        spare: agents that are ready to play, taken before any is made.
    """

    def __init__(
        self,
        settings: ClientSettings,
        agent: Callable[[], Agent],
        finished: Callable[[GameResult], None] = lambda result: None,
        spare: Iterable[Agent] = (),
    ) -> None:
        self.settings = settings
        self.results: list[GameResult] = []
        self.lost_in_a_row = 0
        """Games that were lost since one was finished, not counting those that were lost with a connection."""
        self.made = 0
        """How many connections were made."""
        self.failure: Exception | None = None
        """Why the run is to end, though the connection holds: a game can't be kept, or the transcript not written."""
        self._agent = agent
        self._agents = list(spare)
        self._idle_agents = self._agents.copy()
        self._finished = finished
        self._control = Control()
        self._transcript: _Transcript | None = None

    @property
    def played(self) -> int:
        """How many games have been finished."""
        return sum(result.status != LOST for result in self.results)

    def run(self) -> list[GameResult]:
        """Play until enough games are finished, and close the agents; return all games that were begun.

        Raises:
            ClientError: the server can't be reached, or refuses the robot, or invites it no more.
            KeyboardInterrupt: on Ctrl-C; games that were going on have been left.
            OSError: the transcript can't be written; games that were going on have been left.
            Exception: whatever `finished` raises, likewise.
        """
        try:
            with _transcript(self.settings.transcript) as self._transcript:
                asyncio.run(self._run())
        finally:
            self._control.stop()
            for agent in self._agents:
                close(agent)
        return self.results

    async def _run(self) -> None:
        failures = 0
        with ThreadPoolExecutor(self.settings.parallel, "agent") as pool:
            try:
                while self.played < self.settings.games:
                    before = self.played
                    try:
                        await _Connection(self, pool).run()
                    except (OSError, WireError, asyncio.IncompleteReadError, ClientError) as error:
                        self.check()
                        if self.played >= self.settings.games:
                            return
                        # A server that has let us in before may not know yet that we have lost the connection.
                        if isinstance(error, RefusedError) and not self.made:
                            raise
                        # Only a game that was finished shows that to go on makes sense.
                        failures = 0 if self.played > before else failures + 1
                        log.warning("connection: %s", _line(error))
                        if failures >= self.settings.reconnects or isinstance(error, _VainError):
                            raise ClientError(
                                f"{self.settings.host}:{self.settings.port}: {_line(error)}; {self.played} of"
                                f" {self.settings.games} games are finished"
                            ) from error
                        await asyncio.sleep(self.settings.retry_seconds * 2**failures)
                    self.check()
            except BaseException:
                # A search that goes on would keep the pool from closing.
                self._control.stop()
                raise

    def take_agent(self) -> Agent:
        """Return an agent that plays no game now."""
        if self._idle_agents:
            return self._idle_agents.pop()
        self._agents.append(self._agent())
        return self._agents[-1]

    def free(self, agent: Agent) -> None:
        """Keep an agent for another game."""
        self._idle_agents.append(agent)

    def keep(self, result: GameResult) -> None:
        """Keep what came of a game."""
        self.results.append(result)
        if result.status != LOST:
            self.lost_in_a_row = 0
        elif result.reason != CLOSED:
            self.lost_in_a_row += 1
        try:
            self._finished(result)
        except Exception as error:
            self.failure = self.failure or error

    def note(self, incoming: bool, text: str) -> None:
        """Write a message to the transcript, if there is one."""
        if self._transcript is not None:
            try:
                self._transcript.write(incoming, text)
            except OSError as error:
                self.failure = self.failure or error

    def check(self) -> None:
        """Raise what the run is to end for, if there is anything."""
        if self.failure is not None:
            raise self.failure

    @property
    def control(self) -> Control:
        """The stop flag of all agents."""
        return self._control


def await_server(settings: ClientSettings) -> None:
    """Return once a server answers at all: so that nobody waits for agents to be made ready in vain.

    Raises:
        ClientError: none has answered as often as was to be tried.
    """
    for failures in range(max(1, settings.reconnects)):
        try:
            socket.create_connection((settings.host, settings.port), settings.answer_seconds).close()
        except UnicodeError:
            raise ClientError(f"host {printable(settings.host)}: expected a name or an address") from None
        except OSError as error:
            log.warning("connection: %s", _line(error))
            cause = error
        else:
            return
        if failures + 1 < settings.reconnects:
            time.sleep(settings.retry_seconds * 2 ** (failures + 1))
    raise ClientError(f"{settings.host}:{settings.port}: {_line(cause)}; is a server running there?") from cause


def _line(error: Exception) -> str:
    """Return what an error says, as the system has it if it is the system's; some say nothing."""
    if isinstance(error, OSError) and error.errno is not None:
        # Of names that are not found the system has no number.
        return os.strerror(error.errno) if error.errno > 0 else error.strerror or str(error)
    return str(error) or "no answer in time"


class _VainError(ClientError):
    """To go on makes no sense: no invitation has come for too long, or every game is lost."""


class _Transcript:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("w", encoding="utf-8")
        self._began = time.monotonic()

    def write(self, incoming: bool, text: str) -> None:
        with self._named():
            self._file.write(write_entry(time.monotonic() - self._began, incoming, text) + "\n")

    def close(self) -> None:
        with self._named():
            self._file.close()

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Name the file in errors: the system does so only where one is opened."""
        try:
            yield
        except OSError as error:
            error.filename = str(self._path)
            raise


@contextlib.contextmanager
def _transcript(path: str | None) -> Iterator[_Transcript | None]:
    if path is None:
        yield None
        return
    transcript = _Transcript(Path(path))
    try:
        yield transcript
    finally:
        transcript.close()


class _Connection:
    """One connection, from its beginning to its end."""

    def __init__(self, client: Client, pool: ThreadPoolExecutor) -> None:
        self.client, self.settings, self.pool = client, client.settings, pool
        self.tables: dict[str, _Table] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._writer: asyncio.StreamWriter | None = None
        self._welcome = False
        self._since = time.monotonic()  # when we began to wait for a welcome, or for an invitation
        self._invitations: deque[tuple[float, session.Invitation]] = deque()

    async def run(self) -> None:
        """Connect, and play until enough games are finished."""
        settings = self.settings
        async with asyncio.timeout(settings.answer_seconds):
            reader, self._writer = await asyncio.open_connection(settings.host, settings.port)
        try:
            tcp = self._writer.get_extra_info("socket")
            tcp.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.send([VERSION, session.RobotLogin(settings.nickname, settings.cookie, settings.robot_class)])
            await self._read(reader)
        finally:
            await self._close()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        decoder = Decoder()
        while self.client.played < self.settings.games:
            try:
                data = await self._receive(reader)
            except OSError:
                # If it is not the connection that has failed, the games can still be left.
                self.client.check()
                await self._end_tables()
                raise
            if data is None:
                return
            if not data:
                await self._end_tables()
                raise ConnectionResetError("the server has closed the connection")
            for text in decoder.feed(data):
                self.client.note(True, text)
                try:
                    message = parse(text)
                except MessageError as error:
                    log.warning("a message can't be read: %s", error)
                    continue
                self._take(message)
            self._join_waiting()

    async def _receive(self, reader: asyncio.StreamReader) -> bytes | None:
        """Return what arrives next; None if there is nothing more to wait for, since enough games are finished."""
        reading = asyncio.ensure_future(reader.read(1 << 16))
        try:
            while True:
                done, _ = await asyncio.wait({reading, *self._tasks}, timeout=1.0, return_when=asyncio.FIRST_COMPLETED)
                for task in [task for task in done if task is not reading]:
                    self._tasks.discard(task)
                    task.result()
                self._join_waiting()
                self._check_patience()
                if reading in done:
                    return reading.result()
                if self.client.played >= self.settings.games:
                    return None
        finally:
            if not reading.done():
                reading.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await reading

    def _check_patience(self) -> None:
        """Give up a server that lets us wait, whatever it says meanwhile; end a run that is to end."""
        self.client.check()
        if self.tables:
            self._since = time.monotonic()
        what, limit = "welcome", self.settings.answer_seconds
        if self._welcome:
            what, limit = "invitation", self.settings.idle_seconds
        if time.monotonic() > self._since + limit:
            raise _VainError(f"no {what} within {limit:g} s")
        if self.client.lost_in_a_row >= MAX_LOST:
            raise _VainError(f"{MAX_LOST} games one after another were lost")

    async def _end_tables(self) -> None:
        """Let the games take in what has come before the connection was lost: it may be their end."""
        for table in self.tables.values():
            table.queue.put_nowait(None)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self.settings.answer_seconds)

    def _take(self, message: Message) -> None:
        if isinstance(message, session.Ping):
            self.send([message])
        elif isinstance(message, session.Rejected):
            reason = printable(message.reason)
            raise RefusedError(f"the server refuses the robot {self.settings.nickname!r}: {reason}")
        elif isinstance(message, session.RobotParameters):
            if not self._welcome:
                self._welcome, self._since = True, time.monotonic()
                self.client.made += 1
        elif isinstance(message, session.Version):
            log.info("the server has version %s", message.version)
        elif isinstance(message, session.Invitation):
            # The game before may be over, and just not known to be.
            self._invitations.append((time.monotonic(), message))
        elif (table := self.tables.get(game_of(message) or "")) is not None:
            table.queue.put_nowait(message)
        elif getattr(message, "number", None) in OLD_STYLE:
            raise RefusedError("the server has not understood our version: it is too old, 2.5 or later is needed")

    def _join_waiting(self) -> None:
        """Join the games that we are invited to, as long as not enough are going on."""
        wanted = min(self.settings.parallel, self.settings.games - self.client.played)
        oldest = time.monotonic() - INVITATION_SECONDS
        while self._invitations and (self._invitations[0][0] <= oldest or len(self.tables) < wanted):
            asked, invitation = self._invitations.popleft()
            if asked > oldest and invitation.game not in self.tables:
                table = self.tables[invitation.game] = _Table(self, invitation)
                self._tasks.add(asyncio.ensure_future(table.play()))

    def send(self, messages: list[Message]) -> None:
        """Send messages."""
        assert self._writer is not None
        for message in messages:
            text = message.format()
            self.client.note(False, text)
            self._writer.write(encode(text))

    async def _close(self) -> None:
        """Leave the games that go on, and close the connection."""
        with contextlib.suppress(OSError):
            for table in list(self.tables.values()):
                self.send(table.abandon())
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        writer = self._writer
        assert writer is not None
        try:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await writer.drain()
                    writer.close()
                    await writer.wait_closed()
        finally:
            writer.transport.abort()  # also if what is to be sent does not go out, as the other end is gone


class _Table:
    """One game of a connection."""

    def __init__(self, connection: _Connection, invitation: session.Invitation) -> None:
        settings = connection.settings
        self.connection = connection
        self.settings = settings
        self.queue: asyncio.Queue[Message | None] = asyncio.Queue()
        """What has arrived; None: the connection is lost."""
        self.agent = connection.client.take_agent()
        self.seat = Seat(invitation, settings.nickname, self.agent, settings.seed, max_offers=settings.max_offers)
        # Each game has a clock of its own.
        self.control = connection.client.control.fork()
        self._began = self._since = time.monotonic()
        self._awaited: tuple[Any, ...] = ()
        self._overdue = 0
        self._kept = self._closed = self._thinking = False

    async def play(self) -> None:
        """Play the game to its end."""
        try:
            try:
                self.connection.send(self.seat.opening())
                status, reason = await self._outcome()
            except Exception as error:
                # One game less is better than none at all; it is counted as lost, and told.
                log.error("%s: a failure of ours", self.seat.game, **failure_details(log))
                status, reason = LOST, f"{type(error).__name__}: {error}"
            if status != PLAYED and not self._closed and not self.seat.left:
                self.connection.send(self.seat.leave())
            await self._tell(self._finish(status, reason))
        finally:
            self.connection.tables.pop(self.seat.game, None)

    async def _outcome(self) -> tuple[str, str]:
        """Play on until the game is over for us; return how, and why if not by its rules."""
        while not self.seat.left:
            if not await self._hear():
                self._overdue += 1
                if self._overdue >= MAX_OVERDUE or not (self._offering or self.seat.request):
                    return LOST, "silence"
                self.connection.send(self.seat.overdue())
            await self._think()
            if self.seat.mirror.scores:
                # The server may delete the game later; it is over for us.
                return PLAYED, ""
            if self._closed:
                return LOST, CLOSED
            if self.seat.mirror.turns > self.settings.max_turns:
                return CAPPED, f"after {self.settings.max_turns} turns"
            if self.seat.mirror.broken:
                return LOST, "the mirror has lost the game"
        return LOST, "the game was deleted, or we were dismissed"

    @property
    def _offering(self) -> bool:
        """Whether an offer of ours is open."""
        offer = self.seat.mirror.trading.current
        return offer is not None and offer.player == self.seat.player

    def _note_progress(self) -> None:
        """Begin to wait anew if something has happened in the game, or we wait for something else."""
        seat, mirror = self.seat, self.seat.mirror
        happened = len(mirror.names), mirror.turns, len(mirror.steps), mirror.announced
        awaited = *happened, seat.request, mirror.trading.current
        if happened != self._awaited[: len(happened)]:
            self._overdue = 0
        if awaited != self._awaited:
            self._awaited, self._since = awaited, time.monotonic()

    async def _hear(self) -> bool:
        """Take in all that has arrived, at least one message; return False if what we wait for takes too long.

        What else comes meanwhile, such as chat, does not make us wait for longer.
        """
        self._note_progress()
        limit = self.settings.offer_seconds if self._offering else self.settings.answer_seconds
        if not self._offering and self.seat.request is None:
            limit = self.settings.silence_seconds
        deadline = self._since + limit
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.0, deadline - time.monotonic())):
                self._receive(await self.queue.get())
        while not self.queue.empty():
            self._receive(self.queue.get_nowait())
        before = self._since
        self._note_progress()
        if self._since != before or time.monotonic() < deadline:
            return True
        self._since = time.monotonic()
        return False

    def _receive(self, message: Message | None) -> None:
        if message is None:
            self._closed = True
        else:
            self.connection.send(self.seat.receive(message))

    async def _think(self) -> None:
        """Decide what is to be decided, unless it is settled meanwhile."""
        seat = self.seat
        while not self._closed and (decision := seat.decision()) is not None:
            budget = Budget(control=self.control)
            loop = asyncio.get_running_loop()
            self._thinking = True
            chosen = await loop.run_in_executor(self.connection.pool, seat.decide, decision, budget)
            self._thinking = False
            while not self.queue.empty():
                self._receive(self.queue.get_nowait())
            if seat.still(decision):
                self.connection.send(seat.answer(decision, chosen))

    def abandon(self) -> list[Message]:
        """Leave the game because the connection ends; return the message that says so."""
        self._finish(LOST, CLOSED)
        return [] if self.seat.left else self.seat.leave()

    async def _tell(self, result: GameResult | None) -> None:
        """Tell the agent how the game has ended, unless that counts for nothing; then it is free for another one."""
        if result is None or result.status == LOST:
            return
        client, game = self.connection.client, self.seat.begun_game
        if game is None:
            client.free(self.agent)
            return
        told = self.connection.pool.submit(end, self.agent, returns_of(result, game), result.reason, result.game)
        told.add_done_callback(lambda _: client.free(self.agent))
        # It hears of it also where the connection, or the run, has ended meanwhile.
        await asyncio.shield(asyncio.wrap_future(told))

    def _finish(self, status: str, reason: str = "") -> GameResult | None:
        """Keep what has come of the game, and return it; None if that was done before."""
        if self._kept:
            return None
        seconds = time.monotonic() - self._began
        try:
            result = result_of(self.seat, status, reason, seconds)
        except Exception as error:
            # Whatever it was, it counts as lost, and its agent is free for another game.
            log.error("%s: a failure of ours", self.seat.game, **failure_details(log))
            result = untold_result(self.seat, f"{type(error).__name__}: {error}", seconds)
        self._kept = True
        if result.status == LOST:
            log.warning("%s is lost: %s", self.seat.game, result.reason)
        client = self.connection.client
        if not self._thinking:
            client.control.join(self.control)
            if result.status == LOST:
                client.free(self.agent)
        client.keep(result)
        return result
