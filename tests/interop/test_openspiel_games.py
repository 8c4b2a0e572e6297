"""Our games in OpenSpiel pass its generic tests; its bots play in our matches."""

import pytest

from oponente import Budget, View, load_game, make_agent
from oponente.arena import MatchSpec, run_match
from oponente.games.catalogue import GameSpec
from oponente.kernel import RulesError

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

from oponente.interop.openspiel import games  # noqa: E402 (registers them)


@pytest.mark.parametrize(
    ("name", "parameters", "simulations"),
    [
        ("tictactoe", {}, 20),
        ("connect4", {"columns": "5", "rows": "4"}, 10),
        ("catan", {"players": "3", "turn_limit": "5", "seed": 4}, 2),
    ],
)
def test_passes_the_random_simulation_test(name, parameters, simulations):
    game = pyspiel.load_game(f"oponente_{name}", parameters)
    pyspiel.random_sim_test(game, num_sims=simulations, serialize=False, verbose=False)


NIM = '''
"""Who takes the last of some counters, one or two at a time, wins."""
from typing import NamedTuple
from oponente.kernel import TERMINAL, Token, njit, record

NAME, PLAYERS, MAX_ACTIONS, UTILITY = "few", 2, 2, (-1, 1)
State = record(("left", "i4"), ("turn", "i4"))
class Tables(NamedTuple):
    token: Token
def tables(options):
    return Tables(Token(__name__))
@njit
def initial(game, state, rng):
    state.left, state.turn = 5, 0
@njit
def player(game, state):
    return state.turn if state.left > 0 else TERMINAL
@njit
def actions(game, state, out):
    out[0], out[1] = 0, 1
    return min(2, state.left)
@njit
def apply(game, state, action):
    state.left, state.turn = state.left - 1 - action, 1 - state.turn
@njit
def returns(game, state, out):
    out[0] = 1.0 if state.turn == 1 else -1.0
    out[1] = -out[0]
'''


def test_a_game_of_a_user_is_registered(tmp_path):
    file = tmp_path / "few.py"
    file.write_text(NIM)
    games.register("few", str(file))
    game = pyspiel.load_game("oponente_few")
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    state = game.new_initial_state()
    for action in (1, 0, 1):
        state.apply_action(action)
    assert (state.is_terminal(), state.returns()) == (True, [1.0, -1.0])
    with pytest.raises(ValueError, match="there is no game 'fewer'"):
        games.register("fewer")


def test_is_the_same_tree_as_openspiels_own():
    ours, theirs = pyspiel.load_game("oponente_tictactoe"), pyspiel.load_game("tic_tac_toe")

    def count(state):
        if state.is_terminal():
            return 1, state.returns()[0]
        results = [count(state.child(action)) for action in state.legal_actions()]
        return sum(nodes for nodes, _ in results) + 1, sum(value for _, value in results)

    start = [0, 4, 8]
    states = [game.new_initial_state() for game in (ours, theirs)]
    for state in states:
        for action in start:
            state.apply_action(action)
    assert count(states[0]) == count(states[1])


def test_observations_and_copies():
    game = pyspiel.load_game("oponente_connect4")
    state = game.new_initial_state()
    state.apply_action(3)
    copy = state.clone()
    copy.apply_action(3)
    assert (state.history(), copy.history()) == ([3], [3, 3])
    observer = game.make_py_observer()
    observer.set_from(state, 1)
    assert (observer.tensor == state.ours.encode(1)).all()
    assert observer.string_from(state, 1) == state.ours.text(1)
    assert state.action_to_string(1, 0) == "1"


def test_chance_is_explicit():
    game = pyspiel.load_game("oponente_catan", {"players": "2"})
    state = game.new_initial_state()
    while not state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    outcomes = state.chance_outcomes()
    assert [outcome for outcome, _ in outcomes] == list(range(11))
    assert sum(chance for _, chance in outcomes) == pytest.approx(1.0)


def test_wrong_options_are_told():
    with pytest.raises((ValueError, RuntimeError), match="columns=99: expected"):
        pyspiel.load_game("oponente_connect4", {"columns": "99"})


@pytest.mark.parametrize(
    ("game", "agent"),
    [
        (GameSpec("connect4"), "openspiel:mcts:200"),
        (GameSpec("tictactoe"), "openspiel:mcts:100"),
        (GameSpec("connect4", (("columns", "5"),)), "openspiel:mcts:30"),
        (GameSpec("tictactoe"), "openspiel:uniform_random"),
    ],
)
def test_its_bots_play_in_our_matches(game, agent):
    spec = MatchSpec(game, (agent, "random"), games=6, seed=1)
    result = run_match(spec)
    assert [record.status for record in result.records] == ["played"] * 6
    if "mcts" in agent:
        assert result.summary()["agents"][0]["wins"] >= 4
        assert [record.actions for record in result.records] == [record.actions for record in run_match(spec).records]


def user_game(tmp_path, text, **options):
    file = tmp_path / f"game_{abs(hash(text))}.py"
    file.write_text(text)
    return load_game(options=options, file=str(file))


def test_its_bots_play_games_of_users(tmp_path):
    file = tmp_path / "few.py"
    file.write_text(NIM)
    spec = MatchSpec(GameSpec("few", file=str(file)), ("openspiel:mcts:50", "random"), games=6, seed=1)
    result = run_match(spec)
    assert [record.status for record in result.records] == ["played"] * 6
    # Who begins, wins: 5 are 2 too many for a multiple of 3.
    assert all(record.returns[0] == 1.0 for record in result.records if record.agents[0] == 0)
    assert [record.actions for record in result.records] == [record.actions for record in run_match(spec).records]


def test_its_bots_play_from_starts_that_are_drawn(tmp_path):
    drawn = NIM.replace("state.left, state.turn = 5, 0", "state.left, state.turn = 4 + random_below(rng, 5), 0")
    game = user_game(tmp_path, drawn.replace("njit, record", "njit, random_below, record"))
    agent = make_agent("openspiel:mcts:300", game)
    starts = [state for state in map(game.start, range(20)) if state.record.left % 3]
    assert len({int(state.record.left) for state in starts}) > 1
    for state in starts:
        assert agent.choose(View(state, 0, 1), Budget()) == state.record.left % 3 - 1


def test_a_bot_plays_one_game_after_another(tmp_path, monkeypatch):
    # Whoever is to move wins at once, in each by another action.
    taking = NIM.replace("5, 0", "1, 0"), NIM.replace("5, 0", "2, 0")
    first, second = (user_game(tmp_path, text) for text in taking)
    native = load_game("tictactoe")
    board = native.start()
    for action in (0, 3, 1, 4):
        board.apply(action)
    agent = make_agent("openspiel:mcts:100", first)
    for state, best in [(first.start(), 0), (board, 2), (second.start(), 1), (board, 2), (first.start(), 0)]:
        agent.prepare(state.game)
        with monkeypatch.context() as patch:
            # What was prepared is not loaded again, on the clock.
            patch.setattr(games, "as_it_is", None)
            patch.setattr(pyspiel, "load_game", None)
            assert agent.choose(View(state, 0, 1), Budget()) == best


@pytest.mark.parametrize("name", ["catan", "connect4", "risk"])
def test_a_game_of_a_user_may_have_the_name_of_one_of_ours(name, tmp_path):
    game = user_game(tmp_path, NIM.replace('"few"', f'"{name}"'))
    agent = make_agent("openspiel:mcts:50", game)
    agent.prepare(game)
    assert agent.choose(View(game.start(), 0, 1), Budget()) in (0, 1)
    for other in ("catanatron:F", "files:command=true"):
        with pytest.raises(ValueError, match="there is no agent"):
            make_agent(other, game)


def test_what_its_bots_can_not_play_is_told(tmp_path):
    with pytest.raises(ValueError, match="few lists only some of its actions: its rules need ACTION_NUMBERS"):
        make_agent("openspiel", user_game(tmp_path, NIM + "OPEN_ACTIONS = True\n"))
    game = user_game(tmp_path, NIM.replace("0, 1\n    return", "6, 7\n    return"))
    with pytest.raises(RulesError, match="few lists action 6, which is not among its ACTION_NUMBERS"):
        make_agent("openspiel", game).choose(View(game.start(), 0, 1), Budget())
    with pytest.raises(ValueError, match="there is no agent 'openspiel'"):
        make_agent("openspiel:mcts", load_game("catan"))
    with pytest.raises(ValueError, match="OpenSpiel has no bot 'deep-blue'; it has mcts"):
        make_agent("openspiel:deep-blue", load_game("connect4"))
