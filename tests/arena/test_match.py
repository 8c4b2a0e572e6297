import dataclasses
import pickle
from collections import Counter
from pathlib import Path

import pytest

from oponente.arena import run_match
from oponente.arena.match import decision_seed
from oponente.games.catalogue import GameSpec

from .helpers import CONNECT4, PLAYERS, TRIO, a_match


def test_every_agent_sits_in_every_seat_equally_often():
    for agents, game in ((("random",) * 2, CONNECT4), (("random",) * 3, TRIO)):
        spec = a_match(*agents, game=game)
        n = len(agents)
        counts = Counter((agent, seat) for index in range(5 * n) for seat, agent in enumerate(spec.seating(index)))
        assert counts == {(agent, seat): 5 for agent in range(n) for seat in range(n)}


def test_games_of_a_block_share_their_start():
    spec = a_match("random", "random", "random", game=TRIO)
    seeds = [spec.start_seed(index) for index in range(9)]
    assert seeds[0] == seeds[1] == seeds[2] != seeds[3] == seeds[5] != seeds[6]
    assert [spec.block(index) for index in range(7)] == [0, 0, 0, 1, 1, 1, 2]


def test_decision_seeds_differ_by_game_seat_and_ply():
    spec = a_match("random", "random")
    places = [(index, seat, ply) for index in range(4) for seat in range(2) for ply in range(4)]
    assert len({decision_seed(spec.game_seed(index), seat, ply) for index, seat, ply in places}) == len(places)
    assert spec.game_seed(1) != dataclasses.replace(spec, seed=2).game_seed(1)


def test_digest_tells_matches_apart_but_not_their_length():
    spec = a_match("random", "first")
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert dataclasses.replace(spec, games=99).digest == spec.digest
    others = [
        dataclasses.replace(spec, seed=2),
        dataclasses.replace(spec, agents=("first", "random")),
        dataclasses.replace(spec, opening_plies=2),
        dataclasses.replace(spec, seconds=0.1),
        dataclasses.replace(spec, max_plies=50),
        dataclasses.replace(spec, agent_files=()),
        dataclasses.replace(spec, game=CONNECT4),
        dataclasses.replace(spec, game=GameSpec("connect4", (("rows", "5"),))),
    ]
    assert len({spec.digest, *(other.digest for other in others)}) == len(others) + 1


def test_an_edited_agent_file_is_another_match(tmp_path):
    copy = tmp_path / "copy.py"
    text = Path(PLAYERS).read_text()
    copy.write_text(text)
    spec = dataclasses.replace(a_match("random", "first"), agent_files=(str(copy),))
    assert spec.digest == a_match("random", "first").digest
    copy.write_text(text + "\n")
    assert spec.digest != a_match("random", "first").digest
    copy.unlink()
    with pytest.raises(ValueError, match=r"copy\.py can't be read"):
        _ = spec.digest


def test_an_edited_helper_is_another_match(tmp_path):
    (tmp_path / "helper_of_mine.py").write_text("BEST = 0\n")
    (tmp_path / "agent.py").write_text(Path(PLAYERS).read_text() + "\nimport helper_of_mine\n")
    spec = dataclasses.replace(a_match("random", "first"), agent_files=(str(tmp_path / "agent.py"),))
    before = spec.digest
    assert spec.digest == before
    (tmp_path / "helper_of_mine.py").write_text("BEST = 1\n")
    assert spec.digest != before


def test_an_option_with_its_default_is_the_same_match():
    spec = a_match("random", "random", game=CONNECT4)
    same = a_match("random", "random", game=GameSpec("connect4", (("columns", "7"),)))
    assert same.digest == spec.digest
    assert same.normalised(same.game.load()) == spec
    assert run_match(dataclasses.replace(same, games=2)).summary()["options"] == {}


def test_paths_of_files_hold_in_other_folders(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    spec = dataclasses.replace(a_match("random", game=GameSpec("solo", file="solo.py")), agent_files=("mine.py",))
    assert spec.game.file == str(tmp_path / "solo.py")
    assert spec.agent_files == (str(tmp_path / "mine.py"),)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"games": 0}, "at least 1"),
        ({"seed": 1 << 63}, "63 bits"),
        ({"opening_plies": -1}, "opening"),
        ({"seconds": 0.0}, "positive"),
        ({"seconds": float("nan")}, "positive"),
        ({"max_plies": 2, "opening_plies": 2}, "more than the 2"),
    ],
)
def test_wrong_numbers_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        a_match("random", "random", **values)


def test_the_number_of_agents_must_be_the_number_of_players():
    with pytest.raises(ValueError, match=r"trio is played by 3 agents.*given: 2 \(random, first\)"):
        a_match("random", "first", game=TRIO).check_players(TRIO.load())
    with pytest.raises(ValueError, match="needs agents"):
        a_match()


def test_fixed_seats_change_nothing_but_the_seats_and_the_blocks():
    spec = dataclasses.replace(a_match("random", "first"), rotate=False)
    assert [spec.seating(index) for index in range(3)] == [(0, 1)] * 3
    assert [spec.block(index) for index in range(3)] == [0, 1, 2]
    assert len({spec.start_seed(index) for index in range(3)}) == 3


def test_fixed_seats_are_another_match_and_rotation_leaves_no_trace():
    spec = a_match("random", "first")
    assert dataclasses.replace(spec, rotate=False).digest != spec.digest
    assert "rotate" not in spec._identity()
