"""The games of the study ``catan-jsettlers`` on a real JSettlers server, against three of its own robots.

The server draws boards and seats, so these games are not the same ones in another run.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from oponente.agents.base import Agent
from oponente.arena import MatchError
from oponente.arena.studies.keeping import Keep
from oponente.arena.studies.study import Progress, Settings
from oponente.games.catalogue import load_game, make_agent
from oponente.interop.jsettlers.client import Client, ClientError, ClientSettings, await_server
from oponente.interop.jsettlers.given import Server, given_server
from oponente.interop.jsettlers.results import LOST, GameResult, from_json, statistics, to_json
from oponente.kernel import derive_seed


@dataclass(frozen=True)
class StudyServer:
    """A server as :class:`oponente.arena.studies.study.Server` has it."""

    server: Server

    def __str__(self) -> str:
        return str(self.server)

    def check(self) -> None:
        """Raise MatchError unless something answers there."""
        server = self.server
        try:
            await_server(ClientSettings(server.host, server.port, server.cookie, reconnects=1))
        except ClientError as error:
            raise MatchError(str(error)) from error

    def play(
        self, name: str, agent: str, games: int, settings: Settings, keep: Keep, progress: Progress
    ) -> dict[str, Any]:
        """Play games; see :func:`play_on_server`."""
        return play_on_server(name, agent, games, self.server, settings, keep, progress)


def study_server() -> StudyServer | None:
    """Return the server that the environment names; ValueError: see :func:`given_server`."""
    server = given_server()
    return None if server is None else StudyServer(server)


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
            Client(client_settings, prepared, finished, spare=[prepared()]).run()
        except ClientError as error:
            raise MatchError(f"{name} on a JSettlers server: {error}") from error
    return statistics(results)


def played(results: list[GameResult]) -> int:
    """Return how many games have been finished."""
    return sum(result.status != LOST for result in results)
