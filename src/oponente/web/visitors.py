"""Those who have a room open in a browser, and what is still to be sent to them.

What a visitor sees of the position is put together when it can be sent, not when something happens: a slow browser
misses positions in between, never lines of the log, and nothing piles up here.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oponente.web.inquiry import Inquiry
    from oponente.web.room import Room

MOST_WAITING = 200
"""Messages that wait for a browser at most, beside the position; more are for one that reads nothing."""


class Visitor:
    """A browser in a room.

    Args:
        room: the room.
        seat: the seat of its link; None: it watches.
    """

    def __init__(self, room: Room, seat: int | None) -> None:
        self.room, self.seat = room, seat
        self.shown: int | None = None
        """The ply of the position that it looks at; None: the present one."""
        self.log = 0
        """How many lines of the log it has."""
        self.inquiry: Inquiry | None = None
        self.wake = asyncio.Event()
        self.wake.set()
        self._waiting: list[dict[str, Any]] = []
        self._latest: dict[str, dict[str, Any]] = {}
        self._position_due = True

    def changed(self) -> None:
        """Note that the position, or what is told with it, is another one."""
        self._position_due = True
        self.wake.set()

    def tell(self, message: dict[str, Any]) -> None:
        """Send a message that must not get lost."""
        if len(self._waiting) < MOST_WAITING:
            self._waiting.append(message)
        self.wake.set()

    def tell_latest(self, message: dict[str, Any]) -> None:
        """Send a message that makes earlier ones of its type needless."""
        self._latest[message["type"]] = message
        self.wake.set()

    def error(self, text: str) -> None:
        """Say in one line why what was asked for is not done."""
        self.tell({"type": "error", "text": text})

    async def next(self) -> list[dict[str, Any]]:
        """Wait until there is something to send, and return it."""
        await self.wake.wait()
        self.wake.clear()
        messages, self._waiting = self._waiting, []
        messages += self._latest.values()
        self._latest = {}
        if self._position_due:
            self._position_due = False
            messages.append(self.room.position_for(self))
        return messages
