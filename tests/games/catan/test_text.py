"""Catan: notation, and that texts tell a seat only what it knows."""

import pytest

import oponente.games.catan.text as notation
from oponente.games.catan import names, rules
from oponente.games.catan.layout import read_board
from oponente.kernel import Game, IllegalActionError, random_below, stream


def positions(players, seed, count):
    """Yield the states of a random game."""
    game = Game(rules, {"players": str(players)}, text=notation)
    state, rng = game.start(seed), stream(seed, "test")
    for _ in range(count):
        if state.is_terminal:
            return
        yield state
        if state.is_chance:
            state.apply(state.sample_chance(rng))
        else:
            actions = state.legal_actions
            state.apply(int(actions[random_below(rng, len(actions))]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_action_reads_back(players):
    for state in positions(players, players, 400):
        if state.is_chance:
            continue
        for action in [*state.legal_actions, *notation.open_actions(state)]:
            text = notation.action_text(state, int(action))
            assert notation.parse_action(state, text) == action, text
            assert notation.parse_action(state, f"  {text.upper()} ") == action


def test_board_reads_back():
    state = next(positions(4, 5, 1))
    board = names.board_of(state)
    assert read_board(board.to_json()) == board


def test_a_text_tells_a_seat_only_what_it_knows():
    rng = stream(9, "determinize")
    for i, state in enumerate(positions(4, 6, 900)):
        if i % 30:
            continue
        for seat in range(4):
            assert state.determinize(seat, rng).text(seat) == state.text(seat)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("settlement z9", "is no node"),
        ("road c4-e5", "is no edge"),
        ("robber 20", "is no tile"),
        ("confirm player 5", "is no player"),
        ("monopoly gold", "is no resource"),
        ("discard ore", "you have no ore"),
        ("offer wool", "say what for what"),
        ("jump", "settlement c4"),
    ],
)
def test_a_mistake_gets_a_line_that_says_what_is_right(text, reason):
    state = next(positions(4, 1, 1))
    with pytest.raises(IllegalActionError, match=reason):
        notation.parse_action(state, text)


def test_an_edge_may_be_named_from_either_end():
    state = next(positions(4, 1, 1))
    assert notation.parse_action(state, "road c5-c4") == notation.parse_action(state, "ROAD c4 c5")


def test_there_are_72_edges():
    assert len(names.EDGES) == 72
