"""A game that is played: persons and agents in the seats, and what lets it go on.

All chance derives from the seed as in a match of one game with fixed seats (:mod:`oponente.arena.match`), so a game of
agents alone is the one that ``oponente match`` would play, and a game that is taken back has the same dice again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from array import array
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from typing import Any, NamedTuple

from oponente.agents.base import Agent, Budget
from oponente.agents.basic import read_answer
from oponente.agents.view import known
from oponente.arena.database import StorageError
from oponente.arena.facts import final_facts
from oponente.arena.match import MatchSpec, decision_seed
from oponente.arena.play import (
    AgentFailedError,
    Course,
    StoppedError,
    ask,
    begin,
    close,
    end,
    forfeit_returns,
)
from oponente.arena.record import FORFEIT, PLAYED, GameRecord, SeatRecord
from oponente.arena.workers import STOP_SECONDS
from oponente.kernel import CHANCE, TERMINAL, Game, stream
from oponente.web import messages
from oponente.web.forms import Menu
from oponente.web.journal import Journal
from oponente.web.line import LONGEST, Line, asked, choices, picture
from oponente.web.room import Room
from oponente.web.visitors import Visitor

SHORTEST_TICK = 0.02
"""Seconds from tick to tick at least, in games that don't wait."""
THINKING_SHARE = 0.6
"""Share of a tick that agents may think, in games that don't wait."""


class _Decision(NamedTuple):
    ply: int
    seat: int
    milliseconds: float
    nodes: int | None = None
    """Of its search, if the agent tells."""


def _seat_record(seat: int, decisions: Sequence[_Decision], facts: dict[str, float] | None) -> SeatRecord:
    nodes = [decision.nodes for decision in decisions if decision.nodes is not None]
    times = array("f", [decision.milliseconds for decision in decisions])
    return SeatRecord(seat, times, sum(nodes) if nodes else None, facts)


class Table(Room):
    """A game that is played.

    Args:
        game: the game.
        spec: the match that it is.
        agents: who sits in each seat; None: a person.
        menu: the agents that may be asked.
        start_seed: of the start position.
        pace: seconds between actions of agents.
        executor: runs agents, each decision in a thread.
        journal: where the game is kept; None: nowhere.
        number: its number there.
        paused: whether it rests at first.
    """

    def __init__(
        self,
        game: Game,
        spec: MatchSpec,
        agents: Sequence[Agent | None],
        menu: Menu,
        *,
        start_seed: int,
        pace: float,
        executor: Executor,
        journal: Journal | None = None,
        number: int = 0,
        paused: bool = False,
    ) -> None:
        super().__init__(game, spec.agents, menu)
        self.spec, self.agents, self.pace, self.number = spec, tuple(agents), pace, number
        self.persons = [seat for seat, agent in enumerate(agents) if agent is None]
        """The seats of persons."""
        self.start_seed = start_seed
        self.kept_as: int | None = None
        """The number of the match in the database, once the game is over."""
        self.thinking: int | None = None
        self._executor, self._journal = executor, journal
        self._paused = paused
        self._steps = 0
        self._course: Course
        self._chance = stream(spec.seed, "chance", 0, 0)
        self._decisions: list[_Decision] = []
        """Those that led to the position."""
        self._go = asyncio.Event()
        self._answer: asyncio.Future[int] | None = None
        self._waiting: list[str] = []  # what a person has said that is still to be done
        self._held = [self._idle] * len(agents)
        self._tapped: list[int | None] = [None] * len(agents)
        self._pending: asyncio.Future[Any] | None = None
        self._asked: Sequence[int] = ()  # the seats of the agents that it is about
        self._budget: Budget | None = None
        self._task: asyncio.Task[None] | None = None
        self._changing = asyncio.Lock()
        self._changes: set[asyncio.Task[None]] = set()  # the loop alone does not keep them alive

    # --- beginning and end -------------------------------------------------------------------------------------------

    def begin(self, actions: Sequence[int] = ()) -> None:
        """Prepare the game, go on from where it was, and let it be played."""
        self._task = asyncio.create_task(self._run(tuple(actions)))

    async def close(self) -> None:
        """Break off; what is kept stays kept."""
        await asyncio.gather(*self._changes, return_exceptions=True)  # they would let the game go on
        await self._halt()
        await super().close()
        self._dismiss()

    def _dismiss(self) -> None:
        """Let go of the agents, and of what they remember: trees may be large."""
        agents, self.agents = self.agents, (None,) * len(self.agents)
        self._pending = self._budget = None  # an agent that was stopped is in what its last answer raised
        for agent in agents:
            if agent is not None:
                close(agent)

    @property
    def status(self) -> str:
        """What goes on."""
        if self.failed:
            return "failed"
        if self.over:
            return "over"
        if self.line is None:
            return "preparing"
        return "paused" if self._paused else "playing"

    def about(self) -> dict[str, Any]:
        """Return what else a new visitor is told once."""
        # Whoever knows the seed knows the cards and dice to come.
        seed = None if self.private else self.spec.seed
        return {"kind": "table", "seed": seed, "persons": self.persons}

    @property
    def busy(self) -> bool:
        """Whether it goes on without anybody: agents play, and nobody has let them rest."""
        return not (self.persons or self._paused or self.over or self.failed)

    def leave(self, visitor: Visitor) -> None:
        """Let a visitor go; a game that does not wait rests while none of its players is here."""
        super().leave(visitor)
        if self.moves_on and visitor.seat is not None:
            self._held[visitor.seat] = self._idle
            if all(seat in self._absent() for seat in self.persons):
                self._rest(on=True)

    def _absent(self) -> list[int]:
        here = {visitor.seat for visitor in self.visitors}
        return [seat for seat in self.persons if seat not in here]

    def progress(self) -> dict[str, Any]:
        """Return what else visitors are told with every position."""
        return {
            "thinking": self.thinking,
            "pace": self.pace,
            "absent": self._absent(),
            "match": self.kept_as,
        }

    # --- how the game goes on ----------------------------------------------------------------------------------------

    async def _run(self, actions: tuple[int, ...]) -> None:
        try:
            if self.line is None:
                loop = asyncio.get_running_loop()
                self._asked = range(len(self.agents))
                self._pending = loop.run_in_executor(self._executor, self._prepare, actions)
                self._course, self.line = await asyncio.shield(self._pending)
            self.changed()
            await (self._play_on() if self.moves_on else self._play())
        except StoppedError:
            return
        except AgentFailedError as failure:
            if self.line is None:
                self.failed, self.reason = True, str(failure)
                self.changed()
                return
            seat = self._course.state.player
            await self._finish(forfeit_returns(self.game, seat), FORFEIT, str(failure), loser=seat)
        except Exception as error:
            self._fail(error)

    def _prepare(self, actions: Sequence[int]) -> tuple[Course, Line]:
        """Compile what is needed, and play the actions that there were, in a thread."""
        for agent in self.agents:
            if agent is not None:
                agent.prepare(self.game)
        course, line = self._replayed(actions)
        # What the first visitor would wait for: pictures and what seats know.
        state = line.state(0)
        for seat in range(self.game.num_players):
            picture(known(state, seat), seat)
        asked(state)
        if state.player >= 0:
            choices(state, list(state.legal_actions))
        return course, line

    def _replayed(self, actions: Sequence[int]) -> tuple[Course, Line]:
        """Return the game after some actions, all chance drawn as before, and agents that begin anew."""
        course = Course(self.game.start(self.start_seed))
        line = Line(course.state)
        self._chance = stream(self.spec.seed, "chance", 0, 0)
        for seat, agent in enumerate(self.agents):
            if agent is not None:
                begin(agent, self.game, seat)
        for action in actions:
            if course.state.is_chance:
                course.state.sample_chance(self._chance)  # so that it goes on as it would have
            course.apply(action)
            line.append(course.state)
        return course, line

    async def _play(self) -> None:
        """Play a game that waits for its players, to its end."""
        state = self._course.state
        while (seat := state.player) != TERMINAL:
            await self._resting()
            if seat == CHANCE:
                self._course.apply_chance(self._chance)
                await self._moved()
                await self._pause(self.pace / 2)
            elif self.agents[seat] is None:
                ply, begun = len(state.history), time.perf_counter()
                self._course.apply(await self._person())
                self._decisions.append(_Decision(ply, seat, (time.perf_counter() - begun) * 1e3))
                await self._moved(person=True)
            else:
                agent = self.agents[seat]
                assert agent is not None
                self._course.apply_answer(agent, await self._think(seat, agent, Budget()))
                await self._moved()
                await self._pause(self.pace)
        await self._finish(tuple(state.returns), PLAYED)

    async def _play_on(self) -> None:
        """Play a game that does not wait for its players: in a tick each is asked once, who must decide anything."""
        state, loop = self._course.state, asyncio.get_running_loop()
        due = loop.time()
        await self._draw_chance()
        while not state.is_terminal:
            await self._resting()
            period = max(SHORTEST_TICK, self.pace)
            asked: set[int] = set()
            while (seat := state.player) != TERMINAL and seat not in asked:
                asked.add(seat)
                agent = self.agents[seat]
                if agent is None:
                    self._course.apply(self._held_action(seat))
                else:
                    answer = await self._think(seat, agent, Budget(seconds=period * THINKING_SHARE))
                    self._course.apply_answer(agent, answer)
                await self._moved(quiet=True)
                await self._draw_chance()
            self.changed()
            due = max(due + period, loop.time())
            await asyncio.sleep(max(0.0, due - loop.time()))
        await self._finish(tuple(state.returns), PLAYED)

    async def _draw_chance(self) -> None:
        """Let chance decide until it is a player's turn."""
        while self._course.state.is_chance:
            self._course.apply_chance(self._chance)
            await self._moved(quiet=True)
            await asyncio.sleep(0.0)  # others have the loop

    def _held_action(self, seat: int) -> int:
        """Return what a person does in this tick: the key that was pressed since the last one, else the one held."""
        tapped, self._tapped[seat] = self._tapped[seat], None
        action = self._held[seat] if tapped is None else tapped
        return action if self._course.state.is_legal(action) else self._idle

    @property
    def _idle(self) -> int:
        return int(getattr(self.game.draw, "IDLE", 0))

    async def _person(self) -> int:
        """Return the legal action of the person to move."""
        state = self._course.state
        if self._waiting:
            with contextlib.suppress(ValueError):
                return state.parse_action(self._waiting.pop(0))
            self._waiting = []
        self._answer = asyncio.get_running_loop().create_future()
        self.changed()
        try:
            return await self._answer
        finally:
            self._answer = None

    async def _think(self, seat: int, agent: Agent, budget: Budget) -> Any:
        """Return what an agent answers; others play and look on meanwhile."""
        ply = len(self._course.state.history)
        view = self._course.view(seat, decision_seed(self.spec.game_seed(0), seat, ply))
        self._budget = budget
        before = getattr(agent, "last_analysis", None)
        begun = time.perf_counter()
        self._asked = (seat,)
        self._pending = asyncio.get_running_loop().run_in_executor(self._executor, ask, agent, view, budget)
        self.thinking = seat
        if not self.moves_on:
            self.changed()
        try:
            return await asyncio.shield(self._pending)
        finally:
            self.thinking = None
            milliseconds = (time.perf_counter() - begun) * 1e3
            analysis = getattr(agent, "last_analysis", None)
            nodes = None if analysis is None or analysis is before else int(analysis.nodes)
            self._decisions.append(_Decision(ply, seat, milliseconds, nodes))

    async def _moved(self, *, person: bool = False, quiet: bool = False) -> None:
        """Note an action; what a person did is on the disk before anybody hears of it."""
        assert self.line is not None
        if len(self.line) >= LONGEST:
            raise ValueError(f"the game has become too long for the page: {LONGEST} actions")
        self.line.append(self._course.state)
        if self._journal is not None:
            kept = self._journal.add(self.number, len(self.line) - 1, self.line.actions[-1])
            if person:
                await asyncio.wrap_future(kept)
            else:
                self._watch(kept, lambda error: self._later(self._break_off(error)))
        if not quiet:
            self.changed()

    def _watch(self, kept: Future[None], failed: Callable[[BaseException], None]) -> None:
        """Hear what becomes of something that is to be kept, and that nobody waits for.

        Args:
            kept: done when it is kept.
            failed: called in the event loop with the reason if it can't be kept.
        """
        loop = asyncio.get_running_loop()

        def heard(kept: Future[None]) -> None:  # in the thread of the journal
            error = kept.exception()
            if error is not None:
                with contextlib.suppress(RuntimeError):  # the loop has ended, and the game with it
                    loop.call_soon_threadsafe(failed, error)

        kept.add_done_callback(heard)

    async def _break_off(self, error: BaseException) -> None:
        """Let a game end that can't be kept: after a restart it would be another one."""
        async with self._changing:
            if not (self.failed or self.over):
                await self._halt()
                self._fail(error)

    async def _resting(self) -> None:
        """Wait while the game rests."""
        while self._paused and not self._steps:
            self._go.clear()
            await self._go.wait()
        self._steps = max(0, self._steps - 1)

    async def _pause(self, seconds: float) -> None:
        """Let people see what has happened; a game at full speed lets others have the processor."""
        await asyncio.sleep(0.0 if self._paused else seconds)

    async def _finish(
        self, returns: tuple[float, ...], status: str, reason: str = "", *, loser: int | None = None
    ) -> None:
        """Keep the game among those that were played; `loser`: the seat that has forfeited it, if one has."""
        state = self._course.state
        self.returns, self.reason = returns, reason
        record = GameRecord(
            index=0,
            block=0,
            seats=tuple(
                _seat_record(seat, [decision for decision in self._decisions if decision.seat == seat], facts)
                for seat, facts in enumerate(final_facts(state, loser))
            ),
            start_seed=self.start_seed,
            opening=0,
            actions=tuple(state.history),
            returns=returns,
            status=status,
            reason=reason,
            forfeited_by=loser,
            reproducible=False,
        )
        for agent in self.agents:
            if agent is not None:
                end(agent, returns, reason, "the game")
        self._dismiss()
        if self._journal is not None:
            try:
                self.kept_as = await asyncio.wrap_future(self._journal.finish(self.number, self.spec, record))
            except StorageError as error:
                self.reason = f"{reason} (not kept: {error})".strip()
        for visitor in self.visitors:
            visitor.log = 0  # now everybody may see all of it
        self.changed()

    # --- what persons do ---------------------------------------------------------------------------------------------

    def act(self, visitor: Visitor, message: Any) -> None:
        """Do what a person at the table, or in a game of agents anybody who watches, asks for."""
        match message:
            case messages.Act(ply=ply, action=action):
                self._check_turn(visitor, ply)
                if not self._course.state.is_legal(action):
                    raise ValueError("that is not possible now")
                self._answer_with(action)
            case messages.Say(ply=ply, text=text):
                self._check_turn(visitor, ply)
                seat = self._course.state.player
                view = self._course.view(seat, decision_seed(self.spec.game_seed(0), seat, ply))
                action, self._waiting = read_answer(view, text)
                self._answer_with(action)
            case messages.Hold(action=action):
                if visitor.seat is None or not self.moves_on:
                    raise ValueError("there is nobody to steer here")
                self._held[visitor.seat] = action
                if action != self._idle:
                    self._tapped[visitor.seat] = action
            case messages.Pause(on=on):
                self._check_host(visitor)
                self._rest(on=on)
            case messages.Step():
                self._check_host(visitor)
                self._paused, self._steps = True, self._steps + 1
                self._go.set()
            case messages.SetPace(seconds=seconds):
                self._check_host(visitor)
                self.pace = seconds
                if self._journal is not None:
                    kept = self._journal.set_pace(self.number, seconds)
                    # The game is the same at the pace that it had.
                    self._watch(kept, lambda error: visitor.error(f"the speed is not kept: {error}"))
                self.changed()
            case messages.TakeBack(ply=ply):
                self._check_taking_back(visitor)
                self._later(self._take_back(visitor, ply))
            case messages.Resign():
                if visitor.seat is None:
                    raise ValueError("who only watches can't resign")
                if self.over:
                    raise ValueError("the game is over")
                self._later(self._resign(visitor.seat))
            case _:
                super().act(visitor, message)

    def _rest(self, *, on: bool) -> None:
        self._paused, self._steps = on, 0
        self._go.set()
        self.changed()

    def _check_turn(self, visitor: Visitor, ply: int) -> None:
        assert self.line is not None
        if visitor.seat is None:
            raise ValueError("you watch this game; the players have links of their own")
        if self.over:
            raise ValueError("the game is over")
        if self._answer is None or self._answer.done() or self._course.state.player != visitor.seat:
            raise ValueError("it is not your turn")
        if ply != len(self.line):
            raise ValueError("the game has gone on meanwhile")

    def _answer_with(self, action: int) -> None:
        assert self._answer is not None
        self._answer.set_result(action)

    def _check_host(self, visitor: Visitor) -> None:
        """Raise ValueError unless the visitor may decide how fast the game goes."""
        if self.persons and visitor.seat is None:
            raise ValueError("the players decide on that")

    def _check_taking_back(self, visitor: Visitor) -> None:
        if visitor.seat is None or self.persons != [visitor.seat]:
            raise ValueError("only who plays alone against agents can take back")
        if self.over:
            raise ValueError("the game is over: open its record, and play on from any position")
        if self.moves_on:
            raise ValueError("time can't be taken back in this game")

    def _later(self, change: Any) -> None:
        """Begin a change that has to wait for an agent to stop."""
        task = asyncio.create_task(self._try(change))
        self._changes.add(task)
        task.add_done_callback(self._changes.discard)

    async def _try(self, change: Any) -> None:
        try:
            await change
        except Exception as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> None:
        """Note that the game can't go on here, and why."""
        what = "not kept" if isinstance(error, StorageError) else type(error).__name__
        self.failed, self.reason = True, " ".join(f"{what}: {error}".split())[:300]
        self.changed()

    async def _take_back(self, visitor: Visitor, ply: int | None) -> None:
        async with self._changing:
            if self.over or self.line is None:
                return
            lost = await self._halt()
            assert visitor.seat is not None
            wanted = self.line.last_turn(visitor.seat, len(self.line) if ply is None else ply)
            actions = self.line.actions[:wanted]
            if lost:
                await asyncio.to_thread(self._replace, lost)
                self.line = None  # all is prepared once more
            elif wanted is not None:
                # Not in the loop: of a long game this takes a while.
                self._course, self.line = await asyncio.to_thread(self._replayed, actions)
            self._decisions = [decision for decision in self._decisions if decision.ply < len(actions)]
            if wanted is not None:
                if self._journal is not None:
                    await asyncio.wrap_future(self._journal.cut(self.number, len(actions)))
                for one in self.visitors:
                    one.log, one.shown = min(one.log, len(actions)), None
            else:
                visitor.error("there is nothing of yours to take back")
            self._task = asyncio.create_task(self._run(tuple(actions)))

    async def _resign(self, seat: int) -> None:
        async with self._changing:
            if self.over or self.line is None:
                return
            await self._halt()
            reason = f"player {seat + 1} has given up"
            await self._finish(forfeit_returns(self.game, seat), FORFEIT, reason, loser=seat)

    async def _halt(self) -> list[int]:
        """Stop the game where it is, and the agent that thinks.

        An agent that does not stop is let go of: what it does in its thread concerns nobody any more.

        Returns:
            The seats of such agents, which nobody sits in now.
        """
        if self._budget is not None:
            self._budget.control.stop()
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        lost: list[int] = []
        if self._pending is not None:
            self._pending.add_done_callback(_heard)
            await asyncio.wait({self._pending}, timeout=STOP_SECONDS)
            if not self._pending.done():
                lost = [seat for seat in self._asked if self.agents[seat] is not None]
                self.agents = tuple(None if seat in lost else agent for seat, agent in enumerate(self.agents))
                self._pending = self._budget = None
        self._waiting, self.thinking = [], None
        return lost

    def _replace(self, seats: Sequence[int]) -> None:
        """Let new agents of the same kind sit down, in a thread."""
        new = {seat: self.menu.chosen_agent(self.names[seat], self.game) for seat in seats}
        self.agents = tuple(new.get(seat, agent) for seat, agent in enumerate(self.agents))


def _heard(future: asyncio.Future[Any]) -> None:
    """Take note of an exception that nobody waits for, so that it is not told as forgotten."""
    if not future.cancelled():
        future.exception()
