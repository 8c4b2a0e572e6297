import dataclasses

import pytest

from oponente.agents.basic import Resigned
from oponente.arena import FORFEIT, LIMIT, PLAYED, StoppedError, Table, draw_returns, forfeit_returns, play_game
from oponente.kernel import Control

from .helpers import CONNECT4, TRIO, a_match, timeless


def test_a_game_is_the_same_whenever_it_is_played():
    spec = a_match("random", "uct:iterations=20", game=CONNECT4)
    table = Table(spec)
    forwards = timeless(table.play(index) for index in range(6))
    backwards = timeless(play_game(spec, index, Table(spec)) for index in reversed(range(6)))
    assert forwards == backwards[::-1]
    assert all(record.status == PLAYED and record.reproducible for record in forwards)


def test_the_record_holds_the_game():
    record = play_game(a_match("first", "counting"), 0)
    state = a_match("first", "counting").game.load().start(record.start_seed)
    for action in record.actions:
        state.apply(action)
    assert state.is_terminal
    assert tuple(state.returns) == record.returns
    assert [seat.decisions for seat in record.seats] == [(record.length + 1) // 2, record.length // 2]
    assert all(ms >= 0 for seat in record.seats for ms in seat.decision_ms)
    assert record.seats[0].nodes is None
    assert record.seats[1].nodes == sum(8 - 2 * turn for turn in range(record.seats[1].decisions))


def test_openings_are_random_shared_by_a_block_and_no_decisions():
    spec = a_match("first", "first", game=CONNECT4, opening_plies=4)
    records = [play_game(spec, index, Table(spec)) for index in range(8)]
    openings = [record.actions[: record.opening] for record in records]
    assert all(len(opening) == 4 for opening in openings)
    assert openings[0::2] == openings[1::2]
    assert len(set(openings)) > 2
    assert sum(seat.decisions for seat in records[0].seats) == records[0].length - 4


def test_a_game_never_ends_in_its_opening():
    spec = a_match("random", "random", opening_plies=7)
    table = Table(spec)
    for index in range(20):
        assert sum(seat.decisions for seat in table.play(index).seats) > 0
    with pytest.raises(ValueError, match="always over within 9 random opening plies"):
        Table(dataclasses.replace(spec, opening_plies=9)).play(0)


def test_chance_is_shared_by_a_block():
    spec = a_match("random", "random", "random", game=TRIO)
    table = Table(spec)
    dice = [table.play(index).actions[0] for index in range(60)]
    assert dice[0::3] == dice[1::3] == dice[2::3]
    assert set(dice) == {0, 1, 2}


def test_seats_see_the_history_that_they_may_see(tmp_path):
    spy = f'spy:file="{tmp_path / "seen"}"'
    record = play_game(a_match(spy, spy, spy, game=TRIO), 0)
    die, first, second, _ = record.actions
    assert (tmp_path / "seen").read_text() == f"0 {die}\n1 99 {first}\n2 99 {first} {second}\n"


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ("raises", "raises raised RuntimeError: no idea"),
        ("illegal", "illegal returned 12345, which is not legal"),
        ("nothing", "nothing returned None, which is no action"),
    ],
)
def test_an_agent_that_fails_forfeits(agent, reason):
    record = play_game(a_match("random", agent), 0)
    assert (record.status, record.reason, record.forfeited_by) == (FORFEIT, reason, 1)
    assert record.returns == (1.0, -1.0)
    assert record.length == 1
    assert play_game(a_match("random", agent), 1).returns == (-1.0, 1.0)
    assert play_game(a_match("random", agent, "random", game=TRIO), 0).returns == (0.5, 0.0, 0.5)


def test_utilities_without_a_result_share_what_a_result_would_give():
    two, three = a_match("random", "random").game.load(), TRIO.load()
    assert forfeit_returns(two, 0) == (-1.0, 1.0)
    assert forfeit_returns(three, 2) == (0.5, 0.5, 0.0)
    assert draw_returns(two) == (0.0, 0.0)
    assert draw_returns(three) == (pytest.approx(1 / 3),) * 3


def test_the_limit_of_plies_ends_a_game_as_a_draw():
    record = play_game(a_match("random", "random", max_plies=3), 0)
    assert (record.status, record.length, record.returns) == (LIMIT, 3, (0.0, 0.0))
    assert play_game(a_match("random", "random", max_plies=9), 0).status == PLAYED


def test_only_agents_without_clocks_are_reproducible():
    assert not play_game(a_match("random", "unsure"), 0).reproducible
    assert not play_game(a_match("random", "random", seconds=1.0), 0).reproducible


def test_a_person_who_leaves_ends_the_match():
    spec = a_match("leaves", "leaves", game=CONNECT4)
    with pytest.raises(Resigned, match="the guest has left"):
        list(map(Table(spec).play, range(20)))


def test_a_set_stop_flag_breaks_off_and_is_no_forfeit():
    control = Control()
    table = Table(a_match("endless", "endless"), control)
    control.stop()
    with pytest.raises(StoppedError):
        table.play(0)


def test_searches_get_the_time_for_each_decision():
    record = play_game(a_match("uct:iterations=100000000", "random", seconds=0.02, max_plies=4), 0)
    assert record.seats[0].decisions == 2
    assert all(15 < ms < 5000 for ms in record.seats[0].decision_ms)


def test_agents_learn_that_a_game_begins():
    """What an agent remembers of one game must not reach the next, in whatever order a worker plays them."""
    spec = a_match("remembers", "random", games=6)
    table = Table(spec)
    forwards = [play_game(spec, index, table) for index in range(6)]
    backwards = [play_game(spec, index, Table(spec)) for index in reversed(range(6))]
    assert timeless(forwards) == timeless(reversed(backwards))


def test_an_agent_that_fails_as_the_game_begins_forfeits():
    record = play_game(a_match("bad-start", "random"), 0)
    assert (record.status, record.returns) == (FORFEIT, (-1.0, 1.0))
    assert "not today" in record.reason


def test_an_agent_that_fails_as_the_match_ends_is_told_of(capsys):
    table = Table(a_match("bad-end", "bad-end"))
    assert table.play(0).status == PLAYED
    table.close()
    assert capsys.readouterr().err == "note: bad-end raised OSError at the end: disk full\n" * 2
