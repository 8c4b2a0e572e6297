"""Catan: what people type, and the functions of the notation that the kernel looks for.

Nodes are ``c4`` (row and column), edges two of them (``c4-c5``), tiles 1 to 19 in reading order, seats ``player 1`` on.
Moves of a position stand apart by ``;``, commas or line breaks.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from oponente.games.catan.board import (
    TILES,
)
from oponente.games.catan.cards import DEVELOPMENT_CARDS, RESOURCES, unpack
from oponente.games.catan.moves import (
    ANSWERING,
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    DICE,
    DISCARD,
    DRAW_CARD,
    END_TURN,
    MAIN,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    OFFER,
    PLAY_KNIGHT,
    PLAY_MONOPOLY,
    PLAY_ROAD_BUILDING,
    PLAY_YEAR_OF_PLENTY,
    STEAL,
    UNSEEN,
    offer_id,
)
from oponente.games.catan.names import (
    EDGES_BY_ENDS,
    NODES_BY_NAME,
    SIMPLE,
    action_text,
    bank_rate,
    cards_text,
    example_text,
    node_text,
    nodes_of,
)
from oponente.games.catan.terminal import state_text
from oponente.kernel import IllegalActionError, State

__all__ = ["action_text", "help_text", "open_actions", "parse_action", "split_position", "state_text"]

SYNONYMS = {
    "wood": 0, "log": 0, "clay": 1, "sheep": 2, "wheat": 3, "corn": 3, "stone": 4, "rock": 4,
    **{name: resource for resource, name in enumerate(RESOURCES)},
}  # fmt: skip
"""Resources by the words that people use for them."""

_BY_WORD = {text: action for action, text in SIMPLE.items()} | {
    "end turn": END_TURN,
    "buy": BUY_CARD,
    "buy development card": BUY_CARD,
    "play knight": PLAY_KNIGHT,
    "play road building": PLAY_ROAD_BUILDING,
}

# --- parsing ---------------------------------------------------------------------------------------------------------


def split_position(text: str) -> list[str]:
    """Return the moves in the text of a position."""
    return [move.strip() for move in re.split(r"[;,\n]", text) if move.strip()]


def parse_action(state: State, text: str) -> int:
    """Return the action or chance outcome that a text denotes; case, plurals and common synonyms don't matter.

    Raises:
        IllegalActionError: with one line that says what would be right.
    """
    words = " ".join(text.lower().split())
    if words in _BY_WORD:
        return _BY_WORD[words]
    words = words.removeprefix("play ").removeprefix("build ")
    head, _, rest = words.partition(" ")
    if words.startswith("year of plenty"):
        return _year_of_plenty(rest.removeprefix("of plenty"))
    if head in ("settlement", "city"):
        node = _node(rest)
        if head == "settlement":
            _require_distance(state, node)
        return (BUILD_SETTLEMENT if head == "settlement" else BUILD_CITY) + node
    if head == "road":
        return BUILD_ROAD + _edge(rest)
    if head == "robber":
        return _robber(state, rest)
    if head == "monopoly":
        return PLAY_MONOPOLY + _resource(rest)
    if head == "discard":
        resource = _resource(rest.removeprefix("1 "))
        _require_cards(state, tuple(int(i == resource) for i in range(5)))
        return DISCARD + resource
    if head == "bank":
        return _bank(state, rest)
    if head in ("offer", "counter"):
        return _offer(state, rest)
    if head == "confirm":
        return CONFIRM + _seat(state, rest)
    if head == "dice" and rest.isdecimal() and 2 <= int(rest) <= 12:
        return DICE + int(rest)
    if head == "steals":
        return STEAL + (UNSEEN if rest == "a card" else _resource(rest))
    if head == "draws":
        if rest == "a card":
            return DRAW_CARD + UNSEEN
        if rest in DEVELOPMENT_CARDS:
            return DRAW_CARD + DEVELOPMENT_CARDS.index(rest)
    raise IllegalActionError(f"{text!r} is no move here: write {example_text(state)}")


def _resource(word: str) -> int:
    word = word.strip()
    for name in (word, word.removesuffix("s")):
        if name in SYNONYMS:
            return SYNONYMS[name]
    raise IllegalActionError(f"{word!r} is no resource: write {', '.join(RESOURCES)}")


def _node(text: str) -> int:
    name = text.replace(" ", "")
    if name not in NODES_BY_NAME:
        raise IllegalActionError(f"{text!r} is no node: write a row from a to f and a column, as in c4")
    return NODES_BY_NAME[name]


def _edge(text: str) -> int:
    ends = re.findall(r"[a-f]\d+", text.replace(" ", ""))
    edge = EDGES_BY_ENDS.get(frozenset(_node(end) for end in ends)) if len(ends) == 2 else None
    if edge is None:
        raise IllegalActionError(f"{text!r} is no edge: write two neighbouring nodes, as in c4-c5")
    return edge


def _seat(state: State, text: str) -> int:
    number = text.removeprefix("player").strip()
    if not number.isdecimal() or not 1 <= int(number) <= state.game.num_players:
        raise IllegalActionError(f"{text!r} is no player: write player 1 to player {state.game.num_players}")
    return int(number) - 1


def _robber(state: State, text: str) -> int:
    tile, _, victim = text.partition(" ")
    if not tile.isdecimal() or not 1 <= int(tile) <= TILES:
        raise IllegalActionError(f"{tile!r} is no tile: write a number from 1 to {TILES}, as in robber 7")
    first = MOVE_ROBBER + 5 * (int(tile) - 1)
    if victim:
        return first + _seat(state, victim)
    moves = [] if state.is_terminal else [a for a in state.legal_actions if first <= a < first + 5]
    if len(moves) > 1:
        raise IllegalActionError(f"say whom to rob: {' or '.join(action_text(state, a) for a in moves)}")
    return int(moves[0]) if moves else first + NOBODY_ROBBED


def _year_of_plenty(text: str) -> int:
    cards = _cards(text)
    picked = [resource for resource, count in enumerate(cards) for _ in range(count)]
    if len(picked) == 1:
        return PLAY_YEAR_OF_PLENTY + 25 + picked[0]
    if len(picked) != 2:
        raise IllegalActionError("year of plenty takes two cards: year of plenty ore grain")
    return PLAY_YEAR_OF_PLENTY + 5 * picked[0] + picked[1]


def _bank(state: State, text: str) -> int:
    given, taken = _sides(text, "bank 4 wool for ore")
    if sum(1 for count in given if count) != 1 or sum(taken) != 1:
        raise IllegalActionError("the bank gives one card for cards of one resource: bank 4 wool for ore")
    resource = next(i for i, count in enumerate(given) if count)
    rate = bank_rate(state, resource)
    if given[resource] != rate and re.match(r"\d", text):
        raise IllegalActionError(f"the bank takes {rate} {RESOURCES[resource]} for one card from you")
    _require_cards(state, tuple(rate * (i == resource) for i in range(5)))
    return BANK_TRADE + 5 * resource + taken.index(1)


def _offer(state: State, text: str) -> int:
    give, want = _sides(text, "offer 1 wool for 1 grain")
    try:
        action = offer_id(give, want)
    except ValueError:
        raise IllegalActionError("no resource on both sides of an offer, and at most 31 of each") from None
    _require_cards(state, give)
    return action


def _sides(text: str, example: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    left, word, right = f" {text} ".partition(" for ")
    if not word or not left.strip() or not right.strip():
        raise IllegalActionError(f"say what for what: {example}")
    return _cards(left), _cards(right)


def _cards(text: str) -> tuple[int, ...]:
    counts = [0] * 5
    amount = None
    for word in re.findall(r"\d+|[^\d\s+]+", text):
        if word.isdecimal():
            amount = int(word)
        elif word != "and":
            counts[_resource(word)] += 1 if amount is None else amount
            amount = None
    if amount is not None:
        raise IllegalActionError(f"{text.strip()!r}: say which resource the {amount} are")
    return tuple(counts)


def _require_cards(state: State, cards: tuple[int, ...]) -> None:
    """Raise an error if the player to move lacks cards."""
    if state.is_chance or state.is_terminal:
        return
    held = unpack(state.record.known[state.player, state.player])
    for resource, count in enumerate(cards):
        if held[resource] < count:
            have = held[resource] or "no"
            raise IllegalActionError(f"that takes {count} {RESOURCES[resource]}: you have {have} {RESOURCES[resource]}")


def _require_distance(state: State, node: int) -> None:
    for seat in range(state.game.num_players):
        for other in nodes_of(int(state.record.settlements[seat]) | int(state.record.cities[seat])):
            if other == node or frozenset((node, other)) in EDGES_BY_ENDS:
                where = "on" if other == node else "next to"
                raise IllegalActionError(f"there is a building {where} {node_text(node)}")


# --- what may be done ------------------------------------------------------------------------------------------------


def help_text(state: State, actions: Iterable[int]) -> str:
    """Return legal actions of a state, a line for each kind, as a player reads them."""
    kinds: dict[str, list[str]] = {}
    for action in actions:
        word, rest = _kind_of(state, int(action))
        kinds.setdefault(word, []).append(rest)
    lines = []
    for word, places in kinds.items():
        line = f"{word}: {'; '.join(places)}" if places[0] else word
        lines += textwrap.wrap(line, 100, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines + _offer_help(state))


def _kind_of(state: State, action: int) -> tuple[str, str]:
    """Return the kind of an action and what is to be said beyond that, empty if nothing; offers are of one kind."""
    text = action_text(state, action)
    if action >= OFFER:
        return "offer", text.partition(" ")[2]
    if action in SIMPLE:
        return text, ""
    if PLAY_YEAR_OF_PLENTY <= action < DISCARD:
        return "year of plenty", text.removeprefix("year of plenty ")
    if BANK_TRADE <= action < END_TURN:
        head, _, taken = text.rpartition(" for ")
        return f"{head} for", taken
    word, _, rest = text.partition(" ")
    return word, rest


def _offer_help(state: State) -> list[str]:
    """Return how to write offers that are not listed, where they are legal."""
    record = state.record
    rules = state.game.tables.rules
    held = cards_text(unpack(record.known[state.player, state.player]))
    if int(record.phase) == ANSWERING and held:
        return [f"counter: other cards of yours ({held}) for theirs, as in counter 1 ore for 1 wool"]
    if int(record.phase) == MAIN and rules.trade and record.offers < rules.offers and held:
        left = int(rules.offers) - int(record.offers)
        more = f"{left} more offer{'s' if left > 1 else ''} this turn"
        return [f"offer: also several cards of yours ({held}), as in offer 1 lumber 1 wool for 1 ore; {more}"]
    return []


def open_actions(state: State) -> Iterator[int]:
    """Yield some legal offers that are not listed: two cards for one, and in answers also one card for one."""
    record = state.record
    phase = int(record.phase)
    rules = state.game.tables.rules
    if phase != ANSWERING and not (phase == MAIN and rules.trade and record.offers < rules.offers):
        return
    held = unpack(record.known[state.player, state.player])
    for given, count in enumerate(held):
        wanted = (given + 1) % 5
        for amount in (1, 2) if phase == ANSWERING else (2,):
            if count >= amount:
                yield offer_id([amount * (i == given) for i in range(5)], [int(i == wanted) for i in range(5)])
