"""Players of other engines that are agents here, by game."""

from __future__ import annotations

from oponente.agents.base import Agent
from oponente.games.catalogue import is_built_in
from oponente.kernel import Game


def agents_for(game: Game) -> list[type[Agent]]:
    """Return the classes of those that may play a game. None of the engines need be installed."""
    name = game.name if is_built_in(game) else ""
    if name == "catan":
        from oponente.interop.catanatron.agents import CatanatronAgent

        return [CatanatronAgent]
    from oponente.interop.openspiel.agents import OpenSpielAgent

    if name == "risk":
        from oponente.interop.risk.files import FilesAgent

        return [OpenSpielAgent, FilesAgent]
    return [OpenSpielAgent]
