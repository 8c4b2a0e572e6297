"""The Connect Four study runs, is reproducible, and goes on where it was interrupted."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from oponente.arena.studies import STUDIES, load_study
from oponente.arena.studies.connect4_report import (
    ALPHABETA,
    MCTS2,
    MCTS5,
    MINIMAX,
    PAIRINGS,
    SCALES,
    SEARCHES,
    Bench,
    MeasuredGame,
)
from oponente.arena.studies.keeping import Keep, KeepError
from oponente.arena.studies.study import Settings, StudyInterrupted, run_study
from oponente.games.catalogue import load_game, make_agent
from tests.arena.studies.tiny import SETTINGS, TINY, reproducible


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a run measures."""
    keep = Keep(tmp_path_factory.mktemp("study") / "report.html")
    return run_study(TINY, SETTINGS, keep, command="oponente experiment")


@pytest.fixture(scope="module")
def games(data: dict[str, Any]) -> list[MeasuredGame]:
    return [MeasuredGame.from_json(game) for game in data["games"]]


def test_all_searches_are_asked_at_every_position_until_the_game_ends(games: list[MeasuredGame]) -> None:
    assert len(games) == SETTINGS.games
    for game in games:
        state = load_game("connect4", dict(TINY.game.options)).start()
        for action in game.opening:
            state.apply(action)
        for position in game.positions:
            assert position.ply == len(state.history)
            assert [decision.search for decision in position.decisions] == [MINIMAX, ALPHABETA, MCTS2, MCTS5]
            assert position.played == position.of(game.players[state.player]).action
            state.apply(position.played)
        assert state.is_terminal
        assert game.winner == (None if state.returns[0] == state.returns[1] else state.returns.index(1.0))


def test_pairings_take_turns_and_later_rounds_open_at_random(games: list[MeasuredGame]) -> None:
    assert [game.players for game in games] == [PAIRINGS[i % len(PAIRINGS)] for i in range(len(games))]
    assert [len(game.opening) for game in games] == [0, 0, 0, 0, 0, 0, 1, 1]


def test_the_centre_by_rule_is_no_search(games: list[MeasuredGame]) -> None:
    first = games[0].positions[0]
    assert not first.searched
    assert first.of(MINIMAX).expanded == first.of(ALPHABETA).expanded == 0
    assert games[0].searched == games[0].positions[1:]


def test_counts_are_those_of_the_searches(games: list[MeasuredGame]) -> None:
    for position in (position for game in games for position in game.searched):
        assert position.of(MINIMAX).simulations is None
        for name in (MCTS2, MCTS5):
            decision = position.of(name)
            assert decision.simulations == 60
            assert 1 <= decision.expanded <= 60
        assert all(d.cpu_ms > 0 and d.wall_ms > 0 for d in position.decisions)


def test_expanded_nodes_of_minimax_to_depth_three_are_its_inner_nodes(games: list[MeasuredGame]) -> None:
    # Second player's first move on 5 columns of 3 cells: 1 + 5 + 25 positions lie above the horizon of 3 plies, less
    # 0 for full columns, as no column can be full before its third stone.
    assert games[0].positions[1].of(MINIMAX).expanded == 31


def test_the_same_seed_gives_the_same_data_but_times(data: dict[str, Any], tmp_path: Path) -> None:
    again = run_study(TINY, SETTINGS, Keep(tmp_path / "again"), command="another")
    assert reproducible(again) == reproducible(data)


def test_another_seed_gives_other_games(data: dict[str, Any], tmp_path: Path) -> None:
    other = run_study(TINY, Settings("quick", 8, 3, 2), Keep(tmp_path / "other"), command="")
    assert reproducible(other["games"][:3]) != reproducible(data["games"][:3])


def test_data_are_json_and_state_where_they_come_from(data: dict[str, Any]) -> None:
    assert json.loads(json.dumps(data, allow_nan=False))["command"] == "oponente experiment"
    assert {"version", "date", "machine", "seed", "scale", "sizes", "searches"} <= data.keys()
    assert all(data["machine"].values())
    assert [match["games"] for match in data["matches"]] == [4, 4, 4]
    assert len(data["verdicts"]) == 8


# A match may report all its games at once, so it is interrupted as it begins.
@pytest.mark.parametrize(("stop", "after"), [("measured games", 2), (f"{MCTS2} v {ALPHABETA}", 0)])
def test_an_interrupted_run_goes_on(data: dict[str, Any], tmp_path: Path, stop: str, after: int) -> None:
    out = tmp_path / "report.html"

    def interrupt(what: str, done: float, total: int) -> None:
        if what == stop and done >= after:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(StudyInterrupted, match="--resume"):
        run_study(TINY, SETTINGS, Keep(out), command="", progress=interrupt)
    kept = json.loads(Path(f"{out}.resume.json").read_text())["items"]
    assert 2 <= len(kept) <= 8

    with pytest.raises(KeepError, match="--resume"):
        run_study(TINY, SETTINGS, Keep(out), command="")
    with pytest.raises(KeepError, match="its seed is 7, not 9"):
        run_study(TINY, Settings("quick", 9), Keep(out, resume=True), command="")

    measured: list[float] = []

    def watch(what: str, done: float, total: int) -> None:
        if what == "measured games":
            measured.append(done)

    resumed = run_study(TINY, SETTINGS, Keep(out, resume=True), command="", progress=watch)
    assert reproducible(resumed) == reproducible(data)
    assert resumed["games"][: len(kept)] == kept, "measured times are kept, not measured again"
    assert not measured or measured[0] >= len(kept)


def test_the_published_settings() -> None:
    study = load_study("connect4-report")
    assert study.name in STUDIES
    assert list(study.scale_lines()) == list(SCALES) == ["quick", "standard", "full"]
    game = load_game("connect4")
    for spec in SEARCHES.values():
        assert make_agent(spec, game).native
    with pytest.raises(ValueError, match="there are connect4-report"):
        load_study("chess-report")


def test_agents_that_do_not_search_can_not_be_measured() -> None:
    with pytest.raises(ValueError, match="random is no search: its nodes can't be measured"):
        Bench(load_game("connect4"), {"chance": "random"}, 0)
