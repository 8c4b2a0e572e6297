"""Catan: the evaluators, playout policies and priors by name."""

from __future__ import annotations

from oponente.games.catan.chances import shipped_chances
from oponente.games.catan.inputs import INPUT_FEATURES
from oponente.games.catan.linear import LEARNED, START, linear
from oponente.games.catan.simple import SIMPLE
from oponente.games.catan.value import POINTS, POTENTIAL, THESIS
from oponente.games.catan.weighted import EVEN, WEIGHTED

LINEAR = linear(START)
LEARNED_LINEAR = linear(LEARNED)
EVALUATORS = {
    "thesis": THESIS,
    "points": POINTS,
    "potential": POTENTIAL,
    "linear": LINEAR,
    "chances": shipped_chances(),
}
POLICIES = {"simple": SIMPLE, "weighted-random": WEIGHTED, "random": EVEN, "value": LINEAR, "learned": LEARNED_LINEAR}
PRIORS = {"weighted-random": WEIGHTED, "learned": LEARNED_LINEAR}
FEATURES = {"inputs": INPUT_FEATURES}
"""Features for learning by name, besides the game's encoding."""
