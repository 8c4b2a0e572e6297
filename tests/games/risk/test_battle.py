"""Exact odds of throws and battles, against the fractions of the specification of the game."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.games.risk.battle import MOST, battle_odds, conquest_table, exact_conquest
from oponente.games.risk.dice import STANDARD, THESIS, throw_odds, throw_table
from oponente.kernel import COMPILED

STANDARD_THROWS = {
    (1, 1): (Fraction(21, 36), Fraction(15, 36)),
    (2, 1): (Fraction(91, 216), Fraction(125, 216)),
    (3, 1): (Fraction(441, 1296), Fraction(855, 1296)),
    (1, 2): (Fraction(161, 216), Fraction(55, 216)),
    (2, 2): (Fraction(581, 1296), Fraction(420, 1296), Fraction(295, 1296)),
    (3, 2): (Fraction(2275, 7776), Fraction(2611, 7776), Fraction(2890, 7776)),
}
THESIS_THROWS = {
    (1, 1): (Fraction(21, 36), Fraction(15, 36)),
    (2, 1): (Fraction(70, 180), Fraction(110, 180)),
    (3, 1): (Fraction(210, 720), Fraction(510, 720)),
    (1, 2): (Fraction(140, 180), Fraction(40, 180)),
    (2, 2): (Fraction(420, 900), Fraction(280, 900), Fraction(200, 900)),
    (3, 2): (Fraction(924, 3600), Fraction(1176, 3600), Fraction(1500, 3600)),
}
"""By dice of attacker and defender: the probability that the defender loses none, one, two armies."""

BATTLES = [
    (2, 1, 0.416666667, 1.416667, 0.583333, 0.416666667),
    (3, 1, 0.754243827, 2.332948, 0.245756, 0.773148148),
    (4, 1, 0.916374636, 3.432739, 0.083625, 0.933834877),
    (2, 2, 0.106095679, 1.106096, 1.639275, 0.092592593),
    (3, 2, 0.362654321, 1.590278, 1.085648, 0.351851852),
    (4, 2, 0.655954000, 2.593582, 0.562117, 0.692993827),
    (3, 3, 0.206066446, 1.337793, 1.932094, 0.200617284),
    (4, 3, 0.470251092, 2.110248, 1.171947, 0.509317344),
    (4, 4, 0.314994332, 1.707700, 1.927626, 0.355456009),
    (5, 5, 0.358606233, 1.975225, 2.062623, 0.413963165),
    (6, 5, 0.506202829, 2.631485, 1.443152, 0.571225005),
    (6, 6, 0.396753641, 2.210934, 2.095388, 0.467404198),
    (8, 5, 0.736395576, 4.241414, 0.685510, 0.795995908),
    (10, 5, 0.872936473, 6.073376, 0.304579, 0.913012861),
    (10, 8, 0.646411765, 4.045047, 1.232258, 0.735557182),
    (10, 10, 0.479935256, 3.037574, 2.273219, 0.587173460),
    (11, 10, 0.567592872, 3.692200, 1.762953, 0.672489992),
    (12, 10, 0.653826055, 4.438226, 1.339373, 0.753703258),
    (16, 15, 0.605244078, 4.601392, 1.916963, 0.733240912),
    (20, 20, 0.577457403, 4.751810, 2.435354, 0.729846226),
    (21, 20, 0.633432242, 5.440745, 2.003140, 0.776714686),
    (30, 30, 0.633266311, 6.297922, 2.455395, 0.806214239),
    (31, 30, 0.676113633, 7.016502, 2.073848, 0.837147798),
    (50, 50, 0.705746254, 9.223292, 2.351712, 0.890592489),
    (51, 50, 0.735535131, 9.988342, 2.040424, 0.906598078),
]
"""Armies of both sides; probability of conquest and armies left, standard dice; probability, thesis dice."""

FRACTIONS = {
    (2, 1): Fraction(5, 12),
    (3, 1): Fraction(1955, 2592),
    (4, 1): Fraction(342035, 373248),
    (2, 2): Fraction(275, 2592),
    (3, 2): Fraction(235, 648),
    (4, 2): Fraction(6610505, 10077696),
    (3, 3): Fraction(692225, 3359232),
    (4, 3): Fraction(511817135, 1088391168),
}


@pytest.mark.parametrize(("dice", "table"), [(STANDARD, STANDARD_THROWS), (THESIS, THESIS_THROWS)], ids=str)
def test_throws(dice, table):
    for (attacker, defender), odds in table.items():
        assert throw_odds(attacker, defender, dice) == odds
        assert np.allclose(throw_table(dice)[attacker - 1, defender - 1, : len(odds)], [float(p) for p in odds])


@pytest.mark.parametrize("dice", [STANDARD, THESIS])
def test_throws_of_three_against_three_are_complete(dice):
    assert sum(throw_odds(3, 3, dice)) == 1
    assert len(throw_odds(3, 3, dice)) == 4


@pytest.mark.parametrize(("a", "d", "wins", "ours", "theirs", "thesis"), BATTLES)
def test_battles(a, d, wins, ours, theirs, thesis):
    odds = battle_odds(a, d)
    assert odds.conquest == pytest.approx(wins, abs=6e-10)
    assert odds.attackers_left == pytest.approx(ours, abs=6e-7)
    assert odds.defenders_left == pytest.approx(theirs, abs=6e-7)
    assert odds.attackers_lost == pytest.approx(a - ours, abs=6e-7)
    assert odds.defenders_lost == pytest.approx(d - theirs, abs=6e-7)
    assert battle_odds(a, d, THESIS).conquest == pytest.approx(thesis, abs=6e-10)


@pytest.mark.parametrize(("armies", "fraction"), FRACTIONS.items(), ids=str)
def test_battles_as_fractions(armies, fraction):
    assert exact_conquest(*armies) == fraction


@given(a=st.integers(1, 12), d=st.integers(1, 12), dice=st.sampled_from([STANDARD, THESIS]), defence=st.integers(1, 3))
def test_table_and_fractions_agree(a, d, dice, defence):
    exact = float(exact_conquest(a, d, dice, defence))
    assert battle_odds(a, d, dice, defence).conquest == pytest.approx(exact, abs=1e-12)
    assert conquest_table(20, dice, defence)[a, d] == pytest.approx(exact, abs=1e-12)


def test_more_armies_are_better():
    table = conquest_table(100)
    assert (np.diff(table[1:, 1:], axis=0) >= 0).all()
    assert (np.diff(table[1:, 1:], axis=1) <= 0).all()


def test_simulated_battles_fit():
    rng = np.random.default_rng(1)
    won, games = 0, 4000
    for _ in range(games):
        a, d = 6, 5
        while a > 1 and d > 0:
            ours = np.sort(rng.integers(1, 7, min(3, a - 1)))[::-1]
            theirs = np.sort(rng.integers(1, 7, min(2, d)))[::-1]
            stake = min(ours.size, theirs.size)
            hits = int((ours[:stake] > theirs[:stake]).sum())
            a, d = a - (stake - hits), d - hits
        won += d == 0
    assert abs(won / games - battle_odds(6, 5).conquest) < 5 * 0.5 / games**0.5


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((0, 1), "0 armies: expected 1"),
        ((1, MOST + 1), f"{MOST + 1} armies: expected 1 to {MOST}"),
        ((2, 2, "loaded"), "expected standard or thesis"),
        ((2, 2, STANDARD, 4), "4 dice of the defender"),
        ((2.5, 1), "2.5: expected a whole number"),
        ((3, "a"), "'a': expected a whole number"),
        ((True, 1), "True: expected a whole number"),
    ],
)
def test_what_there_is_not_is_refused(arguments, says):
    with pytest.raises(ValueError, match=says):
        battle_odds(*arguments)


@pytest.mark.skipif(not COMPILED, reason="the same there")
def test_large_battles_are_quick_enough():
    assert 0.99 < battle_odds(MOST, MOST // 2).conquest <= 1.0
