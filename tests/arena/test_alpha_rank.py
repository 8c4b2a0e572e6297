import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.arena.alpha_rank import alpha_rank


def test_rock_paper_scissors():
    shares = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
    assert alpha_rank(shares) == pytest.approx([1 / 3] * 3)


def test_the_best_of_all_holds_the_population():
    shares = np.array([[0.5, 0.9, 0.8], [0.1, 0.5, 0.9], [0.2, 0.1, 0.5]])
    assert alpha_rank(shares)[0] > 0.99


def test_a_cycle_above_one_that_all_beat():
    shares = np.array([[0.5, 0, 1, 1], [1, 0.5, 0, 1], [0, 1, 0.5, 1], [0, 0, 0, 0.5]], float)
    mass = alpha_rank(shares, alpha=100.0)
    assert mass[:3] == pytest.approx([1 / 3] * 3)
    assert 0 <= mass[3] < 1e-6


def test_without_pressure_all_are_equal():
    assert alpha_rank(np.array([[0.5, 0.9], [0.1, 0.5]]), alpha=0.0) == pytest.approx([0.5, 0.5])


def test_two_types_by_hand():
    """Of two types the masses are as the probabilities to be taken over by."""
    alpha, m, gap = 2.0, 10, 0.3
    up = (1 - np.exp(-alpha * gap)) / (1 - np.exp(-m * alpha * gap))
    down = (1 - np.exp(alpha * gap)) / (1 - np.exp(m * alpha * gap))
    mass = alpha_rank(np.array([[0.5, 0.65], [0.35, 0.5]]), alpha, m)
    assert mass[0] / mass[1] == pytest.approx(up / down)


@given(st.integers(2, 6), st.integers(0, 10**6), st.floats(0.0, 300.0))
def test_masses_are_a_distribution_that_names_do_not_change(count, seed, alpha):
    rng = np.random.default_rng(seed)
    shares = rng.random((count, count))
    shares = (shares + 1 - shares.T) / 2
    mass = alpha_rank(shares, alpha)
    assert mass.sum() == pytest.approx(1)
    assert (mass >= 0).all()
    order = rng.permutation(count)
    assert alpha_rank(shares[np.ix_(order, order)], alpha) == pytest.approx(mass[order], abs=1e-6)


def test_agents_that_never_met():
    with pytest.raises(ValueError, match="against each other"):
        alpha_rank(np.array([[0.5, np.nan], [np.nan, 0.5]]))
