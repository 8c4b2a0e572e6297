"""Games as columns, beside the same games one by one."""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oponente.arena import GameRecord, StorageError, Store, Tally, outcomes, run_match, summary_json
from oponente.arena.columns import ResultsCollector, all_results, columns_of, game_columns, no_results
from oponente.arena.tournament import TournamentResult, TournamentSpec, run_tournament
from oponente.games.catalogue import GameSpec

from .folding import folded, made_up, same
from .helpers import CONNECT4, TRIO, a_match

AT_ONCE = 7


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A database that reads a few games at a time."""
    monkeypatch.setattr("oponente.arena.storage._GAMES_AT_ONCE", AT_ONCE)
    with Store(tmp_path / "games.db") as opened:
        yield opened


SPECS = [
    a_match("first", "random", game=CONNECT4, games=60),
    replace(a_match("first", "random", game=CONNECT4, games=61), rotate=False),
    a_match("first", "random", "first", game=TRIO, games=61),
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("facts", [True, False])
def test_a_match_is_told_as_if_its_records_were_counted(store: Store, spec: Any, facts: bool) -> None:
    """Bit by bit: read from the database by index, and as they finish, in any parts."""
    records = made_up(spec, facts=facts)
    match = store.begin(spec).id
    store.add(match, records)
    stored = run_match(spec, store=store, resume=True)
    assert stored.played == 0
    in_order = sorted(records, key=lambda record: record.index)
    as_they_finish = Tally(len(spec.agents), rotate=spec.rotate)
    for part in (records[:1], records[1:20], records[20:]):
        as_they_finish.add(game_columns(part))
    for summary, games in ((stored.summary(), in_order), (summary_json(spec, as_they_finish), records)):
        expected = folded(spec, games)
        assert {key: value for key, value in summary.items() if key in expected} == expected
        assert list(summary["agents"][0].get("facts", ())) == (["pieces", "share"] if facts else [])
    if as_they_finish.scores is not None:
        assert stored.summary()["block_scores"] == _block_scores(records, players=2 if spec.rotate else 1)
    assert stored.tally.lengths == Counter(record.length for record in records)
    assert +stored.tally.endings == Counter(record.status for record in records)


def _block_scores(records: list[GameRecord], players: int) -> list[dict[str, float]]:
    shares: dict[int, list[float]] = {}
    for record in records:
        mine = 0.5 + outcomes(record.returns)[record.agents.index(0)] / 2
        shares.setdefault(record.block, []).append(mine)
    found = Counter(sum(one) / players for one in shares.values() if len(one) == players)
    return [{"score": score, "blocks": count} for score, count in sorted(found.items())]


@pytest.mark.parametrize("spec", SPECS)
def test_columns_come_back_as_they_were(store: Store, spec: Any) -> None:
    records = made_up(spec)
    match = store.begin(spec).id
    store.add(match, records)
    in_order = sorted(records, key=lambda record: record.index)
    parts = list(store.columns(match, 40))
    assert [len(part) for part in parts] == [7, 7, 7, 7, 7, 5]
    for at, part in enumerate(parts):
        assert same(part, game_columns(in_order[AT_ONCE * at : min(AT_ONCE * (at + 1), 40)]))
    assert list(store.columns(match + 1, 40)) == []


def test_results_are_collected_by_index() -> None:
    spec = a_match("first", "random", games=50)
    records = made_up(spec)
    collector = ResultsCollector(2)
    assert collector.results().returns.shape == (0, 2)
    for record in records[:30]:
        collector.add(game_columns([record]).results)
    assert collector.results().index.tolist() == sorted(record.index for record in records[:30])
    collector.add(game_columns(records[30:]).results)
    found = collector.results()
    for index, (agents, returns) in enumerate(zip(found.agents.tolist(), found.returns.tolist(), strict=True)):
        record = next(record for record in records if record.index == index)
        assert (tuple(agents), tuple(returns)) == (record.agents, record.returns)


# --- tournaments ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "entrants"), [(CONNECT4, ("a", "b", "c")), (TRIO, ("a", "b", "c", "d")), (TRIO, ("a", "b"))]
)
def test_a_tournament_is_told_as_if_its_records_were_counted(game: GameSpec, entrants: tuple[str, ...]) -> None:
    players = 2 if game is CONNECT4 else 3
    spec = TournamentSpec(game, entrants, blocks=6)
    result, games = TournamentResult(spec, players), []
    for number, group in enumerate(spec.groups(players)):
        records = sorted(made_up(spec.match(group, players), number), key=lambda record: record.index)
        result.matches.append((group, number, game_columns(records).results))
        games += [(tuple(group[agent] for agent in record.agents), record.returns) for record in records]
    points, wins, draws, played = [0.0] * len(entrants), Counter[int](), Counter[int](), Counter[int]()
    met, better = Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for seats, returns in games:
        for entrant, value in zip(seats, returns, strict=True):
            best = returns.count(max(returns))
            points[entrant] += 1 / best if value == max(returns) else 0.0
            wins[entrant] += value == max(returns) and best == 1
            draws[entrant] += value == max(returns) and best > 1
            played[entrant] += 1
        for (a, mine), (b, its) in itertools.permutations(list(zip(seats, returns, strict=True)), 2):
            if a != b:
                met[a, b] += 1
                better[a, b] += 2 * (mine > its) + (mine == its)
    assert result.points() == points
    for one in result.standings(samples=2):
        assert (one.games, one.wins, one.draws) == (played[one.entrant], wins[one.entrant], draws[one.entrant])
        assert one.points == points[one.entrant]
        assert one.losses == one.games - one.wins - one.draws
    shares, count = result.cross_table()
    for a, b in itertools.product(range(len(entrants)), repeat=2):
        assert count[a, b] == met[a, b]
        assert shares[a, b] == better[a, b] / 2 / met[a, b] if met[a, b] else math.isnan(shares[a, b])
    assert result.reproducible == all(games.reproducible.all() for _, _, games in result.matches)
    assert result.finished == len(games)


def test_a_stored_tournament_is_that_which_was_played(store: Store) -> None:
    spec = TournamentSpec(GameSpec("tictactoe"), ("random", "one-step"), blocks=12, seed=3)
    played = run_tournament(spec, store=store)
    assert run_tournament(spec, store=store, resume=True).summary() == played.summary()
    assert run_tournament(spec).summary() == played.summary()


# --- what can't be used --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "column", "value"),
    [
        *(("games", name, "x") for name in ("block", "length", "status", "forfeited_by", "reproducible")),
        *(("games", "returns", text) for text in ("{[", "7", '["a", 1]', "[1]", "[1, 2, 3]", "null")),
        *(("seats", "facts", text) for text in ("{[", "7", '{"a": "b"}')),
        *(("seats", name, "x") for name in ("agent", "decision_ms", "nodes")),
        *(("seats", name, 1.5) for name in ("agent", "nodes")),
        ("seats", "decision_ms", b"12345"),
        ("seats", "agent", 0),
        ("seats", "seat", 5),
        ("games", "status", b"\xff\xfe"),
    ],
)
def test_damage_in_a_column(store: Store, table: str, column: str, value: Any) -> None:
    spec = a_match("random", "random", games=9)
    match = store.begin(spec).id
    store.add(match, made_up(spec))
    with closing(sqlite3.connect(store.name)) as connection, connection:
        rows = "number = 3" if table == "games" else "number = 3 AND seat = 0"
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE {rows}", (value,))
    with pytest.raises(StorageError, match=r"games\.db: .*the file is damaged; export what can be read") as caught:
        list(store.columns(match, 9))
    assert "\n" not in str(caught.value)


def test_a_game_without_its_seats(store: Store) -> None:
    spec = a_match("random", "random", games=9)
    match = store.begin(spec).id
    store.add(match, made_up(spec))
    with closing(sqlite3.connect(store.name)) as connection, connection:
        connection.execute("DELETE FROM seats WHERE number = 3")
    with pytest.raises(StorageError, match="the file is damaged"):
        list(store.columns(match, 9))


def test_a_file_that_breaks_off(store: Store) -> None:
    spec = a_match("random", "random", games=400)
    match = store.begin(spec).id
    store.add(match, made_up(spec))
    store.close()
    with closing(sqlite3.connect(store.name)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path = Path(store.name)
    data = bytearray(path.read_bytes())
    data[len(data) // 3 :] = b"\x55" * (len(data) - len(data) // 3)
    path.write_bytes(data)
    with pytest.raises(StorageError, match="the file is damaged"):
        list(store.columns(match, 400))


def test_no_results_are_none() -> None:
    assert len(no_results(3)) == 0
    assert all_results([no_results(3), no_results(3)]).agents.shape == (0, 3)
    assert np.array_equal(no_results(2).by_index().index, [])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"length": [9]}, "more or fewer games than 2"),
        ({"index": [0, 1, 2]}, "more or fewer games than 2"),
        ({"forfeited_by": [None, 5]}, "forfeited by seat 5, of 2 seats"),
        ({"decision_ms": np.zeros(3, np.float32)}, "times of 3 decisions, of 4"),
        ({"agents": [0, 1, 1, 1]}, "hold each agent once"),
    ],
)
def test_columns_of_different_games_are_refused(change: dict[str, Any], told: str) -> None:
    given: dict[str, Any] = {
        "index": [0, 1],
        "block": [0, 0],
        "length": [9, 8],
        "status": ["played", "played"],
        "forfeited_by": [None, None],
        "reproducible": [True, True],
        "returns": [[1.0, -1.0], [0.0, 0.0]],
        "agents": [0, 1, 1, 0],
        "nodes": [None, 3, 4, None],
        "decisions": np.ones(4, np.int64),
        "decision_ms": np.zeros(4, np.float32),
    }
    assert len(columns_of(**given)) == 2
    with pytest.raises(ValueError, match=told):
        columns_of(**{**given, **change})
