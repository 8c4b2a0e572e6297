"""The command `oponente sprt`: what it prints of a test."""

import re


def test_a_test_shows_no_number_where_there_is_none(run):
    arguments = ("sprt", "tictactoe", "one-step", "random", "--seed", 8, "--games")
    out = run(*arguments, 1)[1]
    assert "no whole block: 2 games make one\n" in out
    assert "Elo, 95 %" not in out
    assert "inf" not in out
    assert "nan" not in out
    assert re.search(r"difference [-+]\d+ Elo, 95 % [-+]\d+ \.\. ([-+]\d+|-)\n", run(*arguments, 40)[1])
    # Who wins all is infinitely better, with no upper bound.
    assert re.search(r"difference - Elo, 95 % [-+]\d+ \.\. -\n", run(*arguments, 2)[1])
