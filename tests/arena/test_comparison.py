import json
import platform
from datetime import UTC, datetime, timedelta

import numba
import pytest

from oponente import __version__
from oponente.arena.comparison import add_to_history, compare, read_history
from oponente.arena.provenance import cpu_name

OLD = {"game": "nim", "options": {}, "playouts_per_s": 1000.0, "uct_simulations_per_s": 400.0, "copy_ns": 10.0,
       "reference_per_s": 200.0}  # fmt: skip


def test_the_pace_of_the_machine_is_taken_out():
    """Twice the pace and twice the playouts is no change; the same copies are slower then."""
    now = {**OLD, "playouts_per_s": 2000.0, "uct_simulations_per_s": 400.0, "copy_ns": 2.5, "reference_per_s": 400.0}
    ratios = {change.figure: change.ratio for change in compare([OLD], [now])}
    assert ratios == pytest.approx({"playouts_per_s": 1.0, "uct_simulations_per_s": 0.5, "copy_ns": 2.0})


def test_the_latest_of_the_same_game_counts():
    other = {**OLD, "options": {"size": "3"}}
    later = {**OLD, "playouts_per_s": 500.0}
    (change, *_) = compare([OLD, later, other], [OLD])
    assert change.before == 500.0
    assert compare([other], [OLD]) == []


def test_video_games_have_figures_of_their_own():
    video = {"game": "nim", "options": {}, "ticks_per_s": 8.0, "copies_per_s": 4.0, "mcts_per_40ms": 2.0,
             "reference_per_s": 200.0}  # fmt: skip
    slower = {**video, "ticks_per_s": 4.0, "copies_per_s": 8.0}
    changes = {change.figure: change.ratio for change in compare([OLD, video, OLD], [slower])}
    assert changes == {"ticks_per_s": 0.5, "copies_per_s": 2.0, "mcts_per_40ms": 1.0}
    assert compare([video], [OLD]) == []


def test_history(tmp_path):
    file = tmp_path / "history.jsonl"
    add_to_history(file, [OLD])
    add_to_history(file, [OLD, {**OLD, "game": "go"}])
    assert [one["game"] for one in read_history(file)] == ["nim", "nim", "go"]
    file.write_text(json.dumps({"games": [OLD, OLD]}, indent=2))
    assert len(read_history(file)) == 2
    file.write_text(json.dumps({"games": {"nim": OLD}, "geomean_ratio": 1.0}))
    assert read_history(file) == [OLD]


def test_a_history_tells_where_it_comes_from(tmp_path):
    file = tmp_path / "history.jsonl"
    file.write_text(json.dumps(OLD) + "\n")  # as earlier versions wrote them
    add_to_history(file, [{**OLD, "playouts_per_s": 500.0}])
    old, new = read_history(file)
    assert old == OLD
    made = new.pop("made")
    assert new == {**OLD, "playouts_per_s": 500.0}
    then = datetime.strptime(made["date"], "%Y-%m-%d %H:%M UTC").replace(tzinfo=UTC)
    assert abs(datetime.now(UTC) - then) < timedelta(minutes=5)
    assert made["version"] == __version__
    machine = made["machine"]
    assert (machine["python"], machine["numba"]) == (platform.python_version(), numba.__version__)
    assert machine["cpu"] == cpu_name() != ""
    # Comparisons look at figures alone, in either direction.
    for one, other, ratio in ((OLD, {**new, "made": made}, 0.5), ({**new, "made": made}, OLD, 2.0)):
        assert compare([one], [other])[0].ratio == pytest.approx(ratio)


@pytest.mark.parametrize(
    "text", ["", "nonsense", "[1]", "{}", json.dumps({**OLD, "copy_ns": 0}), json.dumps({"games": 3})]
)
def test_other_files_are_refused(tmp_path, text):
    file = tmp_path / "history.jsonl"
    file.write_text(text)
    if text:
        with pytest.raises(ValueError, match="oponente bench --json"):
            read_history(file)
    with pytest.raises(ValueError, match="can't be read"):
        read_history(tmp_path / "none")
