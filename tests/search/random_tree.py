"""A game that is a random tree with known payoffs: the exact value of every search on it can be worked out by hand.

Movers alternate in no particular order: each inner node belongs to a random player, or to chance with probability
`chance` (options). Payoffs of two players are opposite; with more players they are independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from oponente.kernel import CHANCE, TERMINAL, Game, Token, njit, option, record

NAME = "random-tree"
MAX_ACTIONS = 4
MAX_CHANCE = 0
UTILITY = (-10.0, 10.0)
State = record(("node", "i4"))


@dataclass(frozen=True)
class Options:
    """What the tree looks like."""

    seed: int = option(1, low=0, meaning="of the tree")
    depth: int = option(4, low=1, high=10, meaning="of the deepest leaf")
    players: int = option(2, low=1, high=6, meaning="players")


class Tables(NamedTuple):
    """The tree: node 0 is the root; the children of a node follow each other."""

    token: Token
    mover: Any
    first: Any
    count: Any
    payoff: Any
    weight: Any


def players(options: Options) -> int:
    return options.players


def grow(options: Options, token: Token, chance: float = 0.0) -> Tables:
    """Make the tree level by level."""
    rng = np.random.default_rng(options.seed)
    mover, first, count, payoff, weight = [0], [0], [0], [np.zeros(options.players)], [1.0]
    level = [0]
    for depth in range(options.depth + 1):
        following = []
        for node in level:
            leaf = depth == options.depth or (depth > 0 and rng.random() < 0.1)
            if options.players <= 2:
                values = float(rng.integers(-10, 11)) * np.array([1.0, -1.0])[: options.players]
            else:
                values = rng.uniform(-10.0, 10.0, options.players)  # ties would leave max^n several answers
            payoff[node] = values
            if leaf:
                mover[node] = TERMINAL
                continue
            is_chance = depth > 0 and rng.random() < chance
            mover[node] = CHANCE if is_chance else int(rng.integers(options.players))
            children = int(rng.integers(1 if depth else 2, MAX_ACTIONS + 1))
            first[node], count[node] = len(mover), children
            shares = rng.dirichlet(np.ones(children))
            for i in range(children):
                following.append(len(mover))
                mover.append(0)
                first.append(0)
                count.append(0)
                payoff.append(np.zeros(options.players))
                weight.append(float(shares[i]))
        level = following
    return Tables(
        token,
        np.array(mover, np.int8),
        np.array(first, np.int32),
        np.array(count, np.int32),
        np.array(payoff),
        np.array(weight),
    )


def tables(options: Options) -> Tables:
    return grow(options, Token(__name__))


@njit
def initial(game, state, rng):
    state.node = 0


@njit
def player(game, state):
    return game.mover[state.node]


@njit
def actions(game, state, out):
    for i in range(game.count[state.node]):
        out[i] = i
    return game.count[state.node]


@njit
def apply(game, state, action):
    state.node = game.first[state.node] + action


@njit
def returns(game, state, out):
    for p in range(out.size):
        out[p] = game.payoff[state.node, p]


@njit
def evaluate(evaluator, game, state, out):
    """Value a position by the payoff that its node carries, leaf or not."""
    for p in range(out.size):
        out[p] = game.payoff[state.node, p]


class Payoff(NamedTuple):
    """The evaluator of this module."""

    token: Token


EVALUATORS = {"payoff": Payoff(Token(__name__))}


# --- the reference: plain recursion over the tables ----------------------------------------------------------------


def reference_minimax(game: Game, node: int, depth: int, me: int) -> float:
    """Return the value for player `me`, who maximises while everybody else minimises; the horizon is `depth`."""
    tables = game.tables
    if tables.mover[node] == TERMINAL or depth == 0:
        return float(tables.payoff[node, me])
    children = range(tables.first[node], tables.first[node] + tables.count[node])
    values = [reference_minimax(game, child, depth - 1, me) for child in children]
    if tables.mover[node] == CHANCE:
        return float(np.dot(values, [tables.weight[child] for child in children]))
    return max(values) if tables.mover[node] == me else min(values)


def reference_maxn(game: Game, node: int) -> np.ndarray:
    """Return the value for every player when each maximises the own one, chance averaged."""
    tables = game.tables
    if tables.mover[node] == TERMINAL:
        return np.asarray(tables.payoff[node])
    children = range(tables.first[node], tables.first[node] + tables.count[node])
    values = [reference_maxn(game, child) for child in children]
    if tables.mover[node] == CHANCE:
        return np.average(values, axis=0, weights=[tables.weight[child] for child in children])
    return max(values, key=lambda value: value[tables.mover[node]])


def inner_nodes(game: Game, node: int, depth: int) -> int:
    """Return how many nodes a full search to `depth` expands."""
    tables = game.tables
    if tables.mover[node] == TERMINAL or depth == 0:
        return 0
    children = range(tables.first[node], tables.first[node] + tables.count[node])
    return 1 + sum(inner_nodes(game, child, depth - 1) for child in children)
