"""Catan: the evaluators and playout policies by name."""

from __future__ import annotations

from oponente.games.catan.simple import SIMPLE
from oponente.games.catan.value import POINTS, POTENTIAL, THESIS
from oponente.games.catan.weighted import EVEN, WEIGHTED

EVALUATORS = {"thesis": THESIS, "points": POINTS, "potential": POTENTIAL}
POLICIES = {"simple": SIMPLE, "weighted-random": WEIGHTED, "random": EVEN}
