"""Risk: what tells the Lux agents apart, one record each."""

from __future__ import annotations

from typing import Any

import numpy as np

PICK_RANDOM, PICK_SMALLEST, PICK_MANAGEABLE, PICK_FEW_BORDERS = range(4)
"""In the set-up: any territory; the smallest continent; the largest one that is not too large; that with the fewest
borders."""
PLACE_ANGRY, PLACE_RANDOM, PLACE_EQUAL, PLACE_CLUSTER, PLACE_PIXIE = range(5)
ATTACK_ANGRY, ATTACK_WEAK, ATTACK_ONE, ATTACK_CLUSTER, ATTACK_SHAFT, ATTACK_PIXIE = range(6)
MOVE_NONE, MOVE_ANGRY, MOVE_EQUAL, MOVE_CLUSTER, MOVE_PIXIE = range(5)
OCCUPY_ANGRY, OCCUPY_WEAKER, OCCUPY_HALF, OCCUPY_ROUTINE, OCCUPY_MORE = range(5)
SPLIT_NEVER, SPLIT_ALWAYS, SPLIT_SOMETIMES = range(3)
CARD_ALL, CARD_HALF, CARD_LEAST = range(3)
"""What moves in after an attack for a card."""

_FIELDS = np.dtype(
    [
        ("picks", "i1"),
        ("place", "i1"),
        ("attack", "i1"),
        ("occupy", "i1"),
        ("move", "i1"),
        ("split", "i1"),
        ("trades", "?"),  # a set as soon as it has one
        ("card", "?"),  # attacks for a card
        ("card_moves", "i1"),
        ("card_ratio", "f8"),  # only if so many times as strong
        ("dominant", "?"),  # turns against a player who dominates
        ("kills", "?"),  # looks for a player to eliminate
        ("factor", "f8"),  # how strong enemies count in continents it may want
        ("breaks", "f8"),  # breaks others' continents from so many times as strong; 0: never
        ("preys", "?"),  # attacks the very weak everywhere
    ],
    align=True,
)
PROFILE = np.dtype((np.record, _FIELDS))


def _profile(**given: Any) -> Any:
    row = np.zeros(1, PROFILE)[0]
    for name, value in {"card_ratio": 1.0, "factor": 1.0, **given}.items():
        row[name] = value
    return row


_CLUSTER = {
    "picks": PICK_MANAGEABLE, "place": PLACE_CLUSTER, "attack": ATTACK_CLUSTER, "occupy": OCCUPY_ROUTINE,
    "move": MOVE_CLUSTER,
}  # fmt: skip
_SHAFT = {**_CLUSTER, "picks": PICK_FEW_BORDERS, "attack": ATTACK_SHAFT}
_PIXIE = {
    "picks": PICK_FEW_BORDERS, "place": PLACE_PIXIE, "attack": ATTACK_PIXIE, "occupy": OCCUPY_MORE, "move": MOVE_PIXIE,
    "card": True,
}  # fmt: skip
_BETTER_PIXIE = {**_PIXIE, "trades": True, "factor": 1.3, "breaks": 2.0}

PROFILES: dict[str, Any] = {
    "angry": _profile(
        picks=PICK_SMALLEST, place=PLACE_ANGRY, attack=ATTACK_ANGRY, occupy=OCCUPY_ANGRY, move=MOVE_ANGRY
    ),
    "stinky": _profile(
        picks=PICK_RANDOM, place=PLACE_RANDOM, attack=ATTACK_WEAK, occupy=OCCUPY_WEAKER, move=MOVE_NONE
    ),
    "communist": _profile(
        picks=PICK_SMALLEST, place=PLACE_EQUAL, attack=ATTACK_ONE, occupy=OCCUPY_HALF, move=MOVE_EQUAL
    ),
    "cluster": _profile(**_CLUSTER, split=SPLIT_ALWAYS),
    "shaft": _profile(**_SHAFT),
    "quo": _profile(**_SHAFT, trades=True, card=True, card_moves=CARD_HALF),
    "yakool": _profile(**_CLUSTER, split=SPLIT_SOMETIMES, card=True, dominant=True),
    "boscoe": _profile(**_CLUSTER, trades=True, card=True, card_moves=CARD_LEAST, dominant=True),
    "pixie": _profile(**_PIXIE),
    "betterpixie": _profile(**_BETTER_PIXIE),
    "evilpixie": _profile(
        **{**_BETTER_PIXIE, "breaks": 1.0}, dominant=True, preys=True, card_ratio=5.0
    ),
    "vulture": _profile(**_CLUSTER, split=SPLIT_ALWAYS, trades=True, kills=True),
    "killbot": _profile(**_BETTER_PIXIE, kills=True),
}  # fmt: skip
"""The profiles by the agents' names."""
