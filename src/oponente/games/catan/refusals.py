"""Catan: why a move that somebody means is not legal."""

from __future__ import annotations

from collections.abc import Callable

from oponente.games.catan.asking import COSTS, decision_text, examples
from oponente.games.catan.board import EDGES, NODES, TILES, bits, edge_ends, tile_corners
from oponente.games.catan.building import CITIES, ROADS, SETTLEMENTS
from oponente.games.catan.cards import (
    DEVELOPMENT_CARDS,
    KNIGHT,
    MONOPOLY,
    RESOURCES,
    ROAD_BUILDING,
    YEAR_OF_PLENTY,
    unpack,
)
from oponente.games.catan.moves import (
    ACCEPT,
    ANSWERING,
    BANK_TRADE,
    BEFORE_ROLL,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    CONFIRM,
    CONFIRMING,
    DICE,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
    FREE_ROADS,
    MAIN,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    OFFER,
    OFFERS_END,
    PLAY_MONOPOLY,
    PLAY_YEAR_OF_PLENTY,
    ROBBING,
    SETTING_ROAD,
    SETTING_SETTLEMENT,
    UNSEEN,
    offered,
)
from oponente.games.catan.names import (
    EDGES_BY_ENDS,
    SIMPLE,
    action_text,
    bank_rate,
    cards_text,
    count_text,
    edge_text,
    node_text,
    roads_of,
)
from oponente.games.catan.robber import FRIENDLY_POINTS
from oponente.kernel import State

_CARDS = ("knight", "road building", "monopoly", "year of plenty")
_TRADE_ANSWERS = ("accept", "reject")
_TRADE_ENDS = ("confirm", "withdraw")
_ALLOWED = {
    SETTING_SETTLEMENT: ("settlement",),
    SETTING_ROAD: ("road",),
    BEFORE_ROLL: ("roll", *_CARDS),
    DISCARDING: ("discard",),
    ROBBING: ("robber",),
    MAIN: ("buy card", *_CARDS, "road", "settlement", "city", "bank", "offer", "end"),
    FREE_ROADS: ("road",),
    ANSWERING: (*_TRADE_ANSWERS, "offer"),
    CONFIRMING: _TRADE_ENDS,
}
"""Kinds of actions by phase."""

_RANGES = (
    ("monopoly", PLAY_MONOPOLY, 5),
    ("year of plenty", PLAY_YEAR_OF_PLENTY, 30),
    ("discard", DISCARD, 5),
    ("confirm", CONFIRM, 4),
    ("robber", MOVE_ROBBER, 5 * TILES),
    ("settlement", BUILD_SETTLEMENT, NODES),
    ("city", BUILD_CITY, NODES),
    ("bank", BANK_TRADE, 25),
    ("offer", OFFER, OFFERS_END - OFFER),
)


def refusal(state: State, action: int) -> str | None:
    """Return why the player to move may not take an action, in one line; None if there is nothing to say.

    It tells nothing but what that player knows.
    """
    if state.is_chance or state.is_terminal:
        return None
    if DICE <= action < DRAW_CARD + UNSEEN:
        return "that is for chance to decide, not for you"
    kind = _kind(action)
    if kind is None:
        return None
    return out_of_turn(state, kind) or _REASONS.get(kind, _nothing)(state, action)


def _kind(action: int) -> str | None:
    if action in SIMPLE:
        return SIMPLE[action]
    if action - BUILD_ROAD in EDGES:
        return "road"
    return next((kind for kind, first, size in _RANGES if first <= action < first + size), None)


def _nothing(state: State, action: int) -> str | None:
    return None


# --- the phase -------------------------------------------------------------------------------------------------------


def out_of_turn(state: State, kind: str) -> str | None:
    """Return why no action of a kind is possible now, whatever one has; None if it is the time for it."""
    record = state.record
    phase = int(record.phase)
    if kind in _ALLOWED[phase]:
        return None
    if phase in (BEFORE_ROLL, MAIN):
        if kind in _TRADE_ANSWERS:
            return "there is no offer to answer"
        if kind in _TRADE_ENDS:
            return "you have made no offer that is still open"
        if phase == BEFORE_ROLL:
            return "roll first: write roll"
        if kind == "roll":
            return "you have rolled already: trade, build, or end the turn"
        if kind == "robber":
            return "the robber moves only after a 7 and after a knight"
        return "nobody has to discard now"
    if phase == ANSWERING and kind in _TRADE_ENDS:
        return f"only player {record.mover + 1}, who made the offer, may {kind}"
    return f"{decision_text(state)} first: write {' or '.join(examples(state)[:3])}"


# --- building and buying ---------------------------------------------------------------------------------------------


def _hand(state: State) -> tuple[int, ...]:
    return unpack(state.record.known[state.player, state.player])


def _lack(state: State, what: str, price: tuple[int, ...]) -> str | None:
    """Return what the player lacks of a price."""
    missing = tuple(max(0, cost - held) for cost, held in zip(price, _hand(state), strict=True))
    return f"{what} {cards_text(price)}: you lack {cards_text(missing)}" if any(missing) else None


def _cost(state: State, thing: str) -> str | None:
    return _lack(state, f"a {thing} costs", unpack(COSTS[thing]))


def _building_at(state: State, node: int) -> str | None:
    """Return what stands on an intersection: ``player 2's city``."""
    for seat in range(state.game.num_players):
        for name, mask in (("settlement", state.record.settlements[seat]), ("city", state.record.cities[seat])):
            if int(mask) >> node & 1:
                return f"your {name}" if seat == state.player else f"player {seat + 1}'s {name}"
    return None


def _settlement(state: State, action: int) -> str | None:
    node = action - BUILD_SETTLEMENT
    seat = state.player
    if there := _building_at(state, node):
        return f"{there} is at {node_text(node)} already"
    for other in range(NODES):
        if frozenset((node, other)) in EDGES_BY_ENDS and (near := _building_at(state, other)):
            return f"{node_text(node)} is too near to {near} at {node_text(other)}: the next intersection must be free"
    if int(state.record.phase) == SETTING_SETTLEMENT:
        return None
    if int(state.record.settlements[seat]).bit_count() >= SETTLEMENTS:
        return f"all your {SETTLEMENTS} settlements are on the board: a city gives one back"
    if not any(node in edge_ends(edge) for edge in roads_of(state, seat)):
        return f"none of your roads leads to {node_text(node)}"
    return _cost(state, "settlement")


def _city(state: State, action: int) -> str | None:
    node = action - BUILD_CITY
    if node not in bits(state.record.settlements[state.player]):
        there = _building_at(state, node) or "nothing"
        return f"a city replaces a settlement of yours: at {node_text(node)} is {there}"
    if int(state.record.cities[state.player]).bit_count() >= CITIES:
        return f"all your {CITIES} cities are on the board"
    return _cost(state, "city")


def _road(state: State, action: int) -> str | None:
    edge = action - BUILD_ROAD
    record = state.record
    name = edge_text(edge)
    for seat in range(state.game.num_players):
        if edge in roads_of(state, seat):
            return (
                f"{'your' if seat == state.player else f'player {seat + 1}' + chr(39) + 's'} road is on {name} already"
            )
    if int(record.phase) == SETTING_ROAD:
        return f"the road must start at the settlement just placed, at {node_text(int(record.home))}"
    own = roads_of(state, state.player)
    if len(own) >= ROADS:
        return f"all your {ROADS} roads are on the board"
    blocked = ""
    for end in edge_ends(edge):
        there = _building_at(state, end)
        joins = any(end in edge_ends(road) for road in own)
        if joins and there and not there.startswith("your"):
            blocked = f"{there} at {node_text(end)} is in the way to {name}"
        elif joins or (there and there.startswith("your")):
            return _cost(state, "road")
    return blocked or f"{name} joins no road, settlement or city of yours"


def _buy(state: State, action: int) -> str | None:
    if not any(int(count) for count in state.record.deck):
        return "no development cards are left"
    return _cost(state, "development card")


# --- development cards -----------------------------------------------------------------------------------------------


def _play(card: int) -> Callable[[State, int], str | None]:
    """Return the function that says why a development card can't be played."""

    def reason(state: State, action: int) -> str | None:
        record = state.record
        held, fresh = int(record.cards[state.player, card]), int(record.fresh[card])
        name = DEVELOPMENT_CARDS[card]
        if not held:
            return f"you have no {name} card"
        if record.card_played:
            return "only one development card a turn: you have played one already"
        if held <= fresh:
            return f"you bought your {name} card this turn: it can be played from your next turn on"
        if card == ROAD_BUILDING:
            return _no_road(state)
        if card == YEAR_OF_PLENTY:
            return _no_plenty(state, action)
        return None

    return reason


def _no_road(state: State) -> str:
    if len(roads_of(state, state.player)) >= ROADS:
        return f"all your {ROADS} roads are on the board"
    return "there is no free path that joins your roads"


def _no_plenty(state: State, action: int) -> str | None:
    number = action - PLAY_YEAR_OF_PLENTY
    bank = unpack(state.record.bank)
    if number >= 25:
        if bank[number - 25] and sum(bank) > 1:
            return "year of plenty takes two cards: year of plenty ore grain"
        wanted = [number - 25]
    else:
        wanted = list(divmod(number, 5))
    for resource in wanted:
        if bank[resource] < wanted.count(resource):
            return f"the bank has {bank[resource] or 'no'} {RESOURCES[resource]}"
    return None


# --- discarding and the robber ---------------------------------------------------------------------------------------


def _discard(state: State, action: int) -> str | None:
    resource = action - DISCARD
    return f"you have no {RESOURCES[resource]} to discard" if not _hand(state)[resource] else None


def _robber(state: State, action: int) -> str | None:
    record = state.record
    tile, victim = divmod(action - MOVE_ROBBER, 5)
    if tile == int(record.robber):
        return f"the robber must move to another hex than {tile + 1}, where it is"
    first = action - victim
    there = [int(a) for a in state.legal_actions if first <= a < first + 5]
    if not there:
        return f"hex {tile + 1} has a player with fewer than {FRIENDLY_POINTS} points: the friendly robber stays away"
    choice = " or ".join(action_text(state, a) for a in there)
    if victim == NOBODY_ROBBED:
        return f"somebody must be robbed there: {choice}"
    if victim == state.player:
        return f"you can't rob yourself: {choice}"
    if victim >= state.game.num_players:
        return f"there is no player {victim + 1}"
    built = bits(record.settlements[victim] | record.cities[victim])
    if not any(node in built for node in tile_corners(tile)):
        return f"player {victim + 1} has no settlement or city at hex {tile + 1}: {choice}"
    return f"player {victim + 1} has no cards: {choice}"


# --- trade -----------------------------------------------------------------------------------------------------------


def _bank(state: State, action: int) -> str | None:
    given, taken = divmod(action - BANK_TRADE, 5)
    if given == taken:
        return "the bank gives another resource than it takes"
    if not unpack(state.record.bank)[taken]:
        return f"the bank has no {RESOURCES[taken]}"
    price = bank_rate(state, given)
    return _lack(state, "that takes", tuple(price * (i == given) for i in range(5)))


def _offer(state: State, action: int) -> str | None:
    rules = state.game.tables.rules
    if int(state.record.phase) == MAIN:
        if not rules.trade or not rules.offers:
            return "players don't trade with each other in this game: only with the bank"
        if state.record.offers >= rules.offers:
            return f"no offers are left this turn: {count_text(int(rules.offers), 'offer')} a turn at most"
    give, want = offered(action)
    if not any(give) or not any(want):
        return "no gifts: each side gives at least one card"
    return _lack(state, "that takes", give)


def _accept(state: State, action: int) -> str | None:
    return _lack(state, "accepting takes", offered(int(state.record.offer))[1])


def _confirm(state: State, action: int) -> str | None:
    partner = action - CONFIRM
    who = f"player {partner + 1}"
    if partner >= state.game.num_players:
        return f"there is no {who}"
    if partner == state.player:
        return "you can't trade with yourself"
    answer = int(state.record.answer[partner])
    if answer == ACCEPT:
        return _lack(state, "that takes", offered(int(state.record.offer))[0])
    if answer >= OFFER:
        return _lack(state, f"{who} wants", offered(answer)[1])
    return f"{who} has not accepted"


_REASONS: dict[str, Callable[[State, int], str | None]] = {
    "settlement": _settlement,
    "city": _city,
    "road": _road,
    "buy card": _buy,
    "knight": _play(KNIGHT),
    "monopoly": _play(MONOPOLY),
    "road building": _play(ROAD_BUILDING),
    "year of plenty": _play(YEAR_OF_PLENTY),
    "discard": _discard,
    "robber": _robber,
    "bank": _bank,
    "offer": _offer,
    "accept": _accept,
    "confirm": _confirm,
}
