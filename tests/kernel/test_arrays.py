"""Named arrays in files."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from oponente.kernel.arrays import ArrayFileError, read_arrays, write_arrays

ARRAYS = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([1.5]), "c": np.array([], np.int64)}


@pytest.mark.parametrize("name", ["x.npz", "x.safetensors"])
def test_arrays_read_back(tmp_path, name):
    write_arrays(tmp_path / name, ARRAYS)
    found = read_arrays(tmp_path / name)
    assert list(found) == list(ARRAYS)
    for key, array in ARRAYS.items():
        assert (found[key].dtype, found[key].shape) == (array.dtype, array.shape)
        assert (found[key] == array).all()


def test_the_layout_of_safetensors(tmp_path):
    write_arrays(tmp_path / "x.safetensors", {"w": np.array([[1.0, 2.0]], np.float32)})
    data = (tmp_path / "x.safetensors").read_bytes()
    size = int.from_bytes(data[:8], "little")
    assert size % 8 == 0
    assert json.loads(data[8 : 8 + size]) == {"w": {"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]}}
    assert data[8 + size :] == np.array([1.0, 2.0], "<f4").tobytes()


def test_damaged_files_are_told(tmp_path):
    good, bad = tmp_path / "x.safetensors", tmp_path / "y.safetensors"
    write_arrays(good, ARRAYS)
    data = good.read_bytes()
    for damaged in (
        b"",
        data[:20],
        data[:-1],
        b"\xff" * 40,
        data.replace(b"F32", b"F99"),
        data.replace(b"[2,3]", b"[2,4]"),
    ):
        bad.write_bytes(damaged)
        with pytest.raises(ArrayFileError, match="holds no arrays"):
            read_arrays(bad)


def test_nothing_is_executed(tmp_path):
    file = tmp_path / "x.npz"
    np.savez(file, a=np.array([{"pickled": True}], dtype=object))
    with pytest.raises(ArrayFileError, match="holds no arrays"):
        read_arrays(file)
    file.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(ArrayFileError, match="holds no arrays"):
        read_arrays(file)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ArrayFileError, match=r"expected a \.safetensors or \.npz file"):
        write_arrays(tmp_path / "x.pt", ARRAYS)
    (tmp_path / "x.pt").write_bytes(b"")
    with pytest.raises(ArrayFileError, match=r"expected a \.safetensors or \.npz file"):
        read_arrays(tmp_path / "x.pt")
    with pytest.raises(ArrayFileError, match="No such file"):
        read_arrays(tmp_path / "none.npz")
