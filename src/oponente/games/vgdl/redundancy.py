"""VGDL: finding the actions that undo others: the redundant ones.

Source: B. Santos, "Monte Carlo tree search experiments in general video game playing" (master's thesis, UFJF 2017),
section 5.1. The search makes them less likely in its playouts (`redundancy`, equations 5.1 and 5.2).
"""

from __future__ import annotations

from oponente.games.vgdl.kinds import NIL
from oponente.games.vgdl.observation import StateObservation
from oponente.games.vgdl.playouts import Table, table
from oponente.kernel import State


def found_by_trial(state: State, seat: int) -> Table:
    """Return what a player's actions undo, found by trying every pair of them from a position.

    After the first action, if no event has happened: where the position has changed, the second is redundant if it
    brings the avatar back; where only the orientation has changed, if that changes again; where the avatar has created
    sprites, if the second creates none and changes nothing. Other players do nothing. What is hidden from the player
    does not count.
    """
    start = _Look(state, seat)
    pairs = []
    for first in StateObservation(state, seat).available_actions(with_nil=False):
        after = _advanced(state, seat, first)
        if after.is_terminal or StateObservation(after, seat).events():
            continue
        one = _Look(after, seat)
        for second in StateObservation(after, seat).available_actions(with_nil=False):
            two = _Look(_advanced(after, seat, second), seat)
            if one.position != start.position:
                undone = two.position == start.position
            elif one.created - start.created:
                undone = not two.created - one.created and two.pose == one.pose
            elif one.orientation != start.orientation:
                undone = two.orientation != one.orientation
            else:
                undone = False
            if undone:
                pairs.append((first, second))
    return table(pairs)


class _Look:
    """What is compared: the avatar's place and orientation, and the sprites that avatars have made and it may see."""

    def __init__(self, state: State, seat: int) -> None:
        record = state.record
        avatar = record.sprites[int(record.avatar[seat])]
        self.position = int(avatar.x), int(avatar.y)
        self.orientation = float(avatar.ox), float(avatar.oy)
        self.pose = self.position, self.orientation
        sprites = state.array["sprites"][0][: int(record.slots)]
        shots = sprites[(sprites["type"] >= 0) & (sprites["shot"] != 0)]
        hidden = state.game.tables.program.types["hidden"] >> seat & 1
        shots = shots[hidden[shots["type"]] == 0]
        self.created = set(shots["id"].tolist())


def _advanced(state: State, seat: int, action: int) -> State:
    """Return the state a tick later; the other players do nothing, whatever they have chosen already."""
    after = state.copy()
    after.record.mover = 0
    for player in range(state.game.num_players):
        if not after.is_terminal:
            after.apply(action if player == seat else NIL)
    return after
