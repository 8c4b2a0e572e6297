"""Made-up games, and their statistics counted one record after the other, as plainly as can be."""

from __future__ import annotations

import math
import random
import statistics
from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from oponente.arena import FORFEIT, LIMIT, PLAYED, GameRecord, MatchSpec, SeatRecord, wilson_interval
from oponente.arena.columns import GameColumns


def made_up(spec: MatchSpec, seed: int = 1, *, facts: bool = True) -> list[GameRecord]:
    """Return the games of a match with results, times and facts drawn at random, in random order."""
    rng = random.Random(seed)
    records = []
    for index in range(spec.games):
        players = len(spec.agents)
        status = rng.choice((PLAYED, PLAYED, PLAYED, FORFEIT, LIMIT))
        seats = tuple(
            SeatRecord(
                agent,
                array("f", [rng.random() for _ in range(rng.randrange(4))]),
                rng.choice((None, rng.randrange(1 << 40))),
                {"pieces": float(rng.randrange(5)), "share": rng.random()} if facts and rng.random() < 0.8 else None,
            )
            for agent in spec.seating(index)
        )
        records.append(
            GameRecord(
                index=index,
                block=spec.block(index),
                seats=seats,
                start_seed=rng.randrange(1 << 62),
                opening=0,
                actions=tuple(rng.choices(range(7), k=rng.randrange(30))),
                returns=tuple(rng.choice((0.0, 0.1, 0.7, 1 / 3, -1.0)) for _ in range(players)),
                status=status,
                reason="" if status == PLAYED else "because",
                forfeited_by=rng.randrange(players) if status == FORFEIT else None,
                reproducible=rng.random() < 0.99,
            )
        )
    rng.shuffle(records)
    return records


def folded(spec: MatchSpec, records: Sequence[GameRecord]) -> dict[str, Any]:
    """Return what `summary_json` says of games, without Elo."""
    return {
        "game": spec.game.name,
        "options": dict(spec.game.options),
        "seed": spec.seed,
        "games": len(records),
        "games_per_s": None,
        "mean_length": sum(len(record.actions) for record in records) / len(records),
        "reproducible": all(record.reproducible for record in records),
        "agents": [_agent(text, number, records) for number, text in enumerate(spec.agents)],
    }


def _agent(text: str, number: int, records: Sequence[GameRecord]) -> dict[str, Any]:
    games = [(record, record.agents.index(number)) for record in records]
    won = [_outcome(record, seat) for record, seat in games]
    times = np.array([time for record, seat in games for time in record.seats[seat].decision_ms], np.float32)
    told = [record.seats[seat] for record, seat in games if record.seats[seat].nodes is not None]
    result = {
        "agent": text,
        "wins": won.count(1),
        "draws": won.count(0),
        "losses": won.count(-1),
        "win_rate": won.count(1) / len(games),
        "ci95": list(wilson_interval(won.count(1), len(games))),
        "mean_score": math.fsum(record.returns[seat] for record, seat in games) / len(games),
        "mean_decision_ms": float(times.mean(dtype=np.float64)),
        "p95_decision_ms": float(np.percentile(times, 95)),
        "mean_nodes": sum(seat.nodes or 0 for seat in told) / sum(seat.decisions for seat in told),
        "forfeits": sum(record.status == FORFEIT and record.forfeited_by == seat for record, seat in games),
        "by_seat": [],
    }
    for place in range(len(records[0].seats)):
        there = [(record, seat) for record, seat in games if seat == place]
        wins = sum(_outcome(record, seat) == 1 for record, seat in there)
        result["by_seat"].append(
            {
                "seat": place,
                "games": len(there),
                "wins": wins,
                "draws": sum(_outcome(record, seat) == 0 for record, seat in there),
                "ci95": list(wilson_interval(wins, len(there))),
                **({"facts": _facts(there)} if _facts(games) else {}),
            }
        )
    return {**result, "facts": _facts(games)} if _facts(games) else result


def _outcome(record: GameRecord, seat: int) -> int:
    best = max(record.returns)
    if record.returns[seat] < best:
        return -1
    return 1 if record.returns.count(best) == 1 else 0


def _facts(games: Sequence[tuple[GameRecord, int]]) -> dict[str, Any]:
    noted = [(record.seats[seat].facts or {}, _outcome(record, seat)) for record, seat in games]
    noted = [(facts, outcome) for facts, outcome in noted if facts]
    if not noted:
        return {}
    return {
        name: {
            **_values([facts[name] for facts, _ in noted]),
            "won": _values([facts[name] for facts, outcome in noted if outcome == 1]),
        }
        for name in noted[0][0]
    }


def _values(values: Sequence[float]) -> dict[str, Any]:
    mean = math.fsum(values) / len(values) if values else None
    sd = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else None
    assert sd is None or math.isclose(sd, statistics.stdev(values))
    whole = all(value.is_integer() for value in values)
    counts = {str(int(value)): count for value, count in sorted(Counter(values).items())} if whole else None
    return {"games": len(values), "mean": mean, "sd": sd, "histogram": counts}


def same(one: GameColumns, other: GameColumns) -> bool:
    """Return whether columns hold the same games in the same order."""
    return _lists(one) == _lists(other)


def _lists(games: GameColumns) -> dict[str, Any]:
    columns = {**vars(games.results), **vars(games), **{f"fact {name}": fact for name, fact in games.facts.items()}}
    return {
        name: str(column.dtype) + str(np.shape(column)) + repr(column.tolist())
        for name, column in columns.items()
        if isinstance(column, np.ndarray)
    }
