"""Risk: the map and what a seat knows, as text for a terminal."""

from __future__ import annotations

from oponente.games.risk.asking import status_lines
from oponente.games.risk.income import LEAST_INCOME
from oponente.games.risk.moves import BY_KIND, CAPITALS, CHOOSING_CAPITAL, INCREMENTAL, MISSIONS, OVER
from oponente.games.risk.names import (
    card_text,
    count_text,
    members,
    mission_text,
    name_of,
    owner_text,
    symbol_text,
    world_of,
    wrapped,
)
from oponente.games.risk.state import FREE, NEUTRAL
from oponente.kernel import State

_MARKS = {NEUTRAL: "n", FREE: "-"}


def state_text(state: State, seat: int | None = None) -> str:
    """Return the map, by continents, and all that a seat knows (None: everything).

    Each territory has its owner (``n``: neutral, ``-``: free), its armies, and its neighbours with theirs.
    """
    world = world_of(state)
    lines: list[str] = []
    named = {member for continent in world.continents for member in continent.territories}
    for continent in world.continents:
        owners = {int(state.record.owner[member]) for member in continent.territories}
        holder = f", held by {owner_text(owners.pop())}" if len(owners) == 1 and FREE not in owners else ""
        lines += [f"{continent.name} (+{continent.bonus}{holder})"]
        lines += [line for member in continent.territories for line in _territory(state, member)]
    lines += [
        line for member in range(len(world.territories)) if member not in named for line in _territory(state, member)
    ]
    lines.append("")
    for number in range(state.game.num_players):
        lines += player_lines(state, number, seat)
    if state.game.tables.rules.cards:
        record = state.record
        deck, discard = int(record.deck).bit_count(), int(record.discard).bit_count()
        lines.append(f"{count_text(deck, 'card')} to draw, {discard} discarded; {next_set(state)}")
    return "\n".join([*lines, *status_lines(state, seat)])


def _territory(state: State, territory: int) -> list[str]:
    width = max(len(place.name) for place in world_of(state).territories)
    neighbours = [
        f"{name_of(state, other)} {_mark(state, other)}" for other in world_of(state).territories[territory].neighbours
    ]
    head = f"  {name_of(state, territory):<{width}} {_mark(state, territory):>7}   "
    lines = wrapped("", neighbours)
    return [head + lines[0].strip(), *(" " * len(head) + line.strip() for line in lines[1:])]


def _mark(state: State, territory: int) -> str:
    """Return owner and armies of a territory: ``1:12``."""
    owner = int(state.record.owner[territory])
    return f"{_MARKS.get(owner, str(owner + 1))}:{int(state.record.armies[territory])}"


def next_set(state: State) -> str:
    """Return what the next set of cards brings."""
    kind, sets = int(state.game.tables.rules.set_values), int(state.record.sets)
    if kind == BY_KIND:
        return "sets bring 6 (infantry), 8 (cavalry), 4 (artillery), 10 (one of each)"
    escalating = (4, 6, 8, 10, 12, 15)[sets] if sets < 6 else 5 * (sets - 2)
    return f"the next set brings {4 + sets if kind == INCREMENTAL else escalating}"


def income_of(state: State, holder: int) -> int:
    """Return the armies that a player would get at the start of a turn, cards left out."""
    world, record = world_of(state), state.record
    held = set(members(record.held[holder]))
    bonus = sum(continent.bonus for continent in world.continents if held >= set(continent.territories))
    return max(LEAST_INCOME, len(held) // int(state.game.tables.rules.divisor)) + bonus


def player_lines(state: State, holder: int, seat: int | None) -> list[str]:
    """Return all that a seat knows of a player."""
    record, rules = state.record, state.game.tables.rules
    held = members(record.held[holder])
    if not held and int(record.turn):
        return [f"player {holder + 1}: out, by player {int(record.killer[holder]) + 1}"]
    armies = sum(int(record.armies[territory]) for territory in held)
    parts = [count_text(len(held), "territory"), count_text(armies, "army")]
    if int(record.turn):
        parts.append(f"income {income_of(state, holder)}")
    if armies_due := int(record.pool[holder]) + (int(record.reserved.sum()) if holder == int(record.mover) else 0):
        parts.append(f"{armies_due} to place")
    own = seat in (None, holder)
    if rules.cards:
        parts.append(cards_text(state, holder, own))
    capital = int(record.capital[holder])
    if int(rules.victory) == CAPITALS and capital >= 0 and (own or int(record.phase) != CHOOSING_CAPITAL):
        parts.append(f"capital {name_of(state, capital)}")
    shown = int(record.phase) == OVER and int(record.winner) == holder
    if int(rules.victory) == MISSIONS and (own or shown):
        world = world_of(state)
        parts.append(f"mission: {mission_text(world, world.missions[int(record.mission[holder])], holder)}")
    return wrapped(f"player {holder + 1}:", parts)


def cards_text(state: State, holder: int, own: bool) -> str:
    """Return a player's cards: the number, and the cards for who may see them."""
    cards = members(state.record.hand[holder])
    text = count_text(len(cards), "card")
    if not own or not cards:
        return text
    listed = [
        card_text(state, card) + (f" ({symbol_text(state, card)})" if symbol_text(state, card) != "wild" else "")
        for card in cards
    ]
    return f"{text}: {' + '.join(listed)}"
