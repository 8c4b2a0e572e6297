"""The random tree with chance nodes: three inner nodes in ten belong to chance."""

from __future__ import annotations

from oponente.kernel import Token, njit
from tests.search.random_tree import (
    MAX_ACTIONS,
    UTILITY,
    Options,
    State,
    Tables,
    actions,
    apply,
    grow,
    initial,
    player,
    players,
    returns,
)

NAME = "random-chance-tree"
MAX_CHANCE = MAX_ACTIONS


def tables(options: Options) -> Tables:
    return grow(options, Token(__name__), chance=0.3)


@njit
def chance(game, state, out_actions, out_probs):
    for i in range(game.count[state.node]):
        out_actions[i] = i
        out_probs[i] = game.weight[game.first[state.node] + i]
    return game.count[state.node]


__all__ = ["UTILITY", "State", "actions", "apply", "initial", "player", "players", "returns"]
