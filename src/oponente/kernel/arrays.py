"""Named arrays in files: safetensors and NumPy's npz. Data only: nothing in such a file is ever executed.

A safetensors file is eight bytes with the length of a header (little endian), the header in JSON, which gives each
array's type, shape and place, and the bytes of the arrays (https://huggingface.co/docs/safetensors).
"""

from __future__ import annotations

import hashlib
import io
import json
import math
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel.notation import escaped, quoted, shortened
from oponente.kernel.userfile import home_path, parse_json

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "i1", "U8": "u1"}
_HEADER_LIMIT = 1 << 24
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
    path = str(home_path(text).absolute())
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
    header, body = parse_json(data[8 : 8 + size].decode()), memoryview(data)[8 + size :]
    if not isinstance(header, dict):
        raise ValueError("the header is damaged: expected an object of arrays by name")
    arrays: Arrays = {}
    left = len(body)  # arrays that share bytes could be many times as large as the file
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        dtype, shape, (begin, end) = _entry(name, entry)
        left -= end - begin
        if not 0 <= begin <= end <= len(body) or left < 0 or end - begin != dtype.itemsize * math.prod(shape):
            raise ValueError(f"array {quoted(name)} is damaged: its shape and its place do not fit the file")
        arrays[name] = np.frombuffer(body[begin:end], dtype).reshape(shape).copy()
    return arrays


def _entry(name: str, entry: Any) -> tuple[np.dtype[Any], tuple[int, ...], tuple[int, int]]:
    """Return type, shape and place of an array as the header of a safetensors file gives them."""
    given: dict[str, Any] = entry if isinstance(entry, dict) else {}
    kind, shape, place = given.get("dtype"), given.get("shape", ()), given.get("data_offsets", ())
    if not (isinstance(kind, str) and kind in _TYPES):
        raise ValueError(f"array {quoted(name)} has type {quoted(kind)}; expected one of {', '.join(_TYPES)}")
    if not (_sizes(shape) and _sizes(place) and len(place) == 2):
        raise ValueError(f"array {quoted(name)} is damaged: expected shape and data_offsets, lists of whole numbers")
    return np.dtype(_TYPES[kind]), tuple(shape), (place[0], place[1])


def _sizes(value: Any) -> bool:
    return isinstance(value, list) and all(type(number) is int and number >= 0 for number in value)


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
