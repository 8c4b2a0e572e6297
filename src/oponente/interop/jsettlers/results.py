"""What comes of games on a JSettlers server: facts of each seat, records for the arena, and statistics.

Each game is kept as a match of its own, because each has a board of its own: so it can be replayed like any other. The
seats are in the order of play.
"""

from __future__ import annotations

import dataclasses
import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from oponente.arena import LIMIT, GameRecord, MatchSpec, SeatRecord, Store, draw_returns, wilson_interval
from oponente.arena import PLAYED as RECORD_PLAYED
from oponente.games.catalogue import GameSpec
from oponente.games.catan.facts import facts
from oponente.interop.jsettlers.history import actions_of
from oponente.interop.jsettlers.mirror_core import Difference
from oponente.interop.jsettlers.seat import Seat
from oponente.kernel import Game

PLAYED, CAPPED, LOST = "played", "capped", "lost"
"""How a game ended for us: at its end; at the limit of turns; not at all, since the connection or the seat was lost."""
TABLE_FACTS = ("roads", "settlements", "cities", "knights", "longest_road", "largest_army")
"""The facts of table 6.3 of Paz and Rubin (2016)."""


@dataclass(frozen=True)
class GameResult:
    """One game."""

    game: str
    """Its name on the server."""
    status: str
    """`PLAYED`, `CAPPED` or `LOST`."""
    reason: str
    seconds: float
    nicknames: tuple[str, ...]
    """Of the players, in the order of play; empty if the game did not begin."""
    seat: int | None
    """Ours, from 0, in the order of play."""
    winner: int | None
    facts: tuple[dict[str, float], ...]
    """Of each seat, see :mod:`oponente.games.catan.facts`."""
    options: tuple[tuple[str, str], ...]
    """Of the game in our rules."""
    actions: tuple[int, ...] | None
    """The game in our rules; None if it can't be told as one."""
    decision_ms: array[float]
    nodes: int | None
    refused: int
    """Requests that the server refused."""
    late: int
    """Answers to offers that were no more, as another was quicker; the server refuses them, too."""
    forced: int
    """Turns that the server ended for us."""
    unanswered: int
    """Requests without an answer in time."""
    forfeits: int
    """Decisions in which our agent failed."""
    differences: tuple[Difference, ...]
    """What the server told otherwise than the mirror had it."""

    @property
    def won(self) -> bool:
        """Whether we have won."""
        return self.winner is not None and self.winner == self.seat


def result_of(seat: Seat, status: str, reason: str, seconds: float) -> GameResult:
    """Return what came of a game."""
    mirror = seat.mirror
    begun = mirror.state is not None
    final = mirror.final_state() if begun else None
    order = sorted(mirror.seats, key=mirror.seats.__getitem__)
    return dataclasses.replace(
        untold_result(seat, reason, seconds),
        status=status,
        nicknames=tuple(mirror.names[player] for player in order),
        seat=mirror.seat,
        winner=mirror.winner if status == PLAYED else None,
        facts=() if final is None else tuple(facts(final)),
        options=() if final is None else tuple(sorted(final.game.changed_options.items())),
        actions=actions_of(mirror) if begun and status == PLAYED else None,
    )


def untold_result(seat: Seat, reason: str, seconds: float) -> GameResult:
    """Return what is known of any game, even one of which :func:`result_of` can't tell: it counts as lost."""
    account = seat.account
    return GameResult(
        game=seat.game,
        status=LOST,
        reason=reason,
        seconds=seconds,
        nicknames=(),
        seat=None,
        winner=None,
        facts=(),
        options=(),
        actions=None,
        decision_ms=array("f", seat.times),
        nodes=seat.nodes,
        refused=account.refused,
        late=account.late,
        forced=account.forced,
        unanswered=account.unanswered,
        forfeits=account.forfeits,
        differences=tuple(seat.mirror.differences),
    )


def to_json(result: GameResult) -> dict[str, Any]:
    """Return a game as plain values, without its actions."""
    data = dataclasses.asdict(dataclasses.replace(result, actions=None))
    return {**data, "decision_ms": result.decision_ms.tolist()}


def from_json(data: dict[str, Any]) -> GameResult:
    """Return the game that :func:`to_json` made plain values of.

    Raises:
        KeyError, TypeError: these are no such values.
    """
    return GameResult(**{
        **data,
        "nicknames": tuple(data["nicknames"]),
        "facts": tuple(data["facts"]),
        "options": tuple((name, value) for name, value in data["options"]),
        "decision_ms": array("f", data["decision_ms"]),
        "differences": tuple(Difference(**difference) for difference in data["differences"]),
    })  # fmt: skip


# --- records -------------------------------------------------------------------------------------------------------


def opponent_spec(nickname: str) -> str:
    """Return the name of somebody else's player in records.

    >>> opponent_spec("robot 3")
    'server:"robot 3"'
    """
    return f'server:"{nickname}"'


def keep(store: Store, result: GameResult, agent: str, seed: int) -> int:
    """Keep a game that has been played, as a match of one game; return the match's number.

    Args:
        store: the database.
        result: the game.
        agent: the spec of our agent.
        seed: of our agent's chance.

    Raises:
        ValueError: the game was lost before its end.
        StorageError: see :class:`~oponente.arena.Store`.
    """
    if result.status == LOST:
        raise ValueError(f"{result.game} did not come to an end")
    agents = tuple(agent if seat == result.seat else opponent_spec(name) for seat, name in enumerate(result.nicknames))
    spec = MatchSpec(GameSpec("catan", result.options), agents, 1, seed, rotate=False)
    match = store.begin(spec)
    store.add(match.id, [record_of(result, spec)])
    return match.id


def record_of(result: GameResult, spec: MatchSpec) -> GameRecord:
    """Return the record of a game.

    A game that our rules can't tell from beginning to end has no actions, and a status that says so.
    """
    whole = result.status == PLAYED and result.actions is not None
    reason = result.reason or ("" if whole else "our rules can't replay it")
    seats = tuple(
        SeatRecord(
            seat,
            result.decision_ms if seat == result.seat else array("f"),
            result.nodes if seat == result.seat else None,
            dict(found),
        )
        for seat, found in enumerate(result.facts)
    )
    return GameRecord(
        index=0,
        block=0,
        seats=seats,
        start_seed=0,
        opening=0,
        actions=result.actions or (),
        returns=returns_of(result, spec.game.load()),
        status=RECORD_PLAYED if whole else LIMIT,
        reason=reason,
        reproducible=False,
    )


def returns_of(result: GameResult, game: Game) -> tuple[float, ...]:
    """Return the utility of each seat; all share one game's if nobody has won.

    Args:
        result: a game that was not lost before its end.
        game: the same in our rules.
    """
    if result.winner is None:
        return draw_returns(game)
    return tuple(1.0 if seat == result.winner else -1.0 for seat in range(game.num_players))


# --- statistics ----------------------------------------------------------------------------------------------------


def statistics(results: Iterable[GameResult]) -> dict[str, Any]:
    """Return the statistics of Paz and Rubin (2016), tables 6.1 to 6.3, as an object for JSON.

    Returns:
        ``games`` (finished), ``capped`` (of them, left at the limit of turns), ``lost`` (not finished, not counted);
        ``agent``, ``opponents`` (all together) and ``opponent_seats`` (one by one, in the order of play after us), each
        with ``games``, ``wins``, ``win_rate``, ``ci95`` (Wilson), ``turns_to_win``, ``points``, ``points_sd``, and the
        means of the facts (awards as shares); ``all`` with the points of all players; ``refused``, ``late``,
        ``forced``, ``unanswered``, ``forfeits``, ``differences``: how many in all games.
    """
    results = list(results)
    finished = [result for result in results if result.status != LOST and result.seat is not None]
    ours = [(result, result.seat) for result in finished if result.seat is not None]
    players = max((len(result.facts) for result in finished), default=4)
    after = [
        [(result, (seat + step) % len(result.facts)) for result, seat in ours if step < len(result.facts)]
        for step in range(1, players)
    ]
    everybody = [(result, seat) for result in finished for seat in range(len(result.facts))]
    return {
        "games": len(finished),
        "capped": sum(result.status == CAPPED for result in finished),
        "lost": len(results) - len(finished),
        "agent": _player(ours),
        "opponents": _player([pair for seats in after for pair in seats]),
        "opponent_seats": [_player(seats) for seats in after],
        "all": _player(everybody),
        **{
            name: sum(getattr(result, name) for result in results)
            for name in ("refused", "late", "forced", "unanswered", "forfeits")
        },
        "differences": sum(len(result.differences) for result in results),
        "decision_ms": _mean([ms for result in finished for ms in result.decision_ms]),
        "seconds_a_game": _mean([result.seconds for result in finished]),
    }


def _player(seats: Sequence[tuple[GameResult, int]]) -> dict[str, Any]:
    found = [result.facts[seat] for result, seat in seats]
    wins = [result.facts[seat] for result, seat in seats if result.winner == seat]
    points = [row["points"] for row in found]
    return {
        "games": len(found),
        "wins": len(wins),
        "win_rate": len(wins) / len(found) if found else None,
        "ci95": list(wilson_interval(len(wins), len(found))),
        "turns_to_win": _mean([row["turns"] for row in wins]),
        "points": _mean(points),
        "points_sd": _deviation(points),
        **{name: _mean([row[name] for row in found]) for name in TABLE_FACTS},
    }


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _deviation(values: Sequence[float]) -> float | None:
    mean = _mean(values)
    if mean is None or len(values) < 2:
        return None
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
