"""Best-reply search: of all opponents only one at a time plays against the root's player.

Source: M. Schadd, M. Winands, "Best reply search for multiplayer games" (2011). Between two actions of the root's
player, only the opponent with the strongest reply may act freely; so the tree has one minimising layer instead of one
for each opponent, and the same effort looks further ahead for the own plans.

In the source the other opponents pass. Few games allow that, and positions after a pass may be impossible; so here
they play a *default action*, as in BRS+ (M. Esser, M. Gras, M. Winands, M. Schadd, M. Lanctot, "Improving best-reply
search", 2013): the one after which the evaluator gives the player most, the first of equals. A decision that is left
to it is no ply. An opponent whose turn has several decisions may take all of them freely once it has taken one.

With two players this is minimax.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import njit
from oponente.search.frames import FORCED, MAXIMISING, MINIMISING

NOBODY = -1


@njit
def kind_of_reply(frame: Any, settings: Any) -> int:
    """Return how the mover of a frame chooses."""
    if frame.mover == settings.me:
        return MAXIMISING
    if settings.players == 2 or frame.replier < 0 or frame.replier == frame.mover:
        return MINIMISING
    return FORCED


@njit
def needs_default(frame: Any, settings: Any) -> bool:
    """Tell whether the default action of a frame must be found."""
    if settings.players == 2 or frame.mover == settings.me:
        return False
    return frame.kind == FORCED or (frame.left > 1 and frame.replier == NOBODY)


@njit
def replier_after(frame: Any, settings: Any, action: Any) -> Any:
    """Return who has replied once `action` is taken: whoever does something else than by default."""
    if settings.players == 2 or frame.kind != MINIMISING or action == frame.default_move:
        return np.int64(frame.replier)
    return np.int64(frame.mover)
