"""Which agents there are: the ones that play any game, and those in a user's file."""

from __future__ import annotations

import inspect
from types import ModuleType

from oponente.agents.base import Agent
from oponente.agents.basic import HumanAgent, RandomAgent
from oponente.agents.depth_first_agents import (
    AlphaBetaAgent,
    BestReplyAgent,
    ExpectiminimaxAgent,
    MaxNAgent,
    MinimaxAgent,
    OneStepAgent,
    ParanoidAgent,
)
from oponente.agents.external import ProcessAgent
from oponente.agents.playout_agents import FlatMonteCarloAgent, RandomSearchAgent, RollingHorizonAgent
from oponente.agents.search_agents import MCTSAgent, UCTAgent

GENERIC: tuple[type[Agent], ...] = (
    RandomAgent,
    HumanAgent,
    MinimaxAgent,
    AlphaBetaAgent,
    ExpectiminimaxAgent,
    ParanoidAgent,
    MaxNAgent,
    BestReplyAgent,
    OneStepAgent,
    FlatMonteCarloAgent,
    RandomSearchAgent,
    RollingHorizonAgent,
    UCTAgent,
    MCTSAgent,
    ProcessAgent,
)
"""The agents that play any game (within what each says of itself)."""


def about(agent: type[Agent]) -> str:
    """Return the first paragraph of the documentation of an agent in one line."""
    return " ".join(inspect.cleandoc(agent.__doc__ or "").split("\n\n")[0].split())


def agents_in(module: ModuleType, *, required: bool = True) -> list[type[Agent]]:
    """Return the agent classes that a module names in ``AGENTS``, else those that it defines, in the order of the file.

    Raises:
        ValueError: it defines none, and one is `required`.
    """
    named = getattr(module, "AGENTS", None)
    if named is not None:
        return list(named)
    own = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Agent)
        and value.__module__ == module.__name__
        and isinstance(getattr(value, "name", None), str)
        and not value.__name__.startswith("_")
    ]
    found = [cls for cls in own if not inspect.isabstract(cls)]
    if required and not found:
        unfinished = [f"{cls.__name__} lacks {' and '.join(sorted(cls.__abstractmethods__))}" for cls in own]
        reason = "; ".join(unfinished) or "no subclass of Agent with a name"
        raise ValueError(f"{module.__file__} defines no agent: {reason}")
    return found
