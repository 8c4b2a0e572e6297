"""Sweeps: which points there are, how a budget is shared, and that all meet the same luck."""

import signal

import pytest

from oponente.agents.spec import SpecError, with_values
from oponente.arena import MatchInterrupted, Progress
from oponente.arena import sweep as sweeping
from oponente.arena.columns import no_results
from oponente.arena.elo import shares
from oponente.arena.statistics import Tally
from oponente.arena.storage import Store
from oponente.arena.sweep import Point, SweepInterrupted, SweepResult, SweepSpec, run_sweep, unfinished_sweep
from oponente.arena.sweep_report import sweep_page
from oponente.arena.sweep_table import header, rows
from oponente.games.catalogue import GameSpec

from .helpers import TRIO

GAME = GameSpec("tictactoe")
GRID = {"c": ("0.2", "1", "3"), "final": ("max", "robust")}


def a_sweep(**changed):
    values = {"grid": GRID, "blocks": 3, "seed": 5, **changed}
    return SweepSpec(GAME, "uct:10", values.pop("grid"), "random", **values)


def test_values_are_set_in_a_spec():
    assert with_values("uct", {"c": "1"}) == "uct:c=1"
    assert with_values("uct:1000,c=0.7,final=max", {"c": "1"}) == "uct:1000,final=max,c=1"
    assert with_values('files:command="a b, c"', {"cwd": "x y"}) == 'files:command="a b, c",cwd="x y"'
    order = ("iterations", "c", "final")
    assert with_values("uct:10", {"iterations": "5"}, order) == "uct:iterations=5"
    assert with_values("uct:10:0.7:max", {"c": "1"}, order) == "uct:10,final=max,c=1"
    assert with_values("uct:10,0.7", {"final": "max"}, order) == "uct:10,0.7,final=max"
    with pytest.raises(SpecError, match="a value is missing"):
        with_values("uct:10,,1", {"c": "1"}, order)


def test_a_value_without_a_key_is_varied_as_well():
    result = run_sweep(a_sweep(grid={"iterations": ("5", "7")}, blocks=1))
    assert [point.agent for point in result.points] == ["uct:iterations=5", "uct:iterations=7"]
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        run_sweep(SweepSpec(GAME, "nobody:10", GRID, "random"))


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"grid": {}}, "needs a parameter"),
        ({"grid": {"c": ()}}, "no value"),
        ({"grid": {"c": ("1", "1")}}, "c: 1, 1 has a value twice$"),
        ({"grid": {"c": ("2", "1", "1.0")}}, r"c: 2, 1, 1\.0 has a value twice \(1\.0 is 1\)$"),
        ({"grid": {"reuse": ("true", "on")}}, r"reuse: true, on has a value twice \(on is true\)"),
        ({"grid": {"nothing": ("1", "1")}}, "nothing: 1, 1 has a value twice"),
        ({"grid": {name: tuple("0123456789") for name in "abcd"}}, "too many"),
    ],
)
def test_no_sweep(changed, says):
    with pytest.raises(ValueError, match=says):
        a_sweep(**changed)


def test_a_budget_is_halved_round_by_round():
    spec = a_sweep(budget=300)  # 6, 3, 2: 100 games each
    assert spec.rounds(2) == [(6, 8), (3, 16), (2, 25)]
    assert a_sweep(budget=36).rounds(2) == [(6, 1), (3, 2), (2, 3)]
    assert a_sweep(grid={"c": ("1",)}, budget=9).rounds(2) == [(1, 4)]
    with pytest.raises(ValueError, match="6 points need 36"):
        a_sweep(budget=35).rounds(2)
    for size in range(1, 40):
        for budget in (500, 1999):
            rounds = a_sweep(grid={"c": tuple(map(str, range(size)))}, budget=budget).rounds(2)
            assert sum(count * blocks for count, blocks in rounds) * 2 <= budget
            assert rounds[-1][0] <= 2


def test_all_points_meet_the_same_luck():
    spec = a_sweep()
    matches = [spec.match(setting, 4, 5) for setting in spec.settings()]
    assert len({match.agents for match in matches}) == 6
    assert all(match.games == 20 and match.agents[1:] == ("random",) * 3 for match in matches)
    for index in range(20):
        assert len({(match.start_seed(index), match.seating(index)) for match in matches}) == 1


def test_a_sweep_is_the_same_on_any_number_of_workers(tmp_path):
    results = [run_sweep(a_sweep(), store=tmp_path / "1.db"), run_sweep(a_sweep(), workers=3), run_sweep(a_sweep())]
    first, *others = [result.summary() for result in results]
    assert all(other == first for other in others)
    assert first["games"] == results[0].games == 36
    assert [point["values"]["c"] for point in first["points"]] == [row[0] for row in rows(results[0])]
    assert all(len(row) == len(header(results[0])) for row in rows(results[0]))
    for point in results[0].points:
        assert point.games == 6
        assert point.score == pytest.approx((point.wins + point.draws / 2) / 6)
        assert point.interval[0] <= point.score <= point.interval[1]


def test_the_better_half_goes_on_and_games_are_played_once(tmp_path):
    spec = a_sweep(budget=60)  # 2, 6 and 10 games
    with Store(tmp_path / "games.db") as store:
        result = run_sweep(spec, store=store)
        assert [(point.rounds, point.games) for point in result.ranked()] == [(3, 18), (3, 18), (2, 8), *[(1, 2)] * 3]
        assert result.finished == result.games == 50
        assert sum(len(store.records(point.match_id)) for point in result.points) == 50
        played = []
        again = run_sweep(spec, store=store, resume=True, progress=lambda _, match: played.append(match.played))
        assert again.summary() == result.summary()
        assert not any(played)
        assert unfinished_sweep(spec, store).games == 0
    assert run_sweep(spec).summary() == result.summary(), "without a store games are played again"


def test_progress_counts_each_game_once():
    done = Point(("1",), "uct:c=1", rounds=1, wins=10)
    now = Point(("2",), "uct:c=2", rounds=1, losses=10)
    result = SweepResult(a_sweep(), 2, [done, now], games=60, playing=now)
    shown = result.progress(Progress(12, 30, 2, 1.0, Tally(2), lambda: no_results(2)))
    assert (shown.done, shown.games, shown.played) == (22, 60, 12)


def test_a_sweep_of_three_players(tmp_path):
    spec = SweepSpec(TRIO, "flat-mc", {"iterations": ("1", "20")}, "random", blocks=6, seed=2)
    result = run_sweep(spec, store=tmp_path / "games.db", workers=2)
    assert result.summary() == run_sweep(spec).summary()
    assert (result.players, result.even, result.finished) == (3, pytest.approx(1 / 3), 2 * 6 * 3)
    with Store(tmp_path / "games.db") as store:
        for point in result.points:
            records = store.records(point.match_id)
            assert store.match(point.match_id).spec.agents == (point.agent, "random", "random")
            total = sum(shares(record.returns)[record.agents.index(0)] for record in records)
            assert point.score == pytest.approx(total / 18)
            assert point.interval[0] <= point.score <= point.interval[1]
    assert result.ranked()[0].setting == ("20",)


def interrupted_after(monkeypatch, calls):
    """Let Ctrl-C break in when so many matches were played."""
    run, played = sweeping.run_match, []

    def interrupted(*arguments, **named):
        played.append(1)
        result = run(*arguments, **named)
        if len(played) == calls:
            raise MatchInterrupted(result)
        return result

    monkeypatch.setattr(sweeping, "run_match", interrupted)


def test_an_interrupted_sweep_goes_on(tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    with monkeypatch.context() as patched:
        interrupted_after(patched, 3)
        with pytest.raises(SweepInterrupted, match=rf"^interrupted: 18 of 36 games .* kept in {path}; give --resume"):
            run_sweep(a_sweep(), store=path)
    with Store(path) as store:
        assert unfinished_sweep(a_sweep(), store).games == 3 * 6
        assert unfinished_sweep(a_sweep(seed=6), store).games == 0
    with monkeypatch.context() as patched:
        interrupted_after(patched, 1)
        with pytest.raises(SweepInterrupted, match="18 of 36 games"):
            run_sweep(a_sweep(), store=path, resume=True)
    assert run_sweep(a_sweep(), store=path, resume=True).summary() == run_sweep(a_sweep()).summary()


@pytest.mark.parametrize(("budget", "finished", "games"), [(None, 6, 36), (60, 18, 50)])
def test_ctrl_c_as_a_match_ends_ends_the_sweep(budget, finished, games):
    """Of the first point, or of the first one in the second round; after the last game the sweep is whole."""

    def interrupts(result, match):
        if result.progress(match).done == finished and match.done == match.games:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(SweepInterrupted, match=f"^interrupted: {finished} of {games} games are finished$"):
        run_sweep(a_sweep(budget=budget), progress=interrupts)
    finished = games
    assert run_sweep(a_sweep(budget=budget), progress=interrupts).finished == games


def test_ctrl_c_between_two_matches_ends_the_sweep(tmp_path, monkeypatch):
    path = tmp_path / "games.db"
    begin, entered = Store.begin, []

    def interrupted(*arguments, **named):
        entered.append(1)
        if len(entered) == 4:
            signal.raise_signal(signal.SIGINT)
        return begin(*arguments, **named)

    monkeypatch.setattr(Store, "begin", interrupted)
    with pytest.raises(SweepInterrupted, match=rf"^interrupted: 18 of 36 .* kept in {path}; give --resume"):
        run_sweep(a_sweep(), store=path)


def test_games_of_all_rounds_count_when_a_sweep_is_interrupted(tmp_path, monkeypatch):
    """Rounds of 6 points with 2 games each, 3 with 6 more and 2 with 10 more: the first of the second round is done."""
    interrupted_after(monkeypatch, 7)
    with pytest.raises(SweepInterrupted, match="18 of 50 games are finished and kept"):
        run_sweep(a_sweep(budget=60), store=tmp_path / "games.db")
    interrupted_after(monkeypatch, 7)
    with pytest.raises(SweepInterrupted, match=r"of 50 games are finished$"):
        run_sweep(a_sweep(budget=60))


@pytest.mark.parametrize(
    ("grid", "figures"),
    [
        ({"c": ("3", "0.5", "1")}, ["sweep"]),
        ({"final": ("max", "robust")}, ["points"]),
        (GRID, ["map", "points"]),
        ({**GRID, "first_play": ("always", "1")}, ["points"]),
    ],
)
def test_pages_show_what_was_swept(grid, figures):
    spec = a_sweep(grid=grid)
    points = [
        Point(setting, "uct", 1, 1, 3, 1, 2, 0.5 + 0.01 * i, (0.3, 0.7)) for i, setting in enumerate(spec.settings())
    ]
    page = sweep_page(SweepResult(spec, 4, points), "oponente sweep")
    assert [figure.name for figure in page.sections[0].figures] == figures
    assert len(page.sections[0].tables[0].rows) == len(points)


def test_a_wrong_value_is_told_before_the_first_game(tmp_path):
    with Store(tmp_path / "games.db") as store, pytest.raises(ValueError, match="final"):
        run_sweep(a_sweep(grid={"final": ("max", "best")}), store=store)
    with pytest.raises(ValueError, match="nobody"):
        run_sweep(SweepSpec(GAME, "uct:10", {"c": ("1",)}, "nobody"))
