"""Risk: what has happened, as one line for all at the table."""

from __future__ import annotations

from oponente.games.risk.moves import (
    ATTACK,
    DRAW_CARD,
    LOSSES,
    MISSIONS,
    OVER,
    THROWING,
    TRADE,
    UNSEEN_CARD,
)
from oponente.games.risk.names import action_text, at_stake, count_text, members, mission_text, name_of
from oponente.games.risk.state import DRAW
from oponente.kernel import State


def event_text(before: State, action: int, after: State) -> str:
    """Return what happened: an action or chance outcome, and what everybody sees to have come of it.

    Args:
        before: the state that it was taken in.
        action: it, as who is told saw it (a card that it could not see is masked).
        after: the state that it led to.
    """
    parts = [_action(before, action, after), *_eliminations(before, after)]
    if int(after.record.turn) > int(before.record.turn) and int(after.record.phase) != OVER:
        mover = int(after.record.mover)
        armies = int(after.record.pool[mover]) + int(after.record.reserved.sum())
        parts.append(f"player {mover + 1} begins turn {int(after.record.turn)} with {count_text(armies, 'army')}")
    if int(after.record.phase) == OVER:
        parts.append(_end(after))
    return "; ".join(parts)


def _action(before: State, action: int, after: State) -> str:
    record = before.record
    mover = int(record.mover)
    text = action_text(before, action)
    if int(record.phase) == THROWING:
        lost, stake = action - LOSSES, at_stake(before)
        attacker, defender = name_of(before, int(record.origin)), name_of(before, int(record.target))
        text = f"{attacker} loses {stake - lost}, {defender} {lost}"
        if int(after.record.owner[record.target]) == mover:
            text += f"; {defender} falls"
        return text
    if action >= DRAW_CARD:
        return f"player {mover + 1} draws a card" if action - DRAW_CARD == UNSEEN_CARD else f"player {mover + 1} {text}"
    if TRADE <= action < LOSSES:
        gained = int(after.record.pool[mover]) - int(record.pool[mover])
        return f"{text} for {count_text(gained, 'army')}" if gained > 0 else f"{text}; there is no room for its armies"
    if ATTACK <= action < TRADE:
        origin, target = (action - ATTACK) // 64 % 64, (action - ATTACK) % 64
        return f"{text} ({int(record.armies[origin])} against {int(record.armies[target])})"
    return text


def _eliminations(before: State, after: State) -> list[str]:
    """Return who was eliminated by the player on turn: afterwards it may be the next one's turn."""
    parts = []
    mover = int(before.record.mover)
    for seat in range(before.game.num_players):
        if int(before.record.turn) and members(before.record.held[seat]) and not members(after.record.held[seat]):
            cards = int(before.record.hand[seat]).bit_count()
            spoils = f", and gets {count_text(cards, 'card')}" if cards else ""
            parts.append(f"player {mover + 1} eliminates player {seat + 1}{spoils}")
    return parts


def _end(after: State) -> str:
    winner = int(after.record.winner)
    if winner == DRAW:
        return "the limit of turns is reached: a draw"
    text = f"player {winner + 1} has won"
    if int(after.game.tables.rules.victory) == MISSIONS:
        world = after.game.options.world
        text += f" (mission: {mission_text(world, world.missions[int(after.record.mission[winner])], winner)})"
    return text
