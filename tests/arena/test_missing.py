import random
import threading

import pytest

from oponente.arena.missing import MissingGames, Todo


@pytest.mark.parametrize(
    ("games", "there", "left"),
    [
        (4, [], [0, 1, 2, 3]),
        (4, [0], [1, 2, 3]),
        (6, [3, 1, 3, 2], [0, 4, 5]),
        (3, [2, 1, 0], []),
        (3, [2, 7, -1], [0, 1]),
    ],
)
def test_what_is_missing(games, there, left):
    missing = MissingGames(games, there)
    assert list(missing) == left == list(missing)
    assert len(missing) == len(left)
    assert [index for index in range(-1, games + 2) if index in missing] == left


def test_a_thousand_million_games_take_no_room():
    missing = MissingGames(10**9, [1])
    todo = Todo(missing)
    assert len(missing) == len(todo) == 10**9 - 1
    assert todo.take(3) == [0, 2, 3]
    todo.give_back([2, 3])
    assert todo.take(3) == [2, 3, 4]
    assert 10**9 - 1 in missing


def test_games_are_taken_given_back_and_forgotten():
    todo = Todo(range(5))
    assert todo.take(2) == [0, 1]
    todo.give_back([0, 1])
    assert (len(todo), todo.take(10), todo.take(10)) == (5, [0, 1, 2, 3, 4], [])
    todo.give_back([4])
    todo.clear()
    assert not todo
    assert todo.take(1) == []


def test_threads_take_each_game_once():
    todo, found = Todo(range(20_000)), []

    def work(seed):
        rng, own = random.Random(seed), []
        while games := todo.take(rng.randrange(1, 5)):
            own += games
        found.append(own)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(game for own in found for game in own) == list(range(20_000))
