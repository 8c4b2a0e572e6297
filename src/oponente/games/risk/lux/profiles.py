"""Risk: what tells the Lux agents apart, one record each."""

from __future__ import annotations

from typing import Any

import numpy as np

PICK_RANDOM, PICK_SMALLEST, PICK_MANAGEABLE, PICK_FEW_BORDERS = range(4)
"""In the set-up: any territory; the smallest continent; the largest one that is not too large; that with the fewest
borders."""
PLACE_ANGRY, PLACE_RANDOM, PLACE_EQUAL, PLACE_CLUSTER, PLACE_PIXIE, PLACE_BETTER, PLACE_EVIL = range(7)
MOVE_NONE, MOVE_ANGRY, MOVE_EQUAL, MOVE_CLUSTER, MOVE_PIXIE, MOVE_BETTER, MOVE_EVIL = range(7)
OCCUPY_ANGRY, OCCUPY_WEAKER, OCCUPY_HALF, OCCUPY_CLUSTER, OCCUPY_PIXIE, OCCUPY_BETTER = range(6)
FREELY, ALL, LEAST, PART, HALF, ONWARD = range(6)
"""What a routine of attacks lets move in: it does not say; all; the least; an equal share for each hostile neighbour;
half of the stack; all, whatever else is the rule."""

(
    END,  # of the attacks
    LOOP,  # what follows, up to `AGAIN`, is repeated while it takes anything
    AGAIN,
    HOG_WILD,  # as `LOOP`, from everywhere; skipped if own armies do not exceed all others together
    HUNT,  # who had a path through a player's territories goes on with `HOG_WILD`
    DOMINATOR,  # the continents of a player who dominates
    ANY_WEAKER,  # from each territory what is weaker, until a pass without an attack
    MUCH_WEAKER,  # from each territory what is much weaker
    ONE_ATTACK,  # on the weakest
    EXPAND,  # easily, while it works
    EXPAND_ONE,  # easily, once
    FILL_OUT,
    FILL_OUT_ELSE,  # if `EXPAND_ONE` found nothing
    CONSOLIDATE,  # while it works
    SPLIT_UP,  # while it works
    SPLIT_UP_AT_NEED,  # if weak or far ahead
    SPLIT_UP_ALL,
    SWEEP,  # if nothing was taken
    CARD,  # if nothing was taken
    WANTED_CONTINENTS,
    SURE_CONTINENTS,  # those wanted where armies suffice
    BREAK,  # others' continents
    PREY,  # the very weak
) = range(23)
"""The steps of an agent's attacks."""
MOST_STEPS = 16

_FIELDS = np.dtype(
    [
        ("picks", "i1"),
        ("keeps", "?"),  # in the set-up the continent picked first
        ("trades", "?"),  # a set as soon as it has one
        ("place", "i1"),
        ("steps", "i1", MOST_STEPS),
        ("occupy", "i1"),
        ("move", "i1"),
        ("card_moves", "i1"),  # what moves in after an attack for a card
        ("card_ratio", "f8"),  # attacks for a card only if so many times as strong
        ("dominant", "?"),  # turns against a player who dominates
        ("kills", "?"),  # looks for a player to eliminate
        ("factor", "f8"),  # how strong enemies count in continents it may want
        ("breaks", "f8"),  # breaks others' continents from so many times as strong
        ("force", "i1"),  # armies with which a border of an own continent needs no more; 0: random
    ],
    align=True,
)
PROFILE = np.dtype((np.record, _FIELDS))


def _profile(**given: Any) -> Any:
    row = np.zeros(1, PROFILE)[0]
    for name, value in {"card_ratio": 1.0, "factor": 1.0, "force": 20, **given}.items():
        if name == "steps":
            row.steps[: len(value)] = value
        else:
            row[name] = value
    assert row.steps[-1] == END
    return row


_TRIPLE = (EXPAND, FILL_OUT, CONSOLIDATE)
_HOG_WILD = (HOG_WILD, *_TRIPLE, SPLIT_UP_ALL, AGAIN)
_CLUSTER_STEPS = (EXPAND, FILL_OUT, EXPAND, CONSOLIDATE, SPLIT_UP, *_HOG_WILD)
_SHAFT_STEPS = (EXPAND_ONE, FILL_OUT_ELSE, CONSOLIDATE, SWEEP, *_HOG_WILD)
_BETTER_PIXIE_STEPS = (SURE_CONTINENTS, BREAK, CARD, *_HOG_WILD)
_CLUSTER = {
    "picks": PICK_MANAGEABLE, "place": PLACE_CLUSTER, "occupy": OCCUPY_CLUSTER, "move": MOVE_CLUSTER,
    "steps": _CLUSTER_STEPS,
}  # fmt: skip
_SHAFT = {**_CLUSTER, "picks": PICK_FEW_BORDERS, "steps": _SHAFT_STEPS}
_YAKOOL = {
    **_CLUSTER, "dominant": True,
    "steps": (DOMINATOR, LOOP, *_TRIPLE, AGAIN, SPLIT_UP_AT_NEED, CARD, *_HOG_WILD),
}  # fmt: skip
_PIXIE = {
    "picks": PICK_FEW_BORDERS, "place": PLACE_PIXIE, "occupy": OCCUPY_PIXIE, "move": MOVE_PIXIE,
    "steps": (WANTED_CONTINENTS, CARD, *_HOG_WILD),
}  # fmt: skip
_BETTER_PIXIE = {
    **_PIXIE, "keeps": True, "trades": True, "place": PLACE_BETTER, "occupy": OCCUPY_BETTER, "move": MOVE_BETTER,
    "factor": 1.3, "breaks": 2.0, "steps": _BETTER_PIXIE_STEPS,
}  # fmt: skip

PROFILES: dict[str, Any] = {
    "angry": _profile(
        picks=PICK_SMALLEST, place=PLACE_ANGRY, steps=(ANY_WEAKER,), occupy=OCCUPY_ANGRY, move=MOVE_ANGRY
    ),
    "stinky": _profile(
        picks=PICK_RANDOM, place=PLACE_RANDOM, steps=(MUCH_WEAKER,), occupy=OCCUPY_WEAKER, move=MOVE_NONE
    ),
    "communist": _profile(
        picks=PICK_SMALLEST, place=PLACE_EQUAL, steps=(ONE_ATTACK, *_HOG_WILD), occupy=OCCUPY_HALF, move=MOVE_EQUAL
    ),
    "cluster": _profile(**_CLUSTER),
    "shaft": _profile(**_SHAFT),
    "quo": _profile(**{**_SHAFT, "steps": (*_SHAFT_STEPS, CARD)}, trades=True, card_moves=HALF),
    "yakool": _profile(**_YAKOOL),
    "boscoe": _profile(
        **{**_YAKOOL, "steps": (DOMINATOR, LOOP, *_TRIPLE, AGAIN, CARD, *_HOG_WILD)}, trades=True, card_moves=LEAST
    ),
    "pixie": _profile(**_PIXIE),
    "betterpixie": _profile(**_BETTER_PIXIE),
    "evilpixie": _profile(
        **{
            **_PIXIE, "place": PLACE_EVIL, "move": MOVE_EVIL, "factor": 1.3, "force": 0, "breaks": 1.0,
            "steps": (DOMINATOR, WANTED_CONTINENTS, BREAK, PREY, CARD),
        },
        trades=True, dominant=True, card_ratio=5.0,
    ),
    "vulture": _profile(**{**_CLUSTER, "steps": (HUNT, *_CLUSTER_STEPS)}, trades=True, kills=True),
    "killbot": _profile(**{**_BETTER_PIXIE, "steps": (HUNT, *_BETTER_PIXIE_STEPS)}, kills=True),
}  # fmt: skip
"""The profiles by the agents' names."""
