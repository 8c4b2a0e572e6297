"""VGDL: evaluators of states, those of the framework's sample controllers, and playout policies.

Source: D. Perez-Liebana et al., "The 2014 general video game playing competition" (IEEE TCIAIG 2016).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from oponente.games.vgdl import nearness, olets, playouts
from oponente.kernel import Token, njit

DECIDED = 1e7
"""What a win adds to the score in the sample tree search, and a loss takes away."""
WON = 1000.0
"""What a win is worth to the sample planners, in place of the score; a loss is its negative."""


class Scoring(NamedTuple):
    """How scores, wins and losses count."""

    token: Token
    decided: float
    """What a win counts; a loss counts the negative."""
    added: bool
    """Whether that is added to the score, not in its place."""
    others: float
    """Weight of what the other players have, which is added."""


SCORE = Scoring(Token(__name__), DECIDED, True, 0.0)
WIN_SCORE = Scoring(Token(__name__), WON, False, 0.0)
LEAD = Scoring(Token(__name__), DECIDED, True, -1.0)
TEAM = Scoring(Token(__name__), DECIDED, True, 1.0)


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player its score, and what a win or a loss counts."""
    for player in range(out.size):
        value = state.score[player]
        if state.ended and state.win[player] >= 0:
            decided = evaluator.decided if state.win[player] == 1 else -evaluator.decided
            value = value + decided if evaluator.added else decided
        out[player] = value
    if evaluator.others != 0.0:
        total = 0.0
        for player in range(out.size):
            total += out[player]
        for player in range(out.size):
            out[player] += evaluator.others * (total - out[player])


EVALUATORS = {
    "score": SCORE,
    "win-score": WIN_SCORE,
    "lead": LEAD,
    "team": TEAM,
    "simple": nearness.SIMPLE,
    "olets": olets.new_olets(),
}
POLICIES = {"default": playouts.OPPOSITES}
