"""A mirrored game as a record by our rules: what was guessed on the way becomes what must have been, as far as the end
tells, and the whole is played again to see that it is a game.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from oponente.games.catan.cards import DECK, KNIGHT, MONOPOLY, ROAD_BUILDING, VICTORY_POINT, YEAR_OF_PLENTY
from oponente.games.catan.moves import (
    DISCARD,
    DRAW_CARD,
    END_TURN,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    STEAL,
)
from oponente.kernel import IllegalActionError

if TYPE_CHECKING:
    from oponente.interop.jsettlers.mirror_core import MirrorCore, Step


def actions_of(mirror: MirrorCore) -> tuple[int, ...] | None:
    """Return all actions and chance outcomes of a game that has ended, None if they are no game by our rules."""
    if not mirror.replayable:
        return None
    resources = mirror.ledger.resolved()
    actions = [_resolved(step, resources) for step in mirror.steps]
    cards = _drawn(mirror.steps, mirror.revealed)
    if cards is None:
        return None
    for place, card in cards.items():
        actions[place] = DRAW_CARD + card
    state = mirror.live.game.start()
    state.undoable = False
    try:
        for action in actions:
            state.apply(action)
    except IllegalActionError:
        return None
    return tuple(actions) if state.is_terminal and int(state.record.winner) == mirror.winner else None


def _resolved(step: Step, resources: Sequence[int]) -> int:
    if step.guess is None:
        return step.action
    return (STEAL if step.action >= STEAL else DISCARD) + resources[step.guess]


def _drawn(steps: Sequence[Step], revealed: dict[int, int]) -> dict[int, int] | None:
    """Return the card of each unseen draw by its place, None if there is no way.

    A card that is played is the first one that was drawn in an earlier turn and is not accounted for; victory points
    are the last ones; the rest is whatever the deck has left.
    """
    left = list(DECK)
    waiting: dict[int, list[tuple[int, int]]] = {}  # place and turn of the draws of each seat
    cards: dict[int, int] = {}
    turn = 0
    for place, step in enumerate(steps):
        if step.action == END_TURN:
            turn += 1
        elif step.draw is not None:
            waiting.setdefault(step.draw, []).append((place, turn))
        elif DRAW_CARD <= step.action < DRAW_CARD + len(DECK):
            left[step.action - DRAW_CARD] -= 1
    plays = _plays(steps)
    for seat, turn_played, card in plays:
        mine = waiting.get(seat, [])
        if not mine:
            continue  # its draws were seen
        early = next((draw for draw in mine if draw[1] < turn_played), None)
        if early is None:
            return None
        mine.remove(early)
        cards[early[0]] = card
        left[card] -= 1
    for seat, count in revealed.items():
        mine = waiting.get(seat, [])
        for place, _ in mine[len(mine) - count :] if count and len(mine) >= count else ():
            cards[place] = VICTORY_POINT
            left[VICTORY_POINT] -= 1
    for draws in waiting.values():
        for place, _ in draws:
            if place not in cards:
                card = max((kind for kind in range(len(DECK)) if kind != VICTORY_POINT), key=left.__getitem__)
                cards[place] = card
                left[card] -= 1
    return cards if min(left) >= 0 else None


def _plays(steps: Sequence[Step]) -> list[tuple[int, int, int]]:
    """Return seat, turn and card of each card that was played."""
    found = []
    turn = 0
    for step in steps:
        if step.action == END_TURN:
            turn += 1
            continue
        action = step.action
        if action == PLAY_KNIGHT:
            card = KNIGHT
        elif action == PLAY_ROAD_BUILDING:
            card = ROAD_BUILDING
        elif PLAY_MONOPOLY <= action < PLAY_MONOPOLY + 5:
            card = MONOPOLY
        elif PLAY_YEAR_OF_PLENTY <= action < DISCARD:
            card = YEAR_OF_PLENTY
        else:
            continue
        found.append((step.mover, turn, card))
    return found
