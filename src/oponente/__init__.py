"""Games with opponents, the agents that play them, and the arena that measures them, at machine speed.

>>> import oponente
>>> state = oponente.load_game("tictactoe").start()
>>> agent = oponente.make_agent("alphabeta:depth=9", state.game)
>>> agent.choose(oponente.View(state, seat=0), oponente.Budget())
0
"""

from oponente.agents.base import Agent, Budget, SearchAgent
from oponente.agents.view import View
from oponente.games.catalogue import GameSpec, agent_classes, load_game, make_agent
from oponente.kernel import Game, IllegalActionError, State
from oponente.search.analysis import Analysis, MoveAnalysis, TreeNode, TreeShape

__version__ = "0.1.0"

__all__ = [
    "Agent",
    "Analysis",
    "Budget",
    "Game",
    "GameSpec",
    "IllegalActionError",
    "MoveAnalysis",
    "SearchAgent",
    "State",
    "TreeNode",
    "TreeShape",
    "View",
    "__version__",
    "agent_classes",
    "load_game",
    "make_agent",
]
