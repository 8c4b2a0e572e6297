"""Risk: how territories, cards and actions are called in texts and pictures."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from oponente.games.risk.moves import (
    AMOUNT,
    ATTACK,
    BONUS,
    CAPITAL,
    CLAIM,
    DONE,
    DRAW_CARD,
    FEWER_DICE,
    LOSSES,
    MOVE_FROM,
    MOVE_TO,
    PLACE,
    THROWING,
    TRADE,
    UNSEEN_CAPITAL,
    UNSEEN_CARD,
)
from oponente.games.risk.state import FREE, NEUTRAL
from oponente.games.risk.world import SYMBOLS, Mission, World
from oponente.kernel import State

COLUMNS = 100
"""Width of texts."""
_PLACES = {CLAIM: "claim", PLACE: "place", CAPITAL: "capital", BONUS: "bonus", MOVE_FROM: "move", MOVE_TO: "to"}
"""What one types before a territory."""


def world_of(state: State) -> World:
    """Return the map that is played on."""
    world: World = state.game.options.world
    return world


def name_of(state: State, territory: int) -> str:
    """Return the name of a territory."""
    return world_of(state).territories[territory].name


def members(mask: int) -> list[int]:
    """Return the numbers of the bits that are set."""
    return [number for number in range(64) if int(mask) >> number & 1]


def owner_text(owner: int) -> str:
    """Return who holds a territory: ``player 1``, ``neutral``, ``free``."""
    return {NEUTRAL: "neutral", FREE: "free"}.get(owner, f"player {owner + 1}")


def card_text(state: State, card: int) -> str:
    """Return the name of a card: its territory, or ``wild 1``."""
    territories = world_of(state).territories
    return territories[card].name if card < len(territories) else f"wild {card - len(territories) + 1}"


def symbol_text(state: State, card: int) -> str:
    """Return what a card shows: ``infantry``, ``cavalry``, ``artillery`` or ``wild``."""
    territories = world_of(state).territories
    return SYMBOLS[territories[card].symbol] if card < len(territories) else "wild"


def count_text(count: int, noun: str) -> str:
    """Return a number of things: ``1 army``, ``2 armies``, ``3 cards``."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def mission_text(world: World, mission: Mission, seat: int) -> str:
    """Return what a mission asks of the player in a seat."""
    if mission.destroy is not None:
        reason = "that is you" if mission.destroy == seat else "if another does or nobody plays it"
        return f"destroy player {mission.destroy + 1} ({reason}: hold 24 territories)"
    if mission.continents:
        names = " and ".join(world.continents[continent].name for continent in mission.continents)
        return f"hold {names}" + (f" and {count_text(mission.more, 'other continent')}" if mission.more else "")
    each = f" with {mission.armies} armies or more on each" if mission.armies > 1 else ""
    return f"hold {count_text(mission.territories, 'territory')}{each}"


def action_text(state: State, action: int) -> str:
    """Return what one types for an action, or what a chance outcome is called."""
    if action >= DRAW_CARD:
        card = action - DRAW_CARD
        return "draws a card" if card == UNSEEN_CARD else f"draws {card_text(state, card)}"
    if action >= LOSSES:
        return f"losses {at_stake(state) - (action - LOSSES)}:{action - LOSSES}"
    if action >= TRADE:
        cards = ((action - TRADE) // 4096, (action - TRADE) // 64 % 64, (action - TRADE) % 64)
        return f"trade {' + '.join(card_text(state, card) for card in cards)}"
    if action >= ATTACK:
        dice, origin, target = (action - ATTACK) // FEWER_DICE, (action - ATTACK) // 64 % 64, (action - ATTACK) % 64
        fewer = f" with {dice} {'die' if dice == 1 else 'dice'}" if dice else ""
        return f"attack {name_of(state, origin)} > {name_of(state, target)}{fewer}"
    if action >= AMOUNT:
        return str(action - AMOUNT)
    if action == DONE:
        return "done"
    kind = max(kind for kind in _PLACES if kind <= action)
    if kind == CAPITAL and action - kind == UNSEEN_CAPITAL:
        return "capital hidden"
    return f"{_PLACES[kind]} {name_of(state, action - kind)}"


def at_stake(state: State) -> int:
    """Return how many armies the throw that is due costs both sides together; 0 if none is due."""
    record = state.record
    if int(record.phase) != THROWING:
        return 0
    defender = min(int(record.armies[record.target]), int(state.game.tables.rules.defence_dice))
    return min(int(record.dice), defender)


def wrapped(head: str, parts: Iterable[str], between: str = ", ") -> list[str]:
    """Return a head and parts on lines of at most `COLUMNS` letters; no line breaks within a part."""
    hard = [part.replace(" ", "\N{NO-BREAK SPACE}") for part in parts]
    text = f"{head} {between.join(hard)}"
    lines = textwrap.wrap(text, COLUMNS, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]
