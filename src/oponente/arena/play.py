"""Playing one game of a match.

An agent that raises an exception, or returns something that is no legal action, *forfeits*: the game ends, it gets
the least utility of the game, and the others share equally what one winner and the losers would get among them: with
two players the other one wins, with more the others draw (see :func:`forfeit_returns`). The record tells who forfeited
and why, and the match goes on. A game that reaches the limit of plies is a draw of all (:func:`draw_returns`).
"""

from __future__ import annotations

import operator
import time
from array import array
from collections.abc import Sequence
from typing import Any

from oponente.agents.base import Agent, Budget
from oponente.agents.basic import Resigned
from oponente.agents.view import View
from oponente.arena.match import MatchSpec, decision_seed
from oponente.arena.record import FORFEIT, LIMIT, PLAYED, GameRecord, SeatRecord
from oponente.games.catalogue import make_agent
from oponente.kernel import CHANCE, TERMINAL, Control, Game, IllegalActionError, State, stream

_OPENING_ATTEMPTS = 100
_REASON_LENGTH = 300


class StoppedError(Exception):
    """The game was broken off from outside, through the stop flag."""


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
        spec.check_players(self.game)
        self.agents: tuple[Agent, ...] = tuple(make_agent(text, self.game, spec.agent_files) for text in spec.agents)
        self.budget = Budget(seconds=spec.seconds, control=control or Control())
        self._closed = False

    @property
    def native(self) -> bool:
        """Whether all agents work without the interpreter lock."""
        return all(agent.native for agent in self.agents)

    @property
    def reproducible(self) -> bool:
        """Whether the games are the same whenever they are played."""
        return self.spec.seconds is None and all(agent.reproducible for agent in self.agents)

    def prepare(self) -> None:
        """Let the agents do what takes long once (compiling, loading), and compile the rules."""
        for agent in self.agents:
            agent.prepare(self.game)
        _ = self.game.start().legal_actions

    def close(self) -> None:
        """Let the agents give back what they hold; a second call does nothing."""
        if not self._closed:
            self._closed = True
            for agent in self.agents:
                agent.close()

    def play(self, index: int) -> GameRecord:
        """Play the game with the given index of the match.

        Raises:
            StoppedError: the stop flag was set.
            Resigned: a person has left.
        """
        return _Play(self, index).run()


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


class _ForfeitError(Exception):
    """The agent to move has failed; the message says how."""


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
        # What each seat has seen so far; None where all see everything.
        self.seen: list[list[int]] | None = None if self.game.perfect_information else [[] for _ in range(players)]
        self.chance = stream(self.spec.seed, "chance", self.block)
        self.state: State
        self.opening = 0

    def run(self) -> GameRecord:
        """Play to the end."""
        self._open()
        state, control, limit = self.state, self.table.budget.control, self.spec.max_plies
        while (seat := state.player) != TERMINAL:
            if control.stopped:
                raise StoppedError
            if limit is not None and len(state.history) >= limit:
                return self._record(draw_returns(self.game), LIMIT, f"after {limit} plies")
            if seat == CHANCE:
                self._apply(state.sample_chance(self.chance))
                continue
            try:
                self._apply_choice(seat, self._ask(seat))
            except _ForfeitError as failure:
                return self._record(forfeit_returns(self.game, seat), FORFEIT, str(failure), seat)
        return self._record(tuple(state.returns), PLAYED)

    def _open(self) -> None:
        """Start the game and play the random opening, drawn again if the game ends in it."""
        for attempt in range(_OPENING_ATTEMPTS):
            self.state = self.game.start(self.start_seed)
            self.chance = stream(self.spec.seed, "chance", self.block, attempt)
            if self.seen is not None:
                self.seen = [[] for _ in self.seating]
            rng = stream(self.spec.seed, "opening", self.block, attempt)
            left = self.spec.opening_plies
            while left > 0 and (seat := self.state.player) != TERMINAL:
                if seat == CHANCE:
                    self._apply(self.state.sample_chance(self.chance))
                else:
                    self._apply(self.state.sample_action(rng))
                    left -= 1
            if not self.state.is_terminal:
                self.opening = len(self.state.history)
                return
        raise ValueError(
            f"{self.game.name} is always over within {self.spec.opening_plies} random opening plies: give fewer"
        )

    def _ask(self, seat: int) -> Any:
        """Return what the agent in `seat` answers, and note the time and the nodes that it took."""
        state, budget = self.state, self.table.budget
        agent = self.table.agents[self.seating[seat]]
        view = View(
            state,
            seat,
            decision_seed(self.game_seed, seat, len(state.history)),
            None if self.seen is None else self.seen[seat],
        )
        before = getattr(agent, "last_analysis", None)
        budget.control.start(budget.seconds)
        started = time.perf_counter()
        try:
            answer = agent.choose(view, budget)
        except Resigned:
            raise
        except (Exception, SystemExit) as error:
            self.times[seat].append((time.perf_counter() - started) * 1e3)
            # A stopped agent may fail for want of an answer; that is no forfeit.
            if budget.control.stopped:
                raise StoppedError from None
            raise _ForfeitError(_one_line(f"{agent.spec} raised {type(error).__name__}: {error}")) from error
        self.times[seat].append((time.perf_counter() - started) * 1e3)
        if budget.control.stopped:
            raise StoppedError
        analysis = getattr(agent, "last_analysis", None)
        if analysis is not None and analysis is not before:
            self.nodes[seat] = (self.nodes[seat] or 0) + int(analysis.nodes)
        return answer

    def _apply_choice(self, seat: int, answer: Any) -> None:
        """Apply what an agent answered; _ForfeitError if that is no legal action."""
        agent = self.table.agents[self.seating[seat]]
        try:
            action = operator.index(answer)
        except TypeError:
            raise _ForfeitError(_one_line(f"{agent.spec} returned {answer!r}, which is no action")) from None
        try:
            if self.seen is not None and not self.state.is_legal(action):
                raise IllegalActionError  # before it is shown to anybody
            self._apply(action)
        except IllegalActionError:
            raise _ForfeitError(f"{agent.spec} returned {action}, which is not legal") from None

    def _apply(self, action: int) -> None:
        if self.seen is not None:
            for seat, seen in enumerate(self.seen):
                seen.append(self.state.observed(action, seat))
        self.state.apply(action)

    def _record(
        self, returns: Sequence[float], status: str, reason: str = "", forfeited_by: int | None = None
    ) -> GameRecord:
        return GameRecord(
            index=self.index,
            block=self.block,
            seats=tuple(
                SeatRecord(agent, times, nodes)
                for agent, times, nodes in zip(self.seating, self.times, self.nodes, strict=True)
            ),
            start_seed=self.start_seed,
            opening=self.opening,
            actions=tuple(self.state.history),
            returns=tuple(returns),
            status=status,
            reason=reason,
            forfeited_by=forfeited_by,
            reproducible=self.table.reproducible,
        )


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _REASON_LENGTH else line[: _REASON_LENGTH - 3] + "..."
