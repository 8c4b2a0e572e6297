"""The random tree with chance nodes and a card that nobody sees: it decides which payoffs count."""

from __future__ import annotations

from oponente.kernel import Token, njit, random_below
from tests.search.random_chance_tree import chance
from tests.search.random_tree import (
    MAX_ACTIONS,
    UTILITY,
    Options,
    State,
    Tables,
    actions,
    apply,
    grow,
    player,
    players,
    returns,
)

NAME = "random-card-tree"
MAX_CHANCE = MAX_ACTIONS
HIDDEN_INFORMATION = True


def tables(options: Options) -> Tables:
    return grow(options, Token(__name__), chance=0.2)


@njit
def initial(game, state, rng):
    state.card = random_below(rng, game.payoff.shape[0])


@njit
def determinize(game, state, player, rng):
    state.card = random_below(rng, game.payoff.shape[0])


__all__ = ["UTILITY", "State", "actions", "apply", "chance", "player", "players", "returns"]
