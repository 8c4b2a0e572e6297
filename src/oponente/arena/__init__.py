"""Matches between agents: their schedule, how they run, what they say about the agents, and where they are kept."""

from oponente.arena.export import PlayedMatch, export_games, stored_matches
from oponente.arena.match import MatchSpec
from oponente.arena.play import StoppedError, Table, draw_returns, forfeit_returns, play_game
from oponente.arena.record import FORFEIT, LIMIT, PLAYED, GameRecord, SeatRecord
from oponente.arena.replay import Recording, ReplayError, load_recording
from oponente.arena.runner import MatchInterrupted, MatchResult, Progress, run_match
from oponente.arena.statistics import AgentTally, SeatTally, Tally, outcomes, summary_json, wilson_interval
from oponente.arena.storage import StorageError, Store, StoredMatch, default_records
from oponente.arena.workers import MatchError

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
    "default_records",
    "draw_returns",
    "export_games",
    "forfeit_returns",
    "load_recording",
    "outcomes",
    "play_game",
    "run_match",
    "stored_matches",
    "summary_json",
    "wilson_interval",
]
