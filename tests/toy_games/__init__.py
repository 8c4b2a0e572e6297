"""Small correct games of every kind, for tests of the suite and of anything that plays games.

Each module holds rules and notation. :data:`TOYS` lists them with options that are worth testing.
"""

from __future__ import annotations

import importlib

from oponente.kernel import Game

TOYS: dict[str, tuple[str, dict[str, str]]] = {
    "pig": ("pig", {}),
    "pig of six": ("pig", {"players": "6"}),
    "poker": ("poker", {}),
    "poker of three": ("poker", {"players": "3"}),
    "clash": ("clash", {}),
    "clash of three": ("clash", {"players": "3"}),
    "storm": ("storm", {}),
    "heap": ("heap", {}),
    "coins": ("coins", {}),
    "again": ("again", {}),
}
"""Module and options of each toy game, by a name for test reports."""


def toy(name: str) -> Game:
    """Return a toy game."""
    module, options = TOYS[name]
    return Game(importlib.import_module(f"toy_games.{module}"), options)
