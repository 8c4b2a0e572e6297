"""Evaluators and playout policies by their names, as parameters of agents give them."""

from __future__ import annotations

from typing import Any

from oponente.kernel import Game
from oponente.search.network_files import names_network, network_evaluator


def choose_by_name(game: Game, known: dict[str, Any], name: str, what: str) -> Any:
    """Return the evaluator or policy of that name; ``default`` is the game's first.

    An evaluator may also be a file of a network (:mod:`oponente.search.network`).

    Raises:
        ValueError: the game has none of that name.
    """
    if name == "default":
        return next(iter(known.values()))
    if what == "evaluator" and names_network(name):
        return network_evaluator(name, game)
    if name not in known:
        files = " (or give the file of a network, .safetensors or .npz)" if what == "evaluator" else ""
        raise ValueError(f"{game.name} has no {what} {name!r}; it has {', '.join(known)}{files}")
    return known[name]
