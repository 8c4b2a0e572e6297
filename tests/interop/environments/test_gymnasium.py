"""Games as Gymnasium environments pass its own checks."""

import copy
import pickle
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="Gymnasium is not installed: pip install oponente[environments]")

from gymnasium.utils.env_checker import check_env  # noqa: E402

from oponente.interop.environments.gymnasium import BatchEnv, SoloEnv  # noqa: E402


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "catan"])
def test_passes_the_checks_of_gymnasium(name):
    options = {"turn_limit": "6"} if name == "catan" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of features without bounds
        check_env(gymnasium.make(f"oponente/{name}-v0", options=options).unwrapped)


def test_a_game_for_one_player(tmp_path):
    """As a one-player game has it: no opponents; and images where the game makes them."""
    file = tmp_path / "walk.py"
    file.write_text(WALK)
    environment = SoloEnv("walk", game_file=str(file), observation="image", max_plies=50)
    image, info = environment.reset(seed=1)
    assert (image.shape, image.dtype) == ((1, 6, 3), np.uint8)
    assert image[0, 0].tolist() == [255, 255, 255]
    for _ in range(5):
        image, reward, terminated, _, info = environment.step(1)
    assert (reward, terminated) == (1.0, True)
    assert not info["action_mask"].any()
    with pytest.raises(ValueError, match="call reset"):
        environment.step(1)
    environment.reset()
    assert [environment.step(0)[3] for _ in range(50)] == [False] * 49 + [True]


WALK = '''
"""One walks along six fields, left or right; the last one is the goal."""
from typing import NamedTuple
import numpy as np
from oponente.kernel import TERMINAL, Token, njit, record

NAME, PLAYERS, MAX_ACTIONS, UTILITY = "walk", 1, 2, (0, 1)
State = record(("field", "i4"), ("_spare", "i4"))
class Tables(NamedTuple):
    token: Token
def tables(options):
    return Tables(Token(__name__))
@njit
def initial(game, state, rng):
    state.field = 0
@njit
def player(game, state):
    return 0 if state.field < 5 else TERMINAL
@njit
def actions(game, state, out):
    out[0], out[1] = 0, 1
    return 2
@njit
def apply(game, state, action):
    state.field = max(0, state.field + 2 * action - 1)
@njit
def returns(game, state, out):
    out[0] = 1.0
def image(state, seat):
    picture = np.zeros((1, 6, 3), np.uint8)
    picture[0, state.record.field] = 255
    return picture
'''


def test_opponents_of_the_arena_answer():
    environment = SoloEnv("tictactoe", opponents=["minimax:depth=9"], seat=1, render_mode="ansi")
    results = []
    for seed in range(10):
        _, info = environment.reset(seed=seed)
        assert info["seat"] == 1
        rng, over = np.random.default_rng(seed), False
        while not over:
            choice = int(rng.choice(np.flatnonzero(environment.action_masks())))
            _, reward, over, _, _ = environment.step(choice)
        results.append(reward)
    assert max(results) <= 0.0
    assert min(results) == -1.0
    assert isinstance(environment.render(), str)
    environment.close()


def test_seats_rotate_and_illegal_actions_lose():
    environment = SoloEnv("connect4")
    seats = [environment.reset(seed=3 if i == 0 else None)[1]["seat"] for i in range(4)]
    assert seats == [0, 1, 0, 1]
    _, reward, terminated, _, info = environment.step(9)
    assert (reward, terminated, info["illegal"]) == (-1.0, True, True)


def test_opponents_hear_how_an_episode_has_ended():
    environment, heard = SoloEnv("connect4", ["random"], seat=0, max_plies=6), []
    environment._opponents[0].end_game = lambda returns, reason: heard.append((tuple(returns), reason))
    environment._opponents[0].close = lambda: 1 // 0  # a note says so, no more
    environment.reset(seed=1)
    environment.step(3)
    environment.reset()  # broken off: it counts for nothing
    assert heard == []
    environment.step(9)
    assert heard.pop() == ((-1.0, 1.0), "player 1 took an action that is not legal")
    environment.reset()
    while not environment.step(int(np.flatnonzero(environment.action_masks())[0]))[3]:
        pass
    assert heard == [((0.0, 0.0), "after 6 plies")]
    environment.close()
    environment = SoloEnv("tictactoe", ["random"])
    environment._opponents[0].end_game = lambda returns, reason: heard.append((tuple(returns), reason))
    _, info = environment.reset(seed=2)
    over = False
    while not over:
        _, reward, over, _, _ = environment.step(int(np.flatnonzero(environment.action_masks())[0]))
    assert heard[1:] == [(tuple(environment._state.returns), "")]
    assert heard[1][0][info["seat"]] == reward


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"opponents": ["random", "random"]}, "has 1 other seats, but 2 opponents"),
        ({"opponents": ["no-such"]}, "there is no agent 'no-such'"),
        ({"seat": 2}, "seat 2: expected 0 to 1"),
        ({"render_mode": "human"}, "expected ansi or svg"),
        ({"max_plies": 0}, "expected 1 or more"),
        ({"opponents": "random"}, r"expected a list of agents, such as \['random'\]"),
    ],
)
def test_mistakes_are_told(arguments, says):
    with pytest.raises(ValueError, match=says):
        SoloEnv("connect4", **arguments)


def test_many_games_at_once():
    vector = gymnasium.make_vec("oponente/connect4-v0", num_envs=64, vectorization_mode="vector_entry_point")
    observations, info = vector.reset(seed=5)
    assert observations.shape == vector.observation_space.shape
    assert vector.observation_space.contains(observations)
    rng, ended = np.random.default_rng(1), 0
    total = np.zeros(64)
    for _ in range(60):
        mask = info["action_mask"]
        assert mask.any(axis=1).all()
        choices = np.array([rng.choice(np.flatnonzero(row)) for row in mask])
        observations, rewards, terminations, truncations, info = vector.step(choices)
        assert not truncations.any()
        assert (rewards[~terminations] == 0).all()
        total += rewards
        if terminations.any():
            ended += terminations.sum()
            assert (info["_final_obs"] == terminations).all()
            assert all(obs.shape == (128,) for obs in info["final_obs"][terminations])
    assert ended >= 64
    assert abs(total.sum()) < ended


def test_seeds_of_many_games():
    vectors = [BatchEnv("catan", 4, options={"turn_limit": "6"}) for _ in range(2)]
    first, second = (vector.reset(seed=9)[0] for vector in vectors)
    assert (first == second).all()
    assert (vectors[0].reset(seed=10)[0] != second).any()


def test_without_a_seed_any_episodes_are_drawn():
    one, other = SoloEnv("catan"), SoloEnv("catan")
    boards = [environment.reset()[0] for environment in (one, other)]
    assert (boards[0] != boards[1]).any()
    assert (one.reset()[0] != boards[0]).any()
    again = SoloEnv("catan").reset(seed=one.np_random_seed)[0]
    assert (again == boards[0]).all()
    vectors = [BatchEnv("catan", 2) for _ in range(2)]
    first, second = (vector.reset()[0] for vector in vectors)
    assert (first != second).any()
    assert (vectors[0].reset()[0] != first).any()
    assert (BatchEnv("catan", 2).reset(seed=vectors[0].np_random_seed)[0] == first).all()
    first, _ = vectors[0].reset(seed=[4, 5])
    assert (vectors[1].reset(seed=vectors[0].np_random_seed)[0] == first).all()


@pytest.mark.parametrize("make", [lambda: SoloEnv("catan"), lambda: BatchEnv("catan", 2)])
def test_a_generator_that_was_set_draws_the_seed(make):
    def seen(seed):
        environment = make()
        environment.np_random = np.random.default_rng(seed)
        return environment.reset()[0]

    first, again, other = map(seen, (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_illegal_actions_and_limits_of_many_games():
    vector = BatchEnv("connect4", 2, seat=0, max_plies=2)
    vector.reset(seed=1)
    _, rewards, terminations, truncations, _ = vector.step(np.array([9, 3]))
    assert rewards.tolist() == [-1.0, 0.0]
    assert terminations.tolist() == [True, False]
    assert truncations.tolist() == [False, True]


@pytest.mark.parametrize("actions", [3, [3], [], [[3], [3]]])
def test_there_is_one_action_for_each_game(actions):
    vector = BatchEnv("connect4", 2, seat=0)
    vector.reset(seed=1)
    with pytest.raises(ValueError, match="one for each game"):
        vector.step(np.array(actions))


@pytest.mark.parametrize("action", [-1, -5, 10, 2**40])
def test_actions_that_there_are_not_are_told_and_change_nothing(action):
    environment = SoloEnv("connect4", seat=0)
    environment.reset(seed=1)
    with pytest.raises(ValueError, match="actions are numbered 0 to 9"):
        environment.step(action)
    assert environment.step(3)[2:4] == (False, False)
    vector = BatchEnv("connect4", 2, seat=0)
    vector.reset(seed=1)
    before = vector.batch.states.copy()
    with pytest.raises(ValueError, match="actions are numbered 0 to 9"):
        vector.step(np.array([3, action]))
    assert (vector.batch.states == before).all()


def test_a_limit_leaves_the_learner_one_action():
    environment = SoloEnv("catan", seat=3, max_plies=1)
    _, info = environment.reset(seed=1)
    assert info["action_mask"].any()
    assert environment._state.player == 3
    _, _, terminated, truncated, _ = environment.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert (terminated, truncated) == (False, True)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda environment: pickle.loads(pickle.dumps(environment))])
@pytest.mark.parametrize(
    "make", [lambda: SoloEnv("connect4", ["uct:10"], seat=1), lambda: BatchEnv("connect4", 3, seat=1)]
)
def test_copies_are_made_anew_from_the_same_arguments(make, again):
    environment = make()
    seen, _ = environment.reset(seed=4)
    other = again(environment)
    assert (other.reset(seed=np.int64(4) if isinstance(other, BatchEnv) else 4)[0] == seen).all()
