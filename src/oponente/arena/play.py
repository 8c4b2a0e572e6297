"""Playing one game of a match.

An agent that raises an exception, or returns something that is no legal action, *forfeits*: the game ends, it gets
the least utility of the game, and the others share equally what one winner and the losers would get among them: with
two players the other one wins, with more the others draw (see :func:`forfeit_returns`). The record tells who forfeited
and why, and the match goes on. A game that reaches the limit of plies is a draw of all (:func:`draw_returns`).
"""

from __future__ import annotations

import operator
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from oponente.agents.base import Agent, AgentError, Budget
from oponente.agents.basic import Resigned
from oponente.agents.ensemble import FULL, ILLEGAL, STOPPED, Ensemble, ScriptedGame
from oponente.agents.view import View
from oponente.arena.facts import check_facts, final_facts
from oponente.arena.match import MatchSpec, decision_seed
from oponente.arena.record import FORFEIT, LIMIT, PLAYED, GameRecord, SeatRecord
from oponente.games.catalogue import make_agent
from oponente.kernel import (
    CHANCE,
    TERMINAL,
    Control,
    Game,
    IllegalActionError,
    RealTime,
    RulesError,
    State,
    Stream,
    UserFileError,
    Witnesses,
    stream,
)
from oponente.kernel.notation import escaped, shortened

_OPENING_ATTEMPTS = 100
_REASON_LENGTH = 300
RESERVE = 0.005
"""Seconds of a decision in real time that an agent is not told of: the framework's controllers keep as much in hand."""


class StoppedError(Exception):
    """The game was broken off from outside, through the stop flag."""


class AgentFailedError(Exception):
    """An agent raised an exception, or answered something that is no legal action; the message is one line."""


def seat_agent(text: str, game: Game, agent_files: Iterable[str] = ()) -> Agent:
    """Return the agent that a spec describes, as :func:`~oponente.games.catalogue.make_agent` does.

    Raises:
        ValueError: also for whatever else the class of a user's agent raises when it is made.
    """
    try:
        return make_agent(text, game, agent_files)
    except (ValueError, UserFileError, RulesError):
        raise
    except Exception as error:
        raise ValueError(_one_line(f"agent {text}: {type(error).__name__}: {error}")) from error


def begin(agent: Agent, game: Game, seat: int) -> None:
    """Tell an agent that a new game begins; AgentFailedError if it raises an exception."""
    try:
        agent.begin_game(game, seat)
    except AgentError as error:
        raise _failed(agent, error) from error
    except Exception as error:
        raise AgentFailedError(_one_line(f"{agent.spec} failed: {type(error).__name__}: {error}")) from error


def end(agent: Agent, returns: Sequence[float], reason: str, game: str) -> None:
    """Tell an agent how a game has ended; if it raises an exception, a note on stderr says so.

    Args:
        agent: who has played.
        returns, reason: see :meth:`~oponente.agents.base.Agent.end_game`.
        game: what the note calls it.
    """
    try:
        agent.end_game(returns, reason)
    except Exception as error:  # too late to change the result
        _note(agent, error, f"when {game} was over")


def close(agent: Agent) -> None:
    """Let an agent give back what it holds; if it raises an exception, a note on stderr says so."""
    try:
        agent.close()
    except Exception as error:  # the games are played
        _note(agent, error, "at the end")


def _note(agent: Agent, error: Exception, when: str) -> None:
    what = f"{agent.spec} raised {type(error).__name__} {when}: {error}"
    print(f"note: {_one_line(what)}", file=sys.stderr)


def ask(agent: Agent, view: View, budget: Budget) -> Any:
    """Return what an agent answers, within the budget that begins now.

    Raises:
        AgentFailedError: it raised an exception.
        StoppedError: the stop flag was set.
        Resigned: a person has left.
    """
    budget.control.start(budget.seconds)
    try:
        answer = agent.choose(view, budget)
    except Resigned:
        raise
    except (Exception, SystemExit) as error:
        # A stopped agent may fail for want of an answer; that is no failure of its own.
        if budget.control.stopped:
            raise StoppedError from None
        if isinstance(error, AgentError):
            raise _failed(agent, error) from error
        raise AgentFailedError(_one_line(f"{agent.spec} raised {type(error).__name__}: {error}")) from error
    if budget.control.stopped:
        raise StoppedError
    return answer


class SeenActions(Sequence[int]):
    """The actions of a game as one seat sees them: those of a list that grows, but for the masked ones.

    Args:
        actions: all actions, as they are.
        masked: what the seat saw in place of an action, by the number of the action.
    """

    def __init__(self, actions: list[int], masked: dict[int, int]) -> None:
        self._actions = actions
        self._masked = masked

    def __len__(self) -> int:
        return len(self._actions)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]

    def __iter__(self) -> Iterator[int]:
        seen = self._actions.copy()
        for number, action in self._masked.items():
            seen[number] = action
        return iter(seen)


class Course:
    """How a game goes: its state, and what each seat has seen of the actions.

    Args:
        start: the start position; it is played on, with nothing kept to take back.
    """

    def __init__(self, start: State) -> None:
        self.state = start
        self.state.undoable = False
        self._witnesses = Witnesses(start.game)
        self._masked: list[dict[int, int]] = [{} for _ in self._witnesses.seen]
        # None where all see everything.
        self._seen: list[SeenActions] | None = (
            None
            if start.game.perfect_information
            else [SeenActions(self.state.history, masked) for masked in self._masked]
        )

    def view(self, seat: int, seed: int) -> View:
        """Return the state as `seat`, which is to move, may know it."""
        return View(self.state, seat, seed, None if self._seen is None else self._seen[seat])

    def apply(self, action: int) -> None:
        """Take an action that is known to be legal, or a chance outcome."""
        self.state.apply(action, self._witnesses)
        self._note()

    def apply_chance(self, rng: Stream) -> None:
        """Take a chance outcome, drawn from `rng`."""
        self.state.apply_chance(rng, self._witnesses)
        self._note()

    def _note(self) -> None:
        if self._seen is not None and self._witnesses.masked:
            history = self.state.history
            for masked, action in zip(self._masked, self._witnesses.seen, strict=True):
                if action != history[-1]:
                    masked[len(history) - 1] = action

    def check(self, agent: Agent, answer: Any) -> int:
        """Return the legal action that an agent answered; AgentFailedError if it is none."""
        action = _as_action(agent, answer)
        if not self.state.is_legal(action):
            raise _illegal(agent, action)
        return action

    def apply_answer(self, agent: Agent, answer: Any) -> None:
        """Take the action that an agent answered; AgentFailedError, and nothing has changed, if it is not legal."""
        action = _as_action(agent, answer)
        try:
            self.apply(action)
        except IllegalActionError:
            raise _illegal(agent, action) from None


def _as_action(agent: Agent, answer: Any) -> int:
    try:
        return operator.index(answer)
    except TypeError:
        raise AgentFailedError(_one_line(f"{agent.spec} returned {answer!r}, which is no action")) from None


def _failed(agent: Agent, error: AgentError) -> AgentFailedError:
    return AgentFailedError(_one_line(f"{shortened(agent.spec)} {error}"))


def _illegal(agent: Agent, action: int) -> AgentFailedError:
    return AgentFailedError(_one_line(f"{agent.spec} returned {action}, which is not legal"))


class Table:
    """The place where one worker plays games of one match: the game, and one instance of each agent.

    Args:
        spec: the match.
        control: carries the stop flag. Setting it makes :meth:`play` raise `StoppedError`, and searches end at once.

    Raises:
        ValueError: the game or an agent is unknown or has a wrong option, or the number of agents is wrong.
        UserFileError, RulesError: a user's file can't be loaded.
    """

    def __init__(self, spec: MatchSpec, control: Control | None = None) -> None:
        self.spec = spec
        self.game: Game = spec.game.load()
        check_facts(self.game)
        spec.check_players(self.game)
        self.agents: tuple[Agent, ...] = tuple(seat_agent(text, self.game, spec.agent_files) for text in spec.agents)
        self.budget = Budget(seconds=spec.seconds, control=control or Control())
        self.ensemble = _ensemble(self.agents, self.game)
        self._closed = False

    @property
    def native(self) -> bool:
        """Whether all agents work without the interpreter lock."""
        return all(agent.native for agent in self.agents)

    @property
    def reproducible(self) -> bool:
        """Whether the games are the same whenever they are played."""
        timed = self.spec.seconds is not None or self.game.real_time is not None
        return not timed and all(agent.reproducible for agent in self.agents)

    def prepare(self) -> None:
        """Let the agents do what takes long once (compiling, loading), and compile the rules."""
        if self.ensemble is not None:
            self.ensemble.prepare(self.game)
        else:
            for agent in self.agents:
                agent.prepare(self.game)
        _ = self.game.start().legal_actions

    def close(self) -> None:
        """Let the agents give back what they hold; a second call does nothing.

        If one raises an exception, a note on stderr says so: the games are played.
        """
        if not self._closed:
            self._closed = True
            for agent in self.agents:
                close(agent)

    def play(self, index: int) -> GameRecord:
        """Play the game with the given index of the match.

        Raises:
            StoppedError: the stop flag was set.
            Resigned: a person has left.
        """
        return self.play_all([index])[0]

    def play_all(self, indices: Sequence[int]) -> list[GameRecord]:
        """Play the games with the given indices of the match, in one kernel where there is an ensemble.

        One at a time, unless they can be played :attr:`together`.

        Raises:
            StoppedError: the stop flag was set.
            Resigned: a person has left.
        """
        if self.ensemble is None:
            return [_Play(self, index).run() for index in indices]
        if self.together:
            return self._play_scripted(self.ensemble, indices)
        return [record for index in indices for record in self._play_scripted(self.ensemble, [index])]

    def _play_scripted(self, ensemble: Ensemble, indices: Sequence[int]) -> list[GameRecord]:
        """Play games side by side; those with the same seating in one kernel."""
        records: dict[int, GameRecord] = {}
        seatings: dict[tuple[int, ...], list[_Play]] = {}
        for index in indices:
            play = _Play(self, index)
            failed = play.begin()
            if failed is not None:
                records[index] = failed
            else:
                seatings.setdefault(play.seating, []).append(play)
        for plays in seatings.values():
            for play, record in zip(plays, _play_together(self, ensemble, plays), strict=True):
                records[play.index] = record
        return [records[index] for index in indices]

    @property
    def together(self) -> bool:
        """Whether games can be played side by side."""
        return self.ensemble is not None and self.ensemble.together


def _watch(agent: Agent) -> Callable[[], float]:
    """Return the clock by which an agent is judged in real time: the processor time of the thread where it works alone
    in that, as the competition measured, else time as it passes.
    """
    alone = agent.native and getattr(agent.parameters, "threads", 1) == 1
    return time.thread_time if alone else time.perf_counter


def _ensemble(agents: tuple[Agent, ...], game: Game) -> Ensemble | None:
    """Return what plays the games of the agents in one kernel, if they are all of one kind that can."""
    if game.real_time is not None:
        return None
    makers = {type(agent).ensemble for agent in agents}
    maker = makers.pop()
    ensemble: Ensemble | None = None if makers or maker is None else maker(agents, game)
    return ensemble


def _play_together(table: Table, ensemble: Ensemble, plays: Sequence[_Play]) -> list[GameRecord]:
    """Play games that have begun, with the same seating, in one kernel. All decisions count as having taken the same
    time.
    """
    games = [play.scripted() for play in plays]
    started = time.perf_counter()
    ensemble.play(games, plays[0].seating, table.spec.max_plies, table.budget.control)
    milliseconds = (time.perf_counter() - started) * 1e3
    if any(played.standing == STOPPED for played in games):
        raise StoppedError
    decision = milliseconds / max(1, sum(sum(played.asked) for played in games))
    return [play.scripted_record(played, decision) for play, played in zip(plays, games, strict=True)]


def play_game(spec: MatchSpec, index: int, table: Table | None = None) -> GameRecord:
    """Play one game of a match.

    Args:
        spec: the match.
        index: which game, from 0.
        table: where to play, to use its agents for several games; None: a new one.

    Raises:
        See :class:`Table` and :meth:`Table.play`.
    """
    if table is not None:
        return table.play(index)
    table = Table(spec)
    try:
        table.prepare()
        return table.play(index)
    finally:
        table.close()


def forfeit_returns(game: Game, loser: int) -> tuple[float, ...]:
    """Return the utilities when the agent in seat `loser` has failed.

    It gets the least utility of the game. The others share the rest of what one winner and the losers would have.
    """
    least, greatest = game.utility
    players = game.num_players
    share = greatest if players == 1 else (greatest + (players - 2) * least) / (players - 1)
    return tuple(least if seat == loser else share for seat in range(players))


def draw_returns(game: Game) -> tuple[float, ...]:
    """Return the utilities when a game is broken off: all share equally what one winner and the losers would have.

    A single player gets the least utility: the goal was not reached.
    """
    least, greatest = game.utility
    players = game.num_players
    share = least if players == 1 else (greatest + (players - 1) * least) / players
    return (share,) * players


class _Play:
    """One game while it is played."""

    def __init__(self, table: Table, index: int) -> None:
        self.table, self.game, self.spec, self.index = table, table.game, table.spec, index
        self.block = self.spec.block(index)
        self.seating = self.spec.seating(index)
        self.start_seed = self.spec.start_seed(index)
        self.game_seed = self.spec.game_seed(index)
        players = self.game.num_players
        self.times: list[array[float]] = [array("f") for _ in range(players)]
        self.nodes: list[int | None] = [None] * players
        self.chance: Stream
        self.course: Course
        self.opening = 0
        self.begun: list[Agent] = []
        #: In real time the seconds that are left of those of the start.
        self.left: list[float] = [self.game.real_time.start if self.game.real_time else 0.0] * players

    def run(self) -> GameRecord:
        """Play to the end, asking each agent, and tell the agents how it was."""
        return self.begin() or self._ended(self._play())

    def begin(self) -> GameRecord | None:
        """Set up the game and tell the agents; return how it ended if one of them has failed at that already."""
        self._open()
        for seat, number in enumerate(self.seating):
            try:
                self._begin(seat, self.table.agents[number])
            except AgentFailedError as failure:
                return self._ended(self._record(forfeit_returns(self.game, seat), FORFEIT, str(failure), seat))
        return None

    def _begin(self, seat: int, agent: Agent) -> None:
        """Tell an agent; in real time that takes some of the time of its start.

        Raises:
            AgentFailedError: it has failed, or taken longer than that.
        """
        watch = _watch(agent)
        begun = watch()
        begin(agent, self.game, seat)
        taken = watch() - begun
        self.begun.append(agent)
        clock = self.game.real_time
        if clock is None:
            return
        if taken > clock.start:
            raise AgentFailedError(
                f"{shortened(agent.spec)} is disqualified: it took {taken * 1e3:.1f} ms to begin the game, and more"
                f" than {clock.start * 1e3:g} ms are too many"
            )
        self.left[seat] = clock.start - taken

    def scripted(self) -> ScriptedGame:
        """Return the game as an ensemble plays it."""
        return ScriptedGame(self.course.state, self.chance, lambda seat, ply: decision_seed(self.game_seed, seat, ply))

    def scripted_record(self, played: ScriptedGame, milliseconds: float) -> GameRecord:
        """Return the record of what an ensemble has played, each decision in so many milliseconds; tell the agents."""
        for seat, asked in enumerate(played.asked):
            self.times[seat] = array("f", [milliseconds]) * asked
        if played.standing == FULL:
            record = self._record(draw_returns(self.game), LIMIT, f"after {self.spec.max_plies} plies")
        elif played.standing == ILLEGAL:
            seat = played.state.player
            failure = _illegal(self.table.agents[self.seating[seat]], int(played.illegal or 0))
            record = self._record(forfeit_returns(self.game, seat), FORFEIT, str(failure), seat)
        else:
            record = self._record(tuple(played.state.returns), PLAYED)
        return self._ended(record)

    def _ended(self, record: GameRecord) -> GameRecord:
        for agent in self.begun:
            end(agent, record.returns, record.reason, f"game {self.index}")
        return record

    def _play(self) -> GameRecord:
        course, state, control, limit = self.course, self.course.state, self.table.budget.control, self.spec.max_plies
        while (seat := state.player) != TERMINAL:
            if control.stopped:
                raise StoppedError
            if limit is not None and len(state.history) >= limit:
                return self._record(draw_returns(self.game), LIMIT, f"after {limit} plies")
            if seat == CHANCE:
                course.apply_chance(self.chance)
                continue
            try:
                course.apply_answer(self.table.agents[self.seating[seat]], self._ask(seat))
            except AgentFailedError as failure:
                return self._record(forfeit_returns(self.game, seat), FORFEIT, str(failure), seat)
        return self._record(tuple(self.course.state.returns), PLAYED)

    def _open(self) -> None:
        """Start the game and play the random opening, drawn again if the game ends in it."""
        for attempt in range(_OPENING_ATTEMPTS):
            course = self.course = Course(self.game.start(self.start_seed))
            state = course.state
            self.chance = stream(self.spec.seed, "chance", self.block, attempt)
            left = self.spec.opening_plies
            if left > 0:
                self._play_opening(course, left, stream(self.spec.seed, "opening", self.block, attempt))
            if not state.is_terminal:
                self.opening = len(state.history)
                return
        raise ValueError(
            f"{self.game.name} is always over within {self.spec.opening_plies} random opening plies: give fewer"
        )

    def _play_opening(self, course: Course, plies: int, rng: Stream) -> None:
        """Play so many random actions, or fewer if the game ends."""
        state = course.state
        while plies > 0 and (seat := state.player) != TERMINAL:
            if seat == CHANCE:
                course.apply_chance(self.chance)
            else:
                course.apply(state.sample_action(rng))
                plies -= 1

    def _ask(self, seat: int) -> Any:
        """Return what the agent in `seat` answers, and note the time and the nodes that it took."""
        agent = self.table.agents[self.seating[seat]]
        clock = self.game.real_time
        budget = self.table.budget if clock is None else self._real_time_budget(seat, clock)
        watch = _watch(agent)
        view = self.course.view(seat, decision_seed(self.game_seed, seat, len(self.course.state.history)))
        before = getattr(agent, "last_analysis", None)
        started, begun = time.perf_counter(), watch()
        try:
            answer = ask(agent, view, budget)
        finally:
            taken = watch() - begun
            self.times[seat].append((time.perf_counter() - started) * 1e3)
        if clock is not None:
            answer = self._in_time(seat, answer, taken, clock)
        analysis = getattr(agent, "last_analysis", None)
        if analysis is not None and analysis is not before:
            self.nodes[seat] = (self.nodes[seat] or 0) + int(analysis.nodes)
        return answer

    def _extra(self, seat: int) -> float:
        """Return the seconds that a player has more than usual for a decision: what is left of those of the start."""
        return self.left[seat] if not self.times[seat] else 0.0

    def _real_time_budget(self, seat: int, clock: RealTime) -> Budget:
        """Return the budget of a decision, a little less than the clock allows: searches use all of theirs."""
        seconds = clock.decision + self._extra(seat) - RESERVE
        if self.spec.seconds is not None:
            seconds = min(seconds, self.spec.seconds)
        return Budget(seconds=seconds, control=self.table.budget.control)

    def _in_time(self, seat: int, answer: Any, taken: float, clock: RealTime) -> Any:
        """Return the answer, or the idle action in place of a late one; AgentFailedError if it was too late."""
        over = taken - (self.left[seat] if len(self.times[seat]) == 1 else 0.0)
        if over > clock.latest:
            agent = self.table.agents[self.seating[seat]]
            raise AgentFailedError(
                f"{shortened(agent.spec)} is disqualified: it took {over * 1e3:.1f} ms for decision"
                f" {len(self.times[seat])}, and more than {clock.latest * 1e3:g} ms are too many"
            )
        return clock.idle if over > clock.decision else answer

    def _record(
        self, returns: Sequence[float], status: str, reason: str = "", forfeited_by: int | None = None
    ) -> GameRecord:
        return GameRecord(
            index=self.index,
            block=self.block,
            seats=tuple(
                SeatRecord(agent, times, nodes, facts)
                for agent, times, nodes, facts in zip(
                    self.seating, self.times, self.nodes, final_facts(self.course.state, forfeited_by), strict=True
                )
            ),
            start_seed=self.start_seed,
            opening=self.opening,
            actions=tuple(self.course.state.history),
            returns=tuple(returns),
            status=status,
            reason=reason,
            forfeited_by=forfeited_by,
            reproducible=self.table.reproducible,
        )


def _one_line(text: str) -> str:
    """Return a text, of whomever, as a line that can be stored and shown."""
    line = escaped(" ".join(text.split()))
    return line if len(line) <= _REASON_LENGTH else line[: _REASON_LENGTH - 3] + "..."
