"""Games in real time: what happens to who decides too late."""

from __future__ import annotations

from typing import NamedTuple


class RealTime(NamedTuple):
    """The clock of a game that does not wait."""

    start: float
    """Seconds that a player has before the first decision, besides what the decision itself may take. They begin when
    the player is told of the game; who is not ready for it after them is disqualified."""
    decision: float
    """Seconds for a decision. Who takes longer has done `idle`."""
    latest: float
    """Seconds after which a player is disqualified."""
    idle: int
    """The action of one who is late."""
