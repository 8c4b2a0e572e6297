"""Requests from elsewhere, and what is too long."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.websockets import WebSocketDisconnect

from oponente.web import app
from oponente.web.lobby import FullError
from oponente.web.messages import LONGEST_BODY
from web.helpers import ORIGIN, TICTACTOE, run


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "a b"])
def test_a_name_that_resolves_here_is_no_way_in(site, host):
    assert site.client.get("/", headers={"host": host}).status_code == 403
    answer = site.client.post("/api/play", json=TICTACTOE, headers={"host": host, "origin": f"http://{host}"})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:81", "file://localhost", "http://["]
)
def test_other_pages_can_change_nothing(site, origin):
    assert site.client.post("/api/play", json=TICTACTOE, headers={"origin": origin}).status_code == 403
    token = site.play(**TICTACTOE)["seats"][0]
    with (
        pytest.raises(WebSocketDisconnect) as closed,
        site.client.websocket_connect(f"/room/{token}", headers={"origin": origin, "host": "localhost"}),
    ):
        pass
    assert closed.value.code == 1008


def test_what_changes_something_needs_an_origin(site):
    del site.client.headers["origin"]
    assert site.client.get("/").status_code == 200
    assert site.client.post("/api/play", json=TICTACTOE).status_code == 403
    with pytest.raises(WebSocketDisconnect), site.client.websocket_connect("/room/x", headers={"host": "localhost"}):
        pass


def test_long_bodies_are_refused(site):
    assert site.client.post("/api/play", content=b" " * (LONGEST_BODY + 1)).status_code == 413

    def endless():
        for _ in range(20):
            yield b" " * LONGEST_BODY

    assert site.client.post("/api/play", content=endless()).status_code == 413


def test_no_script_but_ours_runs(site):
    for path in ("/", "/static/main.js", "/api/games"):
        answer = site.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
    page = site.client.get("/").text
    assert "<script>" not in page
    assert "://" not in page  # nothing is loaded from elsewhere


def test_files_outside_of_the_page_are_not_served(site):
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/app.py"):
        assert site.client.get(path).status_code == 404


def test_what_is_wrong_is_one_line(site):
    for content in (b"", b"{", b"[]", b"null", b'"\xff"', b'{"game": 1}', json.dumps({**TICTACTOE, "x": 1}).encode()):
        answer = site.client.post("/api/play", content=content, headers={"origin": ORIGIN})
        assert answer.status_code == 422
        assert "\n" not in answer.json()["error"]


def test_browsers_ask_whether_their_files_are_still_the_same(site):
    first = site.client.get("/static/main.js")
    assert first.headers["cache-control"] == "no-cache"
    again = site.client.get("/static/main.js", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.headers["cache-control"]) == (304, "no-cache")


class Held:
    """Something that is not done until it may be."""

    def __init__(self) -> None:
        self.begun, self.may = threading.Event(), threading.Event()

    def __call__(self, *_, **__):
        self.begun.set()
        assert self.may.wait(60)
        raise ValueError("it is done")


@pytest.mark.parametrize(
    ("most", "patched", "path"),
    [
        ("MOST_REQUESTS", "oponente.web.forms.Menu.describe", "/api/describe"),
        ("MOST_UPLOADS", "oponente.web.app.uploaded_recording", "/api/upload"),
        ("MOST_UPLOADS", "oponente.web.app.uploaded_matches", "/api/matches"),
    ],
)
def test_requests_at_a_time_are_limited(site, monkeypatch, most, patched, path):
    held = Held()
    monkeypatch.setattr(patched, held)
    monkeypatch.setattr(app, most, 1)
    with ThreadPoolExecutor(1) as executor:
        first = executor.submit(site.client.post, path, content='{"game": "tictactoe"}')
        assert held.begun.wait(60)
        refused = site.client.post(path, content='{"game": "tictactoe"}')
        assert (refused.status_code, "too many requests" in refused.text) == (503, True)
        assert site.client.get("/api/games").status_code == 200
        held.may.set()
        assert first.result(60).status_code == 422
    assert "it is done" in site.client.post(path, content='{"game": "tictactoe"}').text


def test_a_file_that_never_comes_takes_no_place(monkeypatch):
    class Slow:
        def __init__(self):
            self.query_params = {}

        async def body(self):
            await asyncio.sleep(3600)

    monkeypatch.setattr(app, "UPLOAD_SECONDS", 0.05)
    site = app.Site(None)
    with pytest.raises(FullError, match=r"the file has not come within 0\.05 seconds"):
        run(site.upload(Slow()))
    assert site._uploading == 0
