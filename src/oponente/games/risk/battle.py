"""Risk: the exact odds of a whole battle, by dynamic programming over the armies that are left.

A battle here is: attack with the most dice until the territory falls or one army is left in the attacking territory.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from oponente.games.risk.dice import DICE, STANDARD, throw_odds, throw_table

MOST = 1000
"""Armies on a side at most: beyond, the table would not fit into memory."""


@dataclass(frozen=True)
class Battle:
    """The odds of a battle."""

    conquest: float
    """The probability that the territory falls."""
    attackers_left: float
    """Expected armies of the attacker afterwards, in both territories together: 1 where the battle is lost."""
    defenders_left: float
    """Expected armies of the defender afterwards."""
    attackers_lost: float
    """Expected losses of the attacker."""
    defenders_lost: float
    """Expected losses of the defender."""


def battle_odds(attackers: int, defenders: int, dice: str = STANDARD, defence_dice: int = 2) -> Battle:
    """Return the exact odds of attacking with the most dice until the territory falls or one army is left.

    Args:
        attackers: armies in the attacking territory, the one that must stay behind included.
        defenders: armies in the territory that is attacked.
        dice: ``standard``, or ``thesis`` (each side's dice all different).
        defence_dice: dice of the defender at most (3 in War).

    >>> odds = battle_odds(10, 5)
    >>> round(odds.conquest, 6), round(odds.attackers_left, 6), round(odds.defenders_left, 6)
    (0.872936, 6.073376, 0.304579)

    Raises:
        ValueError: a number of armies or dice is out of range.
    """
    _check(attackers, defenders, dice, defence_dice)
    size = 1 << max(5, int(max(attackers, defenders)).bit_length())  # few tables, each made once
    conquest, ours, theirs = _tables(size, dice, defence_dice)
    own, other = float(ours[attackers, defenders]), float(theirs[attackers, defenders])
    return Battle(float(conquest[attackers, defenders]), own, other, attackers - own, defenders - other)


def conquest_table(most: int, dice: str = STANDARD, defence_dice: int = 2) -> npt.NDArray[np.float64]:
    """Return the probability of conquest for all armies from 0 to `most`: attackers by rows, defenders by columns."""
    _check(most, most, dice, defence_dice)
    return _tables(most + 1, dice, defence_dice)[0]


def exact_conquest(attackers: int, defenders: int, dice: str = STANDARD, defence_dice: int = 2) -> Fraction:
    """Return the probability of conquest as a fraction; see :func:`battle_odds`. Slow above some dozens of armies.

    >>> exact_conquest(3, 1), exact_conquest(4, 2)
    (Fraction(1955, 2592), Fraction(6610505, 10077696))
    """
    _check(attackers, defenders, dice, defence_dice)
    row: list[list[Fraction]] = []
    for a in range(attackers + 1):
        row.append([Fraction(1)] + [Fraction(0)] * defenders)
        if a < 2:
            continue
        for d in range(1, defenders + 1):
            odds = throw_odds(min(3, a - 1), min(defence_dice, d), dice)
            at_stake = len(odds) - 1
            row[a][d] = sum(
                (chance * row[a - (at_stake - won)][d - won] for won, chance in enumerate(odds)), Fraction(0)
            )
    return row[attackers][defenders]


def _check(attackers: int, defenders: int, dice: str, defence_dice: int) -> None:
    if dice not in DICE:
        raise ValueError(f"dice {dice!r}: expected {' or '.join(DICE)}")
    for given in (attackers, defenders, defence_dice):
        if isinstance(given, bool) or not isinstance(given, int | np.integer):
            raise ValueError(f"{given!r}: expected a whole number")
    if not 1 <= defence_dice <= 3:
        raise ValueError(f"{defence_dice} dice of the defender: expected 1 to 3")
    for count in (attackers, defenders):
        if not 1 <= count <= MOST:
            raise ValueError(f"{count} armies: expected 1 to {MOST}")


@cache
def _tables(
    size: int, dice: str, defence_dice: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return conquest probability, attackers left and defenders left, for all armies below `size`."""
    odds = throw_table(dice)
    conquest, ours, theirs = (np.zeros((size, size)) for _ in range(3))
    armies = np.arange(size, dtype=np.float64)
    conquest[:, 0], ours[:, 0] = 1.0, armies
    for row in (0, 1):
        ours[row, 1:], theirs[row, 1:] = row, armies[1:]
    # By the number of armies together, which every throw makes smaller: all pairs of one sum at once.
    for armies_together in range(3, 2 * size - 1):
        a = np.arange(max(2, armies_together - size + 1), min(size - 1, armies_together - 1) + 1)
        d = armies_together - a
        attack, defence = np.minimum(3, a - 1), np.minimum(defence_dice, d)
        at_stake = np.minimum(attack, defence)
        for won in range(defence_dice + 1):
            lost = np.maximum(at_stake - won, 0)
            chance = odds[attack - 1, defence - 1, won]  # 0 where `won` exceeds what is at stake
            after = a - lost, np.maximum(d - won, 0)
            for table in (conquest, ours, theirs):
                table[a, d] += chance * table[after]
    for table in (conquest, ours, theirs):
        table.setflags(write=False)
    return conquest, ours, theirs
