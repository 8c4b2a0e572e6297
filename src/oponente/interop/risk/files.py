"""Agents for the Risk program of Ferrari (UFSM 2022), unchanged, as agents in our matches.

Such an agent is a program that is started with its number, 1 or 2. It watches a file in which the game tells it the
position, and answers in another file; :mod:`oponente.interop.risk.mailbox` has both. There is no greeting, and programs
note the time stamp of the first file when they have started: so each position is written again and again, with the same
count and a later stamp, until a command comes.

As in the thesis's program, a command that the rules forbid changes nothing but the count, and the position is told once
more. Programs that go on like that lose, as do those that end, or write no command in time.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from oponente.agents.base import Agent, AgentError, Budget
from oponente.agents.external import (
    FAILED_STARTS,
    Child,
    ChildError,
    check_program,
    command_text,
    command_words,
)
from oponente.agents.view import View
from oponente.games.risk.world import CLASSIC, world_of
from oponente.interop.risk.commands import CommandError, steps
from oponente.interop.risk.mailbox import COMMANDS, STATES, Mailbox, MailboxError
from oponente.interop.risk.state_file import LOSER, WINNER, initial_order, state_file
from oponente.kernel import Game, absolute, option

AGAIN_SECONDS = 0.25
"""After so long a position is written again."""
POLL_SECONDS = 0.001
SHOWN = 120
"""Characters of a command that a reason shows."""


def _copies(text: str) -> str:
    """Return names of files as they are; ValueError if one leads out of the folder, is that itself, or a file
    of the protocol.
    """
    for name in filter(None, text.split(":")):
        path = PurePath(name)
        if not path.parts or path.is_absolute() or ".." in path.parts or path.parts[0] in (STATES, COMMANDS):
            raise ValueError(f"copies={text}: expected files below cwd, parted by colons")
    return text


@dataclass(frozen=True)
class FilesParameters:
    """What is run, where, and what is tolerated."""

    command: str = option(
        "",
        given=command_text,
        meaning="the program and its arguments, as for a shell (but none is used); {seat} becomes 1 or 2",
    )
    cwd: str = option(
        "", given=absolute, meaning="folder with the program, seen by links in that in which it runs; empty: this one"
    )
    copies: str = option(
        "Risk-Agents/montecarlo_tree.json",
        given=_copies,
        meaning="files in it that the program changes, parted by colons: each game has a copy",
    )
    keep: bool = option(False, meaning="the changed copies replace these files after each game")
    grace: float = option(
        1.0, low=0.0, high=1e6, log=True, meaning="seconds beyond those for a decision (--seconds), then it has lost"
    )
    limit: float = option(
        60.0, low=0.001, high=1e6, log=True, meaning="seconds for a command without a clock, then it has lost"
    )
    start: float = option(30.0, low=0.001, high=1e6, log=True, meaning="seconds for the first command of a game")
    end: float = option(10.0, low=0.0, high=1e6, log=True, meaning="seconds to end by itself when a game is over")
    mistakes: int = option(10, low=0, high=10**6, log=True, meaning="commands in a game that may be none, or not legal")
    commands: int = option(1000, low=1, high=10**6, log=True, meaning="commands in a turn, then it has lost")
    log: str = option(
        "", given=absolute, meaning="file to which its standard error is added, 16 MiB at most; empty: none"
    )


class FilesAgent(Agent):
    """A program that plays by the files of Ferrari's Risk (UFSM 2022): rules=thesis-2022 on the classic map.

    Each game has a process and a folder of its own.
    """

    name = "files"
    native = True  # it is not this process that works
    reproducible = False  # programs are told no seed
    Parameters = FilesParameters
    required = ("command",)

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._child: Child | None = None
        self._mailbox: Mailbox | None = None
        self._silent_games = 0  # in a row, of which no command came
        self._why_silent = ""
        self._forget(0)

    def _forget(self, seat: int) -> None:
        self._seat = seat
        self._told: dict[str, Any] = {}
        self._order: list[int] = []
        self._pending: list[int] = []
        self._taken = 0  # the count of the last command
        self._mistakes = 0
        self._turn, self._commands = 0, 0

    # --- the agent -------------------------------------------------------------------------------------------------

    def check(self, game: Game) -> None:
        """Refuse rules or a map that the thesis's program does not have, and a program that is not there."""
        if game.name != "risk":
            raise ValueError(f"files plays risk, not {game.name}")
        options = game.options
        wanted = {"fortify": "connected", "cards": False, "victory": "domination"}
        if not options.rule("explicit") or any(options.rule(name) != value for name, value in wanted.items()):
            raise ValueError("files plays risk by the rules of the thesis: give --option rules=thesis-2022")
        if options.world != world_of(CLASSIC):
            raise ValueError("files plays risk on the classic map: leave out --option map")
        if options.rule("setup") not in ("stacked", "bare") and options.start == "drawn":
            raise ValueError(f"files plays no set-up: leave out --option setup={options.rule('setup')}")
        if self.parameters.command:  # else nobody asks for it to be run, but whether there could be one
            check_program(self.name, self._words(1), self.parameters.cwd, self.parameters.log)

    def begin_game(self, game: Game, seat: int) -> None:
        """Start a process in a new folder.

        Raises:
            AgentError: it can't be started, or was silent in all of the last games.
        """
        self.close()
        self._forget(seat)
        if self._silent_games >= FAILED_STARTS:
            raise AgentError(f"{self._why_silent} ({FAILED_STARTS} times, and no other was tried)")
        p = self.parameters
        try:
            source = Path(p.cwd or os.getcwd())
            self._mailbox = Mailbox(source, [name for name in p.copies.split(":") if name], seat)
            self._child = Child(self._words(seat + 1), str(self._mailbox.path), log=p.log or None)
        except OSError as error:
            self.close()
            raise AgentError(f"can't be started: {error.filename or ''} {error.strerror}") from None

    def choose(self, view: View, budget: Budget) -> int:
        """Return what the command of the program says, which may be more than one action.

        Raises:
            AgentError: it ends, writes no command in time, or too many that are none.
        """
        if not self._pending:
            if self._child is None or self._mailbox is None:
                raise AgentError("has no process: no game has begun")
            self._pending = self._ask(view, budget, self._child, self._mailbox)
        return self._pending.pop(0)

    def end_game(self, returns: Sequence[float], reason: str) -> None:
        """Tell the program that it has won, or else that it has lost; let it end; bring back what is to be kept.

        Beside that word it is told the last position that it was told.
        """
        child, mailbox = self._child, self._mailbox
        if child is None or mailbox is None:
            return
        won = returns[self._seat] > 0.0
        with_seat = {"count": 0, "id": self._seat + 1, **self._told}
        try:
            with contextlib.suppress(OSError):  # the program may have removed what it does not want to be told
                mailbox.publish({**with_seat, "count": with_seat["count"] + 1, "state": WINNER if won else LOSER})
            child.end(patience=self.parameters.end)
            if self.parameters.keep:
                mailbox.bring_back()
        finally:
            self.close()

    def close(self) -> None:
        """End the process and all that it has started, and remove its folder."""
        child, self._child = self._child, None
        mailbox, self._mailbox = self._mailbox, None
        if child is not None:
            child.end(patience=0.0)
        if mailbox is not None:
            mailbox.remove()

    # --- commands --------------------------------------------------------------------------------------------------

    def _words(self, number: int) -> list[str]:
        return [word.replace("{seat}", str(number)) for word in command_words(self.parameters.command)]

    def _ask(self, view: View, budget: Budget, child: Child, mailbox: Mailbox) -> list[int]:
        """Tell the position until a command comes that is legal; return its actions."""
        state = view.true_state()  # nothing is hidden
        if not self._order:
            self._order = initial_order(state)
        if self._turn != int(state.record.turn):
            self._turn, self._commands = int(state.record.turn), 0
        while True:
            self._told = state_file(state, self._seat, self._told.get("count", 0) + 1, self._order)
            content = self._next_command(budget, child, mailbox)
            self._commands += 1
            if self._commands > self.parameters.commands:
                raise self._failed(f"wrote more than {self.parameters.commands} commands in a turn")
            try:
                return self._actions(view, content)
            except CommandError as error:
                self._mistakes += 1
                if self._mistakes > self.parameters.mistakes:
                    raise self._failed(
                        f"wrote {self._mistakes} commands that are not allowed; the last: {str(error)[:SHOWN]}"
                    ) from None

    def _actions(self, view: View, content: dict[str, Any]) -> list[int]:
        """Return the actions of a command; CommandError if it is none, or not legal here."""
        command = content.get("command")
        if content.get("id") != self._seat + 1:
            raise CommandError(f"id {_shown(content.get('id'))}, not {self._seat + 1}")
        if not isinstance(command, dict) or not isinstance(command.get("args"), list):
            raise CommandError(f'{_shown(command)}; expected {{"name": TEXT, "args": LIST}}')
        state, actions = view.true_state(), []
        for action in steps(state, [command.get("name"), *command["args"]]):
            actions.append(action)
            state.apply(action)
        return actions

    def _next_command(self, budget: Budget, child: Child, mailbox: Mailbox) -> dict[str, Any]:
        """Write the position until the program has written a command that it had not before."""
        p, first = self.parameters, self._taken == 0
        seconds = budget.seconds
        limit = p.start if first else p.limit if seconds is None else seconds + p.grace
        deadline = time.monotonic() + limit
        again = 0.0
        try:
            while (now := time.monotonic()) < deadline:
                if now >= again:
                    mailbox.publish(self._told)
                    again = now + AGAIN_SECONDS
                content = mailbox.command()
                if content is not None and self._is_new(content):
                    self._silent_games = 0
                    return content
                if budget.control.stopped:
                    raise AgentError("was stopped")
                child.attend(POLL_SECONDS)
        except (ChildError, MailboxError) as error:
            raise self._failed(str(error), silent=first) from None
        except OSError as error:
            raise self._failed(f"removed its folder: {error}", silent=first) from None
        raise self._failed(f"wrote no command within {limit:g} s", silent=first)

    def _is_new(self, content: dict[str, Any]) -> bool:
        count = content.get("count")
        if type(count) is not int or count <= self._taken:
            return False
        self._taken = count
        return True

    def _failed(self, why: str, *, silent: bool = False) -> AgentError:
        """End the process, which can't be trusted any more, and return the reason."""
        self.close()
        if silent:
            self._silent_games, self._why_silent = self._silent_games + 1, why
        return AgentError(why)


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."
