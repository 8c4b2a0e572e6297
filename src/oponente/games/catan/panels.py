"""Catan: what a seat knows of the turn, the bank and the players, as panels of an SVG picture."""

from __future__ import annotations

from oponente.games.catan.building import CITIES, ROADS, SETTLEMENTS
from oponente.games.catan.cards import DEVELOPMENT_CARDS, KNIGHT, VICTORY_POINT, unpack
from oponente.games.catan.moves import (
    ANSWERING,
    BEFORE_ROLL,
    CONFIRMING,
    DISCARDING,
    FREE_ROADS,
    MAIN,
    ROBBING,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
)
from oponente.games.catan.names import roads_of
from oponente.games.catan.state import DRAW
from oponente.games.catan.svg import INK, PAPER, QUIET, SEAT_COLOURS, SEAT_INKS, card, middle, text, title
from oponente.games.catan.terminal import offer_lines
from oponente.kernel import State

WIDTH = 350
_PANEL = 122
_DOES = {
    SETTING_SETTLEMENT: "places a settlement",
    SETTING_ROAD: "places a road",
    FREE_ROADS: "places a free road",
    BEFORE_ROLL: "is to roll",
    DISCARDING: "discards",
    ROBBING: "moves the robber",
    MAIN: "builds and trades",
    ANSWERING: "answers the offer",
    CONFIRMING: "chooses a partner",
}


def headline(state: State) -> str:
    """Return who has won, or who is to do what."""
    record = state.record
    if state.is_terminal:
        return "draw: the limit of turns is reached" if record.winner == DRAW else f"player {record.winner + 1} has won"
    if state.is_chance:
        return "chance decides"
    return f"player {state.player + 1} {_DOES[int(record.phase)]}"


def panels(state: State, seat: int | None, x: int, y: int) -> tuple[list[str], int]:
    """Return the panels as a seat sees them, and the height that they end at.

    Args:
        state: the state.
        seat: who looks; None: somebody who sees all cards.
        x, y: the corner in the north-west.
    """
    parts = [f'<g transform="translate({x} 0)">']
    part, y = _turn(state, y)
    parts += part
    offer = offer_lines(state)
    if offer:
        height = 12 + 18 * len(offer)
        parts.append(f'<g data-offer=""><rect y="{y}" width="{WIDTH}" height="{height}" rx="8" fill="#fff3cf" ')
        parts.append('stroke="#c79a00"/>')
        parts += [text(12, y + 20 + 18 * i, line, 13, bold=i == 0) for i, line in enumerate(offer)]
        parts.append("</g>")
        y += height + 8
    for holder in range(state.game.num_players):
        parts += _player(state, holder, seat, y)
        y += _PANEL + 8
    return [*parts, "</g>"], y + 6


def _turn(state: State, y: int) -> tuple[list[str], int]:
    """Return the panel with the turn, the last roll and the bank."""
    record = state.record
    over = state.is_terminal
    turn = f"turn {record.turn} of player {record.mover + 1}" if record.turn else "set-up"
    parts = [
        f'<rect y="{y}" width="{WIDTH}" height="92" rx="10" fill="{"#d9f2dd" if over else PAPER}" stroke="#c3ccd4"/>',
        text(12, y + 26, headline(state).capitalize(), 18 if len(headline(state)) < 28 else 15, bold=True),
        text(12, y + 46, turn, 13, fill=QUIET),
    ]
    if record.rolled:
        parts.append(
            f'<g data-rolled="{record.rolled}">{title(f"rolled {record.rolled}")}'
            f'<rect x="{WIDTH - 50}" y="{y + 8}" width="40" height="40" rx="9" fill="{PAPER}" stroke="{INK}" '
            f'stroke-width="2"/>{middle(WIDTH - 30, y + 36, str(record.rolled), 22, bold=True)}</g>'
        )
        parts.append(text(WIDTH - 58, y + 46, "rolled", 13, fill=QUIET, anchor="end"))
    deck = sum(int(count) for count in record.deck)
    parts.append(f'<g data-bank="">{text(12, y + 76, "Bank", 13)}')
    parts += [card(54 + 38 * kind, y + 59, kind, count) for kind, count in enumerate(unpack(record.bank))]
    parts.append(f"{text(250, y + 76, f'{deck} dev. cards', 13)}</g>")
    return parts, y + 100


def _player(state: State, holder: int, seat: int | None, y: int) -> list[str]:
    record = state.record
    acts = not state.is_terminal and not state.is_chance and state.player == holder
    won = state.is_terminal and record.winner == holder
    edge, breadth = ("#1f7a3a", 3) if won else (INK, 3) if acts else ("#c3ccd4", 1)
    colour, ink = SEAT_COLOURS[holder], SEAT_INKS[holder]
    parts = [
        f'<g data-player="{holder + 1}" transform="translate(0 {y})">',
        f'<rect width="{WIDTH}" height="{_PANEL}" rx="10" fill="{PAPER}" stroke="{edge}" stroke-width="{breadth}"/>',
        f'<rect x="10" y="9" width="26" height="26" rx="6" fill="{colour}" stroke="{INK}" stroke-width="1.5"/>',
        middle(23, 28, str(holder + 1), 17, fill=ink, bold=True),
        text(46, 28, f"Player {holder + 1}{' (you)' if holder == seat else ''}", 16, bold=True),
    ]
    note = "has won" if won else "to act" if acts else "on turn" if record.turn and record.mover == holder else ""
    if note:
        parts.append(text(184 if holder == seat else 134, 28, f"◀ {note}", 13, fill=QUIET))
    parts.append(_points(state, holder, seat))
    return [*parts, *_hand(state, holder, seat), *_open(state, holder, seat), "</g>"]


def _points(state: State, holder: int, seat: int | None) -> str:
    """Return the points that all see, and with hidden cards if the seat knows them."""
    public, hidden = int(state.record.points[holder]), int(state.record.cards[holder, VICTORY_POINT])
    points = f"{public} point{'' if public == 1 else 's'}"
    if seat in (None, holder) and hidden:
        points += f" ({public + hidden} in all)"
    return text(WIDTH - 12, 28, points, 15, bold=True, anchor="end")


def _hand(state: State, holder: int, seat: int | None) -> list[str]:
    """Return the resource cards: those that the seat is sure of by kind, then how many others there are."""
    record = state.record
    size = sum(unpack(record.known[holder, holder]))
    known = unpack(record.known[holder, holder if seat is None else seat])
    parts = [text(12, 60, f"{size} card{'' if size == 1 else 's'}", 13)]
    shown = [(kind, count) for kind, count in enumerate(known) if count]
    kinds: list[tuple[int | None, int]] = [*shown, *([(None, size - sum(known))] if size > sum(known) else [])]
    return parts + [card(72 + 40 * place, 43, kind, count) for place, (kind, count) in enumerate(kinds)]


def _open(state: State, holder: int, seat: int | None) -> list[str]:
    """Return development cards, knights, road, awards, and the pieces left."""
    record = state.record
    cards = [int(count) for count in record.cards[holder]]
    held = f"{sum(cards)} development card{'' if sum(cards) == 1 else 's'}"
    if seat in (None, holder) and any(cards):
        listed = [f"{count} {DEVELOPMENT_CARDS[i]}" for i, count in enumerate(cards) if count]
        held = f"dev. cards: {', '.join(listed)}"
    left = (
        f"left {ROADS - len(roads_of(state, holder))} roads, "
        f"{SETTLEMENTS - int(record.settlements[holder]).bit_count()} settlements, "
        f"{CITIES - int(record.cities[holder]).bit_count()} cities"
    )
    knights, road = int(record.played[holder, KNIGHT]), int(record.road_length[holder])
    parts = [
        # A hand of all five kinds of development cards is wider than the panel at the usual size.
        text(12, 84, held, 13 if len(held) < 52 else 10.5),
        text(12, 105, f"{knights} knight{'' if knights == 1 else 's'} · road {road}", 13),
    ]
    awards = [
        name
        for name, who in (("longest road", record.road_holder), ("largest army", record.army_holder))
        if who == holder
    ]
    if not awards:
        return [*parts, text(WIDTH - 12, 105, left, 11, fill=QUIET, anchor="end")]
    for place, name in enumerate(awards):
        x = 144 + 101 * place
        parts.append(
            f'<g data-award="{name}">{title(f"{left}")}<rect x="{x}" y="90" width="98" height="22" rx="11" '
            f'fill="#ffe08a" stroke="#a87a0a"/>{middle(x + 49, 105, name, 13)}</g>'
        )
    return parts
