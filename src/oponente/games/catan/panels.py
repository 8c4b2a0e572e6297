"""Catan: what a seat knows of the turn, the bank and the players, as panels of an SVG picture."""

from __future__ import annotations

from textwrap import wrap

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

WIDTH = 390
_LINE, _LINE_LENGTH = 16, 50
"""Height of a line of text in a panel, and how many letters it has at most."""
_WON = "#1f7a3a"
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
        y += height + 10
    for holder in range(state.game.num_players):
        part, height = _player(state, holder, seat, y)
        parts += part
        y += height + 10
    return [*parts, "</g>"], y + 4


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
    parts += [card(48 + 46 * kind, y + 59, kind, count) for kind, count in enumerate(unpack(record.bank))]
    parts.append(f"{text(WIDTH - 12, y + 76, f'{deck} dev. cards', 12, anchor='end')}</g>")
    return parts, y + 102


def _player(state: State, holder: int, seat: int | None, y: int) -> tuple[list[str], int]:
    """Return the panel of a player, and its height."""
    record = state.record
    acts = not state.is_terminal and not state.is_chance and state.player == holder
    won = state.is_terminal and record.winner == holder
    edge, breadth = (_WON, 3) if won else (INK, 3) if acts else ("#c3ccd4", 1)
    held = _development(state, holder, seat)
    height = 114 + _LINE * len(held)
    note = "has won" if won else "to act" if acts else "on turn" if record.turn and record.mover == holder else ""
    return [
        f'<g data-player="{holder + 1}" transform="translate(0 {y})">',
        f'<rect width="{WIDTH}" height="{height}" rx="10" fill="{PAPER}" stroke="{edge}" stroke-width="{breadth}"/>',
        _note(note, _WON if won else INK if acts else QUIET) if note else "",
        f'<rect x="10" y="9" width="26" height="26" rx="6" fill="{SEAT_COLOURS[holder]}" stroke="{INK}" '
        'stroke-width="1.5"/>',
        middle(23, 28, str(holder + 1), 17, fill=SEAT_INKS[holder], bold=True),
        text(46, 28, f"Player {holder + 1}{' (you)' if holder == seat else ''}", 16, bold=True),
        _points(state, holder, seat),
        *_hand(state, holder, seat),
        *(text(12, 85 + _LINE * i, line, 13) for i, line in enumerate(held)),
        *_open(state, holder, 85 + _LINE * len(held)),
        "</g>",
    ], height


def _note(content: str, colour: str) -> str:
    """Return a label on the upper border of a panel."""
    return (
        f'<g data-note=""><rect x="{WIDTH / 2 - 34:g}" y="-8" width="68" height="16" rx="8" fill="{colour}"/>'
        f"{middle(WIDTH / 2, 4, content, 11.5, fill=PAPER, bold=True)}</g>"
    )


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
    return parts + [card(88 + 49 * place, 43, kind, count) for place, (kind, count) in enumerate(kinds)]


def _development(state: State, holder: int, seat: int | None) -> list[str]:
    """Return lines about the development cards in a hand: their number, or which they are if the seat knows them."""
    cards = [int(count) for count in state.record.cards[holder]]
    if seat not in (None, holder) or not any(cards):
        return [f"{sum(cards)} development card{'' if sum(cards) == 1 else 's'}"]
    listed = [f"{count} {DEVELOPMENT_CARDS[i]}" for i, count in enumerate(cards) if count]
    return wrap(f"dev. cards: {', '.join(listed)}", _LINE_LENGTH)


def _open(state: State, holder: int, y: float) -> list[str]:
    """Return knights, road and awards on a line, and below it the pieces left."""
    record = state.record
    left = ", ".join(
        f"{count} {one if count == 1 else several}"
        for count, one, several in (
            (ROADS - len(roads_of(state, holder)), "road", "roads"),
            (SETTLEMENTS - int(record.settlements[holder]).bit_count(), "settlement", "settlements"),
            (CITIES - int(record.cities[holder]).bit_count(), "city", "cities"),
        )
    )
    knights, road = int(record.played[holder, KNIGHT]), int(record.road_length[holder])
    parts = [
        text(12, y + 3, f"{knights} knight{'' if knights == 1 else 's'} · road {road}", 13),
        text(12, y + 20, f"left: {left}", 11.5, fill=QUIET),
    ]
    awards = [
        name
        for name, who in (("longest road", record.road_holder), ("largest army", record.army_holder))
        if who == holder
    ]
    for place, name in enumerate(awards):
        x = WIDTH - 112 * (place + 1)
        parts.append(
            f'<g data-award="{name}"><rect x="{x}" y="{y - 12:g}" width="104" height="22" rx="11" '
            f'fill="#ffe08a" stroke="#a87a0a"/>{middle(x + 52, y + 3, name, 13)}</g>'
        )
    return parts
