"""``oponente jsettlers``: an agent plays as a robot on a JSettlers server."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from tqdm import tqdm

from oponente.arena import StorageError, Store, default_records
from oponente.arena.cells import bounds, number, percent
from oponente.arena.play import seat_agent
from oponente.cli.common import (
    agent_file_option,
    agents_mistakes,
    check_file,
    escaped_lines,
    json_option,
    load_agent,
    print_json,
    seed_option,
    table,
    users_mistakes,
)
from oponente.games.catalogue import load_game
from oponente.interop.jsettlers import given
from oponente.interop.jsettlers.client import Client, ClientError, ClientSettings, await_server
from oponente.interop.jsettlers.given import DEFAULT_PORT, LOOPBACK
from oponente.interop.jsettlers.results import LOST, TABLE_FACTS, GameResult, keep, statistics


@click.command("jsettlers")
@click.option("--host", default=LOOPBACK, show_default=True, envvar=given.HOST, help="Where the server is.")
@click.option("--port", type=click.IntRange(1, 65535), default=DEFAULT_PORT, show_default=True, envvar=given.PORT)
@click.option("--cookie", default="", envvar=given.COOKIE, help="The word by which the server knows its robots.")
@click.option("--nickname", default="oponente", show_default=True, help="Our name there.")
@click.option("--agent", "agent_spec", default="uct:time=1", show_default=True, metavar="SPEC", help="Who plays.")
@agent_file_option
@click.option("--games", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Games to finish.")
@click.option("--parallel", type=click.IntRange(1, 64), default=1, show_default=True, help="Games at a time.")
@seed_option
@click.option(
    "--max-turns", type=click.IntRange(10, 10**6), default=400, show_default=True, help="Then a game is left."
)
@click.option("--max-offers", type=click.IntRange(0, 200), default=5, show_default=True, help="Of ours in a turn.")
@click.option("--offer-seconds", type=click.FloatRange(0.1, 3600), default=5.0, show_default=True, help="For answers.")
@click.option(
    "--idle", type=click.FloatRange(1, 10**6), default=600.0, show_default=True, help="Seconds to an invitation."
)
@click.option("--reconnects", type=click.IntRange(1, 100), default=5, show_default=True, help="Tries to connect.")
@click.option("--out", metavar="DATABASE", help="Where to keep the games.  [default: the user's database]")
@click.option("--transcript", metavar="FILE", help="Write all messages to a file, as `oponente conform` reads them.")
@click.option("--verbose", is_flag=True, help="Tell what happens on the connection, and where failures come from.")
@json_option
def command(
    host: str,
    port: int,
    cookie: str,
    nickname: str,
    agent_spec: str,
    agent_files: tuple[str, ...],
    games: int,
    parallel: int,
    seed: int,
    max_turns: int,
    max_offers: int,
    offer_seconds: float,
    idle: float,
    reconnects: int,
    out: str | None,
    transcript: str | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Play Catan as a robot on a JSettlers server (2.5 or later), against whoever sits there.

    The server invites the robot when a game lacks players. Every game that is finished is kept as it ends. A request
    that the server refuses, and anything that is not as our rules have it, is logged and counted.
    """
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING, stream=sys.stderr, format="%(levelname)s %(message)s"
    )
    with users_mistakes():
        given.check_word("--cookie", cookie)
        given.check_word("--nickname", nickname)
        if transcript is not None:
            check_file("--transcript", Path(transcript))
    settings = ClientSettings(
        host=host,
        port=port,
        cookie=cookie,
        nickname=nickname,
        games=games,
        parallel=parallel,
        seed=seed,
        max_turns=max_turns,
        max_offers=max_offers,
        offer_seconds=offer_seconds,
        idle_seconds=idle,
        reconnects=reconnects,
        transcript=transcript,
    )
    game = load_game("catan", {"preset": "jsettlers"})
    with users_mistakes():
        first = seat_agent(agent_spec, game, agent_files)
    with _mistakes(), Store(out or default_records()) as store, _progress(games) as show:
        await_server(settings)
        # What takes longest comes last: making the agent ready.
        with agents_mistakes(first):
            first.prepare(game)

        def finished(result: GameResult) -> None:
            if result.status != LOST:
                keep(store, result, first.spec, seed)
            show(client)

        client = Client(settings, lambda: load_agent(agent_spec, game, agent_files), finished, spare=[first])
        failure: Exception | None = None
        try:
            client.run()
        except (ClientError, StorageError, OSError) as error:
            failure = error
        report = {"spec": first.spec, "server": f"{host}:{port}", "seed": seed, **statistics(client.results)}
        kept_in = store.name
    if as_json:
        print_json(report)
    elif client.played:
        click.echo(escaped_lines(_text(report, kept_in)))
    if failure is not None:
        raise _told(failure)


@contextmanager
def _mistakes() -> Iterator[None]:
    try:
        yield
    except (ClientError, StorageError, OSError) as error:
        raise _told(error) from error


def _told(error: Exception) -> click.ClickException:
    if isinstance(error, OSError):
        return click.ClickException(f"{error.filename or 'connection'}: {error.strerror or error}")
    return click.ClickException(str(error))


@contextmanager
def _progress(games: int) -> Iterator[Any]:
    with tqdm(total=games, unit="game", disable=not sys.stderr.isatty(), leave=False, dynamic_ncols=True) as bar:

        def show(client: Client) -> None:
            bar.update(client.played - bar.n)
            bar.set_postfix_str(f"{sum(result.won for result in client.results)} won")

        yield show


def _text(report: dict[str, Any], kept_in: str) -> str:
    names = (report["spec"], *(f"opponent {place}" for place in range(1, len(report["opponent_seats"]) + 1)))
    lines = [
        f"{report['games']} games on {report['server']}, {report['capped']} left at the limit of turns,"
        f" {report['lost']} lost; {report['refused']} refused requests, {report['late']} answers too late,"
        f" {report['forced']} turns ended by the server, {report['differences']} differences",
        "",
        table(
            [_row(name, row) for name, row in zip(names, (report["agent"], *report["opponent_seats"]), strict=True)],
            (
                "player",
                "won",
                "win rate",
                "95 %",
                "turns to win",
                "points",
                *(name.replace("_", " ") for name in TABLE_FACTS),
            ),
        ),
        "",
        f"Records in {kept_in}",
    ]
    return "\n".join(lines)


def _row(name: str, row: dict[str, Any]) -> tuple[str, ...]:
    return (
        name,
        str(row["wins"]),
        percent(row["win_rate"]),
        bounds(row["ci95"]),
        number(row["turns_to_win"], ".1f"),
        f"{number(row['points'], '.2f')} ± {number(row['points_sd'], '.2f')}",
        *(number(row[fact], ".2f") for fact in TABLE_FACTS),
    )
