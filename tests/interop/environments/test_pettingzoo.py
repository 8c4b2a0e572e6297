"""Games as PettingZoo environments pass its own tests."""

import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install oponente[environments]")

from pettingzoo.test import api_test, render_test, seed_test

from oponente.interop.environments.pettingzoo import GameEnv, env
from oponente.kernel import IllegalActionError

GAMES = [("tictactoe", {}), ("connect4", {"columns": "5"}), ("catan", {"players": "3", "turn_limit": "6"})]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_passes_the_tests_of_pettingzoo(name, options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of features without bounds
        api_test(env(name, options=options), num_cycles=100 if name == "catan" else 1000)
        seed_test(lambda: env(name, options=options), num_cycles=60)


def test_passes_its_render_test():
    render_test(lambda render_mode: env("tictactoe", render_mode=render_mode), custom_tests={"svg": picture})
    assert env("tictactoe", render_mode="ansi").render_mode == "ansi"


def picture(rendered):
    return rendered.startswith("<svg")


def test_rewards_are_the_utilities_and_masks_the_legal_actions():
    environment = GameEnv("tictactoe")
    environment.reset(seed=1)
    for cell in (0, 3, 1, 4):
        observation, reward, over, _, _ = environment.last()
        assert observation["action_mask"][cell] == 1
        assert (reward, over) == (0.0, False)
        environment.step(cell)
    with pytest.raises(IllegalActionError):
        environment.step(0)
    environment.step(2)
    assert environment.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert all(environment.terminations.values())
    assert not environment.observe("player_0")["action_mask"].any()


def test_an_illegal_action_costs_its_player():
    environment = env("tictactoe")
    environment.reset(seed=1)
    environment.step(4)
    environment.step(4)
    assert environment.terminations == {"player_0": True, "player_1": True}
    assert environment.rewards["player_1"] == -1.0


def test_games_are_truncated_at_the_limit():
    environment = GameEnv("connect4", max_plies=2)
    environment.reset()
    environment.step(3)
    assert not any(environment.truncations.values())
    environment.step(3)
    assert all(environment.truncations.values())


def test_observations_hold_nothing_hidden():
    environment = GameEnv("catan", options={"players": "3", "trade": "false"})
    environment.reset(seed=2)
    rng = np.random.default_rng(1)
    for _ in range(150):
        mask = environment.observe(environment.agent_selection)["action_mask"]
        environment.step(int(rng.choice(np.flatnonzero(mask))))
    state = environment._state
    for seat, agent in enumerate(environment.possible_agents):
        seen = environment.observe(agent)["observation"].copy()
        for draw in range(3):
            environment._state = state.determinize(seat, np.array([1, 2, 3, draw], np.uint64))
            assert (environment.observe(agent)["observation"] == seen).all()
        environment._state = state


def test_seeds_give_the_same_games_and_later_games_are_others():
    def boards(environment, *seeds):
        result = []
        for seed in seeds:
            environment.reset(seed=seed)
            result.append(environment.observe("player_0")["observation"].tobytes())
        return result

    first = boards(GameEnv("catan"), 7, None, None)
    assert first == boards(GameEnv("catan"), 7, None, None)
    assert len(set(first)) == 3


def test_without_a_seed_any_game_is_drawn():
    boards = []
    for _ in range(2):
        environment = GameEnv("catan")
        environment.reset()
        boards.append(environment.observe("player_0")["observation"].tobytes())
    assert boards[0] != boards[1]


def test_mistakes_are_told():
    with pytest.raises(ValueError, match="render_mode 'window'"):
        GameEnv("tictactoe", render_mode="window")
    with pytest.raises(ValueError, match="has no images"):
        GameEnv("tictactoe", observation="image")
    with pytest.raises(ValueError, match="expected features or image"):
        GameEnv("tictactoe", observation="smell")
    with pytest.raises(ValueError, match="expected 1 or more"):
        GameEnv("tictactoe", max_plies=0)


@pytest.mark.parametrize("action", [-1, 9])
def test_actions_that_there_are_not_are_told(action):
    environment = GameEnv("tictactoe")
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="actions are numbered 0 to 8"):
        environment.step(action)
    assert environment._state.history == []
