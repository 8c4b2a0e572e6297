"""Facts about finished games that a game's own module names: pieces built, cards played, turns taken.

A game may have a module ``facts.py`` beside its rules (in a user's game file: in the file itself) that holds

``FACTS``
    dict from the name of each fact, an identifier, to a line that gives its meaning and its unit.
``facts(state)``
    Python function that returns the facts of a :class:`~oponente.kernel.State` as a list with one dict per seat, each
    from every name in ``FACTS`` to a finite number.

It is asked for the last position of every game of a match, also of one that ended by a forfeit or at a limit, and sees
all that is hidden from the players. A game that notes something else of who forfeits has one function more:

``forfeited(state, seat)``
    Python function that returns the same in place of ``facts(state)`` where the agent in ``seat`` has forfeited.
"""

from __future__ import annotations

import math
from typing import Any

from oponente.kernel import Game, RulesError, State


def fact_meanings(game: Game) -> dict[str, str]:
    """Return the meaning of each of a game's facts by name; empty if it has none."""
    meanings: dict[str, str] = getattr(game.facts, "FACTS", {})
    return meanings


def check_facts(game: Game) -> None:
    """Raise RulesError if what a game says about its facts is incomplete or of a wrong type."""
    module, where = game.facts, game.facts.__file__
    if not hasattr(module, "FACTS"):
        return
    meanings: Any = module.FACTS
    if not isinstance(meanings, dict) or not all(isinstance(text, str) for text in meanings.values()):
        raise RulesError(f"{where}: FACTS is {meanings!r}; expected a dict from names to meanings")
    for name in meanings:
        if not (isinstance(name, str) and name.isidentifier()):
            raise RulesError(f"{where}: FACTS names {name!r}; expected letters, digits and underscores")
    if not callable(getattr(module, "facts", None)):
        raise RulesError(f"{where} lacks facts, which a game with FACTS must define")


def final_facts(state: State, forfeited_by: int | None = None) -> list[dict[str, float] | None]:
    """Return the facts of each seat in a position, None for each if the game has none.

    Args:
        state: the last position of a game.
        forfeited_by: the seat whose agent has failed; None: none has.

    Raises:
        RulesError: the game's ``facts`` gives other names than ``FACTS``, or something that is no finite number.
    """
    game = state.game
    names = fact_meanings(game)
    if not names:
        return [None] * game.num_players
    module, where = game.facts, game.facts.__file__
    special = forfeited_by is not None and hasattr(module, "forfeited")
    found = module.forfeited(state, forfeited_by) if special else module.facts(state)
    if len(found) != game.num_players:
        raise RulesError(f"{where}: facts returned {len(found)} seats; expected {game.num_players}")
    return [_checked(where, names, seat) for seat in found]


def _checked(where: str | None, names: dict[str, str], found: dict[str, float]) -> dict[str, float]:
    if found.keys() != names.keys():
        raise RulesError(f"{where}: facts returned {', '.join(found) or 'nothing'}; FACTS names {', '.join(names)}")
    values = {name: float(found[name]) for name in names}
    for name, value in values.items():
        if not math.isfinite(value):
            raise RulesError(f"{where}: facts returned {value} for {name}; expected a finite number")
    return values
