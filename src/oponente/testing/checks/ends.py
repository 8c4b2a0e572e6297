"""Checks of the end of a game."""

from __future__ import annotations

import math

from oponente.kernel import TERMINAL
from oponente.testing.probe import Probe
from oponente.testing.sample import Sample

ROUNDING = 1e-9
"""By how much a sum of values may miss what it is in exact arithmetic."""


def check_returns(sample: Sample) -> None:
    """Every player gets a utility at the end, within UTILITY, all together within UTILITY_SUM."""
    game = sample.game
    probe = Probe(game, "returns")
    low, high = game.utility
    most = getattr(game.rules, "UTILITY_SUM", math.inf)
    for position in sample.spread(1000, player=TERMINAL):
        probe.at(position.state, position.seed)
        values = probe.returns(position.array)
        probe.require(all(map(math.isfinite, values)), f"returns gives {values}; expected a number for each player")
        probe.require(
            all(low <= value <= high for value in values), f"returns gives {values}, outside UTILITY = {game.utility}"
        )
        probe.require(
            sum(values) <= most + ROUNDING, f"returns gives {values}, which sum to more than UTILITY_SUM = {most}"
        )
        probe.require(values == probe.returns(position.array), "returns gives different values when asked again")
