"""The Connect Four study on a small board with small searches, and its data without what may differ between runs."""

from __future__ import annotations

from typing import Any

from oponente.arena.studies.connect4_report import ALPHABETA, MCTS2, MCTS5, MINIMAX, Connect4Report
from oponente.arena.studies.study import Settings

TINY = Connect4Report(
    {
        MINIMAX: "minimax:schedule=report",
        ALPHABETA: "alphabeta:order=listed,table=0.0,schedule=report",
        MCTS2: "uct:iterations=60,c=2,reward=win",
        MCTS5: "uct:iterations=60,c=5,reward=win",
    },
    (("columns", "5"), ("rows", "3")),
)
SETTINGS = Settings("quick", seed=7, games=8, match_games=4)

_MAY_DIFFER = ("date", "verdicts", "games_per_s", "command")


def reproducible(data: Any) -> Any:
    """Return the data without times, and without what is said about times."""
    if isinstance(data, dict):
        return {
            key: reproducible(value)
            for key, value in data.items()
            if not key.endswith("_ms") and key not in _MAY_DIFFER
        }
    if isinstance(data, list | tuple):
        return [reproducible(value) for value in data]
    return data
