"""Catan: the weights of the linear evaluation as parameters of agents, and as files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from oponente.games.catan.linear import SETS, WEIGHTS
from oponente.kernel import format_value, home_path, option, parse_json
from oponente.kernel.notation import quoted, shortened

LIMIT = 1e6
"""Greatest absolute value of a weight."""
SPAN = 1000.0
"""Over what distance weights are tuned: steps are those of the thesis then (Skoric, FER 2022)."""


def weights_text(text: str) -> str:
    """Return the name of a set of weights as it is, the content of a JSON file, or of JSON itself, as one line.

    Raises:
        ValueError: it is no name and no such file, or the JSON does not give each weight a number.
    """
    if text in SETS:
        return text
    if text.lstrip().startswith("{"):
        return json.dumps(read_weights(text), separators=(",", ":"))
    try:
        given = home_path(text).read_text(encoding="utf-8")
    except (OSError, ValueError):  # no file's name, or no text
        raise ValueError(
            f"weights={shortened(text, 200)}: expected {', '.join(SETS)}, or a JSON file of weights by name"
        ) from None
    try:
        return json.dumps(read_weights(given), separators=(",", ":"))
    except ValueError as error:
        raise ValueError(f"{text}: {error}") from None


def read_weights(text: str) -> dict[str, float]:
    """Return the weights that a set's name or JSON stands for.

    Raises:
        ValueError: see :func:`weights_text`.
    """
    if text in SETS:
        return SETS[text]
    try:
        found = parse_json(text)
    except ValueError as error:
        raise ValueError(f"weights are no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError("weights are no JSON object: expected weights by name")
    for name in WEIGHTS:
        value = found.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LIMIT:
            raise ValueError(f"weights: {name} is {quoted(value)}; expected a number of at most {format_value(LIMIT)}")
    unknown = sorted(set(found) - set(WEIGHTS))
    if unknown:
        raise ValueError(f"weights: {quoted(unknown[0])} is no weight; there are {', '.join(WEIGHTS)}")
    return {name: float(found[name]) for name in WEIGHTS}


def _weight(meaning: str) -> Any:
    return option(None, low=-LIMIT, high=LIMIT, span=SPAN, meaning=f"weight of {meaning}; none: as in weights")


@dataclass(frozen=True)
class LinearParameters:
    """The weights of the linear evaluation (:mod:`oponente.games.catan.linear`): a set, and what differs from it."""

    weights: str = option(
        "start",
        given=weights_text,
        meaning=f"set of weights: {', '.join(SETS)}, or a JSON file of all weights by name",
    )
    points: float | None = _weight("a victory point")
    cities: float | None = _weight("a city, besides its points")
    settlements: float | None = _weight("a settlement, besides its point")
    road: float | None = _weight("a piece of the longest road")
    knights: float | None = _weight("a knight played")
    cards: float | None = _weight("a development card in hand")
    types: float | None = _weight("a resource that the dice bring")
    ports: float | None = _weight("a harbour, for each card a roll that it serves")
    free_nodes: float | None = _weight("a place where a settlement may be built")
    free_edges: float | None = _weight("a place where a road may be built")
    discard: float | None = _weight("more cards in hand than the discard limit")
    enemy_points: float | None = _weight("an opponent's victory point that all see")
    enemy_production: float | None = _weight("an opponent's card a roll")
    enemy_types: float | None = _weight("a resource that the dice bring an opponent")
    enemy_nodes: float | None = _weight("an opponent's place for a settlement")
    enemy_edges: float | None = _weight("an opponent's place for a road")
    for_city: float | None = _weight("the share of a city's cost in hand")
    for_settlement: float | None = _weight("the share of a settlement's cost in hand")
    for_road: float | None = _weight("the share of a road's cost in hand")
    for_card: float | None = _weight("the share of a development card's cost in hand")
    lumber: float | None = _weight("a lumber a roll")
    brick: float | None = _weight("a brick a roll")
    wool: float | None = _weight("a wool a roll")
    grain: float | None = _weight("a grain a roll")
    ore: float | None = _weight("an ore a roll")

    def __post_init__(self) -> None:
        read_weights(self.weights)

    @property
    def effective(self) -> dict[str, float]:
        """The weights in force, by name."""
        given = {name: getattr(self, name) for name in WEIGHTS}
        known = read_weights(self.weights)
        return {name: known[name] if value is None else float(value) for name, value in given.items()}
