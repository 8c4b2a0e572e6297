"""Matches between agents: their schedule, how they run, what they say about the agents, and where they are kept."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oponente.arena.database import StorageError, default_records, shown_name
    from oponente.arena.export import PlayedMatch, check_export, export_games, stored_matches
    from oponente.arena.match import MatchSpec
    from oponente.arena.play import StoppedError, Table, draw_returns, forfeit_returns, play_game
    from oponente.arena.record import FORFEIT, LIMIT, PLAYED, GameRecord, SeatRecord
    from oponente.arena.replay import RecordedMatch, Recording, ReplayError, load_recording, recorded_matches
    from oponente.arena.runner import MatchInterrupted, MatchResult, Progress, run_match
    from oponente.arena.statistics import AgentTally, SeatTally, Tally, outcomes, summary_json, wilson_interval
    from oponente.arena.storage import Store, StoredMatch
    from oponente.arena.workers import MatchError

_HOMES = {
    "PlayedMatch": "export",
    "check_export": "export",
    "export_games": "export",
    "stored_matches": "export",
    "MatchSpec": "match",
    "StoppedError": "play",
    "Table": "play",
    "draw_returns": "play",
    "forfeit_returns": "play",
    "play_game": "play",
    "FORFEIT": "record",
    "LIMIT": "record",
    "PLAYED": "record",
    "GameRecord": "record",
    "SeatRecord": "record",
    "RecordedMatch": "replay",
    "Recording": "replay",
    "ReplayError": "replay",
    "load_recording": "replay",
    "recorded_matches": "replay",
    "MatchInterrupted": "runner",
    "MatchResult": "runner",
    "Progress": "runner",
    "run_match": "runner",
    "AgentTally": "statistics",
    "SeatTally": "statistics",
    "Tally": "statistics",
    "outcomes": "statistics",
    "summary_json": "statistics",
    "wilson_interval": "statistics",
    "StorageError": "database",
    "Store": "storage",
    "StoredMatch": "storage",
    "default_records": "database",
    "shown_name": "database",
    "MatchError": "workers",
}
"""The module that each name comes from. Loaded when it is used: SQLAlchemy alone takes a quarter of a second."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


__all__ = [
    "FORFEIT",
    "LIMIT",
    "PLAYED",
    "AgentTally",
    "GameRecord",
    "MatchError",
    "MatchInterrupted",
    "MatchResult",
    "MatchSpec",
    "PlayedMatch",
    "Progress",
    "RecordedMatch",
    "Recording",
    "ReplayError",
    "SeatRecord",
    "SeatTally",
    "StoppedError",
    "StorageError",
    "Store",
    "StoredMatch",
    "Table",
    "Tally",
    "check_export",
    "default_records",
    "draw_returns",
    "export_games",
    "forfeit_returns",
    "load_recording",
    "outcomes",
    "play_game",
    "recorded_matches",
    "run_match",
    "shown_name",
    "stored_matches",
    "summary_json",
    "wilson_interval",
]
