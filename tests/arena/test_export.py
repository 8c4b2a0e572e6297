import csv
import json
import os

import pyarrow.parquet as pq
import pytest

from oponente.arena import PlayedMatch, StorageError, Store, check_export, export_games, run_match, stored_matches
from oponente.arena import export as exporting
from oponente.games.catalogue import GameSpec

from .helpers import TRIO, a_match


@pytest.fixture
def matches(tmp_path):
    """Two matches, of two and of three players, with a forfeit and times."""
    specs = [
        a_match("random", "counting", game=GameSpec("connect4", (("columns", "6"),)), games=3),
        a_match("random", "first", "raises:ply=3", game=TRIO, games=2),
    ]
    with Store(tmp_path / "games.db") as store:
        for spec in specs:
            run_match(spec, store=store)
        yield stored_matches(store)


def test_parquet_holds_all_that_was_stored(matches, tmp_path):
    assert export_games(matches, tmp_path / "games.parquet") == 5
    rows = pq.read_table(tmp_path / "games.parquet").to_pylist()
    records = [(match, record) for match in matches for record in match.records]
    for row, (match, record) in zip(rows, records, strict=True):
        assert (row["match"], row["number"], row["block"]) == (match.number, record.index, record.block)
        assert row["actions"] == list(record.actions)
        assert (row["status"], row["reason"], row["forfeited_by"]) == (
            record.status,
            record.reason,
            record.forfeited_by,
        )
        assert row["start_seed"] == record.start_seed
        for number, seat in enumerate(record.seats):
            assert row[f"seat{number}_agent"] == seat.agent
            assert row[f"seat{number}_spec"] == match.spec.agents[seat.agent]
            assert row[f"seat{number}_return"] == record.returns[number]
            assert row[f"seat{number}_decision_ms"] == seat.decision_ms.tolist()
            assert row[f"seat{number}_nodes"] == seat.nodes
    assert rows[0]["seat2_agent"] is None
    assert rows[0]["options"] == "columns=6"
    assert "forfeit" in {row["status"] for row in rows}


def test_games_are_read_and_written_a_few_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(exporting, "_READ_AT_ONCE", 2)
    monkeypatch.setattr(exporting, "ROWS_PER_GROUP", 3)
    asked = []
    with Store(tmp_path / "games.db") as store:
        for seed, games in ((1, 5), (2, 2)):
            run_match(a_match("random", "random", games=games, seed=seed), store=store)
        read = store.records
        monkeypatch.setattr(store, "records", lambda match, which: asked.append(len(which)) or read(match, which))
        matches = stored_matches(store)
        assert export_games(matches, tmp_path / "games.parquet") == 7
        assert max(asked) == 2
        assert list(matches[0].records) == read(1)
        assert matches[0].records[-1] == read(1)[4]
        assert matches[0].records[1:3] == read(1)[1:3]
    file = pq.ParquetFile(tmp_path / "games.parquet")
    assert [file.metadata.row_group(group).num_rows for group in range(file.num_row_groups)] == [3, 3, 1]
    assert [(row["match"], row["number"]) for row in file.read().to_pylist()] == [
        *((1, number) for number in range(5)),
        *((2, number) for number in range(2)),
    ]


def test_csv_holds_the_same_columns_as_text(matches, tmp_path):
    export_games(matches, tmp_path / "games.csv")
    export_games(matches, tmp_path / "games.parquet")
    with (tmp_path / "games.csv").open(newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
        assert reader.fieldnames == pq.read_table(tmp_path / "games.parquet").column_names
    record = matches[0].records[1]
    assert rows[1]["actions"] == " ".join(map(str, record.actions))
    assert [float(rows[1][f"seat{seat}_return"]) for seat in range(2)] == list(record.returns)
    assert (rows[1]["seat2_agent"], rows[1]["forfeited_by"], rows[1]["reproducible"]) == ("", "", "true")


def test_json_holds_the_matches(matches, tmp_path):
    export_games(matches, tmp_path / "games.json")
    content = json.loads((tmp_path / "games.json").read_text(encoding="utf-8"))
    assert content["format"] == "oponente-games"
    assert [len(match["records"]) for match in content["matches"]] == [3, 2]
    assert content["matches"][0]["options"] == {"columns": "6"}
    assert content["matches"][1]["records"][0]["actions"] == list(matches[1].records[0].actions)


@pytest.mark.parametrize("suffix", ["csv", "parquet", "json"])
def test_nothing_can_be_exported_too(suffix, tmp_path):
    path = tmp_path / f"games.{suffix}"
    assert export_games([], path) == 0
    assert export_games([PlayedMatch(1, a_match("random", "random"), ())], path) == 0
    assert path.stat().st_size > 0


def test_what_can_not_be_written(matches, tmp_path):
    with pytest.raises(ValueError, match=r"expected a name that ends in \.csv, \.parquet, \.json"):
        export_games(matches, tmp_path / "games.xlsx")
    with pytest.raises(ValueError, match="there is no folder"):
        export_games(matches, tmp_path / "missing" / "games.csv")
    assert [path.name for path in tmp_path.iterdir() if "games.xlsx" in path.name] == []


@pytest.mark.parametrize("there", [False, True])
def test_a_folder_that_may_not_be_changed_is_told_before(tmp_path, monkeypatch, there):
    """Tests may run as somebody who may change all: the answer of the system is made up."""
    path = tmp_path / "games.csv"
    if there:
        path.write_text("kept")
    monkeypatch.setattr(os, "access", lambda place, _mode: place != tmp_path)
    with pytest.raises(ValueError, match=rf"^{path} can't be written: {tmp_path} may not be changed$"):
        check_export(path)


@pytest.mark.parametrize("ending", ["csv", "json", "parquet"])
def test_what_fails_in_the_end_names_the_file(matches, tmp_path, monkeypatch, ending):
    """The folder is gone when the games are there."""
    monkeypatch.setattr(exporting, "check_export", lambda _: None)
    with pytest.raises(FileNotFoundError) as caught:
        export_games(matches, tmp_path / "gone" / f"games.{ending}")
    assert (caught.value.filename, caught.value.strerror) == (
        str(tmp_path / "gone" / f"games.{ending}"),
        "No such file or directory",
    )


def test_matches_can_be_chosen(tmp_path):
    with Store(tmp_path / "games.db") as store:
        for seed in (1, 2, 3):
            run_match(a_match("random", "random", games=2, seed=seed), store=store)
        assert [match.spec.seed for match in stored_matches(store, 2)] == [2]
        assert [match.spec.seed for match in stored_matches(store, 3, 1)] == [3, 1]
        assert [match.spec.seed for match in stored_matches(store)] == [1, 2, 3]
        with pytest.raises(StorageError, match="holds no match 4; it holds 1, 2, 3"):
            stored_matches(store, 4)
