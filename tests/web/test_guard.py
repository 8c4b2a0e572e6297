"""Requests from elsewhere, and what is too long."""

import json

import pytest
from starlette.websockets import WebSocketDisconnect

from oponente.web.messages import LONGEST_BODY
from web.helpers import ORIGIN, TICTACTOE


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
