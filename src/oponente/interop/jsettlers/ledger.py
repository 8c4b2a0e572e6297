"""What hands may hold: all combinations of hands that fit the messages so far, each with its probability.

A theft between others and what others discard are *open*: the message does not say which resource. So there are several
possible combinations of hands (*worlds*); an open card makes more of them, with every card of the hand equally likely,
and a player who pays with, offers or loses a card rules out those in which it does not have it. One world, drawn from
those that are possible, is the one that stands in the mirrored state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from oponente.games.catan.cards import RESOURCES
from oponente.kernel import derive_seed

KINDS = len(RESOURCES)
NOBODY = -1
MAX_WORLDS = 100_000
"""Worlds that are kept, the most probable and that which stands for all; games between robots have a few thousand."""

Worlds = npt.NDArray[np.int8]


class LedgerError(ValueError):
    """What is seen can't be, whatever the hands are; the message is one line."""


@dataclass(frozen=True)
class _Change:
    """Cards that a hand gains or, where negative, loses."""

    seat: int
    cards: tuple[int, ...]


@dataclass(frozen=True)
class _Open:
    """A card of a hand goes to another, or away, and is not seen."""

    giver: int
    taker: int
    worlds: Worlds
    """Those that were possible before."""


class Ledger:
    """The hands of a game.

    Args:
        players: how many hands there are.
        seed: of what is drawn where several worlds are possible.
    """

    def __init__(self, players: int, seed: int = 0) -> None:
        self.worlds: Worlds = np.zeros((1, players * KINDS), np.int8)
        """A world in each row: the cards of the first seat by resource, those of the second, and so on."""
        self.weights = np.ones(1)
        """The probability of each."""
        self.discards = 0
        """How many cards were discarded unseen."""
        self.opened = 0
        """How many cards were open in all."""
        self._world = self.worlds[0].copy()
        self._entries: list[_Change | _Open] = []
        self._seed = seed
        self._draws = 0

    @property
    def hands(self) -> list[list[int]]:
        """The hands of the world that stands for all: cards of each seat by resource."""
        hands: list[list[int]] = self._world.reshape(-1, KINDS).tolist()
        return hands

    def size(self, seat: int) -> int:
        """Return how many cards a hand has."""
        return int(self._world[seat * KINDS : (seat + 1) * KINDS].sum())

    def least(self, seat: int) -> tuple[int, ...]:
        """Return the cards by resource that a hand has in every world."""
        return tuple(self.worlds[:, seat * KINDS : (seat + 1) * KINDS].min(axis=0).tolist())

    def gain(self, seat: int, cards: Sequence[int]) -> None:
        """Enter cards that a hand gets."""
        self._change(seat, cards)

    def lose(self, seat: int, cards: Sequence[int]) -> bool:
        """Enter cards that a hand gives away.

        Returns:
            Whether another world stands for all now, since the last one is impossible.

        Raises:
            LedgerError: it can't have them.
        """
        return self._change(seat, [-count for count in cards])

    def show(self, seat: int, cards: Sequence[int]) -> bool:
        """Enter cards that a hand has at least; see :meth:`lose`."""
        columns = slice(seat * KINDS, (seat + 1) * KINDS)
        possible: Any = (self.worlds[:, columns] >= np.asarray(cards)).all(axis=1)
        return self._rule_out(possible, seat)

    def exact(self, seat: int, resource: int, count: int) -> bool:
        """Enter how many cards of a resource a hand has; see :meth:`lose`."""
        return self._rule_out(self.worlds[:, seat * KINDS + resource] == count, seat)

    def open(self, giver: int, taker: int) -> int:
        """Enter a card that leaves a hand unseen.

        Args:
            giver: whose card it was.
            taker: whose it is; `NOBODY`: it is discarded.

        Returns:
            Its resource in the world that stands for all.

        Raises:
            LedgerError: the hand is empty.
        """
        size = self.size(giver)
        if size == 0:
            raise LedgerError(f"seat {giver} has no card")
        self._entries.append(_Open(giver, taker, self.worlds))
        self.opened += 1
        self.discards += taker == NOBODY
        worlds, weights = [], []
        for resource in range(KINDS):
            column = giver * KINDS + resource
            holding = self.worlds[:, column] > 0
            weights.append(self.weights[holding] * self.worlds[holding, column] / size)
            worlds.append(_moved(self.worlds[holding], giver, taker, resource))
        guess = self._draw(self._world[giver * KINDS : (giver + 1) * KINDS].astype(float))
        self._world = _moved(self._world[None], giver, taker, guess)[0]
        self.worlds, self.weights = _merged(np.concatenate(worlds), np.concatenate(weights), self._world)
        return guess

    def resolved(self) -> list[int]:
        """Return a resource for each open card, in order, by which everything is possible."""
        world = self._world.copy()
        found: list[int] = []
        for entry in reversed(self._entries):
            if isinstance(entry, _Change):
                world[entry.seat * KINDS : (entry.seat + 1) * KINDS] -= np.array(entry.cards, np.int8)
                continue
            for resource in range(KINDS):
                before = world.copy()
                before[entry.giver * KINDS + resource] += 1
                if entry.taker != NOBODY:
                    before[entry.taker * KINDS + resource] -= 1
                if (entry.worlds == before).all(axis=1).any():
                    world = before
                    found.append(resource)
                    break
            else:
                raise AssertionError("every world has come from another")
        return found[::-1]

    # --- worlds ----------------------------------------------------------------------------------------------------

    def _change(self, seat: int, cards: Sequence[int]) -> bool:
        self._entries.append(_Change(seat, tuple(cards)))
        columns = slice(seat * KINDS, (seat + 1) * KINDS)
        change = np.asarray(cards, np.int8)
        possible: Any = (self.worlds[:, columns] + change >= 0).all(axis=1)
        changed = self._rule_out(possible, seat)
        self.worlds = self.worlds.copy()
        self.worlds[:, columns] += change
        self._world[columns] += change
        return changed

    def _rule_out(self, possible: npt.NDArray[np.bool_], seat: int) -> bool:
        if possible.all():
            return False
        if not possible.any():
            raise LedgerError(f"seat {seat} can't have the cards that the message says")
        self.worlds, self.weights = self.worlds[possible], self.weights[possible]
        self.weights /= self.weights.sum()
        if (self.worlds == self._world).all(axis=1).any():
            return False
        self._world = self.worlds[self._draw(self.weights)].copy()
        return True

    def _draw(self, weights: npt.NDArray[np.float64]) -> int:
        """Return a random place, by weight."""
        self._draws += 1
        point = derive_seed(self._seed, "world", self._draws) / 2**64 * weights.sum()
        return int(min(np.searchsorted(np.cumsum(weights), point, side="right"), np.flatnonzero(weights)[-1]))


def _moved(worlds: Worlds, giver: int, taker: int, resource: int) -> Worlds:
    """Return worlds after a card has left a hand."""
    moved = worlds.copy()
    moved[:, giver * KINDS + resource] -= 1
    if taker != NOBODY:
        moved[:, taker * KINDS + resource] += 1
    return moved


def _merged(worlds: Worlds, weights: npt.NDArray[np.float64], kept: Worlds) -> tuple[Worlds, npt.NDArray[np.float64]]:
    """Return the different ones of some worlds, with their weights together.

    If there are many, it is the most probable ones, and one of them that is kept in any case.
    """
    keys = np.ascontiguousarray(worlds).view(np.dtype((np.void, worlds.shape[1]))).ravel()
    _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
    together: Any = np.bincount(inverse.ravel(), weights)
    worlds = worlds[first]
    if len(worlds) > MAX_WORLDS:
        best = np.argpartition(together, -MAX_WORLDS)[-MAX_WORLDS:]
        place = np.flatnonzero((worlds == kept).all(axis=1))[0]
        if place not in best:
            best[np.argmin(together[best])] = place
        worlds, together = worlds[best], together[best]
    return worlds, together / together.sum()
