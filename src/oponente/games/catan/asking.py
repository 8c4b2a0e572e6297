"""Catan: what a player is asked, and what it may answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oponente.games.catan.cards import CARD_COST, CITY_COST, RESOURCES, ROAD_COST, SETTLEMENT_COST, unpack
from oponente.games.catan.moves import (
    ANSWERING,
    BEFORE_ROLL,
    CONFIRMING,
    DISCARDING,
    DRAWING,
    FREE_ROADS,
    MAIN,
    ROBBING,
    ROLLING,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
    STEALING,
    offer_id,
)
from oponente.games.catan.names import action_text, cards_text, count_text, kind_of, node_text, wrapped
from oponente.games.catan.state import DRAW
from oponente.kernel import State

COSTS = {"road": ROAD_COST, "settlement": SETTLEMENT_COST, "city": CITY_COST, "development card": CARD_COST}
"""What is built and bought for resource cards."""
_CHANCE = {ROLLING: "dice 8", STEALING: "steals ore", DRAWING: "draws knight"}
"""Examples of chance outcomes, by phase."""


def costs_lines() -> list[str]:
    """Return what everything costs."""
    return wrapped("costs:", [f"{thing} {cards_text(unpack(price))}" for thing, price in COSTS.items()])


# --- what is asked ---------------------------------------------------------------------------------------------------


def decision_text(state: State) -> str:
    """Return what the player to move has to do, as all see it."""
    record = state.record
    return {
        SETTING_SETTLEMENT: "place a settlement",
        SETTING_ROAD: f"place a road at {node_text(int(record.home))}",
        BEFORE_ROLL: "roll",
        DISCARDING: f"discard {int(record.owed[state.player])} more",
        ROBBING: "move the robber",
        MAIN: "trade, build, or end the turn",
        FREE_ROADS: f"place {count_text(int(record.free_roads), 'free road')}",
        ANSWERING: "answer the offer",
        CONFIRMING: "confirm a trade, or withdraw",
    }[int(record.phase)]


def examples(state: State) -> list[str]:
    """Return one action of each kind of those that are legal, what ends the turn or does nothing last."""
    if state.is_chance:
        return [_CHANCE[int(state.record.phase)]]
    kinds: dict[str, str] = {}
    for action in [*state.legal_actions, *open_actions(state)]:
        text = action_text(state, int(action))
        kinds.setdefault(text.partition(" ")[0], text)
    return list(kinds.values())


def status_lines(state: State, seat: int | None) -> list[str]:
    """Return whose turn it is and what is to be done; to who is asked (or sees all), with examples."""
    record = state.record
    if state.is_terminal:
        return [
            "draw: the limit of turns is reached" if record.winner == DRAW else f"player {record.winner + 1} has won"
        ]
    parts = [f"turn {record.turn} of player {record.mover + 1}" if record.turn else "set-up"]
    if record.rolled:
        parts.append(f"rolled {record.rolled}")
    if state.is_chance:
        return [", ".join(parts)]
    parts.append(f"player {state.player + 1}: {decision_text(state)}")
    line = ", ".join(parts)
    if seat not in (None, state.player):
        return [line]
    # A text of several legal moves would tell others what cards are in the hand.
    return [line, *wrapped("for example:", examples(state))]


def brief_text(state: State) -> str:
    """Return what a player is asked who goes on discarding; else nothing, for the board has changed."""
    record = state.record
    if int(record.phase) != DISCARDING:
        return ""
    return f"{decision_text(state)}; you have {cards_text(unpack(record.known[state.player, state.player]))}"


# --- what may be answered --------------------------------------------------------------------------------------------


def help_text(state: State, actions: Iterable[int]) -> str:
    """Return legal actions of a state, a line for each kind, as a player reads them."""
    kinds: dict[str, list[str]] = {}
    for action in actions:
        word, rest = kind_of(state, int(action))
        kinds.setdefault(word, []).append(rest)
    lines = []
    for word, places in kinds.items():
        lines += wrapped(f"{word}:", places) if places[0] else [word]
    lines += _offer_help(state)
    if int(state.record.phase) == MAIN:
        lines += costs_lines()
    return "\n".join(lines)


def _offer_help(state: State) -> list[str]:
    """Return how to write offers that are not listed, where they are legal."""
    record = state.record
    held = cards_text(unpack(record.known[state.player, state.player]))
    example = next((action_text(state, action) for action in open_actions(state)), "")
    if not example:
        return []
    if int(record.phase) == ANSWERING:
        return wrapped("counter:", [f"other cards of yours ({held}) for theirs", f"for example {example}"])
    left = count_text(int(state.game.tables.rules.offers) - int(record.offers), "offer")
    return wrapped(
        "offer:", [f"also several cards of yours ({held})", f"for example {example}", f"{left} left this turn"]
    )


def open_actions(state: State) -> Iterator[int]:
    """Yield some legal offers that are not listed: two cards for one, and in answers also one card for one."""
    record = state.record
    phase = int(record.phase)
    rules = state.game.tables.rules
    if phase != ANSWERING and not (phase == MAIN and rules.trade and record.offers < rules.offers):
        return
    held = unpack(record.known[state.player, state.player])
    for given, count in enumerate(held):
        wanted = (given + 1) % len(RESOURCES)
        for amount in (1, 2) if phase == ANSWERING else (2,):
            if count >= amount:
                yield offer_id([amount * (i == given) for i in range(5)], [int(i == wanted) for i in range(5)])
