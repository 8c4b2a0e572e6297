"""Catan: the evaluators and playout policies by name."""

from __future__ import annotations

from oponente.games.catan.inputs import INPUT_FEATURES
from oponente.games.catan.linear import START, linear
from oponente.games.catan.network import network
from oponente.games.catan.networks import read_network
from oponente.games.catan.outlook import outlook
from oponente.games.catan.simple import SIMPLE
from oponente.games.catan.value import POINTS, POTENTIAL, THESIS
from oponente.games.catan.weighted import EVEN, WEIGHTED

LINEAR = linear(START)
OUTLOOK = outlook(network(read_network("outlook")).layers)
EVALUATORS = {"thesis": THESIS, "points": POINTS, "potential": POTENTIAL, "linear": LINEAR, "outlook": OUTLOOK}
POLICIES = {"simple": SIMPLE, "weighted-random": WEIGHTED, "random": EVEN, "value": LINEAR}
FEATURES = {"inputs": INPUT_FEATURES}
"""Features for learning by name, besides the game's encoding."""
