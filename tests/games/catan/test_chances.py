"""Catan: chances to win, by the networks that come with the package."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from oponente.arena import MatchSpec, Table
from oponente.games.catalogue import GameSpec, load_game
from oponente.games.catan.heuristics import EVALUATORS, FEATURES
from oponente.games.catan.state import DRAW
from oponente.kernel import value_bounds
from oponente.kernel.arrays import read_arrays
from oponente.testing.entries import evaluate_one, features_one
from tests.games.catan.test_inputs import random_state


def chances_by_numpy(state) -> np.ndarray:
    """Return how likely each seat is to win by the network for so many players, layer by layer."""
    players = state.game.num_players
    net = read_arrays(str(resources.files("oponente.games.catan") / "data" / f"chances{players}.safetensors"))
    assert net["players"].tolist() == [players]
    outputs = []
    for seat in range(players):
        x = np.zeros(48, np.float32)
        features_one(FEATURES["inputs"], state.game.tables, state.array, seat, x)
        hidden = (x - net["mean"]) / net["scale"]
        for layer in "12":
            hidden = np.maximum(net[f"weight{layer}"] @ hidden + net[f"bias{layer}"], 0.0)
        outputs.append(float((net["weight3"] @ hidden + net["bias3"])[0]))
    likely = np.exp(np.array(outputs) - max(outputs))
    return np.asarray(likely / likely.sum())


def chances(state) -> np.ndarray:
    """Return the same by the kernel."""
    out = np.zeros(state.game.num_players)
    evaluate_one(EVALUATORS["chances"], state.game.tables, state.array, out)
    return (out + 1.0) / 2.0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_values_are_the_softmax_of_the_seats_networks(players):
    game = load_game("catan", {"players": str(players)})
    for seed in range(5):
        state = random_state(seed, 40 + 30 * seed, players)
        assert chances(state) == pytest.approx(chances_by_numpy(state), abs=1e-5)
    assert value_bounds(EVALUATORS["chances"], game.tables) == (-1.0, 1.0, 2.0 - players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_draw_is_worth_its_utilities(players):
    state = random_state(3, 60, players)
    state.record.winner = DRAW
    out = np.zeros(players)
    evaluate_one(EVALUATORS["chances"], state.game.tables, state.array, out)
    assert out.tolist() == [(2 - players) / players] * players


@pytest.mark.compiled
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_networks_foretell_games_that_they_were_not_trained_on(players):
    options = (("players", str(players)), ("trade", "false"))
    table = Table(MatchSpec(GameSpec("catan", options), ("value:weights=learned",) * players, 40, 987))
    surprise = []
    for index in range(40):
        record = table.play(index)
        winner = int(np.argmax(record.returns))
        state = table.game.start(record.start_seed)
        for ply, action in enumerate(record.actions):
            if ply % 50 == 49:
                surprise.append(-np.log(chances(state)[winner]))
            state.apply(action)
        assert chances(state).tolist() == [float(seat == winner) for seat in range(players)]
    assert np.mean(surprise) < 0.8 * np.log(players)
