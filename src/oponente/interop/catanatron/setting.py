"""The game that a recording's header describes, by our rules, and variants of it with some of Catanatron's rules."""

from __future__ import annotations

import json
from typing import Any

from oponente.games.catan import rules
from oponente.games.catan.board import HARBOURS, TILES
from oponente.games.catan.cards import RESOURCES
from oponente.games.catan.layout import NUMBER_TOKENS, spiral
from oponente.interop.catanatron.numbering import OUR_TILES, THEIR_HARBOURS, THEIR_TILES
from oponente.interop.catanatron.recording import Header
from oponente.interop.recordings import RecordingError
from oponente.kernel import Game, State

ENDLESS = {"points": "20"}
"""More points than anyone gets: actions are listed after the win, too."""


def board_json(header: Header) -> str:
    """Return the board as our option of that name.

    Raises:
        RecordingError: the header describes none.
    """
    try:
        tiles = [[_name(resource), number] for resource, number in (header.tiles[tile] for tile in THEIR_TILES)]
        harbours = [_name(header.ports[number]) for number in THEIR_HARBOURS]
        if len(header.tiles) != TILES or len(header.ports) != HARBOURS:
            raise ValueError("a board has 19 tiles and 9 ports")
        robber = OUR_TILES[header.robber]
    except (TypeError, ValueError, LookupError) as error:
        raise RecordingError(1, f"the header's board can't be read: {error}") from error
    return json.dumps({"tiles": tiles, "harbours": harbours, "robber": robber + 1})


def _name(resource: Any) -> str | None:
    if resource is None:
        return None
    if type(resource) is not int or not 0 <= resource < len(RESOURCES):
        raise ValueError(f"{resource!r} is no resource")
    return RESOURCES[resource]


def make_game(header: Header, **deviations: str) -> Game:
    """Return the game of a header, with trade and without a limit of turns, by the rule book but for `deviations`.

    The rule book has no friendly robber: where the header has it, it is Catanatron's, which counts hidden points.

    Raises:
        RecordingError: the header describes no game of ours.
    """
    options = {
        "players": str(header.players),
        "board": board_json(header),
        "points": str(header.points),
        "discard_limit": str(header.discard_limit),
        "friendly_robber": str(header.friendly_robber).lower(),
        **({"friendly_counts_hidden": "true"} if header.friendly_robber else {}),
        "turn_limit": "0",
        **({} if deviations.get("trade") == "false" else {"trade": "true", "offers": "200"}),
        **deviations,
    }
    try:
        return Game(rules, options)
    except ValueError as error:
        raise RecordingError(1, str(error)) from error


def in_game(game: Game, state: State) -> State:
    """Return a copy of a state in a variant of its game."""
    copy = State(game, state.array.copy())
    copy.undoable = False
    return copy


def number_placement(header: Header) -> str:
    """Return how the number tokens of a board were laid: in the rule book's spiral from some corner, or at random."""
    tiles = [header.tiles[tile] for tile in THEIR_TILES]
    for corner in range(6):
        numbers = [tiles[tile][1] for tile in spiral(corner, clockwise=False) if tiles[tile][0] is not None]
        if numbers == list(NUMBER_TOKENS):
            return "official_spiral"
    return "random"
