"""Risk: what a player is asked, and what it may answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from oponente.games.risk.battle import MOST as MOST_IN_BATTLE
from oponente.games.risk.battle import battle_odds
from oponente.games.risk.moves import (
    AMOUNT,
    ATTACK,
    ATTACKING,
    CHOOSING_CAPITAL,
    CLAIMING,
    DEPLOYING,
    DEPLOYING_NEUTRAL,
    DRAWING,
    FEWER_DICE,
    GETTING_BONUS,
    MOVE_FROM,
    MOVING,
    MOVING_AMOUNT,
    MOVING_TO,
    OCCUPYING,
    PLACING,
    PLACING_AMOUNT,
    THROWING,
    TRADE,
    TRADING,
)
from oponente.games.risk.names import action_text, members, name_of, world_of, wrapped
from oponente.games.risk.state import DRAW
from oponente.kernel import State

AMOUNTS = (PLACING_AMOUNT, OCCUPYING, MOVING_AMOUNT)
"""Phases in which a number of armies is asked for."""


def amounts(state: State) -> tuple[int, int]:
    """Return the least and the greatest amount that is listed in the decision that is due."""
    listed = [action - AMOUNT for action in state.legal_actions]
    return min(listed), max(listed)


def to_place(state: State) -> str:
    """Return what armies the player on turn has to place, and where they must go."""
    record = state.record
    parts = [str(int(record.pool[record.mover]))] if record.pool[record.mover] else []
    for number, continent in enumerate(world_of(state).continents):
        if record.reserved[number]:
            parts.append(f"{int(record.reserved[number])} in {continent.name}")
    return " and ".join(parts) or "none"


def decision_text(state: State) -> str:
    """Return what the player to move has to do, as all see it."""
    record = state.record
    phase = int(record.phase)
    origin, target = (name_of(state, int(place)) if place >= 0 else "" for place in (record.origin, record.target))
    if phase in AMOUNTS:
        least, most = amounts(state)
        what = {
            PLACING_AMOUNT: f"how many armies to place on {target}",
            OCCUPYING: f"how many more armies move from {origin} to {target}",
            MOVING_AMOUNT: f"how many armies move from {origin} to {target}",
        }[phase]
        return f"{what}: {least} to {most}"
    return {
        CLAIMING: "claim a territory",
        DEPLOYING: f"place an army ({int(record.pool[record.mover])} left)",
        DEPLOYING_NEUTRAL: "place a neutral army",
        CHOOSING_CAPITAL: "choose a capital",
        TRADING: "trade cards or go on (done)",
        GETTING_BONUS: "choose the territory that gets the bonus of the cards",
        PLACING: f"place armies ({to_place(state)} left)",
        ATTACKING: "attack or go on (done)",
        MOVING: "move armies or end the turn (done)",
        MOVING_TO: f"where to move armies from {origin}",
    }[phase]


def examples(state: State) -> list[str]:
    """Return one action of each kind of those that are legal, what ends the phase last."""
    if state.is_chance:
        return {THROWING: ["losses 0:1"], DRAWING: ["draws a card"]}[int(state.record.phase)]
    kinds: dict[str, str] = {}
    for action in state.legal_actions:
        text = action_text(state, int(action))
        kinds.setdefault("" if text.isdecimal() else text.partition(" ")[0], text)
    return sorted(kinds.values(), key=lambda text: text == "done")


def status_lines(state: State, seat: int | None) -> list[str]:
    """Return whose turn it is and what is to be done; to who is asked (or sees all), with examples."""
    record = state.record
    if state.is_terminal:
        draw = int(record.winner) == DRAW
        return ["draw: the limit of turns is reached" if draw else f"player {int(record.winner) + 1} has won"]
    parts = [f"turn {int(record.turn)}, player {int(record.mover) + 1}" if record.turn else "set-up"]
    if state.is_chance:
        what = "a card is drawn"
        if int(record.phase) == THROWING:
            what = f"{name_of(state, int(record.origin))} attacks {name_of(state, int(record.target))}"
        return [f"{parts[0]}: {what}"]
    line = f"{parts[0]}; player {state.player + 1}: {decision_text(state)}"
    if seat not in (None, state.player):
        return [line]
    return [line, *wrapped("for example:", examples(state), "; ")]


def brief_text(state: State) -> str:
    """Return what a player is asked who decides again straight after a move: the map only where a turn goes on."""
    phase = int(state.record.phase)
    if phase in (*AMOUNTS, MOVING_TO, GETTING_BONUS):
        return decision_text(state)
    return ""


def help_text(state: State, actions: Iterable[int]) -> str:
    """Return legal actions of a state, arranged for reading."""
    record, phase = state.record, int(state.record.phase)
    if phase in AMOUNTS:
        least, most = amounts(state)
        return f"a number from {least} to {most}"
    groups: dict[str, list[str]] = {}
    for action in actions:
        word, _, rest = action_text(state, int(action)).partition(" ")
        if word == "attack":
            origin, _, target = rest.partition(" > ")
            place = (int(action) - ATTACK) // 64 % 64
            enemy = (int(action) - ATTACK) % 64
            armies, against = int(record.armies[place]), int(record.armies[enemy])
            groups.setdefault(f"attack {origin} ({armies}) >", []).append(f"{target} ({against})")
        else:
            groups.setdefault(word, []).append(rest)
    lines: list[str] = []
    for head, parts in groups.items():
        lines += wrapped(f"{head}:" if head[-1] != ">" else head, parts) if parts[0] else [head]
    if phase == ATTACKING and any(line.startswith("attack") for line in lines):
        lines.append("the most dice are thrown; for fewer write: attack A > B with 1 die")
    return "\n".join(lines)


def note_text(state: State, action: int) -> str:
    """Return what somebody who considers an action wants to know: of an attack, the odds of the whole battle."""
    if not ATTACK <= action < TRADE:
        return ""
    armies = [int(state.record.armies[place]) for place in ((action - ATTACK) // 64 % 64, (action - ATTACK) % 64)]
    if max(armies) > MOST_IN_BATTLE:
        return ""
    odds = battle_odds(armies[0], armies[1], state.game.options.dice, int(state.game.tables.rules.defence_dice))
    return (
        f"{armies[0]} against {armies[1]}: {odds.conquest:.0%} to conquer, {odds.attackers_left:.1f} of"
        f" {armies[0]} armies left on average"
    )


def open_actions(state: State) -> Iterator[int]:
    """Yield some legal actions that are not listed: attacks with fewer dice, amounts between, moves of no army."""
    record, phase, rules = state.record, int(state.record.phase), state.game.tables.rules
    if phase == ATTACKING:
        for action in list(state.legal_actions)[:6]:
            if action >= ATTACK:
                for dice in range(1, min(3, int(record.armies[(action - ATTACK) // 64 % 64]) - 1)):
                    yield action + FEWER_DICE * dice
    elif phase in AMOUNTS:
        listed = set(state.legal_actions)
        if phase == MOVING_AMOUNT and rules.explicit:
            yield AMOUNT
        for action in range(min(listed) + 1, max(listed)):
            if action not in listed:
                yield action
                break
    elif phase == MOVING and rules.explicit:
        for territory in members(int(record.held[record.mover])):
            if record.armies[territory] == 1 and state.is_legal(MOVE_FROM + territory):
                yield MOVE_FROM + territory
                return
