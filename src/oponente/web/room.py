"""What all rooms have in common: the line of a game, visitors who look at it, and agents that they ask about it."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from oponente.agents.base import SearchAgent
from oponente.agents.view import known
from oponente.kernel import TERMINAL, Game
from oponente.web import forms, messages
from oponente.web.forms import Menu
from oponente.web.inquiry import Analysing, Inquiry, Swings
from oponente.web.line import Line, asked, choices, lines, picture, player_of
from oponente.web.visitors import Visitor

MOST_LINES = 300
"""Lines of the log that are put together at a time: for a whole game that takes long."""
MOST_VISITORS = 64
"""Browsers that may have one room open."""


class Room(ABC):
    """A game that visitors look at.

    Args:
        game: the game.
        names: who sits in each seat: the spec of an agent, or ``human``.
        menu: the agents that may be asked.
    """

    def __init__(self, game: Game, names: Sequence[str], menu: Menu) -> None:
        self.game, self.names, self.menu = game, tuple(names), menu
        self.line: Line | None = None
        """None until everything is ready."""
        self.visitors: set[Visitor] = set()
        self.left = time.monotonic()
        """When the last visitor has gone."""
        self.returns: tuple[float, ...] | None = None
        """The utilities of a game that is over."""
        self.reason = ""
        """Why it ended, or can't go on, if not by its rules."""
        self.failed = False
        self.moves_on = forms.moves_on(game)

    # --- what is told ------------------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.returns is not None

    @property
    def occupied(self) -> bool:
        """Whether somebody has the room open."""
        return bool(self.visitors)

    @property
    def busy(self) -> bool:
        """Whether it goes on without anybody."""
        return False

    @property
    def private(self) -> bool:
        """Whether some of what can be seen here is for one seat only."""
        persons = any(name == "human" for name in self.names)
        return persons and not self.game.perfect_information and not self.over

    def seen_by(self, visitor: Visitor) -> int | None:
        """Return the seat as which a visitor sees the game; None: everything."""
        return visitor.seat if self.private else None

    def may_look(self, visitor: Visitor) -> bool:
        """Tell whether a visitor may see the game at all."""
        return visitor.seat is not None or not self.private

    def changed(self) -> None:
        """Let all visitors know that something is another way now."""
        for visitor in self.visitors:
            visitor.changed()

    def enter(self, seat: int | None) -> Visitor | None:
        """Return a new visitor, who is told what the game is; None: there are too many."""
        if len(self.visitors) >= MOST_VISITORS:
            return None
        visitor = Visitor(self, seat)
        self.visitors.add(visitor)
        visitor.tell(
            {
                "type": "hello",
                "game": self.game.name,
                "options": self.game.changed_options,
                "seat": seat,
                "names": self.names,
                "colours": forms.colours(self.game),
                "keys": getattr(self.game.draw, "KEYS", {}),
                "idle": getattr(self.game.draw, "IDLE", 0),
                "moves_on": self.moves_on,
                "analysts": [cls.name for cls in self.menu.agents(self.game) if issubclass(cls, SearchAgent)],
                "analyst": forms.analyst(self.game),
                **self.about(),
            }
        )
        return visitor

    def leave(self, visitor: Visitor) -> None:
        """Let a visitor go, and end what was begun for it alone."""
        if visitor.inquiry is not None:
            visitor.inquiry.stop()
        self.visitors.discard(visitor)
        self.left = time.monotonic()
        self.changed()  # others see who is here

    def position_for(self, visitor: Visitor) -> dict[str, Any]:
        """Return what a visitor is to see now."""
        line = self.line
        base = {"type": "position", "status": self.status, "reason": self.reason, **self.progress()}
        if line is None or not self.may_look(visitor):
            return {**base, "hidden": line is not None}
        ply = len(line) if visitor.shown is None else min(visitor.shown, len(line))
        seat = self.seen_by(visitor)
        state = line.state(ply)
        live = ply == len(line)
        seen = known(state, seat)
        # Of a game without secrets everybody sees the same, but in some games not the same picture.
        painted = visitor.seat if seat is None and not self.over else seat
        player = TERMINAL if live and self.over else state.player
        mine = live and player >= 0 and visitor.seat == player and not self.over
        end = len(line) if self.moves_on else min(len(line), visitor.log + MOST_LINES)
        told = [] if self.moves_on else [line.told(number, seat) for number in range(visitor.log, end)]
        message = {
            **base,
            "ply": ply,
            "last": len(line),
            "live": live,
            "player": player,
            "svg": picture(seen, painted),
            "lines": lines(seen, painted),
            "asked": asked(seen),
            "legal": choices(state, list(state.legal_actions)) if mine and not self.moves_on else [],
            "returns": self.returns,
            "log_start": visitor.log,
            "log": [[one.seat, one.text] for one in told],
        }
        visitor.log = end
        if end < len(line):
            visitor.changed()  # others come first, then the rest
        return message

    @property
    @abstractmethod
    def status(self) -> str:
        """``preparing``, ``playing``, ``paused``, ``over`` or ``failed``."""

    def about(self) -> dict[str, Any]:
        """Return what else a new visitor is told once."""
        return {}

    def progress(self) -> dict[str, Any]:
        """Return what else visitors are told with every position."""
        return {}

    # --- what visitors ask -------------------------------------------------------------------------------------------

    def handle(self, visitor: Visitor, message: Any) -> None:
        """Do what a visitor asks for, or tell it why not: the refusal of a question is an answer to that question."""
        try:
            self._handle(visitor, message)
        except ValueError as error:
            text = " ".join(str(error).split())[:300]
            match message:
                case messages.Analyse(ply=ply):
                    visitor.tell_latest({"type": "analysis", "failed": text, "done": True, "ply": ply})
                case messages.KeyMoments():
                    visitor.tell_latest({"type": "moments", "failed": text, "done": True})
                case _:
                    visitor.error(text)

    def _handle(self, visitor: Visitor, message: Any) -> None:
        if isinstance(message, messages.Show):
            # Also of a game that is being prepared: a link to a position.
            end = None if self.line is None else len(self.line)
            visitor.shown = None if message.ply is None or message.ply == end else message.ply
            visitor.changed()
            return
        if self.line is None:
            raise ValueError("the game is being prepared")
        match message:
            case messages.Analyse():
                self._analyse(visitor, message)
            case messages.KeyMoments(agent=spec):
                self._find_swings(visitor, spec)
            case messages.StopAnalysis():
                if visitor.inquiry is not None:
                    visitor.inquiry.stop()
            case _:
                self.act(visitor, message)

    def act(self, visitor: Visitor, message: Any) -> None:
        """Do what only some rooms know; ValueError: not here, or not now."""
        raise ValueError("that is not possible here")

    def _analyse(self, visitor: Visitor, message: messages.Analyse) -> None:
        assert self.line is not None
        if message.ply > len(self.line):
            raise ValueError(f"the game has {len(self.line)} actions")
        if not self.may_look(visitor):
            raise ValueError("watching begins when the game is over: cards are hidden")
        state = self.line.state(message.ply)
        player = player_of(state)
        if player is None:
            raise ValueError("there is nothing to analyse: chance decides" if state.is_chance else "the game is over")
        if self.private and player != visitor.seat:
            raise ValueError("it is another player's decision: what that player knows is hidden from you")
        if self.private:
            # Whatever is not known is drawn anew: agents that look at the true state must tell nothing.
            state = known(state, player)
        agent = self.menu.chosen_agent(message.agent, self.game)
        self._inquire(visitor, Analysing(agent, state, message.ply, message.seconds))

    def _find_swings(self, visitor: Visitor, spec: str) -> None:
        assert self.line is not None
        if not self.over and any(name == "human" for name in self.names):
            raise ValueError("key moments are found when the game is over")
        self._inquire(visitor, Swings(self.menu.chosen_agent(spec, self.game), self.line))

    def _inquire(self, visitor: Visitor, inquiry: Inquiry) -> None:
        if visitor.inquiry is not None:
            visitor.inquiry.stop()
        inquiry.begin(visitor.tell_latest)
        visitor.inquiry = inquiry

    async def close(self) -> None:
        """Stop all that goes on here."""
        for visitor in list(self.visitors):
            self.leave(visitor)
