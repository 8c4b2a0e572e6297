"""Reading a recorded game: header, actions with their chance results, and the state after each.

A recording is one JSON value a line, packed with gzip if its name ends in ``.gz``: a header with the state at the
start, a line for each action with the fields that it changed, and a line with the state at the end.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oponente.interop.recordings import RecordingError, read_lines

STATE_FIELDS = (
    "p", "bank", "deck", "robber", "prompt", "actor", "turn", "nturn", "disc", "free", "nlegal", "lh", "win"
)  # fmt: skip
SEAT_FIELDS = 13
"""How many entries a seat's list has."""
HEADER_KEYS = frozenset(
    {"k", "id", "seed", "players", "colors", "tiles", "ports", "robber", "vps_to_win", "discard_limit"}
    | {"friendly_robber", "number_placement", "catanatron", "commit", "policy", "state"}
)
"""What a header may hold; of these seed, catanatron, commit and policy say only where the game comes from."""
ABSENT = object()
"""The chance result of an action that has none."""


@dataclass(frozen=True)
class Header:
    """What is played, on which board; tiles, harbours and the robber in their numbers."""

    number: int
    players: int
    tiles: list[Any]
    ports: list[Any]
    robber: int
    points: int
    discard_limit: int
    friendly_robber: bool
    number_placement: str
    state: dict[str, Any]


@dataclass(frozen=True)
class Step:
    """An action and the state after it."""

    line: int
    action: list[Any]
    """``[seat, type, value]``."""
    outcome: Any
    """What chance decided; `ABSENT` if nothing."""
    state: dict[str, Any]
    """From the changes since the start."""
    whole: dict[str, Any] | None
    """As the recording repeats it now and then."""


@dataclass(frozen=True)
class Recording:
    """A recorded game."""

    header: Header
    steps: list[Step]
    end_line: int
    end_count: Any
    """Of the actions, as the last line says."""
    end_state: Any


def read_recording(path: Path) -> Recording:
    """Return the game recorded in a file.

    Raises:
        RecordingError: the file can't be read, or is no complete recording.
    """
    lines = read_lines(path)
    if len(lines) < 2:
        raise RecordingError(len(lines), "a recording has a header, actions and an end")
    header = _header(lines[0])
    state = header.state
    steps = []
    for number, line in enumerate(lines[1:-1], 2):
        _expect(line.get("k") == "a" and set(line) <= {"k", "a", "r", "d", "s"}, number, "this is no action")
        action: Any = line.get("a")
        changes = line.get("d", {})
        _expect(
            isinstance(action, list) and len(action) == 3 and isinstance(action[1], str),
            number,
            "an action is [seat, type, value]",
        )
        state = _changed(state, changes, number)
        steps.append(Step(number, action, line.get("r", ABSENT), state, line.get("s")))
    end = lines[-1]
    _expect(end.get("k") == "end" and set(end) == {"k", "actions", "state"}, len(lines), "the last line is no end")
    return Recording(header, steps, len(lines), end["actions"], end["state"])


def _expect(condition: bool, line: int, message: str) -> None:
    if not condition:
        raise RecordingError(line, message)


def _header(line: dict[str, Any]) -> Header:
    _expect(line.get("k") == "head", 1, "the first line is no header")
    unknown = sorted(set(line) - HEADER_KEYS)
    _expect(not unknown, 1, f"the header has unknown keys: {', '.join(map(repr, unknown))}")
    try:
        header = Header(
            line["id"],
            line["players"],
            line["tiles"],
            line["ports"],
            line["robber"],
            line["vps_to_win"],
            line["discard_limit"],
            line["friendly_robber"],
            line["number_placement"],
            line["state"],
        )
        colours = line["colors"]
    except KeyError as error:
        raise RecordingError(1, f"the header lacks {error}") from None
    _expect(type(header.players) is int and 2 <= header.players <= 4, 1, "a game has 2 to 4 players")
    _expect(isinstance(colours, list) and len(set(map(str, colours))) == header.players, 1, "a colour for each seat")
    _expect(_is_state(header.state, header.players), 1, "the header's state is incomplete")
    _expect(type(header.friendly_robber) is bool, 1, "friendly_robber is true or false")
    return header


def _is_state(state: Any, players: int) -> bool:
    return (
        isinstance(state, dict)
        and set(state) == set(STATE_FIELDS)
        and isinstance(state["p"], list)
        and len(state["p"]) == players
        and all(isinstance(seat, list) and len(seat) == SEAT_FIELDS for seat in state["p"])
    )


def _changed(state: dict[str, Any], changes: Any, line: int) -> dict[str, Any]:
    """Return a state with changes made."""
    _expect(isinstance(changes, dict) and set(changes) <= set(STATE_FIELDS), line, "d holds fields of the state")
    new = {**state, **changes}
    if "p" in changes:
        new["p"] = [copy.copy(seat) for seat in state["p"]]
        try:
            for seat, entries in changes["p"].items():
                for entry, value in entries.items():
                    if int(seat) < 0 or int(entry) < 0:
                        raise IndexError
                    new["p"][int(seat)][int(entry)] = value
        except (AttributeError, ValueError, IndexError):
            raise RecordingError(line, "p holds entries by seat and number") from None
    return new
