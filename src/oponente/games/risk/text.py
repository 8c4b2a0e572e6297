"""Risk: what people type, and the functions of the notation that the kernel looks for.

``claim Alaska``, ``place Alaska``, then the number of armies where several are possible; ``attack Alaska > Kamchatka``,
``move Siam``, ``to India``; ``trade Alaska + Peru + wild 1``; ``done`` ends a phase. Moves of a position stand apart by
``;`` or line breaks. The first letters of a name are enough where they are not ambiguous.
"""

from __future__ import annotations

import re

from oponente.games.risk.asking import brief_text, decision_text, examples, help_text, note_text, open_actions
from oponente.games.risk.events import event_text
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
    MOST_ARMIES,
    MOVE_FROM,
    MOVE_TO,
    MOVING_AMOUNT,
    PLACE,
    PLACING_AMOUNT,
    TRADE,
    UNSEEN_CAPITAL,
    UNSEEN_CARD,
)
from oponente.games.risk.names import action_text, at_stake, world_of
from oponente.games.risk.refusals import refusal
from oponente.games.risk.terminal import state_text
from oponente.kernel import IllegalActionError, State
from oponente.kernel.notation import quoted, small_number

__all__ = [
    "action_text",
    "brief_text",
    "decision_text",
    "event_text",
    "help_text",
    "note_text",
    "open_actions",
    "parse_action",
    "refusal",
    "split_answer",
    "split_position",
    "state_text",
]

_DONE = ("done", "end", "pass", "end turn", "keep", "go on", "next")
_KINDS = {
    "claim": CLAIM, "place": PLACE, "reinforce": PLACE, "capital": CAPITAL, "bonus": BONUS, "move": MOVE_FROM,
    "fortify": MOVE_FROM, "to": MOVE_TO,
}  # fmt: skip
_EXAMPLES = {
    "claim": "claim Alaska", "place": "place Alaska", "reinforce": "reinforce Alaska", "capital": "capital Alaska",
    "bonus": "bonus Alaska", "move": "move Siam", "fortify": "fortify Siam", "to": "to India",
    "attack": "attack Alaska > Kamchatka", "trade": "trade Alaska + Peru + wild 1", "losses": "losses 1:1",
    "draws": "draws Alaska",
}  # fmt: skip
_ARROW = re.compile(r"\s*(?:->|=>|>|→)\s*")
_TO = re.compile(r"\s+to\s+")


def split_position(text: str) -> list[str]:
    """Return the moves in the text of a position."""
    return [move.strip() for move in re.split(r"[;\n]", text) if move.strip()]


def split_answer(state: State, text: str) -> list[str]:
    """Return the moves in what a person answers: ``place 3 Alaska`` and ``move 4 Siam > India`` are several."""
    words = _normal(text)
    head, _, rest = words.partition(" ")
    kind = _KINDS.get(head)
    if kind not in (PLACE, MOVE_FROM) or not rest:
        return [text]
    amount, place = _amount_and_place(state, rest)
    moves = [f"{head} {place}"]
    if kind == MOVE_FROM and len(parts := _ends(state, place)) == 2:
        moves = [f"{head} {parts[0]}", f"to {parts[1]}"]
    if amount is None:
        return moves
    after = state.copy()
    for move in moves:
        after.apply(after.parse_action(move))
    asked = not after.is_terminal and int(after.record.phase) in (PLACING_AMOUNT, MOVING_AMOUNT)
    return [*moves, amount] if asked or int(amount) != 1 else moves


def _amount_and_place(state: State, text: str) -> tuple[str | None, str]:
    """Return the number of armies before or behind a place, and the place; a name may end with a number of its own."""
    amount, _, place = text.partition(" ")
    if amount.isdecimal() and place:
        return amount, place
    place, _, amount = text.rpartition(" ")
    if not amount.isdecimal() or not place or _ends(state, text)[-1] in _names(state):
        return None, text
    return amount, place


def _ends(state: State, text: str) -> list[str]:
    """Return the two places that an arrow, or the word ``to``, stands between; or the whole text.

    The word may also be part of a name: then what it divides is no pair of territories.
    """
    parts = _ARROW.split(text)
    if len(parts) > 1:
        return parts if all(parts) else [text]
    known = [(text[: found.start()], text[found.end() :]) for found in _TO.finditer(text)]
    for pair in known:
        if _names(state).issuperset(pair):
            return list(pair)
    if text in _names(state) or not known:
        return [text]
    return list(known[0])


def _names(state: State) -> set[str]:
    return {_normal(territory.name) for territory in world_of(state).territories}


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())


def parse_action(state: State, text: str) -> int:
    """Return the action or chance outcome that a text denotes; case does not matter.

    Raises:
        IllegalActionError: with one line that says what would be right.
    """
    words = _normal(text)
    if words in _DONE:
        return DONE
    number = re.fullmatch(r"(\d{1,5})(?: arm(?:y|ies))?", words)
    if number:
        count = int(number[1])
        if count > MOST_ARMIES:
            raise IllegalActionError(f"{number[1]} armies are too many: {MOST_ARMIES} stand on a territory at most")
        return AMOUNT + count
    head, _, rest = words.partition(" ")
    if head in _EXAMPLES and not rest:
        raise IllegalActionError(f"{head} what? for example {_EXAMPLES[head]}")
    if head == "capital" and rest == "hidden":
        return CAPITAL + UNSEEN_CAPITAL
    if head in _KINDS:
        return _KINDS[head] + _territory(state, rest)
    if head == "attack":
        return _attack(state, rest)
    if head == "trade":
        return _trade(state, rest)
    if head == "losses":
        return _losses(state, rest)
    if head == "draws":
        return DRAW_CARD + (UNSEEN_CARD if rest == "a card" else _card(state, rest))
    if state.is_terminal:
        raise IllegalActionError("the game is over")
    raise IllegalActionError(f"{quoted(text)} is no move here: write {' or '.join(examples(state)[:6])}")


def _territory(state: State, text: str) -> int:
    """Return the territory with a name, or with the only name that begins so."""
    text = text.strip()
    names = [_normal(territory.name) for territory in world_of(state).territories]
    if text in names:
        return names.index(text)
    begin = [number for number, name in enumerate(names) if text and name.startswith(text)]
    if len(begin) == 1:
        return begin[0]
    shown = [world_of(state).territories[number].name for number in begin]
    if shown:
        raise IllegalActionError(f"{quoted(text)} may be {' or '.join(shown)}: write more of it")
    raise IllegalActionError(f"{quoted(text)} is no territory of the map {world_of(state).name}")


def _attack(state: State, text: str) -> int:
    words, _, dice_text = text.rpartition(" with ")
    if not words or _ends(state, text)[-1] in _names(state):
        words, dice_text = text, ""
    ends = _ends(state, words)
    if len(ends) != 2:
        raise IllegalActionError(f"say from where and to where: {_EXAMPLES['attack']}")
    dice = 0
    if dice_text:
        dice = small_number(dice_text.removesuffix("dice").removesuffix("die")) or 0
        if not 1 <= dice <= 3:
            raise IllegalActionError(f"{quoted(dice_text)}: an attacker throws 1 to 3 dice, as in with 2 dice")
    origin, target = (_territory(state, end) for end in ends)
    if dice and dice == min(3, int(state.record.armies[origin]) - 1):
        dice = 0  # the most: what is listed
    return ATTACK + FEWER_DICE * dice + 64 * origin + target


def _trade(state: State, text: str) -> int:
    parts = [part for part in re.split(r"[+,]", text) if part.strip()]
    if len(parts) < 3:
        parts = [part for part in re.split(r"[+,]|\band\b", text) if part.strip()]
    cards = sorted({_card(state, part.strip()) for part in parts})
    if len(cards) != 3 or len(parts) != 3:
        raise IllegalActionError(f"a set has three cards: {_EXAMPLES['trade']}")
    return TRADE + 4096 * cards[0] + 64 * cards[1] + cards[2]


def _card(state: State, text: str) -> int:
    territories = len(world_of(state).territories)
    wilds = int(state.game.options.rule("wilds"))
    found = re.fullmatch(r"wild(?:\s*card)?\s*(\d)?", text)
    if found:
        number = int(found[1] or 1)
        if not 1 <= number <= wilds:
            raise IllegalActionError(f"{quoted(text)} is no card: there are {wilds} wild cards")
        return territories + number - 1
    return _territory(state, text)


def _losses(state: State, text: str) -> int:
    found = re.fullmatch(r"(\d)\s*:\s*(\d)", text)
    stake = at_stake(state)
    if not found or int(found[1]) + int(found[2]) != stake:
        together = f"{stake} together" if stake else "but no dice are thrown here"
        raise IllegalActionError(f"{quoted(text)}: write the losses of attacker and defender, {together}")
    return LOSSES + int(found[2])
