"""What the tests of the server share."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

ORIGIN = "http://localhost"
HEADERS = {"origin": ORIGIN, "host": "localhost"}
"""Of a socket that our own page opens."""
TICTACTOE = {"game": "tictactoe", "seats": [{}, {}], "seed": 1, "pace": 0}


def run(coroutine):
    """Run a coroutine in a thread of its own: in this one the loop of a browser may be running."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, coroutine).result()


class Seat:
    """A browser's end of a room's socket.

    Args:
        socket: the socket.
    """

    def __init__(self, socket) -> None:
        self.socket = socket
        self.received: list[str] = []
        self.log: list[list] = []
        self.position: dict = {}
        self.next = 0
        """How many actions there are at least in the next position in which this seat is to move."""

    def send(self, kind: str, **content) -> None:
        """Send a message."""
        self.socket.send_text(json.dumps({"type": kind, **content}))

    def receive(self) -> dict:
        """Return the next message."""
        text = self.socket.receive_text()
        self.received.append(text)
        message = json.loads(text)
        if message["type"] == "position":
            self.position = message
            if "log" in message:
                del self.log[message["log_start"] :]
                self.log += message["log"]
        return message

    def until(self, condition, kind: str = "position") -> dict:
        """Return the first message of a kind that fulfils a condition."""
        for _ in range(5000):
            message = self.receive()
            if message["type"] == kind and condition(message):
                return message
        raise AssertionError("that never came")

    def turn(self) -> dict:
        """Return the position in which this seat is to move, or the last one of the game."""

        def ready(position):
            mine = position.get("legal") and position["last"] >= self.next
            return mine or position.get("status") in ("over", "failed")

        return self.position if ready(self.position) else self.until(ready)

    def act(self, text: str) -> None:
        """Take the legal action with a text."""
        position = self.turn()
        texts = {choice["text"]: choice["action"] for choice in position["legal"]}
        self.next = position["last"] + 1
        self.send("act", ply=position["ply"], action=texts[text])

    def take_back(self, **content) -> dict:
        """Take back, and return the position then."""
        last, self.next = self.turn()["last"], 0
        self.send("takeback", **content)
        return self.until(lambda it: it.get("legal") and it["last"] < last)

    def error(self) -> str:
        """Return the next error that is told."""
        return self.until(lambda _: True, "error")["text"]


class Site:
    """A client of the application."""

    def __init__(self, client) -> None:
        self.client = client

    def post(self, path: str, content, status: int = 201) -> dict:
        """Post JSON and return the answer."""
        answer = self.client.post(path, content=json.dumps(content))
        assert answer.status_code == status, answer.text
        return answer.json()

    def play(self, **content) -> dict:
        """Begin a game."""
        return self.post("/api/play", content)

    @contextmanager
    def seat(self, token: str):
        """Sit down."""
        with self.client.websocket_connect(f"/room/{token}", headers=HEADERS) as socket:
            seat = Seat(socket)
            assert seat.receive()["type"] == "hello"
            yield seat
