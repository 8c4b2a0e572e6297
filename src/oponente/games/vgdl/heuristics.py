"""VGDL: evaluators of states, those of the framework's sample controllers and of OLETS, and playout policies.

Sources: D. Perez-Liebana et al., "The 2014 general video game playing competition" (IEEE TCIAIG 2016): the sample
controllers, and adrienctx (OLETS), which won.

All evaluators are of one kind for the compiler, so that one machine code of a search serves all controllers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from oponente.games.vgdl import playouts
from oponente.games.vgdl.knowledge import Knowledge, no_knowledge, worth_of_nearness
from oponente.games.vgdl.nearness import nearness
from oponente.kernel import Token, njit

ADDED, IN_PLACE, NEAR, OLETS = range(4)
"""How a win or a loss counts: added to the score; in its place; in place of score and nearness; as OLETS does."""
DECIDED = 1e7
"""What a win counts in the sample tree search, and a loss takes away."""
WON = 1000.0
"""What a win is worth to the sample planners, in place of the score; a loss is its negative."""
WIN_FACTOR, LOSS_FACTOR = 100.0, 2000.0
"""Of OLETS."""

IGNORANCE = no_knowledge()
"""Of evaluators that take scores as they are."""


class Scoring(NamedTuple):
    """How scores, wins and losses count."""

    token: Token
    kind: int
    """`ADDED`, `IN_PLACE`, `NEAR` or `OLETS`."""
    decided: float
    """What a win counts; a loss counts the negative."""
    others: float
    """Weight of what the other players have, which is added."""
    origin: npt.NDArray[np.int64]
    """One item: the tick at the root, for `OLETS`."""
    knowledge: Knowledge
    """Of the player that learns; of nobody, if none does."""


def scoring(kind: int, decided: float = DECIDED, others: float = 0.0) -> Scoring:
    """Return an evaluator, with an origin of its own at the start of a game."""
    return Scoring(Token(__name__), kind, decided, others, np.full(1, -1, np.int64), IGNORANCE)


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player its score, and what a win or a loss counts."""
    for player in range(out.size):
        out[player] = value_for(evaluator, game, state, player)
    if evaluator.others != 0.0:
        total = 0.0
        for player in range(out.size):
            total += out[player]
        for player in range(out.size):
            out[player] += evaluator.others * (total - out[player])


@njit
def value_for(evaluator: Any, game: Any, state: Any, player: Any) -> Any:
    """Return what a state is worth to a player, others left out.

    OLETS adds 100 times the size of the score for a win, and takes away 2000 times for a loss, less the later it is.
    """
    value = state.score[player]
    if player == evaluator.knowledge.root[0].seat and not state.ended:
        value += worth_of_nearness(evaluator.knowledge, game, state, player)
    result = np.int64(state.win[player]) if state.ended else np.int64(-1)
    if result < 0:
        return value + nearness(game, state, player) if evaluator.kind == NEAR else value
    if evaluator.kind == OLETS:
        size = 1.0 + abs(value)
        if result == 1:
            return value + WIN_FACTOR * size
        depth = np.float64(state.tick - evaluator.origin[0])
        return value - LOSS_FACTOR / ((1.0 + depth) * (1.0 + depth)) * size
    decided = evaluator.decided if result == 1 else -evaluator.decided
    return value + decided if evaluator.kind == ADDED else decided


EVALUATORS = {
    "score": scoring(ADDED),
    "win-score": scoring(IN_PLACE, WON),
    "lead": scoring(ADDED, others=-1.0),
    "team": scoring(ADDED, others=1.0),
    "simple": scoring(NEAR),
    "olets": scoring(OLETS),
}
POLICIES = {"default": playouts.OPPOSITES}
