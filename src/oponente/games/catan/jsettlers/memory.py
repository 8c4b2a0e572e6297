"""What a robot remembers: its plan for the turn, who sells what, which offers it has made; and room for its work."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.catan.board import NODES

SMART, FAST = range(2)
"""The strategies."""

CACHE = 1 << 12
"""Estimates that are kept, a power of 2."""
BUILDS = 5
"""Kinds of building whose speed is estimated: see :mod:`oponente.games.catan.jsettlers.speed`."""
PLAN = 4
"""Pieces of a plan at most."""
OFFERS = 32
"""Offers in a turn that are remembered."""

# What the descriptions of the robots leave open, fitted to games between them: to their numbers of offers,
# counter-offers, accepted trades and development cards.
TRADING = 0.30
"""How often a robot makes offers in a turn in which it could."""
COUNTERING = 0.1
"""How often it makes a counter-offer that it could make."""
CONTENT = 0.45
"""How often it takes an offer that brings its next piece neither nearer nor further away."""
CARD = 3.4
"""What a development card is worth to the smart strategy besides the knight or the point that it may be."""

MEMORY = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("weights", "i8", (NODES,)),  # what each node yields, packed
                ("key", "i8", (CACHE,)),  # weights of a cached estimate
                ("offers", "i4", (OFFERS,)),  # made this turn
                ("trading", "f8"),  # TRADING, COUNTERING, CONTENT, CARD as they are for this robot
                ("countering", "f8"),
                ("content", "f8"),
                ("card", "f8"),
                ("turn", "i4"),  # of the offers and of who sells
                ("planned", "i4"),  # the turn of the plan
                ("pieces", "i4"),  # pieces, cards and played cards when it was made
                ("plan", "i4", (PLAN,)),  # actions, the next one first
                ("value", "i2", (CACHE, BUILDS)),  # cached estimates
                ("reach", "i1", (CACHE,)),  # harbours of a cached estimate + 1; 0: none is kept
                ("selling", "u1", (4, 5)),  # whether a player sells a resource, as far as is known
                ("winning", "i2", (4,)),  # rolls until each player wins, when the plan was made
                ("length", "i1"),  # of the plan
                ("made", "i1"),  # offers this turn
                ("named", "i1"),  # the players that it is meant for, as bits
                ("strategy", "i1"),  # SMART or FAST
                ("trades", "i1"),  # whether it makes offers this turn
            ],
            align=True,
        ),
    )
)


def new_memory(strategy: int) -> Any:
    """Return the memory of a robot that has not played yet."""
    memory = np.zeros(1, MEMORY)
    memory["strategy"] = strategy
    memory["trading"], memory["countering"], memory["content"], memory["card"] = TRADING, COUNTERING, CONTENT, CARD
    memory["turn"] = memory["planned"] = -1
    return memory
