"""What the tests of the arena share."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from oponente.arena import GameRecord, MatchSpec
from oponente.games.catalogue import GameSpec

HERE = Path(__file__).parent
PLAYERS = str(HERE / "players.py")
TRIO = GameSpec("trio", file=str(HERE / "trio.py"))
TICTACTOE = GameSpec("tictactoe")
CONNECT4 = GameSpec("connect4")


def a_match(*agents: str, game: GameSpec = TICTACTOE, **values: Any) -> MatchSpec:
    return MatchSpec(game, agents, agent_files=(PLAYERS,), **{"games": 10, "seed": 1, **values})


def timeless(records: Iterable[GameRecord]) -> list[GameRecord]:
    return [record.without_times() for record in records]


def without_times(summary: Any) -> Any:
    """Return a summary without the values that may differ between runs."""
    if isinstance(summary, dict):
        return {key: without_times(value) for key, value in summary.items() if not key.endswith(("_ms", "_per_s"))}
    return [without_times(value) for value in summary] if isinstance(summary, list) else summary
