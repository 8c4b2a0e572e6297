"""The messages between the arena and an agent in another process: JSON objects, one a line.

docs/protocol.md describes them for those who write agents.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oponente.agents.view import View
from oponente.kernel import Game, State, declared, parse_json
from oponente.kernel.rules import PADDING

PROTOCOL, VERSION = "oponente", 1
CONTENTS = ("history", "legal_texts", "state", "text", "features")
"""What an agent may ask to be told at each decision, beside the legal actions and the clock."""
USUAL = CONTENTS[:-1]
"""What it is told if it asks for nothing in particular."""
SEED_BITS = 53
"""So many bits of a decision's seed are told: as many as every language's numbers hold."""
_WIDE = 8


class AnswerError(ValueError):
    """An answer is not what the protocol wants; the message is one line that begins with a verb."""


@dataclass(frozen=True)
class Ready:
    """What an agent says of itself when it is asked hello."""

    name: str = ""
    wants: frozenset[str] = frozenset(USUAL)
    deterministic: bool = False
    """Whether the same messages always get the same answers."""


def write(message: Mapping[str, Any]) -> str:
    """Return a message as a line."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)


# --- to the agent --------------------------------------------------------------------------------------------------


def hello(game: Game) -> dict[str, Any]:
    """Return the first message: who asks, and which game will be played."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "version": VERSION,
        "game": game.name,
        "options": {field.name: getattr(game.options, field.name) for field in declared(type(game.options))},
        "players": game.num_players,
        "utility": list(game.utility),
        "contents": [content for content in CONTENTS if content != "features" or game.encoding],
    }


def begin(seat: int) -> dict[str, Any]:
    """Return the message that a new game begins, in which the agent has this seat."""
    return {"type": "begin", "seat": seat}


def move(view: View, ready: Ready, told: int, seconds: float | None, limit: float) -> dict[str, Any]:
    """Return the question for an action.

    Args:
        view: what the seat sees.
        ready: what the agent wants to be told.
        told: how many entries of the history it was told before in this game.
        seconds: for this decision; None: as many as `limit`.
        limit: seconds after which the agent has lost.
    """
    message: dict[str, Any] = {
        "type": "move",
        "seat": view.seat,
        "ply": view.ply,
        "clock": {"seconds": seconds, "limit": limit},
        "seed": view.seed & ((1 << SEED_BITS) - 1),
        "legal": list(view.legal_actions),
    }
    wants = ready.wants
    if "legal_texts" in wants:
        message["legal_texts"] = [view.action_text(action) for action in message["legal"]]
    if "history" in wants:
        message["history"] = list(view.history[told:])
    if "state" in wants or "text" in wants:
        known = view.determinize(view.stream("known"))
        if "state" in wants:
            message["state"] = record_fields(known)
        if "text" in wants:
            message["text"] = known.text(view.seat)
    if "features" in wants:
        message["features"] = [float(feature) for feature in view.encode()]
    return message


def end(returns: Sequence[float], reason: str) -> dict[str, Any]:
    """Return the message that the game is over."""
    return {"type": "end", "returns": list(returns), "reason": reason}


def quit_() -> dict[str, Any]:
    """Return the message after which the agent is to end."""
    return {"type": "quit"}


def record_fields(state: State) -> dict[str, Any]:
    """Return the fields of a state's record as values for JSON.

    Integers of 64 bits are written as decimal texts: JavaScript's numbers, among others, hold 53.
    """
    fields = {}
    for name in state.game.state_dtype.names or ():
        if not name.startswith(PADDING):
            values = np.asarray(state.array[name][0])
            fields[name] = _texts(values.tolist()) if values.dtype.kind in "iu" and values.itemsize >= _WIDE else (
                values.tolist()
            )  # fmt: skip
    return fields


def _texts(value: Any) -> Any:
    return [_texts(part) for part in value] if isinstance(value, list) else str(value)


# --- from the agent ------------------------------------------------------------------------------------------------


def read_ready(line: str, game: Game) -> Ready:
    """Return what the answer to hello says.

    Raises:
        AnswerError: it is no such answer, or one to another version of the protocol.
    """
    answer = _object(line)
    if answer.get("type") != "ready":
        raise AnswerError(f'answered hello with {_shown(answer)}; expected {{"type": "ready", "version": {VERSION}}}')
    version = answer.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise AnswerError(f"speaks version {_shown(version)} of the protocol; this is version {VERSION}")
    name, wants, deterministic = answer.get("name", ""), answer.get("wants", USUAL), answer.get("deterministic", False)
    offered = hello(game)["contents"]
    if not isinstance(wants, list | tuple) or not all(want in offered for want in wants):
        raise AnswerError(f"wants {_shown(wants)}; there is a list of {', '.join(offered)}")
    if not isinstance(name, str) or not isinstance(deterministic, bool):
        raise AnswerError("answered hello with a name that is no text, or deterministic that is not true or false")
    return Ready(name, frozenset(wants), deterministic)


def read_action(line: str) -> int | str | None:
    """Return the action in the answer to a question for one: a number or a text; None: the agent resigns.

    Raises:
        AnswerError: it holds none.
    """
    answer = _object(line)
    if answer.get("resign") is True:
        return None
    action = answer.get("action")
    if isinstance(action, bool) or not isinstance(action, int | str):
        raise AnswerError(f'answered {_shown(answer)}; expected {{"action": NUMBER or TEXT}}')
    return action


def _object(line: str) -> dict[str, Any]:
    try:
        value = parse_json(line)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise AnswerError(f"wrote {_shown(line)}, which is no JSON object (all else belongs on the standard error)")
    return value


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 80 else text[:77] + "..."
