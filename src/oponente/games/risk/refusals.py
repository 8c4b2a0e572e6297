"""Risk: why a move that somebody means is not legal."""

from __future__ import annotations

from oponente.games.risk.asking import AMOUNTS, amounts, decision_text
from oponente.games.risk.cards import LEFT_CARDS
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACK,
    ATTACKING,
    CAPITAL,
    CLAIM,
    CLAIMING,
    CONNECTED,
    DEPLOYING,
    DEPLOYING_NEUTRAL,
    DONE,
    FEWER_DICE,
    LOSSES,
    MOVE_FROM,
    MOVE_TO,
    MOVING,
    MOVING_TO,
    PLACE,
    PLACING,
    TRADE,
    TRADING,
)
from oponente.games.risk.names import card_text, count_text, name_of, owner_text
from oponente.kernel import State


def refusal(state: State, action: int) -> str | None:
    """Return why an action is not legal for the player to move; None if there is nothing to say of it."""
    if state.player < 0:
        return None
    phase = int(state.record.phase)
    if not _on_the_map(state, action):
        return None
    if action >= LOSSES:
        return f"chance decides that; you have to {_short(state)}"
    if action >= TRADE:
        return _trade(state, action - TRADE) if phase == TRADING else _now(state)
    if action >= ATTACK:
        return _attack(state, action - ATTACK) if phase == ATTACKING else _now(state)
    if action >= AMOUNT:
        if phase in AMOUNTS:
            least, most = amounts(state)
            return f"{action - AMOUNT} armies are not possible: {least} to {most}"
        return _now(state)
    if action == DONE:
        return _done(state)
    if action >= MOVE_TO:
        return _move_to(state, action - MOVE_TO) if phase == MOVING_TO else _now(state)
    if action >= MOVE_FROM:
        return _move_from(state, action - MOVE_FROM) if phase == MOVING else _now(state)
    if PLACE <= action < CAPITAL:
        return _place(state, action - PLACE) if phase in (PLACING, DEPLOYING, DEPLOYING_NEUTRAL) else _now(state)
    if CLAIM <= action < PLACE and phase == CLAIMING:
        return f"{name_of(state, action - CLAIM)} is taken by {_owner(state, action - CLAIM)}"
    return _now(state)


def _on_the_map(state: State, action: int) -> bool:
    """Tell whether the territories and cards that an action would name are there."""
    territories = int(state.game.tables.rules.territories)
    if TRADE <= action < LOSSES:
        cards, number = int(state.game.tables.rules.all_cards).bit_length(), action - TRADE
        return max(number // 4096, number // 64 % 64, number % 64) < cards
    if ATTACK <= action < TRADE:
        number = action - ATTACK
        return max(number // 64 % 64, number % 64) < territories
    if action < AMOUNT:
        return action == DONE or (CLAIM <= action < MOVE_TO + 64 and action % 64 < territories)
    return True


def _short(state: State) -> str:
    return decision_text(state)


def _now(state: State) -> str:
    return f"that is not due now: {_short(state)}"


def _owner(state: State, territory: int) -> str:
    return owner_text(int(state.record.owner[territory]))


def _armies(state: State, territory: int) -> int:
    return int(state.record.armies[territory])


def _not_own(state: State, territory: int) -> str | None:
    if int(state.record.owner[territory]) == state.player:
        return None
    return f"{name_of(state, territory)} is not yours, but of {_owner(state, territory)}"


def _done(state: State) -> str:
    record = state.record
    phase = int(record.phase)
    if phase == TRADING:
        held = int(record.hand[state.player]).bit_count()
        most = LEFT_CARDS if record.capturing else int(state.game.tables.rules.hand_limit) - 1
        return f"with {count_text(held, 'card')} you must trade a set, until {most} or fewer are left"
    return f"first {_short(state)}"


def _trade(state: State, cards: int) -> str:
    chosen = [cards // 4096, cards // 64 % 64, cards % 64]
    for card in chosen:
        if not int(state.record.hand[state.player]) >> card & 1:
            return f"you do not have the card {card_text(state, card)}"
    return "these are no set: three equal symbols, one of each, or any two and a wild card"


def _attack(state: State, number: int) -> str | None:
    dice, origin, target = number // FEWER_DICE, number // 64 % 64, number % 64
    wrong = _not_own(state, origin)
    if wrong:
        return wrong
    if int(state.record.owner[target]) == state.player:
        return f"{name_of(state, target)} is your own"
    if target not in state.game.options.world.territories[origin].neighbours:
        return f"{name_of(state, origin)} and {name_of(state, target)} have no border"
    armies = _armies(state, origin)
    if armies < 2:
        return f"{name_of(state, origin)} has one army, which must stay"
    most = min(3, armies - 1)
    return f"{dice} dice are not possible: {name_of(state, origin)} has {count_text(armies, 'army')}, so {most} at most"


def _place(state: State, territory: int) -> str | None:
    phase = int(state.record.phase)
    if phase == DEPLOYING_NEUTRAL:
        return f"{name_of(state, territory)} is not neutral, but of {_owner(state, territory)}"
    wrong = _not_own(state, territory)
    if wrong:
        return wrong
    limit = int(state.game.tables.rules.army_limit)
    if _armies(state, territory) >= limit:
        return f"{name_of(state, territory)} has {limit} armies already, the most that may stand together"
    return f"no army is left that may stand on {name_of(state, territory)}: {_short(state)}"


def _move_from(state: State, territory: int) -> str | None:
    wrong = _not_own(state, territory)
    if wrong:
        return wrong
    if _armies(state, territory) < 2:
        return f"{name_of(state, territory)} has one army, which must stay"
    return f"no army of {name_of(state, territory)} can move anywhere"


def _move_to(state: State, territory: int) -> str | None:
    origin = int(state.record.origin)
    wrong = _not_own(state, territory)
    if wrong:
        return wrong
    if territory == origin:
        return f"the armies are on {name_of(state, territory)} already"
    path = "path of your territories" if int(state.game.tables.rules.fortify) == CONNECTED else "border"
    return f"no {path} leads from {name_of(state, origin)} to {name_of(state, territory)}, or it is full"
