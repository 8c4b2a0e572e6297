"""Catan: the linear evaluation of Skoric (FER 2022), 25 weights.

The value of a position for a seat is the sum of three groups of terms, worked out from the inputs of
:mod:`oponente.games.catan.inputs`:

*values* (16 weights)
    what the seat and its opponents have; terms of opponents are added up over them.
*expenses* (4 weights)
    of each cost, the share that the hand holds: the mean over its resources of min(1, held / needed).
*resources* (5 weights)
    the cards of each resource that a roll brings on average.

A *harbour's value* is the production that it serves: of its resource, or for any three the mean of all.

As an evaluator it values positions for each seat by what that seat knows; as a playout policy it plays
:func:`oponente.games.catan.onestep.best_action`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.bargaining import gain_of_accepting, gain_of_offer, helps_winner
from oponente.games.catan.inputs import (
    CARDS,
    CITIES,
    EDGES,
    EDGES_,
    FULL,
    HAND,
    INPUTS,
    KNIGHTS,
    MAKES,
    MAKES_,
    NODES,
    NODES_,
    POINTS,
    POINTS_,
    PORTS,
    ROAD,
    TOWNS,
    TYPES_,
    fill_inputs,
)
from oponente.games.catan.moves import ACCEPT, ANSWERING, CONFIRMING, MAIN, OFFER
from oponente.games.catan.onestep import MOST_ACTIONS, WON, best_action, weigh, worth_of
from oponente.kernel import Token, local_floats, njit

OWN_KNOWLEDGE = True

WEIGHTS = (
    "points", "cities", "settlements", "road", "knights", "cards", "types", "ports", "free_nodes", "free_edges",
    "discard", "enemy_points", "enemy_production", "enemy_types", "enemy_nodes", "enemy_edges",
    "for_city", "for_settlement", "for_road", "for_card",
    "lumber", "brick", "wool", "grain", "ore",
)  # fmt: skip
"""The names of the weights, in their order."""
SEATS = 4

START: dict[str, float] = dict(
    zip(
        WEIGHTS,
        (
            1500, 400, 250, 150, 80, 40, 120, 100, 120, 80, -100, -200, -100, -50, -100, -50,
            100, 50, 20, 20, 100, 100, 100, 100, 100,
        ),
        strict=True,
    )
)  # fmt: skip
"""The weights from which the thesis's learning starts."""
THESIS: dict[str, float] = dict(
    zip(
        WEIGHTS,
        (
            1855, 1790, 295, 494, 215, -1136, 428, -34, 314, 24, -63, 64, 232, -140, -41, 717,
            298, 13, -71, -24, 430, 313, 158, 369, 424,
        ),
        strict=True,
    )
)  # fmt: skip
"""The weights that the thesis's genetic algorithm found, on inputs that it does not print: with ours they are worse."""
LEARNED: dict[str, float] = dict(
    zip(
        WEIGHTS,
        (
            1588, 453.4, 552.7, 225.1, 150.7, -61.3, 344.2, 2.9, 292.7,
            142.6, -62.8, -181.7, -4.7, -222, -300.4, 37.1, 247.5, 225,
            22.5, 208.4, 178.6, 361.9, 237.1, 307.8, 472.5,
        ),
        strict=True,
    )
)  # fmt: skip
"""The mean of the last population of ``oponente train ga catan value --option trade=false``, with seed 1."""
SETS: dict[str, dict[str, float]] = {"start": START, "thesis": THESIS, "learned": LEARNED}
"""Sets of weights by name."""
ENEMY = tuple(name for name in WEIGHTS if name.startswith("enemy_"))
CORRECTED = -10.0
"""What the thesis's search has in place of weights of opponents that learning made positive."""


_TOKEN = Token(__name__)
"""One for all: what a token stands for takes milliseconds to work out."""


class Linear(NamedTuple):
    """An evaluation."""

    token: Token
    weights: Any
    """float64, a row for each seat."""


def linear(*weights: Mapping[str, float]) -> Linear:
    """Return the evaluation with given weights by name: one set for all seats, or one for each."""
    rows = [[float(of[name]) for name in WEIGHTS] for of in weights]
    return Linear(_TOKEN, np.array(rows * SEATS if len(rows) == 1 else rows, np.float64))


def corrected(weights: Mapping[str, float]) -> dict[str, float]:
    """Return weights with those of opponents that are positive set to -10: for a search, whose opponents use them."""
    return {name: CORRECTED if name in ENEMY and value > 0.0 else value for name, value in weights.items()}


@njit
def judge(evaluator: Any, seat: Any, inputs: Any) -> float:
    """Return the value of a position for a seat."""
    w = evaluator.weights
    lumber, brick, wool = inputs[HAND], inputs[HAND + 1], inputs[HAND + 2]
    grain, ore = inputs[HAND + 3], inputs[HAND + 4]
    held_lumber, held_brick, held_wool = min(1.0, lumber), min(1.0, brick), min(1.0, wool)
    held_grain, held_ore = min(1.0, grain), min(1.0, ore)
    cards = inputs[CARDS] + inputs[CARDS + 1] + inputs[CARDS + 2] + inputs[CARDS + 3] + inputs[CARDS + 4]
    types, production, ports, theirs, resources = 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(5):
        made = inputs[MAKES + i]
        types += 1.0 if made > 0.0 else 0.0
        production += made
        ports += inputs[PORTS + i] * made
        theirs += inputs[MAKES_ + i]
        resources += w[seat, 20 + i] * made
    ports += inputs[PORTS + 5] * production / 5.0
    own = (
        w[seat, 0] * inputs[POINTS]
        + w[seat, 1] * inputs[CITIES]
        + w[seat, 2] * inputs[TOWNS]
        + w[seat, 3] * inputs[ROAD]
        + w[seat, 4] * inputs[KNIGHTS]
        + w[seat, 5] * cards
        + w[seat, 6] * types
        + w[seat, 7] * ports
        + w[seat, 8] * inputs[NODES]
        + w[seat, 9] * inputs[EDGES]
        + w[seat, 10] * inputs[FULL]
    )
    enemy = (
        w[seat, 11] * inputs[POINTS_]
        + w[seat, 12] * theirs
        + w[seat, 13] * inputs[TYPES_]
        + w[seat, 14] * inputs[NODES_]
        + w[seat, 15] * inputs[EDGES_]
    )
    expenses = (
        w[seat, 16] * (min(1.0, grain / 2.0) + min(1.0, ore / 3.0)) / 2.0
        + w[seat, 17] * (held_lumber + held_brick + held_wool + held_grain) / 4.0
        + w[seat, 18] * (held_lumber + held_brick) / 2.0
        + w[seat, 19] * (held_wool + held_grain + held_ore) / 3.0
    )
    return own + enemy + expenses + resources


@njit
def evaluate(evaluator: Any, game: Any, state: Any, out: Any) -> None:
    """Give each player the value, and much more or less where the game is over."""
    inputs = local_floats(INPUTS)
    for seat in range(game.rules.players):
        out[seat] = worth_of(evaluator, game, state, seat, inputs)
        if state.winner >= 0 and state.winner != seat:
            out[seat] -= WON


@njit
def playout_action(policy: Any, game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Look one step ahead."""
    return best_action(policy, game, state, rng, buffer)


TEMPERATURE = 150.0
"""Of the prior: how much worse an action is that gets 1/e of the best one's weight; a road counts about as much."""
LEAST = 0.02
"""The weight of the worst action; the best one's is 1 more."""


@njit
def prior_weights(prior: Any, game: Any, state: Any, actions: Any, count: Any, out: Any) -> None:
    """Weigh actions by how good they are one step ahead (softmax); with whom to trade, and whether, all alike but for
    players near to winning.

    Offers and their acceptance by what the trade is worth (:mod:`oponente.games.catan.bargaining`): to who might accept
    by the hand that it has in this state, a sample where a search is honest, the first that came to the node.
    """
    values = local_floats(MOST_ACTIONS)
    weigh(prior, game, state, actions, count, values)
    if state.phase == ANSWERING:
        for i in range(count):
            values[i] = gain_of_accepting(prior, game, state) if actions[i] == ACCEPT else 0.0
    if state.phase == CONFIRMING:
        for i in range(count):
            values[i] = -np.inf if helps_winner(game, state, actions[i]) else 0.0
    if state.phase == MAIN:
        now = local_floats(INPUTS)
        fill_inputs(game, state, state.mover, now)
        worth = judge(prior, state.mover, now)
        for i in range(count):
            if actions[i] >= OFFER:
                values[i] = worth + gain_of_offer(prior, game, state, actions[i])
    best = -np.inf
    for i in range(count):
        if not np.isnan(values[i]):
            best = max(best, values[i])
    for i in range(count):
        if np.isnan(values[i]):
            out[i] = 1.0
        else:
            out[i] = LEAST + math.exp((values[i] - best) / TEMPERATURE)
