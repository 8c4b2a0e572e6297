"""Agents in processes of their own, in any language, behind the protocol of :mod:`~oponente.agents.external.messages`.

An agent that hangs, ends, writes without end or answers what is no legal action loses the game: it raises
:class:`~oponente.agents.base.AgentError`, of which the arena makes a forfeit with the reason. Its process is killed
then, and the next game gets a new one; that of an agent whose answer can be read, but is no legal action, goes on.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Agent, AgentError, Budget
from oponente.agents.external import messages
from oponente.agents.external.child import Child, ChildError
from oponente.agents.view import View
from oponente.kernel import Game, IllegalActionError, absolute, option

FAILED_STARTS = 3
"""After so many processes in a row that did not get ready, no other is tried."""
_MOVE_LIMIT = 60.0
_START_LIMIT = 30.0


def command_text(text: str) -> str:
    """Return a command as it is; ValueError if it is no list of words that begins with a program."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise ValueError(f"command={text}: {error}") from None
    if not words:
        raise ValueError('command needs a program: command="python3 my_agent.py"')
    return text


def command_words(command: str) -> list[str]:
    """Return the program and its arguments; none if there is no command."""
    words = shlex.split(command)
    return [os.path.expanduser(words[0]), *words[1:]] if words else []


def check_program(agent: str, words: Sequence[str], cwd: str, log: str) -> None:
    """Raise ValueError if a program, the folder in which it is to run or that of its log is not there.

    Args:
        agent: the name of the agent, for the message.
        words: the program and its arguments.
        cwd: the folder; empty: this one.
        log: the file; empty: none.
    """
    cwd = cwd or os.getcwd()
    if not os.path.isdir(cwd):
        raise ValueError(f"agent {agent}: cwd={cwd} is no folder")
    program = words[0] if os.sep not in words[0] else os.path.join(cwd, words[0])
    if shutil.which(program) is None:
        raise ValueError(f"agent {agent}: there is no program {words[0]!r} that can be run")
    if log and not os.path.isdir(os.path.dirname(log)):
        raise ValueError(f"agent {agent}: log={log}: there is no folder {os.path.dirname(log)}")


@dataclass(frozen=True)
class ProcessParameters:
    """What is run, and what time it has."""

    command: str = option(
        "", given=command_text, meaning="the program and its arguments, as for a shell (but none is used)"
    )
    cwd: str = option(
        "",
        given=absolute,
        meaning="folder in which it runs; empty: this one",
    )
    time: float | None = option(None, low=0.001, high=1e6, log=True, meaning="seconds for a decision")
    grace: float = option(
        1.0,
        low=0.0,
        high=1e6,
        log=True,
        meaning="seconds beyond those for a decision (time, --seconds), then it has lost",
    )
    limit: float = option(
        _MOVE_LIMIT, low=0.001, high=1e6, log=True, meaning="seconds for a decision without a clock, then it has lost"
    )
    start: float = option(_START_LIMIT, low=0.001, high=1e6, log=True, meaning="seconds to start and to answer hello")
    restart: bool = option(False, meaning="a new process for each game")
    log: str = option(
        "",
        given=absolute,
        meaning="file to which its standard error is added, 16 MiB at most; empty: none",
    )


class ExternalAgent(Agent):
    """What agents in other processes have in common; a subclass says what is run, and may tell it more."""

    native = True  # it is not this process that works

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._child: Child | None = None
        self._ready = messages.Ready()
        self._told = 0  # entries of the history, in this game
        self._games = 0  # that the process has begun
        self._failed_starts = 0
        self._failure = ""

    # --- for subclasses --------------------------------------------------------------------------------------------

    @abstractmethod
    def command_line(self) -> list[str]:
        """Return the program and its arguments."""

    def directory(self) -> str | None:
        """Return the directory in which it runs, None for the current one."""
        return None

    def environment(self) -> dict[str, str]:
        """Return variables that the process gets beside those of this one."""
        return {}

    def more_hello(self, game: Game) -> dict[str, Any]:
        """Return what else is said at hello."""
        return {}

    def more_begin(self, game: Game, seat: int) -> dict[str, Any]:
        """Return what else is said when a game begins."""
        return {}

    def more_move(self, view: View) -> dict[str, Any]:
        """Return what else is said at a decision."""
        return {}

    def read_choice(self, view: View, answer: int | str) -> int:
        """Return the legal action that an answer means.

        Raises:
            AgentError, IllegalActionError: it means none.
        """
        if isinstance(answer, str):
            return view.parse_action(answer)
        if not view.is_legal(answer):
            raise AgentError(f"answered {str(answer)[:20]}, which is not legal")
        return answer

    # --- the agent -------------------------------------------------------------------------------------------------

    @property
    def unready(self) -> str:
        """Why the process, when it was last started, did not get ready; empty if it did."""
        return self._failure if self._failed_starts else ""

    @property
    def reproducible(self) -> bool:
        """Whether the process has said so of itself; before it is asked, it is not known."""
        return self._ready.deterministic and self.parameters.time is None

    def prepare(self, game: Game) -> None:
        """Start the process, before any clock runs. That it does not get ready costs games, not the match."""
        with contextlib.suppress(AgentError):
            self._start(game)

    def begin_game(self, game: Game, seat: int) -> None:
        """Tell the process that a game begins; start one if there is none.

        Raises:
            AgentError: it does not get ready.
        """
        if self.parameters.restart and self._games > 0:
            self.close()
        self._start(game)
        self._begin(game, seat)

    def choose(self, view: View, budget: Budget) -> int:
        """Return what the process answers.

        Raises:
            AgentError: it is of no use, has given up, or answers what is no legal action.
        """
        if self._child is None:
            self._start(view.game)
            self._begin(view.game, view.seat)
        seconds = budget.limited(seconds=self.parameters.time).seconds
        limit = self.parameters.limit if seconds is None else seconds + self.parameters.grace
        question = {**messages.move(view, self._ready, self._told, seconds, limit), **self.more_move(view)}
        self._told = len(view.history)
        answer = self._ask(question, limit, lambda: budget.control.stopped)
        try:
            action = messages.read_action(answer)
        except messages.AnswerError as error:
            raise self._failed(str(error)) from None
        if action is None:
            raise AgentError("resigned")
        try:
            return self.read_choice(view, action)
        except IllegalActionError as error:
            raise AgentError(f"answered {str(action)[:40]!r}: {error}") from None

    def end_game(self, returns: Sequence[float], reason: str) -> None:
        """Tell the process how the game has ended."""
        if self._child is not None:
            self._say(messages.end(returns, reason))

    def close(self) -> None:
        """End the process and all that it has started."""
        child, self._child = self._child, None
        if child is not None:
            child.end(messages.write(messages.quit_()))

    # --- the process -----------------------------------------------------------------------------------------------

    def _start(self, game: Game) -> None:
        if self._child is not None:
            return
        if self._failed_starts >= FAILED_STARTS:
            raise AgentError(f"{self._failure} ({FAILED_STARTS} times, and no other was tried)")
        try:
            self._child = Child(
                self.command_line(), self.directory(), self.environment(), getattr(self.parameters, "log", None) or None
            )
            answer = self._ask({**messages.hello(game), **self.more_hello(game)}, self.parameters.start)
            self._ready = self._read_ready(answer, game)
        except OSError as error:
            self._failed_starts += 1
            self._failure = f"can't be started: {error.filename or ''} {error.strerror}"
            raise AgentError(self._failure) from None
        except AgentError as error:
            self._failed_starts += 1
            self._failure = f"did not get ready: it {error}"
            raise AgentError(self._failure) from None
        self._failed_starts = self._games = 0

    def _begin(self, game: Game, seat: int) -> None:
        self._told = 0
        self._games += 1
        self._say({**messages.begin(seat), **self.more_begin(game, seat)})

    def _read_ready(self, answer: str, game: Game) -> messages.Ready:
        try:
            return messages.read_ready(answer, game)
        except messages.AnswerError as error:
            raise self._failed(str(error)) from None

    def _say(self, message: dict[str, Any]) -> None:
        assert self._child is not None
        self._child.tell(messages.write(message))

    def _ask(self, message: dict[str, Any], seconds: float, stopped: Any = lambda: False) -> str:
        assert self._child is not None
        try:
            return self._child.ask(messages.write(message), seconds, stopped)
        except ChildError as error:
            raise self._failed(str(error)) from None

    def _failed(self, why: str) -> AgentError:
        """Kill the process, which can't be trusted any more, and return the reason."""
        child, self._child = self._child, None
        if child is not None:
            child.end(patience=0.0)
        return AgentError(why)


class ProcessAgent(ExternalAgent):
    """A program in any language that answers questions in JSON on its standard input and output.

    The protocol, with examples in Python and JavaScript, is described in docs/protocol.md.
    """

    name = "process"
    Parameters = ProcessParameters
    required = ("command",)

    def check(self, game: Game) -> None:
        """Refuse a command or a directory that is not there."""
        if self.parameters.command:  # else nobody asks for it to be run, but whether there could be one
            check_program(self.name, self.command_line(), self.parameters.cwd, self.parameters.log)

    def command_line(self) -> list[str]:
        """Return the words of the command."""
        return command_words(self.parameters.command)

    def directory(self) -> str | None:
        """Return the parameter `cwd`."""
        return self.parameters.cwd or None
