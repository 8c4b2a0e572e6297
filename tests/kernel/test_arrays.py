"""Named arrays in files."""

from __future__ import annotations

import contextlib
import io
import json
import pickle
import zipfile

import numpy as np
import pytest

from oponente.kernel.arrays import ArrayFileError, read_arrays, write_arrays

ARRAYS = {"a": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.array([1.5]), "c": np.array([], np.int64)}


@pytest.mark.parametrize("name", ["x.npz", "x.safetensors"])
def test_arrays_read_back(tmp_path, name):
    write_arrays(tmp_path / name, ARRAYS)
    found = read_arrays(tmp_path / name)
    assert found.keys() == ARRAYS.keys()
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


def safetensors(header, body=b"1234") -> bytes:
    """Return a safetensors file with a header, in JSON or as it is."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + body


def npz(*members, **options) -> bytes:
    """Return a ZIP of some members."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", **options) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


def encrypted(archive: bytes) -> bytes:
    """Return a ZIP of one member whose entry in the directory says that it is encrypted."""
    at = archive.index(b"PK\x01\x02") + 8
    return archive[:at] + bytes([archive[at] | 1]) + archive[at + 1 :]


def npy(header: str, body: bytes = b"") -> bytes:
    """Return an array in NumPy's format with a header as it is given."""
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + body


def entry(shape, begin=0, end=4, dtype="F32"):
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


HUGE = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }"


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("safetensors", safetensors({"a": entry([10**30])}), "invalid JSON in header"),
        ("safetensors", safetensors({"a": entry([10**30, 0], 0, 0)}), "invalid JSON in header"),
        ("safetensors", safetensors({"a": entry([2**32, 2**32], 0, 0)}), "overflow"),
        ("safetensors", safetensors({"a": entry([2])}), "holds no arrays"),
        ("safetensors", safetensors({"a": entry([1], 0, 8)}), "holds no arrays"),
        ("safetensors", safetensors({"a": entry([-1])}), "invalid JSON in header"),
        ("safetensors", safetensors({"a": entry([1.0])}), "invalid JSON in header"),
        ("safetensors", safetensors({"a": {**entry([1]), "data_offsets": [0]}}), "invalid JSON in header"),
        ("safetensors", safetensors({"a": entry([1], dtype=["F32"])}), "invalid JSON in header"),
        ("safetensors", safetensors({"a": entry([1], dtype="F99")}), "unknown variant"),
        ("safetensors", safetensors({"a": entry([2], dtype="BF16")}), "NumPy has no numbers of type BF16"),
        ("safetensors", safetensors({"a": 1}), "invalid JSON in header"),
        ("safetensors", safetensors([1]), "invalid JSON in header"),
        ("safetensors", safetensors(b"[" * 200_000), "invalid JSON in header"),
        ("safetensors", safetensors({str(i): entry([1]) for i in range(9)}), "invalid offset"),  # one place
        ("npz", npz(("a.npy", npy(HUGE % 10**13))), "array 'a' is damaged: its shape does not fit the file"),
        ("npz", npz(("a.npy", npy(HUGE % -1))), "array 'a' is damaged"),
        ("npz", npz(("a.npy", npy("{'descr': '<f8', (")[:-1])), "its header is none of NumPy's"),
        ("npz", npz(("a.npy", npy("'" * 3))), "its header is none of NumPy's"),
        ("npz", npz(("a.npy", npy("(" * 9000))), "its header is none of NumPy's"),
        ("npz", npz(("a.npy", npy("{'descr': '|V0', 'fortran_order': False, 'shape': (9,)}"))), "holds no arrays"),
        ("npz", npz(("a.txt", b"word")), "'a.txt' in it is no array: expected NumPy's .npy"),
        ("npz", npz(("a.npy", bytes(300 << 20)), compression=zipfile.ZIP_DEFLATED), "larger than 256 MiB"),
        ("npz", encrypted(npz(("a.npy", npy(HUGE % 1, bytes(8))))), "encrypted"),
    ],
)
def test_hostile_files_are_told_in_one_line(tmp_path, name, content, told):
    file = tmp_path / f"x.{name}"
    file.write_bytes(content)
    with pytest.raises(ArrayFileError, match=told) as error:
        read_arrays(file)
    assert str(error.value).startswith(f"{file} holds no arrays: ")
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < len(str(file)) + 250


def test_damaged_bytes_anywhere_are_told(tmp_path):
    """Every byte of a file changed: it is read, or refused in one line."""
    write_arrays(tmp_path / "x.npz", ARRAYS)
    np.savez_compressed(tmp_path / "y.npz", **ARRAYS)
    write_arrays(tmp_path / "z.safetensors", ARRAYS)
    read = tried = 0
    for file in sorted(tmp_path.iterdir()):
        data = file.read_bytes()
        for at in range(0, len(data), 3):
            tried += 1
            file.write_bytes(data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :])
            with contextlib.suppress(ArrayFileError):
                read_arrays(file)
                read += 1
    assert 0 < read < tried


def test_a_home_that_is_none_is_no_file():
    with pytest.raises(ArrayFileError, match="No such file"):
        read_arrays("~nobody-of-that-name/x.npz")


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
    with pytest.raises(ArrayFileError, match="the arrays can't be written"):
        write_arrays(tmp_path / "x.safetensors", {"a": np.array(["word"])})
    (tmp_path / "x.pt").write_bytes(b"")
    with pytest.raises(ArrayFileError, match=r"expected a \.safetensors or \.npz file"):
        read_arrays(tmp_path / "x.pt")
    with pytest.raises(ArrayFileError, match="No such file"):
        read_arrays(tmp_path / "none.npz")
