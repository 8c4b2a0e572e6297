"""Facts of games: asked for at the end of a game, kept, counted and exported."""

from __future__ import annotations

import csv
import json
import random
import sqlite3
import statistics
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from oponente.arena import GameRecord, PlayedMatch, Store, Tally, export_games, run_match, summary_json
from oponente.arena.facts import check_facts, fact_meanings, final_facts
from oponente.arena.statistics import describe
from oponente.games.catalogue import GameSpec, load_game
from oponente.kernel import RulesError

from .helpers import HERE, a_match, timeless, without_times

FACTUAL = GameSpec("factual", file=str(HERE / "factual.py"))
SPEC = a_match("random", "random", game=FACTUAL, games=40)


@pytest.fixture(scope="module")
def records() -> list[GameRecord]:
    return run_match(SPEC).records


def test_facts_of_a_seat_are_those_of_the_last_position(records: list[GameRecord]) -> None:
    for record in records:
        taken = [sum(record.actions[0::2]), sum(record.actions[1::2])]
        assert [seat.facts for seat in record.seats] == [{"taken": t, "share": t / 9} for t in taken]


def test_a_game_without_facts_has_none() -> None:
    (record,) = run_match(a_match("random", "random", games=1)).records
    assert [seat.facts for seat in record.seats] == [None, None]
    summary = run_match(a_match("random", "random", games=1)).summary()
    assert "facts" not in summary["agents"][0]
    assert "facts" not in summary["agents"][0]["by_seat"][0]


def test_statistics_of_facts(records: list[GameRecord]) -> None:
    tally = Tally(2, records)
    for number, agent in enumerate(summary_json(SPEC, tally)["agents"]):
        mine = [(s.facts["taken"], r.returns[place] > 0, place)
                for r in records for place, s in enumerate(r.seats) if s.agent == number and s.facts]  # fmt: skip
        taken = [value for value, _, _ in mine]
        won = [value for value, win, _ in mine if win]
        fact = agent["facts"]["taken"]
        assert fact["games"] == 40
        assert fact["mean"] == pytest.approx(statistics.fmean(taken))
        assert fact["sd"] == pytest.approx(statistics.stdev(taken))
        assert fact["histogram"] == {str(int(v)): taken.count(v) for v in sorted(set(taken))}
        assert fact["won"]["games"] == agent["wins"] == len(won)
        assert fact["won"]["mean"] == pytest.approx(statistics.fmean(won))
        assert agent["facts"]["share"]["histogram"] is None
        for seat in agent["by_seat"]:
            there = [value for value, _, place in mine if place == seat["seat"]]
            assert seat["facts"]["taken"]["mean"] == pytest.approx(statistics.fmean(there))


def test_statistics_do_not_depend_on_the_order_of_games(records: list[GameRecord]) -> None:
    shuffled = list(records)
    random.Random(3).shuffle(shuffled)
    assert summary_json(SPEC, Tally(2, shuffled)) == summary_json(SPEC, Tally(2, records))


def test_statistics_do_not_depend_on_the_workers(records: list[GameRecord]) -> None:
    result = run_match(SPEC, workers=2)
    assert timeless(result.records) == timeless(records)
    assert without_times(result.summary()) == without_times(summary_json(SPEC, Tally(2, records), copies=False))


def test_statistics_of_few_values() -> None:
    assert describe({}) == {"games": 0, "mean": None, "sd": None, "histogram": {}}
    assert describe({3.0: 1}) == {"games": 1, "mean": 3.0, "sd": None, "histogram": {"3": 1}}
    assert describe({0.5: 2}) == {"games": 2, "mean": 0.5, "sd": 0.0, "histogram": None}


def test_facts_come_back_from_the_database(records: list[GameRecord], tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        match = store.begin(SPEC)
        store.add(match.id, records)
        assert store.records(match.id) == records


def test_facts_are_exported(records: list[GameRecord], tmp_path: Path) -> None:
    match = PlayedMatch(1, SPEC, records)
    for ending in ("csv", "parquet", "json"):
        export_games([match], tmp_path / f"games.{ending}")
    with (tmp_path / "games.csv").open(newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    facts = records[0].seats[1].facts
    assert facts is not None
    assert float(row["seat1_fact_taken"]) == facts["taken"]
    assert pq.read_table(tmp_path / "games.parquet").to_pylist()[0]["seat1_fact_share"] == facts["share"]
    content = json.loads((tmp_path / "games.json").read_text(encoding="utf-8"))
    assert content["matches"][0]["records"][0]["seats"][1]["facts"] == facts


# --- databases of schema version 1 ---------------------------------------------------------------------------------


@pytest.fixture
def old(records: list[GameRecord], tmp_path: Path) -> Path:
    """A database as the first version of the schema had it, with one match."""
    path = tmp_path / "old.db"
    with Store(path) as store:
        store.add(store.begin(SPEC).id, records[:3])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("ALTER TABLE seats DROP COLUMN facts")
        connection.execute("ALTER TABLE matches DROP COLUMN rotate")
        connection.execute("UPDATE oponente_schema SET version = 1")
    return path


def _version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT version FROM oponente_schema").fetchone()[0])


def test_an_older_database_is_read_as_it_is(old: Path) -> None:
    with Store(old, create=False) as store:
        assert store.match(1).spec == SPEC
        assert all(seat.facts is None for record in store.records(1) for seat in record.seats)
    assert _version(old) == 1


def test_an_older_database_is_upgraded_when_it_is_written(old: Path, records: list[GameRecord]) -> None:
    with Store(old) as store:
        match = store.begin(SPEC, resume=True)
        assert (match.id, match.finished, match.spec) == (1, 3, SPEC)
        store.add(match.id, records[3:5])
        kept = store.records(match.id)
    assert [record.actions for record in kept] == [record.actions for record in records[:5]]
    assert [record.seats[0].facts is None for record in kept] == [True] * 3 + [False] * 2
    assert _version(old) == 2
    with Store(old) as store:  # and once more: nothing is left to do
        assert store.match(1).finished == 5


# --- what is wrong with a game's facts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("FACTS", ["taken"], "FACTS is .*; expected a dict from names to meanings"),
        ("FACTS", {"stones taken": "x"}, "FACTS names 'stones taken'; expected letters, digits and underscores"),
        ("facts", None, "lacks facts, which a game with FACTS must define"),
    ],
)
def test_wrong_declarations(monkeypatch: pytest.MonkeyPatch, name: str, value: Any, message: str) -> None:
    game = load_game(file=FACTUAL.file)
    check_facts(game)
    monkeypatch.setattr(game.facts, name, value)
    with pytest.raises(RulesError, match=message):
        check_facts(game)


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ([{"taken": 1, "share": 1}], "facts returned 1 seats; expected 2"),
        ([{"taken": 1}, {"taken": 1}], "facts returned taken; FACTS names taken, share"),
        ([{"taken": 1, "share": float("nan")}] * 2, "facts returned nan for share; expected a finite number"),
    ],
)
def test_wrong_facts(monkeypatch: pytest.MonkeyPatch, found: Any, message: str) -> None:
    game = load_game(file=FACTUAL.file)
    assert list(fact_meanings(game)) == ["taken", "share"]
    monkeypatch.setattr(game.facts, "facts", lambda state: found)
    with pytest.raises(RulesError, match=message):
        final_facts(game.start())
