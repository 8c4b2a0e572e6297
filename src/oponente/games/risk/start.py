"""Risk: start positions as JSON files.

A start position is an object with an entry for each territory, from its name to ``[player, armies]``: the number of the
player, from 1 (0: neutral), and how many armies stand there. The order of the entries is the order in which the players
got their territories.
"""

from __future__ import annotations

import json

from oponente.games.risk.world import World, data_text, file_text
from oponente.kernel import parse_json
from oponente.kernel.notation import quoted

DRAWN, THESIS = "drawn", "thesis"
_WORDS = (DRAWN, THESIS)
Start = list[tuple[int, int | None, int]]
"""Territory, seat of its owner (None: neutral) and armies, in the order in which the owners got them."""


def start_text(given: str) -> str:
    """Return what stands for the start position that a user gives: a word as it is, a position as compact JSON.

    Raises:
        ValueError: with one line that says what is wrong.
    """
    if given in _WORDS:
        return given
    text, source = file_text(given, "start", f"{' or '.join(_WORDS)}")
    try:
        value = parse_json(text)
    except ValueError as error:
        raise ValueError(f"{source} is no JSON: {error}") from None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def start_of(text: str) -> str | None:
    """Return the JSON of the start position that :func:`start_text` returned the text of, None if it is drawn."""
    if text == DRAWN:
        return None
    return data_text("thesis-start.json") if text == THESIS else text


def read_start(text: str, world: World, players: int, army_limit: int, source: str) -> Start:
    """Return a start position.

    Args:
        text: the JSON.
        world: the map that it is on.
        players: how many play; each must hold a territory.
        army_limit: armies on a territory at most.
        source: where it comes from, for error messages.

    Raises:
        ValueError: with one line that says what is wrong.
    """
    try:
        data = parse_json(text)
    except ValueError as error:
        raise ValueError(f"{source} is no JSON: {error}") from None
    if not isinstance(data, dict):
        raise ValueError(f"{source}: expected an object from territories to [player, armies]")
    result: Start = []
    for name, pair in data.items():
        try:
            territory = world.index(name)
        except ValueError as error:
            raise ValueError(f"{source}: {error}") from None
        if not isinstance(pair, list) or len(pair) != 2 or any(type(value) is not int for value in pair):
            raise ValueError(f"{source}: {name} is {quoted(json.dumps(pair))}; expected [player, armies]")
        player, armies = pair
        if not 0 <= player <= players:
            raise ValueError(f"{source}: {name} belongs to player {player}; expected 1 to {players}, or 0 for neutral")
        if not 1 <= armies <= army_limit:
            raise ValueError(f"{source}: {name} has {armies} armies; expected 1 to {army_limit}")
        result.append((territory, player - 1 if player else None, armies))
    missing = [territory.name for territory in world.territories if territory.name not in data]
    if missing:
        raise ValueError(f"{source} lacks {', '.join(missing[:3])}{', …' if len(missing) > 3 else ''}")
    for seat in range(players):
        if not any(owner == seat for _, owner, _ in result):
            holders = len({owner for _, owner, _ in result if owner is not None})
            raise ValueError(
                f"{source}: player {seat + 1} of {players} holds no territory; it is for {holders}: give"
                f" --option players={holders}"
            )
    return result
