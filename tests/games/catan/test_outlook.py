"""Catan: the network that expects outcomes."""

from __future__ import annotations

import pytest

from oponente.games.catalogue import load_game
from oponente.games.catan.agents import CatanUCTAgent
from oponente.games.catan.networks import network_text, read_network
from oponente.testing.probe import Probe
from tests.games.catan.test_inputs import random_state


@pytest.mark.compiled
def test_it_expects_more_for_who_has_more_and_the_truth_at_the_end():
    game = load_game("catan", {"trade": "false"})
    probe = Probe(game, "value")
    begin = probe.evaluate("outlook", random_state(3, 20).array)
    assert all(-1.0 <= value <= 1.0 for value in begin)
    state = random_state(3, 20)
    state.record.points[2] += 5
    ahead = probe.evaluate("outlook", state.array)
    assert ahead[2] > begin[2] + 0.2
    assert all(ahead[seat] < begin[seat] for seat in (0, 1, 3))
    end = random_state(3, 20000)
    assert end.is_terminal
    assert list(probe.evaluate("outlook", end.array)) == list(end.returns)


def test_networks_are_named_or_files_that_stay_as_they_are(tmp_path):
    assert network_text("outlook") == "outlook"
    file = tmp_path / "x.safetensors"
    from importlib import resources

    file.write_bytes((resources.files("oponente.games.catan") / "data" / "outlook.safetensors").read_bytes())
    kept = network_text(str(file))
    assert network_text(kept) == kept
    assert kept.startswith(str(file) + "@")
    assert (read_network(kept)["weight1"] == read_network("outlook")["weight1"]).all()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    with pytest.raises(ValueError, match="is not what it was"):
        read_network(kept)


def test_a_search_may_cut_games_off_at_it():
    agent = CatanUCTAgent(CatanUCTAgent.Parameters(cutoff=0, evaluation="outlook"))
    agent.check(load_game("catan"))
