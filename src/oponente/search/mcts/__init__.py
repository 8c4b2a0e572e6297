"""Monte Carlo tree search: every technique that is worth having, in one kernel, for every game.

=================  ==================================================================================================
parameters         what there is, with ranges and sources
store              nodes, memory
selection          which child a simulation goes on to
expansion          how a node gets children
playouts           playouts that learn or end early; averages: their tables; amaf: all moves as first
rewards            what a game is worth
backup, solver     how results spread, what they prove
kernel             the simulations
engine             one tree and its threads
halving, decision  how the root explores, what is played
search             all together: :class:`MCTS`
=================  ==================================================================================================
"""

from oponente.search.mcts.parameters import FORMULAS, REWARDS, MCTSParameters, idle
from oponente.search.mcts.rewards import judged, to_rewards
from oponente.search.mcts.search import MCTS

__all__ = ["FORMULAS", "MCTS", "REWARDS", "MCTSParameters", "idle", "judged", "to_rewards"]
