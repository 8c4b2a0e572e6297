"""The depth-first searches by name: what each of them is, in terms of what the kernel can be told.

``MINIMAX``
    The player at the root maximises the own value, whoever else moves minimises it, and every line of play is looked at
    (C. Shannon, "Programming a computer for playing chess", 1950). A chance event counts with the mean of its outcomes.
``ALPHABETA``
    The same value and the same move with what can't matter left out: :mod:`oponente.search.alphabeta`.
``PARANOID_SEARCH``
    Alpha-beta with three and more players: all others play together against the root's player (N. Sturtevant, R. Korf,
    "On pruning techniques for multi-player games", 2000).
``EXPECTIMINIMAX``
    Alpha-beta that prunes at chance nodes, too (D. Michie, "Game-playing and game-learning automata", 1966):
    :mod:`oponente.search.star`.
``MAX_N``
    Each player maximises the own value: :mod:`oponente.search.maxn`.
``BEST_REPLY_SEARCH``
    Only one opponent at a time plays against the root's player: :mod:`oponente.search.best_reply`.
"""

from __future__ import annotations

from dataclasses import dataclass

from oponente.search.frames import AS_LISTED, BEST_REPLY, EVALUATION_ORDER, HISTORY_ORDER, MAXN, PARANOID

ORDERS = {"listed": AS_LISTED, "history": HISTORY_ORDER, "evaluation": EVALUATION_ORDER}
"""Orders of actions by name: as the game lists them; by :mod:`oponente.search.ordering`."""
STARS = {"none": 0, "star1": 1, "star2": 2}
"""Pruning at chance nodes by name."""


@dataclass(frozen=True)
class Method:
    """A depth-first search."""

    rule: int = PARANOID
    """Who wants what: PARANOID (minimax with two), MAXN or BEST_REPLY, see :mod:`oponente.search.frames`."""
    prune: bool = True
    """Whether what can't matter is left out."""
    star: str = "none"
    """Pruning at chance nodes, one of `STARS`. Without bounds of the evaluator there is none."""
    order: str = "listed"
    """In which order actions are tried, one of `ORDERS`. Max^n keeps to the game's, which decides between equals."""
    table: float = 0.0
    """MiB of the transposition table; 0: none."""
    aspiration: float | None = None
    """Half the width of the window around the last depth's value with which the next depth begins; None: no window."""
    cutoff: float = 0.0
    """Positions that chance leads to with less probability than this, seen from the root, are evaluated at once."""
    free_chance: bool = False
    """Whether a chance event is no ply; then a position at which one is due is evaluated where the outcomes since the
    last decision have a probability below :data:`oponente.search.depth_first.LEAST_RUN`, and where a path ends."""
    margin: bool = False
    """Whether the root's player maximises the lead over the best other player instead of the own value."""


MINIMAX = Method(prune=False)
ALPHABETA = Method(star="star1", order="history", table=16.0)
PARANOID_SEARCH = ALPHABETA
EXPECTIMINIMAX = Method(star="star2", order="history", table=16.0)
MAX_N = Method(rule=MAXN, table=16.0)
BEST_REPLY_SEARCH = Method(rule=BEST_REPLY, star="star1", order="history", table=16.0)
