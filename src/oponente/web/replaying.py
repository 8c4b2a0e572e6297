"""A recorded game that is looked at."""

from __future__ import annotations

import asyncio
from typing import Any

from oponente.arena.replay import Recording
from oponente.kernel import Game
from oponente.web.forms import Menu
from oponente.web.line import LONGEST, Line
from oponente.web.room import Room
from oponente.web.visitors import Visitor


class Replay(Room):
    """A recorded game that is looked at; everybody sees everything.

    Args:
        game: its rules.
        recording: the game, whose actions are checked while it is prepared.
        menu: the agents that there are.
        stored: whether it is in the database, not in a file that a browser has sent.
        at_end: whether visitors see the last position first, not the first one.
    """

    def __init__(
        self, game: Game, recording: Recording, menu: Menu, *, stored: bool = True, at_end: bool = False
    ) -> None:
        super().__init__(game, recording.agents, menu)
        self.recording, self._stored, self._at_end = recording, stored, at_end
        self.returns, self.reason = recording.returns, recording.reason

    def begin(self) -> None:
        """Play the actions, in a thread."""
        self._task = asyncio.create_task(self._run())  # kept: the loop alone does not keep it alive

    async def _run(self) -> None:
        try:
            self.line = await asyncio.to_thread(self._replayed)
        except Exception as error:
            self.failed, self.reason = True, " ".join(str(error).split())[:300]
        self.changed()

    def _replayed(self) -> Line:
        if len(self.recording.actions) > LONGEST:
            raise ValueError(f"the game is too long for the page: it has more than {LONGEST} actions")
        states = self.recording.states(self.game)
        line = Line(next(states))
        for state in states:
            line.append(state)
        return line

    @property
    def status(self) -> str:
        """Over, once it is ready."""
        return "failed" if self.failed else "preparing" if self.line is None else "over"

    def enter(self, seat: int | None) -> Visitor | None:
        """Let a visitor in, at the first position or the last."""
        visitor = super().enter(seat)
        if visitor is not None and not self._at_end:
            visitor.shown = 0
        return visitor

    def about(self) -> dict[str, Any]:
        """Return what else a new visitor is told once."""
        recording = self.recording
        match = recording.match if self._stored else None
        return {"kind": "replay", "seed": recording.start_seed, "match": match, "index": recording.index}
