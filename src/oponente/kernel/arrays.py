"""Named arrays in files: safetensors (https://huggingface.co/docs/safetensors) and NumPy's npz.

Data only: nothing in such a file is ever executed.
"""

from __future__ import annotations

import hashlib
import io
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel.notation import escaped, quoted, shortened
from oponente.kernel.userfile import absolute, home_path

_UNPACKED_LIMIT = 1 << 28
"""Bytes of the arrays of a compressed file at most: a small file can claim to hold more than any memory."""
_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
"""What reads the header of an array in NumPy's own format, by version."""
ENDINGS = (".safetensors", ".npz")
"""Of the files that are read."""
_DIGITS = 16

Arrays = dict[str, npt.NDArray[Any]]


class ArrayFileError(ValueError):
    """A file holds no arrays as expected; the message is one line."""


def read_arrays(path: str | Path) -> Arrays:
    """Return the arrays of a ``.safetensors`` or ``.npz`` file by name.

    Raises:
        ArrayFileError: it can't be read, or is damaged, or would need pickle; whatever its sizes say, no more memory is
            used than the file can fill.
    """
    file = home_path(path)
    if file.suffix not in ENDINGS:
        raise ArrayFileError(f"{path}: expected a .safetensors or .npz file")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ArrayFileError(f"{path}: {error.strerror}") from None
    try:
        return _from_safetensors(data) if file.suffix == ".safetensors" else _from_npz(data)
    except Exception as error:  # what the readers of ZIP, NumPy's headers and JSON raise is no closed list
        said = " ".join(str(error).split()) or type(error).__name__
        raise ArrayFileError(f"{path} holds no arrays: {shortened(escaped(said), 200)}") from None


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
    path = absolute(text)
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
    import safetensors.numpy

    try:
        arrays = safetensors.numpy.load(data)
    except KeyError as error:
        raise ValueError(f"NumPy has no numbers of type {error.args[0]}") from None
    return {name: array.copy() for name, array in arrays.items()}  # those of the library can't be written to


def _from_npz(data: bytes) -> Arrays:
    """Return the arrays of NumPy's archive, a ZIP of arrays in NumPy's own format.

    Unlike NumPy's reader it trusts no size before it is known that the file can hold so much.
    """
    arrays: Arrays = {}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > max(len(data), _UNPACKED_LIMIT):
            raise ValueError(f"they would be larger than {_UNPACKED_LIMIT >> 20} MiB")
        for member in members:
            name = member.filename.removesuffix(".npy")
            if name == member.filename:
                raise ValueError(f"{quoted(name)} in it is no array: expected NumPy's .npy")
            with archive.open(member) as file:
                content = io.BytesIO(file.read(member.file_size))
            arrays[name] = _from_npy(name, content)
    return arrays


def _from_npy(name: str, content: io.BytesIO) -> npt.NDArray[Any]:
    try:
        version = np.lib.format.read_magic(content)
        shape, by_columns, dtype = _HEADERS[version](content)
    except Exception:
        raise ValueError(f"array {quoted(name)} is damaged: its header is none of NumPy's") from None
    if dtype.hasobject:
        raise ValueError(f"array {quoted(name)} holds Python objects: expected numbers")
    body = content.getbuffer()[content.tell() :]
    if min(shape, default=0) < 0 or len(body) != dtype.itemsize * math.prod(shape):
        raise ValueError(f"array {quoted(name)} is damaged: its shape does not fit the file")
    return np.frombuffer(body, dtype).reshape(shape, order="F" if by_columns else "C").copy()


def write_arrays(path: str | Path, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write arrays to a ``.safetensors`` or ``.npz`` file.

    Raises:
        ArrayFileError: the name has another ending, or an array a type that the file can't hold.
    """
    file = home_path(path)
    if file.suffix == ".npz":
        np.savez(file, **{name: np.ascontiguousarray(array) for name, array in arrays.items()})  # type: ignore[arg-type]
        return
    if file.suffix != ".safetensors":
        raise ArrayFileError(f"{path}: expected a .safetensors or .npz file")
    import safetensors.numpy

    try:
        data = safetensors.numpy.save({name: np.ascontiguousarray(array) for name, array in arrays.items()})
    except Exception as error:  # of another type for each cause
        raise ArrayFileError(f"{path}: the arrays can't be written: {error}") from None
    file.write_bytes(data)
