"""A ply in one compiled call: what is refused, what is drawn, and what each seat sees of it."""

from __future__ import annotations

import numpy as np
import pytest

from oponente import load_game
from oponente.arena.play import Course
from oponente.kernel import IllegalActionError, State, Witnesses, stream


def test_seats_see_what_the_rules_let_them_see() -> None:
    game = load_game("catan")
    course, twin, rng, other = Course(game.start(3)), game.start(3), stream(1), stream(1)
    seen: list[list[int]] = [[] for _ in range(game.num_players)]
    actions, masked = stream(2), 0
    while len(twin.history) < 300 and not twin.is_terminal:
        action = twin.sample_chance(other) if twin.is_chance else twin.sample_action(actions)
        for seat in range(game.num_players):
            seen[seat].append(twin.observed(action, seat))
            masked += seen[seat][-1] != action
        if twin.is_chance:
            course.apply_chance(rng)
        else:
            course.apply(action)
        twin.apply(action)
        assert course.state == twin
        assert course.state.history == twin.history
    assert masked
    assert [list(course.view(seat, 0).history) for seat in range(game.num_players)] == seen


def test_a_refused_action_changes_nothing() -> None:
    state = load_game("tictactoe").start()
    state.apply(4)
    before = state.to_bytes()
    for action in (4, 9, -1, 2**31, -(2**40)):
        with pytest.raises(IllegalActionError):
            state.apply(action)
    assert (state.to_bytes(), state.history) == (before, [4])
    state.undo()
    with pytest.raises(IndexError):
        state.undo()


def test_chance_is_drawn_only_where_it_is_due() -> None:
    with pytest.raises(ValueError, match="no chance event"):
        load_game("tictactoe").start().apply_chance(stream(1))


def test_nobody_is_told_where_nothing_is_hidden() -> None:
    assert Witnesses(load_game("tictactoe")).seen == []


def test_a_state_refuses_an_array_of_another_kind() -> None:
    with pytest.raises(ValueError, match="array of its record"):
        State(load_game("tictactoe"), np.zeros(1, np.int64))
