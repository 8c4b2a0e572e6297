"""Random streams: xoshiro256++ (Blackman and Vigna 2021), the only source of chance in kernels.

A stream is a uint64 array of four words, changed in place. One seed gives one game on every machine and with any
number of workers, because nothing draws from a stream that another part of the program also draws from: streams are
*spawned* along a path (match seed, game number, seat, decision), never shared.
"""

from __future__ import annotations

import sys
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.kernel.compilation import njit
from oponente.kernel.memory import SEPARATION

_WORD = np.dtype(np.uint64)
Stream = npt.NDArray[np.uint64]


def derive_seed(seed: int, *path: int | str) -> int:
    """Return a 64-bit seed for the place that `path` names below `seed`; different paths give unrelated seeds."""
    return int.from_bytes(_hash(seed, path, 8), "little")


def stream(seed: int, *path: int | str) -> Stream:
    """Return a new stream for the place that `path` names below `seed`."""
    data = bytearray(_APART + _hash(seed, path, 32) + _APART)
    data[_LOWEST] |= 1  # the all-zero state is the only bad one
    words: Stream = np.frombuffer(data, _WORD, 4, SEPARATION)
    return words


def generator(rng: Stream) -> np.random.Generator:
    """Return a generator for what is drawn outside of kernels where a stream is; the stream itself does not move."""
    return np.random.Generator(np.random.PCG64(int(rng[0])))


_APART = bytes(SEPARATION)
_LOWEST = SEPARATION if sys.byteorder == "little" else SEPARATION + 7
"""Where the lowest byte of a stream's first word is."""


def _hash(seed: int, path: tuple[int | str, ...], size: int) -> bytes:
    data = _part(seed)
    for part in path:
        data += _parts.get(part) or _part(part)
    return blake2b(data, digest_size=size).digest()


def _part(part: int | str) -> bytes:
    """Write a part with its kind and length, so that no two paths write the same bytes."""
    if isinstance(part, str):
        data = part.encode()
        written = b"s" + len(data).to_bytes(4, "little") + data
    else:
        length = part.bit_length() // 8 + 1
        written = (_HEADS.get(length) or _head(length)) + part.to_bytes(length, "little", signed=True)
        if not 0 <= part < _SMALL:
            return written
    if len(_parts) < 2 * _SMALL:
        _parts[part] = written
    return written


def _head(length: int) -> bytes:
    return b"i" + length.to_bytes(4, "little")


_HEADS = {length: _head(length) for length in range(1, 10)}
_SMALL = 4096
"""Words, and integers below this, are written once and remembered."""
_parts: dict[int | str, bytes] = {}


_S17, _S23, _S41, _S19, _S45 = (np.uint64(n) for n in (17, 23, 41, 19, 45))
_S11, _S27, _S30, _S31, _S32 = (np.uint64(n) for n in (11, 27, 30, 31, 32))
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)
_DOUBLE_UNIT = 1.0 / (1 << 53)


@njit
def next_u64(rng: Any) -> Any:
    """Draw 64 random bits."""
    s0, s1, s2, s3 = rng[0], rng[1], rng[2], rng[3]
    total = s0 + s3
    result = ((total << _S23) | (total >> _S41)) + s0
    shifted = s1 << _S17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << _S45) | (s3 >> _S19)
    rng[0], rng[1], rng[2], rng[3] = s0, s1, s2, s3
    return result


@njit
def random_below(rng: Any, n: Any) -> int:
    """Draw an integer from 0 to n - 1, n at most 2**31: the high half of a 32-bit product (Lemire 2019).

    Without Lemire's rejection step the bias is below n / 2**32; no statistic of this package can see it.
    """
    return np.int64(((next_u64(rng) >> _S32) * np.uint64(n)) >> _S32)


@njit
def random_unit(rng: Any) -> float:
    """Draw a float from [0, 1), uniform over the multiples of 2**-53."""
    return np.float64(next_u64(rng) >> _S11) * _DOUBLE_UNIT


@njit
def mix64(value: Any) -> Any:
    """Scramble 64 bits (the finaliser of SplitMix64, a bijection)."""
    value = (value ^ (value >> _S30)) * _MIX1
    value = (value ^ (value >> _S27)) * _MIX2
    return value ^ (value >> _S31)


@njit
def spawn(rng: Any, key: Any, out: Any) -> None:
    """Write to `out` the stream that belongs to the integer `key` below `rng`; `rng` itself does not move."""
    position = mix64(rng[0] ^ mix64(rng[1] ^ mix64(rng[2] ^ mix64(rng[3] ^ np.uint64(key)))))
    for i in range(4):
        position += _GOLDEN
        out[i] = mix64(position)
    out[0] |= np.uint64(1)
