"""What is told of a game to those at the table while it is played."""

from __future__ import annotations

from collections.abc import Iterable

from oponente.kernel import State


def happened(before: State, action: int, after: State, seats: Iterable[int]) -> str | None:
    """Return what happened, as far as all the given seats may see it; all of it if there are none.

    A game's ``event_text(before, action, after)`` may tell more than the action's own text: what has come of it.

    Args:
        before: the state in which the action was taken.
        action: the action, or what chance decided.
        after: the state that it led to.
        seats: those who are told.

    Returns:
        One line; None if they may not see what was done.
    """
    notation = before.game.text
    if not before.game.perfect_information:
        masked = {before.observed(action, seat) for seat in seats} - {action}
        # Without a notation a masked action is a number that says nothing.
        if len(masked) > 1 or (masked and not hasattr(notation, "action_text")):
            return None
        action = masked.pop() if masked else action
    tell = getattr(notation, "event_text", None)
    return str(tell(before, action, after)) if tell else before.action_text(action)
