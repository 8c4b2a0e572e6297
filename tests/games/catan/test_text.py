"""Catan: notation, and that texts tell a seat only what it knows."""

import pytest

import oponente.games.catan.text as notation
from oponente.games.catan import names, rules
from oponente.games.catan.layout import read_board
from oponente.kernel import Game, IllegalActionError, random_below, stream
from tests.games.catan.positions import Position


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


def listed(state):
    """Return the lines of the help."""
    return notation.help_text(state, state.legal_actions).split("\n")


def test_help_has_a_line_for_each_kind():
    position = Position().settlement(0, "c4").road(0, "c4-c5").give(0, lumber=1, brick=1, wool=4, grain=1, ore=1)
    lines = listed(position.state)
    kinds = [line.split(":")[0] for line in lines if not line.startswith("  ")]
    assert kinds == ["buy card", "road", "bank 4 wool for", "offer", "end", "offer"]
    assert "bank 4 wool for: lumber; brick; grain; ore" in lines
    assert lines[-1].endswith("as in offer 1 lumber 1 wool for 1 ore; 5 more offers this turn")
    assert all(len(line) <= 100 for line in lines[:-1])
    position.record.offers = 5
    assert not any(line.startswith("offer") for line in listed(Position(offers=0).give(0, wool=1).state))


@pytest.mark.parametrize("players", [2, 4])
def test_help_names_every_listed_action(players):
    for i, state in enumerate(positions(players, 40 + players, 600)):
        if state.is_chance or i % 7:
            continue
        named = set()
        for line in " ".join(notation.help_text(state, state.legal_actions).split("\n  ")).split("\n"):
            word, colon, rest = line.partition(": ")
            named |= {f"{word} {one}" for one in rest.split("; ")} if colon else {word}
        for action in state.legal_actions:
            text = notation.action_text(state, int(action)).replace("counter ", "offer ")
            assert text in named
