"""The final move: what is played after a search.

Source: G. Chaslot, M. Winands, J. van den Herik, J. Uiterwijk, B. Bouzy, "Progressive strategies for Monte-Carlo tree
search" (2008), section 2.2: max, robust, robust-max and secure child. Sample: D. Perez et al., "The 2014 general video
game playing competition" (2016), of whose framework it is the sample controller's.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.search.mcts.engine import Engine


@dataclass(frozen=True)
class RootMove:
    """What one tree, or several together, found about an action at the root."""

    action: int
    visits: int
    totals: npt.NDArray[np.float64]
    """Sums of the rewards of each player."""
    seat: int
    """The player at the root."""
    lower: float = -math.inf
    """Proven least and greatest reward of that player."""
    upper: float = math.inf
    lost: bool = False
    """Whether the action was seen to lose at once."""
    prior: float | None = None
    node: int = 0
    """In the tree; 0: in several."""
    votes: float = field(default=0.0)
    """Trees that would play it."""

    @property
    def value(self) -> float | None:
        """The player's mean reward, or the proven one; None if there is none."""
        if self.lower == self.upper:
            return self.lower
        return float(self.totals[self.seat] / self.visits) if self.visits else None

    @property
    def mean(self) -> float:
        """The same, less than any number if there is none."""
        value = self.value
        return -math.inf if value is None else min(max(value, self.lower), self.upper)


def root_moves(engine: Engine) -> list[RootMove]:
    """Return what a tree holds about the actions at the root, the oldest child first."""
    return moves_at(engine, engine.root, engine.seat)


def moves_at(engine: Engine, node: int, seat: int) -> list[RootMove]:
    """Return what a tree holds about the actions of a player at a node, the oldest child first."""
    tree, config = engine.tree, engine.config
    assert tree is not None
    # NumPy takes longer for a field of one record than for an item of an array.
    choosers, lost = tree.nodes["chooser"], tree.nodes["lost"]
    actions, visits = tree.stats["action"], tree.stats["visits"]
    found = []
    for child in engine.children(node):
        if choosers[child] != seat:
            continue
        lower, upper = -math.inf, math.inf
        if config.solver:
            low, high = engine.bounds(child)
            lower, upper = float(low[seat]), float(high[seat])
        found.append(
            RootMove(
                action=int(actions[child]),
                visits=int(visits[child]),
                totals=engine.values(child).copy(),
                seat=seat,
                lower=lower,
                upper=upper,
                lost=bool(lost[child]),
                prior=engine.prior(child),
                node=child,
            )
        )
    return found


def merged(
    trees: Sequence[Sequence[RootMove]],
    decided: Sequence[int | None],
    *,
    worlds: bool = False,
) -> list[RootMove]:
    """Return what several trees found together: visits and rewards summed, and the votes of each tree.

    Args:
        trees: the moves of each.
        decided: what each would play.
        worlds: whether each tree is of another world: then only what is proven in all of them is proven. Of trees of
            one position, what any has proven holds.
    """
    found: dict[int, RootMove] = {}
    known_in: Counter[int] = Counter(move.action for moves in trees for move in moves)
    for moves, chosen in zip(trees, decided, strict=True):
        for move in moves:
            votes = 1.0 if move.action == chosen else 0.0
            known = found.get(move.action)
            if known is None:
                found[move.action] = replace(move, node=0, votes=votes)
                continue
            found[move.action] = replace(
                known,
                visits=known.visits + move.visits,
                totals=known.totals + move.totals,
                lower=(min if worlds else max)(known.lower, move.lower),
                upper=(max if worlds else min)(known.upper, move.upper),
                lost=known.lost or move.lost,
                votes=known.votes + votes,
            )
    if worlds:
        return [
            move if known_in[move.action] == len(trees) else replace(move, lower=-math.inf, upper=math.inf)
            for move in found.values()
        ]
    return list(found.values())


def eligible(moves: Iterable[RootMove]) -> list[RootMove]:
    """Return the moves that may be played: no losers at once, none that can't be as good as another is proven to be.

    Moves that were never tried count only if there are no others.
    """
    tried = [move for move in moves if move.visits or move.lower == move.upper]
    safe = [move for move in tried if not move.lost] or tried
    sure = max((move.lower for move in safe), default=-math.inf)
    return [move for move in safe if move.upper > sure or move.lower == sure]


def final_move(moves: Sequence[RootMove], rule: str, secure: float = 4.0) -> RootMove | None:
    """Return the move to play, None if nothing was tried; of equals the first.

    Args:
        moves: of the root.
        rule: one of `FINAL_MOVES`; ``max-robust`` is the robust move where it does not exist.
        secure: A of the lower confidence bound.
    """
    choice = eligible(moves)
    proven = _proven(choice)
    unproven = [move for move in choice if move.lower != move.upper]
    if rule == "sample" and len({move.visits for move in unproven}) == 1:
        rule = "max"
    key: Callable[[RootMove], Any] = {
        "sample": lambda move: move.visits,
        "max": lambda move: (move.mean, move.visits),
        "secure": lambda move: (move.mean - secure / math.sqrt(max(move.visits, 1)), move.visits),
    }.get(rule, lambda move: (move.visits, move.mean))
    best = max(unproven, key=key, default=None)
    # What is proven is not searched any more, so its visits say nothing. Of equals the other one may prove better.
    return proven if best is None or (proven is not None and proven.lower > best.mean) else best


def _proven(choice: Iterable[RootMove]) -> RootMove | None:
    """Return the best of the proven moves, None if there is none."""
    known = (move for move in choice if move.lower == move.upper)
    return max(known, key=lambda move: (move.lower, move.visits), default=None)


def is_max_robust(moves: Sequence[RootMove]) -> bool:
    """Tell whether one move has both the most visits and the best mean, or is proven to be worth more than any mean."""
    choice = eligible(moves)
    proven, open_ = _proven(choice), [move for move in choice if move.lower != move.upper]
    if not open_:
        return True
    visits, mean = max(move.visits for move in open_), max(move.mean for move in open_)
    if proven is not None and proven.lower > mean:
        return True
    return any(move.visits == visits and move.mean == mean for move in open_)


def voted(moves: Sequence[RootMove]) -> RootMove | None:
    """Return the move that most trees would play, if it may be played; of equals the one visited most."""
    return max(eligible(moves), key=lambda move: (move.votes, move.visits, move.mean), default=None)
