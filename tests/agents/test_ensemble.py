"""Games in one kernel: side by side, cut off, longer than foreseen, stopped, with an action that is not legal."""

from typing import NamedTuple

import numpy as np
import pytest

from oponente import load_game
from oponente.agents import ensemble as module
from oponente.agents.ensemble import GOING_ON, ILLEGAL, OVER, STOPPED, Ensemble, ScriptedGame
from oponente.arena.match import MatchSpec
from oponente.arena.play import StoppedError, Table
from oponente.games.catalogue import GameSpec
from oponente.kernel import Control, Token, njit, stream

pytestmark = pytest.mark.compiled

RISK = GameSpec("risk", (("dice", "thesis"), ("rules", "thesis-2022")))
AGENTS = ("thesis-random", "thesis-cluster")


def spec(**options):
    return MatchSpec(RISK, AGENTS, games=7, seed=3, **options)


def without_times(records):
    return [record.without_times() for record in records]


def alone(spec):
    """The games of a match, each agent asked for each decision."""
    table = Table(spec)
    table.ensemble = None
    return without_times(table.play(index) for index in range(spec.games))


def test_games_side_by_side_are_those_of_agents_that_are_asked():
    table = Table(spec())
    assert table.together
    records = table.play_all(range(7))
    assert without_times(records) == alone(spec())
    assert {record.agents for record in records} == {(0, 1), (1, 0)}
    assert all(time > 0.0 for record in records for seat in record.seats for time in seat.decision_ms)


def test_the_order_and_the_company_of_games_make_no_difference():
    table = Table(spec())
    for indices in ([4], [6, 1, 3], [0, 2]):
        assert without_times(table.play_all(indices)) == [alone(spec())[index] for index in indices]


@pytest.mark.parametrize("limit", [1, 150, 1000])
def test_all_end_at_the_limit_of_plies(limit):
    records = Table(spec(max_plies=limit)).play_all(range(7))
    assert without_times(records) == alone(spec(max_plies=limit))
    assert {record.status for record in records} >= {"limit"}


def test_random_openings_are_gone_on_from():
    assert without_times(Table(spec(opening_plies=20)).play_all(range(7))) == alone(spec(opening_plies=20))


def test_there_is_room_for_games_of_any_length(monkeypatch):
    monkeypatch.setattr(module, "_PART", 16)
    assert without_times(Table(spec(opening_plies=20)).play_all(range(7))) == alone(spec(opening_plies=20))


def test_stopped_games_leave_nothing():
    table = Table(spec())
    table.prepare()
    table.budget.control.stop()
    with pytest.raises(StoppedError):
        table.play_all(range(7))


def test_who_learns_plays_one_game_after_the_other(tmp_path):
    match = MatchSpec(RISK, (f"thesis-montecarlo:tree={tmp_path / 'tree'}", "thesis-cluster"), games=6, seed=3)
    table = Table(match)
    table.prepare()
    assert not table.together
    assert without_times(table.play_all(range(6))) == alone(match)


class Third(NamedTuple):
    token: Token


THIRD = Third(Token(__name__))


@njit
def playout_action(policy, game, state, rng, buffer):
    """A policy: the third column always, legal or not."""
    return 2


def test_an_action_that_is_not_legal_ends_its_game_alone():
    class Stubborn(Ensemble):
        def policy(self, seating):
            return THIRD

    game = load_game("connect4")
    start, half = game.start(), game.start()
    for _ in range(3):
        half.apply(2)
    games = [ScriptedGame(state, stream(0), lambda seat, ply: ply) for state in (start, half)]
    Stubborn().play(games, (0, 1), None, Control())
    assert [played.standing for played in games] == [ILLEGAL, ILLEGAL]
    assert [played.illegal for played in games] == [2, 2]
    assert [played.asked for played in games] == [[4, 3], [2, 2]]
    assert [played.state.history for played in games] == [[2] * 6] * 2
    assert np.array_equal(start.array, half.array)
    assert start.player == 0
    assert {GOING_ON, OVER, STOPPED}.isdisjoint(played.standing for played in games)
