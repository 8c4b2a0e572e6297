"""What stands in the cells of tables about matches, at the terminal and on pages: nothing where there is no number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def number(value: float | None, form: str) -> str:
    """Return a number in a form of Python's."""
    return "" if value is None else format(value, form)


def percent(share: float | None) -> str:
    """Return a share of 1."""
    return "" if share is None else f"{100 * share:.1f} %"


def bounds(interval: Sequence[float]) -> str:
    """Return an interval of shares."""
    return f"{100 * interval[0]:.1f} .. {100 * interval[1]:.1f} %"


def elo(value: float | None) -> str:
    """Return a difference in Elo; None is an infinite one, or one of no games."""
    return "-" if value is None else f"{value:+.0f}"


def reproducibility(reproducible: bool) -> str:
    """Return what stands behind a seed that does not decide everything."""
    return "" if reproducible else " (not reproducible: time, threads or what was learned decide)"


def mean_and_sd(fact: Mapping[str, Any]) -> str:
    """Return the mean of a fact, its standard deviation after ±."""
    if fact["mean"] is None:
        return ""
    return f"{fact['mean']:,.2f}" + ("" if fact["sd"] is None else f" ± {fact['sd']:,.2f}")
