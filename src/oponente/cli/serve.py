"""``oponente serve``: the page, to play, watch and analyse in a browser."""

from __future__ import annotations

import importlib.util
import socket
import threading
import webbrowser
from collections.abc import Sequence

import click

from oponente.arena import StorageError, default_records
from oponente.cli.common import agent_file_option, try_rules, users_mistakes
from oponente.games.catalogue import load_game

NEEDED = ("starlette", "uvicorn", "websockets")


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0: all of them.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0: any that is free.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="Another name by which browsers call the server.")
@click.option("--records", metavar="FILE", help="Database that keeps the games; the usual one if not given.")
@click.option(
    "--game-file",
    "game_files",
    multiple=True,
    metavar="FILE",
    help="A Python file with the rules of a game to offer as well; may be repeated.",
)
@agent_file_option
@click.option("--open/--no-open", "open_page", default=False, help="Open the page in the browser.")
def command(
    host: str,
    port: int,
    names: Sequence[str],
    records: str | None,
    game_files: Sequence[str],
    agent_files: Sequence[str],
    open_page: bool,
) -> None:
    """Serve a page on which people play any game against any agents, watch, replay and analyse.

    It listens on this machine only. With --host 0.0.0.0 others in the network can play, too: whoever has the link of a
    seat has that seat, so give links only to those who are to have them; what is sent is not encrypted.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise click.ClickException(f"the page needs the extra web: pip install {' '.join(missing)}")
    import uvicorn

    from oponente.web.app import create_app
    from oponente.web.forms import Menu
    from oponente.web.guard import LOOPBACK
    from oponente.web.messages import LONGEST_MESSAGE

    with users_mistakes():
        for file in game_files:
            try_rules(load_game(file=file), file)
        menu = Menu(game_files, agent_files)
    listener = _listen(host, port)
    address, port = listener.getsockname()[:2]
    try:
        app = create_app(records or default_records(), {*LOOPBACK, *names, address, *_own_names(address)}, menu)
    except StorageError as error:
        raise click.ClickException(str(error)) from error
    shown = "localhost" if address in ("0.0.0.0", "::", "127.0.0.1", "::1") else address
    url = f"http://{shown}:{port}/"
    click.echo(f"The page is at {url} (Ctrl-C ends it; games that go on are kept)")
    if open_page:
        threading.Timer(0.5, webbrowser.open, (url,)).start()
    config = uvicorn.Config(
        app, log_level="warning", ws="websockets-sansio", ws_max_size=LONGEST_MESSAGE, timeout_graceful_shutdown=3
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)  # whoever follows the link that is printed may be quicker than the server
    except OSError as error:
        raise click.ClickException(f"can't listen at {host}, port {port}: {error.strerror}; give another") from error
    return listener


def _own_names(address: str) -> set[str]:
    """Return the names and addresses of this machine, if it listens at all of them."""
    if address not in ("0.0.0.0", "::"):
        return set()
    name = socket.gethostname()
    try:
        found = {str(info[4][0]) for info in socket.getaddrinfo(name, None)}
    except OSError:
        found = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # nothing is sent: it tells which address others see
            found.add(str(probe.getsockname()[0]))
        except OSError:
            pass
    return {name, f"{name}.local", *found}
