"""Risk: what dice do, exactly.

Both sides' dice are compared highest with highest, second with second, third with third; ties go to the defender; each
comparison costs one army. *Standard* dice are independent. *Thesis* dice are those of the program of Ferrari (UFSM
2022), which draws each side's dice without replacement, so that one side never shows the same number twice.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import permutations, product

import numpy as np
import numpy.typing as npt

STANDARD, THESIS = "standard", "thesis"
DICE = (STANDARD, THESIS)
FACES = range(1, 7)
MOST_DICE = 3


@cache
def throw_odds(attacker: int, defender: int, dice: str = STANDARD) -> tuple[Fraction, ...]:
    """Return, for each number of armies that the defender may lose in one throw, how likely it is.

    The attacker loses the other armies of ``min(attacker, defender)``.

    Args:
        attacker, defender: how many dice each side throws, 1 to 3.
        dice: ``standard`` or ``thesis``.

    >>> throw_odds(3, 2)
    (Fraction(2275, 7776), Fraction(2611, 7776), Fraction(1445, 3888))

    Raises:
        ValueError: there are no such dice.
    """
    if dice not in DICE:
        raise ValueError(f"dice {dice!r}: expected {' or '.join(DICE)}")
    for count in (attacker, defender):
        if not 1 <= count <= MOST_DICE:
            raise ValueError(f"{count} dice: expected 1 to {MOST_DICE}")
    ours, theirs = _sorted_throws(attacker, dice), _sorted_throws(defender, dice)
    counts: Counter[int] = Counter()
    for own, own_ways in ours.items():
        for other, other_ways in theirs.items():
            won = sum(a > d for a, d in zip(own, other, strict=False))
            counts[won] += own_ways * other_ways
    total = counts.total()
    return tuple(Fraction(counts[won], total) for won in range(min(attacker, defender) + 1))


def _sorted_throws(count: int, dice: str) -> Counter[tuple[int, ...]]:
    """Return in how many ways each throw of one side comes about, its numbers from high to low."""
    throws = product(FACES, repeat=count) if dice == STANDARD else permutations(FACES, count)
    return Counter(tuple(sorted(throw, reverse=True)) for throw in throws)


@cache
def throw_table(dice: str) -> npt.NDArray[np.float64]:
    """Return the odds of all throws: by dice of attacker and defender, each less 1, and by losses of the defender."""
    table = np.zeros((MOST_DICE, MOST_DICE, MOST_DICE + 1))
    for attacker, defender in product(range(1, MOST_DICE + 1), repeat=2):
        odds = throw_odds(attacker, defender, dice)
        table[attacker - 1, defender - 1, : len(odds)] = [float(chance) for chance in odds]
    table.setflags(write=False)
    return table
