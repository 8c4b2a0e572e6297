"""Our games in OpenSpiel pass its generic tests; its bots play in our matches."""

import pytest

from oponente import load_game, make_agent
from oponente.arena import MatchSpec, run_match
from oponente.games.catalogue import GameSpec

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")

from oponente.interop.openspiel import games  # noqa: E402, F401 (registers them)


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


def test_what_its_bots_can_not_play_is_told():
    with pytest.raises(ValueError, match="there is no agent 'openspiel'"):
        make_agent("openspiel:mcts", load_game("catan"))
    with pytest.raises(ValueError, match="OpenSpiel has no bot 'deep-blue'; it has mcts"):
        make_agent("openspiel:deep-blue", load_game("connect4"))
