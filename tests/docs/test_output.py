"""Samples are compared without what depends on the machine."""

from __future__ import annotations

from tests.docs.output import same_for_all


def test_wide_tables_are_put_together():
    narrow = "a      b  ms\n-----  -  --\nuct:1  3   4\nx      5   6"
    wide = "a      b\n-----  -\nuct:1  3\nx      5\n\na      ms  c\n-----  --  -\nuct:1  77  8\nx      66  9"
    assert same_for_all(narrow) == [{"a": ["uct:1", "x"], "b": ["3", "5"]}]
    assert same_for_all(wide) == [{"a": ["uct:1", "x"], "b": ["3", "5"], "c": ["8", "9"]}]
    assert same_for_all("9 games/s\nRecords: match 1 in here") == same_for_all("8.5 games/s")
