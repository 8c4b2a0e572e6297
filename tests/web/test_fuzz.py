"""Whatever is sent, the server answers, nothing leaks, and the game goes on unharmed."""

import json
import random

import pytest
from starlette.testclient import httpx

from oponente.web import messages
from web.helpers import HEADERS, Seat

VALID = [
    {"type": "act", "ply": 1, "action": 4},
    {"type": "say", "ply": 1, "text": "4"},
    {"type": "hold", "action": 1},
    {"type": "pause", "on": False},
    {"type": "step"},
    {"type": "pace", "seconds": 0.0},
    {"type": "show", "ply": 0},
    {"type": "show", "ply": None},
    {"type": "takeback", "ply": 0},
    {"type": "analyse", "ply": 1, "agent": "uct:5", "seconds": 0.1},
    {"type": "stop"},
    {"type": "moments", "agent": "uct:5"},
    {"type": "branch", "ply": 0, "seats": [{}, {}]},
]
NUMBERS = [-1, 0, 1, 2**31, 2**63, 2**200, 1.5, 1e308]
VALUES = [None, True, *NUMBERS, "", "x", "4", "\x00", "\U0001f600" * 9, [], [[]], {}, {"a": 1}]
"""To be put in place of anything."""


def mutated(generator: random.Random) -> bytes:
    """Return a message that is nearly right, or not at all."""
    kind = generator.randrange(6)
    if kind == 0:
        return generator.randbytes(generator.randrange(200))
    message = dict(generator.choice(VALID))
    if kind == 1:
        message[generator.choice([*message, "more"])] = generator.choice(VALUES)
    elif kind == 2:
        del message[generator.choice(list(message))]
    elif kind == 3:
        return json.dumps([message] * generator.randrange(3)).encode()
    data = bytearray(json.dumps(message).encode())
    if kind == 4:
        for _ in range(generator.randrange(1, 4)):
            data[generator.randrange(len(data))] = generator.randrange(256)
    elif kind == 5:
        at = generator.randrange(len(data))
        data[at:at] = data[: generator.randrange(len(data))] * generator.randrange(4)
    return bytes(data)


@pytest.mark.parametrize("place", ["seat", "watch", "replay"])
def test_sockets_survive_anything(site, monkeypatch, place):
    monkeypatch.setattr(messages, "MESSAGES_A_SECOND", 1e9)  # all of them are to be looked at
    begun = site.play(game="connect4", seats=[{}, {}], seed=3, pace=0)
    with site.seat(begun["seats"][0]) as first, site.seat(begun["seats"][1]) as second:
        first.act("4")
        before = second.turn()
        # The seat whose turn it is not: nothing that it sends may change anything.
        token = {"seat": begun["seats"][0], "watch": begun["watch"]}.get(place)
        if token is None:
            over = site.play(game="tictactoe", seats=[{"agent": "random"}] * 2, seed=3, pace=0)
            with site.seat(over["watch"]) as watcher:
                match = watcher.until(lambda it: it["status"] == "over" and it["match"])["match"]
            token = site.post("/api/replay", {"match": match})["room"]
        generator = random.Random(place)
        with site.client.websocket_connect(f"/room/{token}", headers=HEADERS) as socket:
            for number in range(2500):
                data = mutated(generator)
                text = data.decode("utf-8", "replace")
                # Given up is given up: that would end the game rightly.
                if "resign" in text or '"takeback"' in text:
                    continue
                if number % 5:
                    socket.send_text(text)
                else:
                    socket.send_bytes(data)
            socket.send_text('{"type": "branch", "ply": 0, "seats": [{}]}')
            seat = Seat(socket)
            seat.until(lambda it: "seats" in it["text"] or "goes on" in it["text"] or "agents" in it["text"], "error")
            answers = "".join(seat.received)
        assert "Traceback" not in answers
        assert not any(other in answers for other in begun["seats"])
        assert {json.loads(text)["type"] for text in seat.received} <= {
            "hello", "position", "error", "analysis", "moments", "branched",
        }  # fmt: skip
        second.send("show", ply=None)
        after = second.until(lambda it: it["live"])
        assert (after["last"], after["svg"]) == (before["last"], before["svg"])
        second.act("4")
        first.turn()


def test_requests_survive_anything(site):
    paths = ["/api/describe", "/api/play", "/api/replay", "/api/matches", "/api/upload", "/api/tournament"]
    bodies = [
        {"game": "connect4", "seats": [{}, {"agent": "random"}], "options": {"columns": "8"}, "seed": 1},
        {"game": "catan", "options": {"points": "5"}},
        {"match": 1, "index": 0},
        {"game": "tictactoe", "entrants": ["random", "nobody"], "blocks": 1},
    ]
    generator = random.Random(7)
    for _ in range(600):
        body = dict(generator.choice(bodies))
        body[generator.choice(list(body))] = generator.choice([*VALUES, [{}], [{"agent": "uct:x"}], {"columns": "99"}])
        data = bytearray(json.dumps(body).encode())
        if generator.random() < 0.3:
            data[generator.randrange(len(data))] = generator.randrange(256)
        answer = site.client.post(generator.choice(paths), content=bytes(data))
        assert answer.status_code in (200, 201, 403, 413, 422, 503), (bytes(data), answer.text)
        assert "Traceback" not in answer.text
    for _ in range(300):
        path = "/" + "".join(generator.choice("aZ0/.%2e?&=#\\ ~é") for _ in range(generator.randrange(30)))
        method = generator.choice(["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH"])
        try:
            answer = site.client.request(method, path)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol):  # the client itself refuses some addresses
            continue
        assert answer.status_code < 500


def test_who_sends_too_much_is_shut_out(site):
    token = site.play(game="tictactoe", seats=[{}, {}])["seats"][0]
    with site.client.websocket_connect(f"/room/{token}", headers=HEADERS) as socket:
        for _ in range(400):
            socket.send_text('{"type": "step"}')
        closed = None
        while closed is None:
            message = socket.receive()
            closed = message["code"] if message["type"] == "websocket.close" else None
    assert closed == 1008
    with site.client.websocket_connect(f"/room/{token}", headers=HEADERS) as socket:
        socket.send_text("x" * (messages.LONGEST_MESSAGE + 1))
        while (message := socket.receive())["type"] != "websocket.close":
            pass
        assert message["code"] == 1009
    with site.seat(token) as seat:
        seat.turn()


def test_tokens_can_not_be_guessed(site):
    begun = site.play(game="tictactoe", seats=[{}, {}])
    tokens = [*begun["seats"], begun["watch"]]
    assert len(set(tokens)) == 3
    assert all(len(token) >= 22 for token in tokens)
    for wrong in ("", "x", tokens[0][:-1], tokens[0] + "x", tokens[0].swapcase(), "%00", "None", "null"):
        with site.client.websocket_connect(f"/room/{wrong or '-'}", headers=HEADERS) as socket:
            assert socket.receive()["code"] == 4404
