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


def test_a_network_of_texts_is_refused(tmp_path):
    arrays = dict(read_network("shipped"))
    arrays["bias1"] = np.full(arrays["bias1"].shape, "word")
    np.savez(tmp_path / "texts.npz", **arrays)
    with pytest.raises(ValueError, match=r"bias1 has shape .*; expected .*, finite numbers"):
        read_network(network_text(str(tmp_path / "texts.npz")))
