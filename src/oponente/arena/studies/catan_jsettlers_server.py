"""The games of the study ``catan-jsettlers`` on a real JSettlers server, against three of its own robots.

The server draws boards and seats, so these games are not the same ones in another run.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from oponente.agents.base import Agent
from oponente.arena import MatchError
from oponente.arena.cells import bounds, number, percent
from oponente.arena.studies.document import Table
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Progress, Settings
from oponente.games.catalogue import load_game, make_agent
from oponente.interop.jsettlers.client import Client, ClientError, ClientSettings, await_server
from oponente.interop.jsettlers.given import Server
from oponente.interop.jsettlers.results import LOST, TABLE_FACTS, GameResult, from_json, statistics, to_json
from oponente.kernel import derive_seed

TROUBLES = ("refused", "late", "forced", "unanswered", "differences", "lost")
"""What statistics count that should not have been."""


def check_server(server: Server) -> None:
    """Raise MatchError unless something answers there: else that would be told when all other games are played."""
    try:
        await_server(ClientSettings(server.host, server.port, server.cookie, reconnects=1))
    except ClientError as error:
        raise MatchError(str(error)) from error


def play_on_server(
    name: str, agent: str, games: int, server: Server, settings: Settings, keep: Keep, progress: Progress
) -> dict[str, Any]:
    """Return the statistics of an agent's games on a server; those that `keep` holds are not played again.

    Args:
        name: of the match.
        agent: the spec of the agent.
        games: how many are to be finished.
        server: whose robots, three to a game, are the opponents.
        settings: of the study. As many games at a time as it has workers here, each with an agent of its own.
        keep: where games are kept as they finish.
        progress: called as they do.

    Raises:
        KeyboardInterrupt: on Ctrl-C.
        MatchError: the server can't be reached, or wants nothing of us.
    """
    results = [from_json(item["result"]) for item in keep.items if item["match"] == name]
    game = load_game("catan", {"preset": "jsettlers"})

    def prepared() -> Agent:
        made = make_agent(agent, game)
        made.prepare(game)
        return made

    def finished(result: GameResult) -> None:
        results.append(result)
        keep.add({"match": name, "result": to_json(result)})
        tell()

    def tell() -> None:
        progress(f"{name} on {server}", played(results), games)

    tell()
    wanted = games - played(results)
    if wanted > 0:
        client_settings = ClientSettings(
            server.host,
            server.port,
            server.cookie,
            games=wanted,
            parallel=settings.workers if isinstance(settings.workers, int) else 1,
            seed=derive_seed(settings.seed, "server", name, len(results)) >> 1,
        )
        try:
            await_server(client_settings)
            spare = [prepared()]
            Client(client_settings, lambda: spare.pop() if spare else prepared(), finished).run()
        except ClientError as error:
            raise MatchError(f"{name} on a JSettlers server: {error}") from error
    return statistics(results)


def played(results: list[GameResult]) -> int:
    """Return how many games have been finished."""
    return sum(result.status != LOST for result in results)


def wins_table(matches: Mapping[str, Any]) -> Table:
    """Return who won how many games on a server, and what did not go as it should."""
    rows = [
        (
            name,
            f"{match['games']:,}",
            f"{match['agent']['wins']:,}",
            percent(match["agent"]["win_rate"]),
            bounds(match["agent"]["ci95"]),
            *(percent(seat["win_rate"]) for seat in match["opponent_seats"]),
            number(match["agent"]["turns_to_win"], ".1f"),
            number(match["agent"]["points"], ".2f"),
            number(match["agent"]["points_sd"], ".2f"),
        )
        for name, match in matches.items()
    ]
    header = ("agent", "games", "won", "rate", "95 %", "robot 1", "robot 2", "robot 3", "turns to win", "points", "sd")
    return Table("Games on the server, against three of its robots", header, rows)


def facts_table(matches: Mapping[str, Any]) -> Table:
    """Return what the agents had built in the end."""
    header = ("agent", *(name.replace("_", " ") for name in TABLE_FACTS))
    rows = [(name, *(number(match["agent"][fact], ".2f") for fact in TABLE_FACTS)) for name, match in matches.items()]
    return Table("The agents' means on the server; awards as shares", header, rows)


def troubles_table(matches: Mapping[str, Any]) -> Table:
    """Return what did not go as it should."""
    return Table(
        "What did not go as it should",
        ("agent", *TROUBLES),
        [(name, *(f"{match[trouble]:,}" for trouble in TROUBLES)) for name, match in matches.items()],
        note="Requests that were refused, answers to offers that another had taken already, turns that the server"
        " ended, requests without an answer, what the server told otherwise than our rules have it, games that were"
        " lost with the connection.",
    )
