"""Catan: what people type, and the functions of the notation that the kernel looks for.

Intersections are ``c4`` (row and column), paths two of them (``c4-c5``), hexes 1 to 19 in reading order, seats
``player 1`` on. Moves of a position stand apart by ``;``, commas or line breaks.
"""

from __future__ import annotations

import re

from oponente.games.catan.asking import brief_text, decision_text, examples, help_text, open_actions
from oponente.games.catan.board import TILES
from oponente.games.catan.cards import DEVELOPMENT_CARDS, RESOURCES, unpack
from oponente.games.catan.events import event_text
from oponente.games.catan.moves import (
    BANK_TRADE,
    BUILD_CITY,
    BUILD_ROAD,
    BUILD_SETTLEMENT,
    BUY_CARD,
    CONFIRM,
    DICE,
    DISCARD,
    DISCARDING,
    DRAW_CARD,
    END_TURN,
    MAIN,
    MOVE_ROBBER,
    NOBODY_ROBBED,
    OFFER_LIMIT,
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
)
from oponente.games.catan.refusals import out_of_turn, refusal
from oponente.games.catan.terminal import state_text
from oponente.kernel import IllegalActionError, State
from oponente.kernel.notation import quoted, small_number

__all__ = [
    "action_text",
    "brief_text",
    "decision_text",
    "event_text",
    "help_text",
    "open_actions",
    "parse_action",
    "refusal",
    "split_answer",
    "split_position",
    "state_text",
]

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
_INCOMPLETE = {
    "road": ("where?", "road c4-c5"),
    "settlement": ("where?", "settlement c4"),
    "city": ("where?", "city c4"),
    "robber": ("to which hex?", "robber 7"),
    "monopoly": ("of what?", "monopoly wool"),
    "year of plenty": ("which two cards?", "year of plenty ore grain"),
    "discard": ("what?", "discard wool"),
    "bank": ("what for what?", "bank 4 wool for ore"),
    "offer": ("what for what?", "offer 1 wool for 1 grain"),
    "counter": ("what for what?", "counter 1 wool for 1 grain"),
    "confirm": ("with whom?", "confirm player 2"),
    "dice": ("which sum?", "dice 8"),
    "steals": ("what?", "steals ore"),
    "draws": ("which card?", "draws knight"),
}
"""What is missing after the first word of a move, with an example."""

# --- parsing ---------------------------------------------------------------------------------------------------------


def split_position(text: str) -> list[str]:
    """Return the moves in the text of a position."""
    return [move.strip() for move in re.split(r"[;,\n]", text) if move.strip()]


def split_answer(state: State, text: str) -> list[str]:
    """Return the moves in what a person answers: several cards to discard are one move each.

    Raises:
        IllegalActionError: these cards are too many, or not in the hand.
    """
    head, _, rest = _normal(text).partition(" ")
    if head != "discard" or not rest or int(state.record.phase) != DISCARDING:
        return [text]
    cards = _cards(rest)
    if sum(cards) <= 1:
        return [text]
    held, owed = unpack(state.record.known[state.player, state.player]), int(state.record.owed[state.player])
    if any(count > have for count, have in zip(cards, held, strict=True)):
        raise IllegalActionError(f"you have only {cards_text(held)}")
    if sum(cards) > owed:
        raise IllegalActionError(f"that is too much: discard {owed} more")
    return [f"discard {RESOURCES[resource]}" for resource, count in enumerate(cards) for _ in range(count)]


def _normal(text: str) -> str:
    return " ".join(text.lower().split())


def parse_action(state: State, text: str) -> int:
    """Return the action or chance outcome that a text denotes; case, plurals and common synonyms don't matter.

    Raises:
        IllegalActionError: with one line that says what would be right.
    """
    words = _normal(text)
    if words in _BY_WORD:
        return _BY_WORD[words]
    words = words.removeprefix("play ").removeprefix("build ")
    head, _, rest = words.partition(" ")
    if words.startswith("year of plenty"):
        head, rest = "year of plenty", words.removeprefix("year of plenty").strip()
    if head in _INCOMPLETE and not rest:
        raise IllegalActionError(_incomplete(state, head))
    if head == "year of plenty":
        return _year_of_plenty(rest)
    if head in ("settlement", "city"):
        return (BUILD_SETTLEMENT if head == "settlement" else BUILD_CITY) + _node(rest)
    if head == "road":
        return BUILD_ROAD + _edge(rest)
    if head == "robber":
        return _robber(state, rest)
    if head == "monopoly":
        return PLAY_MONOPOLY + _resource(rest)
    if head == "discard":
        return _discard(rest)
    if head == "bank":
        return _bank(state, rest)
    if head in ("offer", "counter"):
        if head == "counter" and not state.is_chance and int(state.record.phase) == MAIN:
            raise IllegalActionError("there is no offer to counter: make one yourself with offer")
        return _offer(rest, head)
    if head == "confirm":
        return CONFIRM + _seat(state, rest)
    if head == "dice" and 2 <= (small_number(rest) or 0) <= 12:
        return DICE + (small_number(rest) or 0)
    if head == "steals":
        return STEAL + (UNSEEN if rest == "a card" else _resource(rest))
    if head == "draws":
        if rest == "a card":
            return DRAW_CARD + UNSEEN
        if rest in DEVELOPMENT_CARDS:
            return DRAW_CARD + DEVELOPMENT_CARDS.index(rest)
    if state.is_terminal:
        raise IllegalActionError("the game is over")
    raise IllegalActionError(f"{quoted(text)} is no move here: write {' or '.join(examples(state)[:8])}")


def _incomplete(state: State, head: str) -> str:
    """Return what is missing after the first word of a move; or that it is not the time for it."""
    missing, example = _INCOMPLETE[head]
    if state.player >= 0:
        reason = out_of_turn(state, "offer" if head == "counter" else head)
        if reason and head not in ("dice", "steals", "draws"):
            return reason
        legal = (action_text(state, action) for action in [*open_actions(state), *state.legal_actions])
        example = next((text for text in legal if text.startswith(f"{head} ")), example)
    return f"{head} {missing} for example {example}"


def _resource(word: str) -> int:
    word = word.strip()
    for name in (word, word.removesuffix("s")):
        if name in SYNONYMS:
            return SYNONYMS[name]
    raise IllegalActionError(f"{quoted(word)} is no resource: write {', '.join(RESOURCES)}")


def _node(text: str) -> int:
    name = text.replace(" ", "")
    if name not in NODES_BY_NAME:
        raise IllegalActionError(f"{quoted(text)} is no intersection: write a row from a to f and a column, as in c4")
    return NODES_BY_NAME[name]


def _edge(text: str) -> int:
    ends = re.fullmatch(r"([a-f]\d+)(?: *- *| +)([a-f]\d+)", text)
    edge = EDGES_BY_ENDS.get(frozenset(map(_node, ends.groups()))) if ends else None
    if edge is None:
        raise IllegalActionError(f"{quoted(text)} is no path: write two neighbouring intersections, as in c4-c5")
    return edge


def _seat(state: State, text: str) -> int:
    number = small_number(text.removeprefix("player")) or 0
    if not 1 <= number <= state.game.num_players:
        raise IllegalActionError(f"{quoted(text)} is no player: write player 1 to player {state.game.num_players}")
    return number - 1


def _robber(state: State, text: str) -> int:
    tile, _, victim = text.removeprefix("#").partition(" ")
    number = small_number(tile) or 0
    if not 1 <= number <= TILES:
        raise IllegalActionError(f"{quoted(tile)} is no hex: write a number from 1 to {TILES}, as in robber 7")
    first = MOVE_ROBBER + 5 * (number - 1)
    if victim:
        return first + _seat(state, victim)
    moves = [] if state.is_terminal else [a for a in state.legal_actions if first <= a < first + 5]
    if len(moves) > 1:
        raise IllegalActionError(f"say whom to rob: {' or '.join(action_text(state, a) for a in moves)}")
    return int(moves[0]) if moves else first + NOBODY_ROBBED


def _discard(text: str) -> int:
    cards = _cards(text)
    if sum(cards) != 1:
        raise IllegalActionError("discard one card with each move: discard wool")
    return DISCARD + cards.index(1)


def _year_of_plenty(text: str) -> int:
    cards = _cards(text)
    if not 1 <= sum(cards) <= 2:
        raise IllegalActionError("year of plenty takes two cards: year of plenty ore grain")
    picked = [resource for resource, count in enumerate(cards) for _ in range(count)]
    if len(picked) == 1:
        return PLAY_YEAR_OF_PLENTY + 25 + picked[0]
    return PLAY_YEAR_OF_PLENTY + 5 * picked[0] + picked[1]


def _bank(state: State, text: str) -> int:
    if state.player >= 0 and (reason := out_of_turn(state, "bank")):
        raise IllegalActionError(reason)  # before the rate, which is that of whoever may trade
    given, taken = _sides(text, "bank 4 wool for ore")
    if sum(1 for count in given if count) != 1 or sum(taken) != 1:
        raise IllegalActionError("the bank gives one card for cards of one resource: bank 4 wool for ore")
    resource = next(i for i, count in enumerate(given) if count)
    rate = bank_rate(state, resource)
    named_alone = re.fullmatch(r"[^\d\s,+]+", text.partition(" for ")[0].strip())
    if given[resource] != rate and not named_alone:
        raise IllegalActionError(f"the bank takes {rate} {RESOURCES[resource]} for one card from you")
    return BANK_TRADE + 5 * resource + taken.index(1)


def _offer(text: str, word: str) -> int:
    give, want = _sides(text, f"{word} 1 wool for 1 grain")
    if any(given and wanted for given, wanted in zip(give, want, strict=True)):
        raise IllegalActionError("an offer has no resource on both sides: each side gives other cards")
    if max(*give, *want) > OFFER_LIMIT:
        raise IllegalActionError(f"an offer has at most {OFFER_LIMIT} cards of a resource")
    return offer_id(give, want)


def _sides(text: str, example: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    left, word, right = f" {text} ".partition(" for ")
    if not word or not left.strip() or not right.strip():
        raise IllegalActionError(f"say what for what: {example}")
    return _cards(left), _cards(right)


def _cards(text: str) -> tuple[int, ...]:
    """Return how many cards of each resource a text names: ``2 wool, 1 ore``, ``wool and ore``."""
    counts = [0] * 5
    amount: int | None = None
    for word in re.findall(r"\d+|[^\d\s+,]+", text):
        if word.isdecimal():
            if amount is not None:
                raise IllegalActionError(f"say of which resource the {amount} are: 2 wool 1 ore")
            amount = small_number(word)
            if amount is None:
                raise IllegalActionError(f"{quoted(word)} is too large a number of cards")
        elif word != "and":
            counts[_resource(word)] += 1 if amount is None else amount
            amount = None
    if amount is not None:
        raise IllegalActionError(f"say of which resource the {amount} are: 2 wool 1 ore")
    return tuple(counts)
