"""Catan: what has happened, as one line for all at the table."""

from __future__ import annotations

from oponente.games.catan.board import TILE_NODES, TILES, bits
from oponente.games.catan.cards import DESERT, RESOURCES, unpack
from oponente.games.catan.moves import (
    ANSWERING,
    CONFIRMING,
    DICE,
    DRAWING,
    PLAY_MONOPOLY,
    ROLLING,
    SETTING_SETTLEMENT,
    STEALING,
    WITHDRAW,
)
from oponente.games.catan.names import action_text, cards_text, count_text
from oponente.kernel import State


def event_text(before: State, action: int, after: State) -> str:
    """Return what happened: an action or chance outcome, and what everybody sees to have come of it.

    Args:
        before: the state that it was taken in.
        action: it, as who is told saw it (a theft or a draw that it could not see is masked).
        after: the state that it led to.
    """
    record = before.record
    phase = int(record.phase)
    text = action_text(before, action)
    if phase == STEALING:
        text = f"player {record.mover + 1} {text} from player {record.victim + 1}"
    elif phase == DRAWING:
        text = f"player {record.mover + 1} {text}"
    return "; ".join([text, *_consequences(before, action, after), *_awards(before, after)])


def _consequences(before: State, action: int, after: State) -> list[str]:
    record = before.record
    phase = int(record.phase)
    mover = int(record.mover)
    if phase == ROLLING:
        return _dice(before, action - DICE, after)
    if phase == SETTING_SETTLEMENT:
        got = cards_text(_gained(before, after, mover))
        return [f"player {mover + 1} gets {got}"] if got else []
    if PLAY_MONOPOLY <= action < PLAY_MONOPOLY + len(RESOURCES):
        lost = [(seat, _gained(after, before, seat)) for seat in range(before.game.num_players) if seat != mover]
        taken = [f"{cards_text(cards)} from player {seat + 1}" for seat, cards in lost if sum(cards)]
        return [f"player {mover + 1} takes {' and '.join(taken)}" if taken else "nobody has any"]
    if phase == CONFIRMING and action != WITHDRAW:
        give, get = cards_text(_gained(after, before, mover)), cards_text(_gained(before, after, mover))
        return [f"player {mover + 1} gives {give} for {get}"]
    if action == WITHDRAW or (phase == ANSWERING and not after.record.offer):
        return [_off(action)]
    return []


def _dice(before: State, number: int, after: State) -> list[str]:
    seats = range(before.game.num_players)
    if number == 7:
        owed = [int(count) for count in after.record.owed]
        return [f"player {seat + 1} must discard {count_text(owed[seat], 'card')}" for seat in seats if owed[seat]]
    got = [(seat, cards_text(_gained(before, after, seat))) for seat in seats]
    paid = [f"player {seat + 1} gets {cards}" for seat, cards in got if cards] or ["nobody gets anything"]
    return [*paid, *_unpaid(before, number, after)]


def _unpaid(before: State, number: int, after: State) -> list[str]:
    """Return what the dice did not bring although it was due, and why: the robber, or a short bank."""
    record = before.record
    seats = range(before.game.num_players)
    due, kept = [[0] * len(RESOURCES) for _ in seats], [[0] * len(RESOURCES) for _ in seats]
    for tile in range(TILES):
        if int(record.number[tile]) == number and record.terrain[tile] != DESERT:
            corners = TILE_NODES[tile]
            for seat in seats:
                cards = len(bits(record.settlements[seat] & corners)) + 2 * len(bits(record.cities[seat] & corners))
                (kept if tile == record.robber else due)[seat][record.terrain[tile]] += cards
    lines = [
        f"the robber keeps {cards_text(tuple(kept[seat]))} from player {seat + 1}" for seat in seats if any(kept[seat])
    ]
    for resource, held in enumerate(unpack(record.bank)):
        whole = sum(due[seat][resource] for seat in seats)
        if whole > held:
            who = [seat for seat in seats if due[seat][resource]]
            line = (
                f"the bank had {f'only {held}' if held else 'none'} of the {whole} {RESOURCES[resource]} due to "
                f"{' and '.join(f'player {seat + 1}' for seat in who)}"
            )
            paid = any(_gained(before, after, seat)[resource] for seat in who)
            lines.append(line if paid or not held else f"{line}, so nobody gets any")
    return lines


def _off(action: int) -> str:
    """Return why an offer has come to nothing."""
    return "the offer is off" if action == WITHDRAW else "the offer is off: nobody accepts"


def _awards(before: State, after: State) -> list[str]:
    """Return who has got the longest road or the largest army."""
    lines = []
    for name, field in (("longest road", "road_holder"), ("largest army", "army_holder")):
        old, new = int(getattr(before.record, field)), int(getattr(after.record, field))
        if old != new:
            lines.append(f"player {new + 1} now has the {name}" if new >= 0 else f"nobody has the {name} now")
    return lines


def _gained(before: State, after: State, seat: int) -> tuple[int, ...]:
    """Return the resource cards that a hand has more of afterwards."""
    hands = (unpack(state.record.known[seat, seat]) for state in (before, after))
    return tuple(max(0, new - old) for old, new in zip(*hands, strict=True))
