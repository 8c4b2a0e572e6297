"""Batches of games play what single states play."""

import time

import numpy as np
import pytest

from oponente import load_game
from oponente.interop.environments import ActionNumbers, Batch
from oponente.interop.environments.batch import BROKEN_OFF, GOES_ON, ILLEGAL, OVER, RESTART
from oponente.kernel import COMPILED, Game, RulesError, State, stream


@pytest.mark.parametrize(("name", "options"), [("connect4", {}), ("catan", {"players": "3", "turn_limit": "8"})])
def test_a_batch_plays_the_games_of_single_states(name, options):
    game = load_game(name, options)
    batch = Batch(game, 5, seed=3, mask=True, features=True)
    rngs = [stream(3, "batch", i) for i in range(5)]
    singles = [started(game, rng) for rng in rngs]
    over = 0
    for _ in range(120):
        for i, single in enumerate(singles):
            listed = sorted(single.legal_actions)
            assert batch.movers[i] == single.player
            assert sorted(batch.actions.numbers[batch.legal[i, : batch.counts[i]]]) == listed
            assert sorted(batch.actions.numbers[np.flatnonzero(batch.mask[i])]) == listed
            assert batch.states[i].tobytes() == single.array.tobytes()
            assert (batch.features[i] == single.encode(single.player)).all()
        choices = batch.sample()
        rewards, status = batch.step(choices)
        for i, single in enumerate(singles):
            mover = single.player
            single.apply(int(batch.actions.numbers[choices[i]]))
            chance(single, rngs[i])
            if not single.is_terminal:
                assert status[i] == GOES_ON
                assert not rewards[i].any()
                continue
            over += 1
            assert status[i] == OVER
            assert rewards[i].tolist() == single.returns
            assert (batch.last_features[i] == single.encode(mover)).all()
            singles[i] = started(game, rngs[i])
    assert over >= 2


def started(game, rng):
    """Return a start position whose chance is drawn from a stream, as in a batch."""
    single = State(game, game.new_states(1))
    single._operate(0, rng=rng)
    return chance(single, rng)


def chance(single, rng):
    while single.is_chance:
        single.apply(single.sample_chance(rng))
    return single


def test_one_seed_gives_one_course_and_reset_gives_it_again():
    game = load_game("connect4")

    def course(batch):
        return [(batch.step(batch.sample()).rewards.copy(), batch.features.copy()) for _ in range(60)]

    batch = Batch(game, 7, seed=11, features=True)
    first = course(batch)
    batch.reset(11)
    for again in (course(batch), course(Batch(game, 7, seed=11, features=True))):
        assert all((a == c).all() and (b == d).all() for (a, b), (c, d) in zip(first, again, strict=True))
    assert any(
        (a != c).any() for (a, _), (c, _) in zip(first, course(Batch(game, 7, seed=12, features=True)), strict=True)
    )


def test_without_a_seed_any_games_are_drawn():
    game = load_game("catan")
    one, other = Batch(game, 2), Batch(game, 2)
    assert (one.states != other.states).any()
    assert (Batch(game, 2, seed=one.seed).states == one.states).all()
    one.reset(other.seed)
    assert one.seed == other.seed
    assert (one.states == other.states).all()


def test_opponents_play_and_only_learners_are_asked():
    game = load_game("catan", {"turn_limit": "6", "trade": "false"})
    learners = np.arange(8) % 4
    batch = Batch(game, 8, seed=1, learner=learners, policy="weighted-random", mask=True)
    ended = 0
    for _ in range(60):
        assert (batch.movers == learners).all()
        ended += (batch.step(batch.sample()).status == OVER).sum()
    assert ended >= 8


def test_an_illegal_action_ends_the_game():
    batch = Batch(load_game("connect4"), 2, seed=1)
    for _ in range(6):
        batch.step([0, RESTART])
    rewards, status = batch.step([0, 0])
    assert status.tolist() == [ILLEGAL, GOES_ON]
    assert not rewards.any()
    assert batch.plies.tolist() == [0, 1]


def test_the_limit_breaks_games_off():
    batch = Batch(load_game("connect4"), 3, seed=1, max_plies=3)
    assert [batch.step([3, 3, 3]).status.tolist() for _ in range(3)] == [[GOES_ON] * 3] * 2 + [[BROKEN_OFF] * 3]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"count": 0}, "a batch of 0 games"),
        ({"max_plies": 0}, "a limit of 0 plies"),
        ({"learner": 2}, "has seats 0 to 1"),
        ({"learner": [0, 2**32]}, "has seats 0 to 1"),
        ({"learner": [0, 0.5]}, "has seats 0 to 1"),
        ({"learner": [0]}, r"expected one seat, or \(2,\), one for each game"),
        ({"learner": [[0], [0]]}, r"expected one seat, or \(2,\), one for each game"),
        ({"policy": "no-such"}, "has no playout policy"),
    ],
)
def test_mistakes_are_told(arguments, says):
    with pytest.raises(ValueError, match=says):
        Batch(load_game("connect4"), **{"count": 2, **arguments})


def test_wrong_actions_are_told():
    batch = Batch(load_game("connect4"), 2)
    for choices in ([0, 10], [0, -2], [0, 3.7], [0, 2**32 + 3], np.array([0, 2**32 + 3])):
        with pytest.raises(ValueError, match="numbered 0 to 9"):
            batch.step(choices)


@pytest.mark.parametrize("choices", [3, [3], [], [0, 0, 0], [[0], [0]], [[0, 0]]])
def test_there_is_one_action_for_each_game(choices):
    batch = Batch(load_game("connect4"), 2)
    before = batch.states.copy()
    with pytest.raises(ValueError, match=r"expected \(2,\), one for each game"):
        batch.step(choices)
    assert (batch.states == before).all()


def test_actions_that_a_game_does_not_declare_are_told(tmp_path):
    file = tmp_path / "far.py"
    file.write_text(FAR)
    with pytest.raises(RulesError, match="far lists action 70, which is not among its ACTION_NUMBERS"):
        Batch(load_game(file=str(file)), 2)
    declared = tmp_path / "declared.py"
    declared.write_text(FAR + "\nimport numpy as np\nACTION_NUMBERS = np.array([70, 90000])\n")
    batch = Batch(load_game(file=str(declared)), 2, seed=1)
    assert batch.legal[0, : batch.counts[0]].tolist() == [0, 1]
    batch.step([1, 1])
    assert batch.states["taken"][0] == 90000


FAR = """
from typing import NamedTuple
from oponente.kernel import TERMINAL, Token, njit, record

NAME, PLAYERS, MAX_ACTIONS = "far", 2, 2
State = record(("taken", "i4"), ("mover", "i4"))
class Tables(NamedTuple):
    token: Token
def tables(options):
    return Tables(Token(__name__))
@njit
def initial(game, state, rng):
    state.mover = 0
@njit
def player(game, state):
    return state.mover if state.mover < 2 else TERMINAL
@njit
def actions(game, state, out):
    out[0], out[1] = 70, 90000
    return 2
@njit
def apply(game, state, action):
    state.taken = action
    state.mover += 1
@njit
def returns(game, state, out):
    out[0], out[1] = 1.0, -1.0
"""


def test_all_that_catan_lists_is_declared():
    game: Game = load_game("catan")
    numbers = ActionNumbers(game)
    assert len(numbers) == 512 + 20
    assert [numbers.place(int(number)) for number in numbers.numbers] == list(range(len(numbers)))
    batch = Batch(game, 64, seed=4)
    for _ in range(300):
        batch.step(batch.sample())


@pytest.mark.long
@pytest.mark.skipif(not COMPILED, reason="measures compiled code")
def test_a_million_steps_a_second_of_catan():
    """The best of several tries: on a busy machine any one may be slow."""
    batch = Batch(load_game("catan", {"trade": "false", "turn_limit": "0"}), 1024, seed=1)
    rates = []
    for _ in range(20):
        begin = time.thread_time()
        for _ in range(200):
            batch.step(batch.sample())
        rates.append(200 * len(batch) / (time.thread_time() - begin))
    assert max(rates) > 1e6, rates
