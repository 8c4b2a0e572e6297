"""A game and agents as users write them, which tests of commands give with --game-file and --agent-file."""

NIM = """
from typing import NamedTuple

from oponente.kernel import TERMINAL, Token, njit, record

NAME, PLAYERS, MAX_ACTIONS = "nim", 2, 3
State = record(("stones", "i4"), ("mover", "i4"))


class Tables(NamedTuple):
    token: Token


def tables(options):
    return Tables(Token(__name__))


@njit
def initial(game, state, rng):
    state.stones = 9


@njit
def player(game, state):
    return state.mover if state.stones > 0 else TERMINAL


@njit
def actions(game, state, out):
    count = min(3, state.stones)
    for i in range(count):
        out[i] = i + 1
    return count


@njit
def apply(game, state, action):
    state.stones -= action
    state.mover = 1 - state.mover


@njit
def returns(game, state, out):
    out[state.mover], out[1 - state.mover] = -1.0, 1.0
"""
AGENT = '''
from oponente import Agent


class Last(Agent):
    """Plays the last legal action."""

    name = "last"

    def choose(self, view, budget):
        return view.legal_actions[-1]
'''
BAD_AGENTS = (
    AGENT.replace('"last"', '"lost"').replace("view.legal_actions[-1]", "77")
    + '''

class Fails(Agent):
    """Fails."""

    name = "fails"

    def choose(self, view, budget):
        raise KeyError("nothing")
'''
)
