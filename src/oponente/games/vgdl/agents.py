"""VGDL: its agents."""

from __future__ import annotations

from oponente.games.vgdl.controllers import (
    BothAgent,
    ControllerAgent,
    EvolutionAgent,
    LossAvoidanceAgent,
    OletsAgent,
    OneStepAgent,
    RandomControllerAgent,
    RedundancyAgent,
    SamplePlansAgent,
)
from oponente.games.vgdl.portfolio import PortfolioAgent

AGENTS = (
    RandomControllerAgent,
    OneStepAgent,
    SamplePlansAgent,
    EvolutionAgent,
    ControllerAgent,
    RedundancyAgent,
    LossAvoidanceAgent,
    BothAgent,
    OletsAgent,
    PortfolioAgent,
)
