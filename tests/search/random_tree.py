"""A game that is a random tree with known payoffs: the exact value of every search on it can be worked out by hand.

Movers alternate in no particular order: each inner node belongs to a random player, or to chance
(:mod:`tests.search.random_chance_tree`). Payoffs of two players are opposite whole numbers, so that many are equal;
with more players they are independent, or sum to 0 (option `zero_sum`). A card that nobody sees may decide which of
several payoffs a leaf has (:mod:`tests.search.random_card_tree`).
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
State = record(("node", "i4"), ("card", "i4"))


@dataclass(frozen=True)
class Options:
    """What the tree looks like."""

    seed: int = option(1, low=0, meaning="of the tree")
    depth: int = option(4, low=1, high=10, meaning="of the deepest leaf")
    players: int = option(2, low=1, high=6, meaning="players")
    zero_sum: bool = option(False, meaning="whether payoffs sum to 0 (two players: always)")
    cards: int = option(1, low=1, high=5, meaning="cards, one of which is drawn before the start")


class Tables(NamedTuple):
    """The tree: node 0 is the root; the children of a node follow each other."""

    token: Token
    mover: Any
    first: Any
    count: Any
    payoff: Any
    """By card, node and player."""
    weight: Any


def players(options: Options) -> int:
    return options.players


def grow(options: Options, token: Token, chance: float = 0.0) -> Tables:
    """Make the tree level by level."""
    rng = np.random.default_rng(options.seed)
    cards, players = options.cards, options.players
    mover, first, count, payoff, weight = [0], [0], [0], [np.zeros((cards, players))], [1.0]
    level = [0]
    for depth in range(options.depth + 1):
        following = []
        for node in level:
            leaf = depth == options.depth or (depth > 0 and rng.random() < 0.1)
            if players <= 2:
                values = rng.integers(-10, 11, (cards, 1)).astype(float) * np.array([1.0, -1.0])[:players]
            else:
                values = rng.uniform(-10.0, 10.0, (cards, players))
                if options.zero_sum:
                    values -= values.mean(axis=1, keepdims=True)
            payoff[node] = values
            if leaf:
                mover[node] = TERMINAL
                continue
            is_chance = depth > 0 and rng.random() < chance
            mover[node] = CHANCE if is_chance else int(rng.integers(players))
            children = int(rng.integers(1 if depth else 2, MAX_ACTIONS + 1))
            first[node], count[node] = len(mover), children
            shares = rng.dirichlet(np.ones(children))
            if is_chance and children > 2 and rng.random() < 0.3:  # an outcome that can't happen
                shares[0], shares[1] = 0.0, shares[0] + shares[1]
            for i in range(children):
                following.append(len(mover))
                mover.append(0)
                first.append(0)
                count.append(0)
                payoff.append(np.zeros((cards, players)))
                weight.append(float(shares[i]))
        level = following
    return Tables(
        token,
        np.array(mover, np.int8),
        np.array(first, np.int32),
        np.array(count, np.int32),
        np.ascontiguousarray(np.array(payoff).transpose(1, 0, 2)),
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
        out[p] = game.payoff[state.card, state.node, p]


@njit
def evaluate(evaluator, game, state, out):
    """Value a position by the payoff that its node carries, leaf or not."""
    for p in range(out.size):
        out[p] = game.payoff[state.card, state.node, p]


class Payoff(NamedTuple):
    """The evaluator of this module."""

    token: Token


def value_bounds(evaluator, game):
    return game.payoff.min(), game.payoff.max(), game.payoff.sum(axis=2).max()


EVALUATORS = {"payoff": Payoff(Token(__name__))}
PRIORS = {"knowing": Payoff(Token(__name__))}
TOKENS = {"judge": EVALUATORS["payoff"], "evaluator": EVALUATORS["payoff"]}
"""What tests of tree search give every search that is not plain: they share machine code, which takes long to make."""


@njit
def best_value(game, node, me):
    """Return the value of a node for `me` with best play of both, by a walk without recursion."""
    stack, index, best = np.empty(64, np.int64), np.empty(64, np.int64), np.empty(64, np.float64)
    depth = 0
    stack[0], index[0], best[0] = node, 0, np.nan
    while True:
        at = stack[depth]
        value, done = game.payoff[0, at, me], game.mover[at] == TERMINAL
        if not done and index[depth] == game.count[at]:
            value, done = best[depth], True
        if done:
            if depth == 0:
                return value
            depth -= 1
            mine = game.mover[stack[depth]] == me
            if np.isnan(best[depth]) or (value > best[depth]) == mine:
                best[depth] = value
            index[depth] += 1
        else:
            stack[depth + 1], index[depth + 1], best[depth + 1] = game.first[at] + index[depth], 0, np.nan
            depth += 1


@njit
def prior_weights(prior, game, state, actions, count, out):
    """Give the action that is best for the player to move nearly all the weight (two players, no chance)."""
    me = game.mover[state.node]
    best, most = 0, -np.inf
    for i in range(count):
        out[i] = 0.02
        value = best_value(game, game.first[state.node] + actions[i], me)
        if value > most:
            best, most = i, value
    out[best] = 1.0


# --- the references: plain recursion over the tables ---------------------------------------------------------------


def children_of(game: Game, node: int) -> range:
    """Return the nodes below a node."""
    first = int(game.tables.first[node])
    return range(first, first + int(game.tables.count[node]))


def payoff_of(game: Game, node: int, card: int = 0) -> np.ndarray:
    """Return what the node gives each player."""
    return np.asarray(game.tables.payoff[card, node])


def reference_minimax(
    game: Game, node: int, depth: int, me: int, card: int = 0, free_chance: bool = False, cutoff: float = 0.0,
    reach: float = 1.0, lead: bool = False,
) -> float:  # fmt: skip
    """Return the value for player `me`, who maximises while everybody else minimises; the horizon is `depth`."""
    tables = game.tables
    mover = tables.mover[node]
    if mover == TERMINAL or reach < cutoff or (depth <= 0 and not (mover == CHANCE and free_chance)):
        values = payoff_of(game, node, card)
        return float(values[me] - max(np.delete(values, me)) if lead else values[me])
    children = children_of(game, node)
    shares = [tables.weight[child] if mover == CHANCE else 1.0 for child in children]
    below = depth if mover == CHANCE and free_chance else depth - 1
    values = [
        reference_minimax(game, child, below, me, card, free_chance, cutoff, reach * share, lead) if share else 0.0
        for child, share in zip(children, shares, strict=True)
    ]
    if mover == CHANCE:
        return float(np.dot(values, shares))
    return max(values) if mover == me else min(values)


def reference_maxn(game: Game, node: int, depth: int = 99, card: int = 0) -> np.ndarray:
    """Return the value for every player when each maximises the own one, chance averaged."""
    tables = game.tables
    if tables.mover[node] == TERMINAL or depth == 0:
        return payoff_of(game, node, card)
    children = children_of(game, node)
    values = [reference_maxn(game, child, depth - 1, card) for child in children]
    if tables.mover[node] == CHANCE:
        return np.average(values, axis=0, weights=[tables.weight[child] for child in children])
    return max(values, key=lambda value: value[tables.mover[node]])


def reference_best_reply(game: Game, node: int, depth: int, me: int, replier: int | None = None) -> float:
    """Return the value for player `me` if between two own actions only one opponent plays freely.

    The others take the action after which the position gives themselves most.
    """
    tables = game.tables
    mover = int(tables.mover[node])
    if mover == TERMINAL or depth <= 0:
        return float(payoff_of(game, node)[me])
    children = list(children_of(game, node))
    if mover == CHANCE:
        return sum(
            tables.weight[child] * reference_best_reply(game, child, depth - 1, me, replier) for child in children
        )
    if mover == me:
        return max(reference_best_reply(game, child, depth - 1, me) for child in children)
    default = max(children, key=lambda child: payoff_of(game, child)[mover])
    if replier not in (None, mover):
        return reference_best_reply(game, default, depth, me, replier)
    return min(
        reference_best_reply(game, child, depth - 1, me, None if replier is None and child == default else mover)
        for child in children
    )


def inner_nodes(game: Game, node: int, depth: int) -> int:
    """Return how many nodes a full search to `depth` expands: none behind an outcome that can't happen."""
    tables = game.tables
    if tables.mover[node] == TERMINAL or depth == 0:
        return 0
    drawing = tables.mover[node] == CHANCE
    children = [child for child in children_of(game, node) if not drawing or tables.weight[child] > 0.0]
    return 1 + sum(inner_nodes(game, child, depth - 1) for child in children)
