"""Named arrays in files: safetensors and NumPy's npz. Data only: nothing in such a file is ever executed.

A safetensors file is eight bytes with the length of a header (little endian), the header in JSON, which gives each
array's type, shape and place, and the bytes of the arrays (https://huggingface.co/docs/safetensors).
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}
_HEADER_LIMIT = 1 << 24
ENDINGS = (".safetensors", ".npz")
"""Of the files that are read."""
_DIGITS = 16

Arrays = dict[str, npt.NDArray[Any]]


class ArrayFileError(ValueError):
    """A file holds no arrays as expected; the message is one line."""


def read_arrays(path: str | Path) -> Arrays:
    """Return the arrays of a ``.safetensors`` or ``.npz`` file by name.

    Raises:
        ArrayFileError: it can't be read, or is damaged, or would need pickle.
    """
    file = Path(path).expanduser()
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ArrayFileError(f"{path}: {error.strerror}") from None
    try:
        if file.suffix == ".safetensors":
            return _from_safetensors(data)
        if file.suffix == ".npz":
            with np.load(io.BytesIO(data), allow_pickle=False) as found:
                return {name: found[name] for name in found.files}
    except (ValueError, KeyError, TypeError, EOFError, OSError, AttributeError, zipfile.BadZipFile) as error:
        raise ArrayFileError(f"{path} holds no arrays: {' '.join(str(error).split())}") from None
    raise ArrayFileError(f"{path}: expected a .safetensors or .npz file")


def pinned(text: str) -> str:
    """Return what is kept of a file that a user names: its absolute path, and a digest of its content.

    What it has returned comes back unchanged.

    Raises:
        ArrayFileError: there is no such file, or it holds no arrays.
    """
    path = pinned_path(text)
    if path != text:
        read_pinned(text)
        return text
    path = str(Path(text).expanduser().absolute())
    read_arrays(path)
    return f"{path}@{_digest(path)}"


def pinned_path(text: str) -> str:
    """Return the path in what :func:`pinned` returned; a path alone stays as it is.

    >>> pinned_path("/a@b/x.npz@0123456789abcdef"), pinned_path("x@y.npz")
    ('/a@b/x.npz', 'x@y.npz')
    """
    path, _, digest = text.rpartition("@")
    return path if path.endswith(ENDINGS) and len(digest) == _DIGITS else text


def read_pinned(text: str) -> Arrays:
    """Return the arrays of a file by what :func:`pinned` returned, or by its path alone.

    Raises:
        ArrayFileError: it can't be read, or is not what it was when it was given.
    """
    path = pinned_path(text)
    if path != text and _digest(path) != text.rpartition("@")[2]:
        raise ArrayFileError(f"network {path} is not what it was when it was given: give it anew")
    return read_arrays(path)


def _digest(path: str) -> str:
    try:
        return hashlib.blake2b(Path(path).read_bytes(), digest_size=_DIGITS // 2).hexdigest()
    except OSError as error:
        raise ArrayFileError(f"{path}: {error.strerror}") from None


def _from_safetensors(data: bytes) -> Arrays:
    size = int.from_bytes(data[:8], "little")
    if not 2 <= size <= min(_HEADER_LIMIT, len(data) - 8):
        raise ValueError("the header is damaged")
    header, body = json.loads(data[8 : 8 + size]), data[8 + size :]
    arrays: Arrays = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        dtype = np.dtype(_TYPES[entry["dtype"]])
        begin, end = entry["data_offsets"]
        shape = tuple(entry["shape"])
        if not 0 <= begin <= end <= len(body) or end - begin != dtype.itemsize * int(np.prod(shape, dtype=np.int64)):
            raise ValueError(f"array {name!r} is damaged")
        arrays[name] = np.frombuffer(body[begin:end], dtype).reshape(shape).copy()
    return arrays


def write_arrays(path: str | Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write arrays to a ``.safetensors`` or ``.npz`` file.

    Raises:
        ArrayFileError: the name has another ending, or an array a type that the file can't hold.
    """
    file = Path(path).expanduser()
    if file.suffix == ".npz":
        np.savez(file, **{name: np.ascontiguousarray(array) for name, array in arrays.items()})  # type: ignore[arg-type]
        return
    if file.suffix != ".safetensors":
        raise ArrayFileError(f"{path}: expected a .safetensors or .npz file")
    names = {np.dtype(code): name for name, code in _TYPES.items()}
    header: dict[str, Any] = {}
    body = b""
    for name, array in arrays.items():
        dtype = array.dtype.newbyteorder("<") if array.dtype.itemsize > 1 else array.dtype
        if dtype not in names:
            raise ArrayFileError(f"{path}: arrays of type {array.dtype} can't be written")
        part = np.ascontiguousarray(array, dtype).tobytes()
        header[name] = {
            "dtype": names[dtype],
            "shape": list(array.shape),
            "data_offsets": [len(body), len(body) + len(part)],
        }
        body += part
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    file.write_bytes(len(text).to_bytes(8, "little") + text + body)
