"""The random agent and the person at the terminal."""

import io

import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.agents.basic import Resigned
from oponente.games.tictactoe import rules, text
from oponente.kernel import Game, IllegalActionError


@pytest.fixture(scope="module")
def game():
    return load_game("connect4")


def test_random_is_uniform_and_seeded(game):
    agent = make_agent("random", game)
    state = game.position("444444")
    choices = [agent.choose(View(state, 0, seed=seed), Budget()) for seed in range(1200)]
    assert choices == [agent.choose(View(state, 0, seed=seed), Budget()) for seed in range(1200)]
    counts = {action: choices.count(action) for action in set(choices)}
    assert sorted(counts) == [0, 1, 2, 4, 5, 6]
    assert all(150 < count < 250 for count in counts.values())


def test_human_reads_until_a_move_is_legal(game, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", io.StringIO("9\n\n?\n4\n2\n"))
    agent = make_agent("human", game)
    assert agent.choose(View(game.position("444444"), 0), Budget()) == 1
    shown = capsys.readouterr().err
    assert "there is no column 9" in shown
    assert "1 2 3 5 6 7" in shown
    assert "column 4 is full" in shown
    assert not agent.reproducible


@pytest.mark.parametrize("line", ["quit\n", "EXIT\n", ""])
def test_human_leaves(game, monkeypatch, line):
    monkeypatch.setattr("sys.stdin", io.StringIO(line))
    with pytest.raises(Resigned):
        make_agent("human", game).choose(View(game.start(), 0), Budget())


def answered(game, state, monkeypatch, capsys, typed):
    """Return what a person who types something chooses, and what is shown."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    action = make_agent("human", game).choose(View(state, state.player), Budget())
    return action, capsys.readouterr().err


def test_an_empty_line_is_asked_again(game, monkeypatch, capsys):
    action, shown = answered(game, game.start(), monkeypatch, capsys, "\n   \n4\n")
    assert action == 3
    assert shown.count("your move") == 3
    assert "is no" not in shown


@pytest.mark.parametrize("word", ["?", "help", "h", "HELP"])
def test_words_that_list_the_moves(game, monkeypatch, capsys, word):
    _, shown = answered(game, game.start(), monkeypatch, capsys, f"{word}\n4\n")
    assert "1 2 3 4 5 6 7\nPlayer 1, your move" in shown


@pytest.mark.parametrize("word", ["resign", "q", "Give Up"])
def test_words_of_people_who_want_to_leave(game, monkeypatch, capsys, word):
    _, shown = answered(game, game.start(), monkeypatch, capsys, f"{word}\n4\n")
    assert "to leave the game write quit\n" in shown


@pytest.mark.parametrize("name", ["connect4", "tictactoe"])
@pytest.mark.parametrize("typed", ["9" * 5000, "x" * 5000, "1" * 5000])
def test_long_answers_get_a_short_line(monkeypatch, capsys, name, typed):
    game = load_game(name)
    action, shown = answered(game, game.start(), monkeypatch, capsys, f"{typed}\n1\n")
    assert action == 0
    assert max(map(len, shown.split("\n"))) <= 100


class Notation:
    """Tic-tac-toe's notation, with several moves in one answer, and a short question to who goes on."""

    action_text, parse_action, state_text = text.action_text, text.parse_action, text.state_text

    @staticmethod
    def split_answer(state, typed):
        """Return the digits; no more than the moves that are left."""
        if len(typed) > len(state.legal_actions):
            raise IllegalActionError("so many are not free")
        return list(typed)

    @staticmethod
    def brief_text(state):
        """Return a question for the first player."""
        return "and now?" if state.player == 0 else ""


def test_an_answer_may_hold_moves_for_the_decisions_that_follow(monkeypatch, capsys):
    """As when somebody plays both sides of tic-tac-toe: each decision follows the one before."""
    game = Game(rules, text=Notation)
    monkeypatch.setattr("sys.stdin", io.StringIO("1234567891\n135\n7\n8\n9\n"))
    agent = make_agent("human", game)
    state = game.start()
    chosen = []
    for _ in range(4):
        chosen.append(agent.choose(View(state, state.player), Budget()))
        state.apply(chosen[-1])
    shown = capsys.readouterr().err
    assert chosen == [0, 2, 4, 6]
    assert shown.count("your move") == 3  # the first answer was refused as a whole
    assert "so many are not free" in shown
    state.apply(agent.choose(View(state, state.player), Budget()))
    assert "and now?" in capsys.readouterr().err
    # What waits is forgotten when something else has happened, and when it is not possible.
    monkeypatch.setattr("sys.stdin", io.StringIO("12\n34\n56\n"))
    state = game.start()
    agent.begin_game(game, 0)
    state.apply(agent.choose(View(state, 0), Budget()))
    state.apply(4)
    assert agent.choose(View(state, 0), Budget()) == 2
    state.apply(2)
    state.apply(5)
    assert "and now?" not in capsys.readouterr().err
    agent.begin_game(game, 0)
    state = game.start()
    assert agent.choose(View(state, 0), Budget()) == 4


def test_a_waiting_move_that_is_not_possible_is_told(monkeypatch, capsys):
    game = Game(rules, text=Notation)
    monkeypatch.setattr("sys.stdin", io.StringIO("11\n2\n"))
    agent = make_agent("human", game)
    state = game.start()
    state.apply(agent.choose(View(state, 0), Budget()))
    assert agent.choose(View(state, 1), Budget()) == 1
    assert "'1' is not legal here" in capsys.readouterr().err
