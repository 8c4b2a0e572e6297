"""A server for the tests of the page, and a browser."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time

import pytest
import uvicorn
from starlette.testclient import TestClient

from oponente.kernel import COMPILED
from oponente.web.app import create_app
from oponente.web.messages import LONGEST_MESSAGE
from web.helpers import ORIGIN, Site

NAMED = os.environ.get("OPONENTE_CHROMIUM")
"""The browser that must be there; without it one is looked for, and the tests are skipped if there is none."""
CHROMIUM = NAMED or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def pytest_collection_modifyitems(items):
    """In the interpreter nothing of this is tested: games take too long."""
    for item in items:
        if not COMPILED and "/web/" in str(item.path):
            item.add_marker(pytest.mark.skip(reason="games take too long in the interpreter"))


@pytest.fixture
def records(tmp_path):
    """The path of a new database."""
    return str(tmp_path / "records.db")


@pytest.fixture
def site(records):
    """A client of an application of its own, without a network."""
    with TestClient(create_app(records), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        yield Site(client)


class Server:
    """An application behind real sockets on this machine."""

    def __init__(self, records: str) -> None:
        self.listener = socket.socket()
        self.listener.bind(("127.0.0.1", 0))
        self.host = f"localhost:{self.listener.getsockname()[1]}"
        self.url = f"http://{self.host}/"
        config = uvicorn.Config(
            create_app(records),
            log_level="error",
            ws="websockets-sansio",
            ws_max_size=LONGEST_MESSAGE,
            timeout_graceful_shutdown=2,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self.listener]}, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.01)

    def stop(self) -> None:
        """End it, and wait until it has ended."""
        self._server.should_exit = True
        self._thread.join(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests with a browser."""
    running = Server(str(tmp_path_factory.mktemp("page") / "records.db"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    """Chromium."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium on the PATH")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Nothing but our own page is loaded; as root, as in containers, its sandbox does not start.
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture
def open_page(browser):
    """Open pages; whatever the console has to say about them fails the test.

    `refused`: requests of the page may be refused, which the console tells, too.
    """
    complaints = []
    contexts = []

    def open_(url="about:blank", *, refused=False, **options):
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))

        def hear(told):
            if told.type == "error" and not (refused and told.text.startswith("Failed to load resource")):
                complaints.append(told.text)

        page.on("console", hear)
        page.goto(url)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not complaints
