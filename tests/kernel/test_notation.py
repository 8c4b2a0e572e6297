"""What readers of typed text share."""

import pytest

from oponente.games.connect4 import rules, text
from oponente.kernel import Game, IllegalActionError
from oponente.kernel.notation import escaped, quoted, shortened, small_number
from toy_games import toy


@pytest.mark.parametrize(("typed", "number"), [("0", 0), (" 12 ", 12), ("007", 7), ("999", 999)])
def test_small_numbers(typed, number):
    assert small_number(typed) == number


@pytest.mark.parametrize("typed", ["", "1000", "9" * 5000, "-1", "1.5", "1 2", "²", "x"])
def test_what_is_no_small_number(typed):
    assert small_number(typed) is None


def test_quotations_are_short():
    assert quoted("c4") == "'c4'"
    assert quoted(7) == "7"
    assert shortened("x" * 60) == "x" * 60
    assert shortened("x" * 61) == "x" * 57 + "..."
    assert len(quoted("x" * 5000)) == 62
    assert quoted(["wool", 2]) == "['wool', 2]"
    assert quoted([7] * 5000).startswith("[7, 7, ")
    assert len(quoted([7] * 5000)) == 60


def test_long_texts_are_refused_in_a_short_line():
    """Also by games without a notation, and in positions."""
    heap, connect4 = toy("heap").start(), Game(rules, text=text)
    for typed in ("9" * 5000, "x" * 5000, "9" * 8):
        with pytest.raises(IllegalActionError) as refused:
            heap.parse_action(typed)
        assert len(str(refused.value)) < 300
    with pytest.raises(IllegalActionError) as refused:
        connect4.position("x" * 5000)
    assert len(str(refused.value)) < 300


class Refusing:
    """Connect Four's notation, with a reason for some moves."""

    action_text = text.action_text

    @staticmethod
    def parse_action(state, typed):
        """Return a number."""
        return int(typed)

    @staticmethod
    def refusal(state, action):
        """Return a reason for 7, and none for others."""
        return "seven is too many" if action == 7 else None


def test_the_game_may_say_why_a_move_is_refused():
    state = Game(rules, text=Refusing).start()
    for refuse in (lambda: state.apply(7), lambda: state.parse_action("7")):
        with pytest.raises(IllegalActionError, match=r"^seven is too many$"):
            refuse()
    with pytest.raises(IllegalActionError, match="'8' is not legal here; legal: 1, 2"):
        state.parse_action("8")


def test_what_no_line_can_show_is_escaped():
    assert escaped("a\n\x1b[31mb ü\u2028") == r"a\n\x1b[31mb ü\u2028"
