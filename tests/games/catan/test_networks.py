"""Catan: the networks that agents name."""

from __future__ import annotations

from importlib import resources

import numpy as np
import pytest

from oponente.games.catan.networks import network_text, read_network


def test_networks_are_named_or_files_that_stay_as_they_are(tmp_path):
    assert network_text("shipped") == "shipped"
    file = tmp_path / "x.safetensors"
    file.write_bytes((resources.files("oponente.games.catan") / "data" / "network.safetensors").read_bytes())
    kept = network_text(str(file))
    assert network_text(kept) == kept
    assert kept.startswith(str(file) + "@")
    assert (read_network(kept)["weight1"] == read_network("shipped")["weight1"]).all()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(bytes(data))
    with pytest.raises(ValueError, match="is not what it was"):
        read_network(kept)


@pytest.mark.parametrize(
    ("name", "array", "told"),
    [
        ("bias1", np.full(32, "word"), "bias1 holds no real numbers"),
        ("bias1", np.full(32, np.nan), "bias1 has numbers that are not finite"),
        ("bias1", np.zeros(31), r"bias1 has shape \(31,\); expected \(32,\)$"),
        ("scale", np.zeros(48), "a scale is 0"),
    ],
)
def test_what_is_no_network_is_told_with_its_file(tmp_path, name, array, told):
    file = tmp_path / "x.npz"
    np.savez(file, **{**read_network("shipped"), name: array})
    with pytest.raises(ValueError, match=told) as error:
        network_text(str(file))
    assert str(error.value).startswith(f"network {file}")
