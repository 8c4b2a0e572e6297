"""Catan: resource cards, and sets of them packed into one number.

A set of resource cards is a uint64 with one byte per resource, lumber lowest; up to 120 cards of each. So paying is a
subtraction, and whether a hand covers a price is one comparison of all five counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from oponente.kernel import njit

LUMBER, BRICK, WOOL, GRAIN, ORE = range(5)
RESOURCES = ("lumber", "brick", "wool", "grain", "ore")
DESERT = -1
"""The terrain that yields nothing."""

KNIGHT, YEAR_OF_PLENTY, MONOPOLY, ROAD_BUILDING, VICTORY_POINT = range(5)
DEVELOPMENT_CARDS = ("knight", "year of plenty", "monopoly", "road building", "victory point")
DECK = (14, 2, 2, 2, 5)
"""How many of each development card there are: 25 in all."""


def pack(counts: Iterable[int]) -> np.uint64:
    """Return the set with the given number of cards of each resource."""
    return np.uint64(sum(int(count) << 8 * resource for resource, count in enumerate(counts)))


def unpack(cards: Any) -> tuple[int, ...]:
    """Return how many cards of each resource are in a set."""
    return tuple(int(cards) >> 8 * resource & 0xFF for resource in range(5))


EMPTY = np.uint64(0)
ROAD_COST = pack((1, 1, 0, 0, 0))
SETTLEMENT_COST = pack((1, 1, 1, 1, 0))
CITY_COST = pack((0, 0, 0, 2, 3))
CARD_COST = pack((0, 0, 1, 1, 1))

_BYTE = np.uint64(0xFF)
_EIGHT, _SEVEN = np.uint64(8), np.uint64(7)
_TOP_BITS = np.uint64(0x8080808080)
_ONES = np.uint64(0x0101010101)
_EVEN_BYTES, _PAIR_ONES, _PAIR = np.uint64(0x00FF00FF00FF), np.uint64(0x000100010001), np.uint64(0xFFFF)
_SHIFT_SUM = np.uint64(32)


@njit
def one(resource: Any) -> Any:
    """Return a single card."""
    return np.uint64(1) << (_EIGHT * np.uint64(resource))


@njit
def some(resource: Any, count: Any) -> Any:
    """Return `count` cards of one resource."""
    return np.uint64(count) << (_EIGHT * np.uint64(resource))


@njit
def count_of(cards: Any, resource: Any) -> int:
    """Return how many cards of a resource are in a set."""
    return np.int64(cards >> (_EIGHT * np.uint64(resource)) & _BYTE)


@njit
def total(cards: Any) -> int:
    """Return how many cards are in a set."""
    # Bytes are added in pairs, so that sums have room; the third pair of the product is the sum of all three.
    pairs = (cards & _EVEN_BYTES) + (cards >> _EIGHT & _EVEN_BYTES)
    return np.int64((pairs * _PAIR_ONES) >> _SHIFT_SUM & _PAIR)


@njit
def holds(cards: Any, price: Any) -> bool:
    """Tell whether a set has as many cards of every resource as another."""
    # A byte's top bit survives the subtraction if there is no borrow.
    return ((cards | _TOP_BITS) - price) & _TOP_BITS == _TOP_BITS


@njit
def lacking(cards: Any, price: Any) -> Any:
    """Return the cards of `price` that are not covered by `cards`."""
    covered = (((cards | _TOP_BITS) - price) & _TOP_BITS) >> _SEVEN  # 1 in each byte that is covered
    open_bytes = (_ONES - covered) * _BYTE
    return (price & open_bytes) - (cards & open_bytes)


@njit
def nth_card(cards: Any, n: Any) -> int:
    """Return the resource of the n-th card of a set sorted by resource, counted from 0."""
    resource = 0
    while n >= count_of(cards, resource):
        n -= count_of(cards, resource)
        resource += 1
    return resource


@njit
def nth_kind(cards: Any, n: Any) -> int:
    """Return the n-th resource of which a set has any card, counted from 0."""
    resource = -1
    while n >= 0:
        resource += 1
        if count_of(cards, resource) > 0:
            n -= 1
    return resource


@njit
def kinds(cards: Any) -> int:
    """Return how many resources a set has any card of."""
    return total((((cards & ~_TOP_BITS) + (_ONES * np.uint64(0x7F)) | cards) & _TOP_BITS) >> _SEVEN)
