"""What the tests with a browser share."""

import json
import time

from web.test_load import post

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def go(page, server, token, wait=".board-frame svg"):
    """Open the room of a token."""
    page.goto(f"{server.url}#/room/{token}")
    page.wait_for_selector(wait, timeout=180_000)


def begin(server, **content):
    """Begin a game and return the tokens of the seats, and of those who watch."""
    begun = post(server, "api/play", {"pace": 0, **content})
    return [*begun["seats"], begun["watch"]]


def wait(page, condition):
    """Let a page go on until a condition holds; AssertionError if it does not within half a minute."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "that never came"
        page.wait_for_timeout(20)


class Room:
    """A room that a test plays the server of: nothing is compiled, and messages come when the test wants them.

    Args:
        page: the page, which has it open then.
        server: a server, for the page's files.
        position: the first position, once for each socket.
        address: of the room.
        hello: what differs in what a visitor is told first.
    """

    def __init__(self, page, server, position, address="room/aaaa", **hello) -> None:
        self.sockets, self.got = [], []
        """The sockets that the page has opened, and the messages that it has sent, of all of them."""
        self.hello, self.position = {**HELLO, **hello}, position
        page.route_web_socket("**/room/*", self._begin)
        page.goto(f"{server.url}#/{address}")

    def _begin(self, socket):
        self.sockets.append(socket)
        socket.on_message(lambda text: self.answer(json.loads(text)))
        self.send(**self.hello)
        self.send(**self.position)

    def answer(self, message):
        """Note a message of the page, and show what it asks for."""
        self.got.append(message)
        if message["type"] == "show":
            ply = self.position["last"] if message["ply"] is None else message["ply"]
            self.send(**{**self.position, "ply": ply, "live": ply == self.position["last"]})

    def send(self, **message):
        """Send a message to the page."""
        self.sockets[-1].send(json.dumps(message))

    def types(self):
        """Return the types of the messages that the page has sent since the last call."""
        found = [message["type"] for message in self.got]
        self.got.clear()
        return found


HELLO = {
    "type": "hello",
    "game": "risk",
    "options": {},
    "seat": 0,
    "names": ["human", "random"],
    "colours": [],
    "keys": {},
    "idle": 0,
    "moves_on": False,
    "analysts": ["uct"],
    "analyst": "uct:time=5",
    "kind": "table",
    "persons": [0],
}
MAP = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200" width="400" height="200">'
    + "".join(
        f'<g data-territory="{name}" transform="translate({x} 100)"><circle r="13" fill="#a01508"/></g>'
        for name, x in (("Brazil", 80), ("Peru", 200), ("Chile", 320))
    )
    + "</svg>"
)


def action(number, text, *places):
    """Return a legal action as the page is told it."""
    return {"action": number, "text": text, "places": list(places), "piece": None, "note": ""}


ATTACKS = [
    action(1, "attack Brazil > Peru", "territory Brazil", "territory Peru"),
    action(2, "attack Brazil > Chile", "territory Brazil", "territory Chile"),
    action(3, "attack Peru > Chile", "territory Peru", "territory Chile"),
    action(9, "done"),
]


def at(ply, legal=(), **content):
    """Return a position of a game that goes on, after so many actions, as the page is told it."""
    return {
        "type": "position",
        "status": "playing",
        "reason": "",
        "thinking": None,
        "pace": 0.6,
        "absent": [],
        "match": None,
        "ply": ply,
        "last": ply,
        "live": True,
        "player": 0,
        "svg": MAP,
        "lines": [],
        "asked": "attack or go on (done)",
        "legal": list(legal),
        "returns": None,
        "log_start": 0,
        "log": [],
        **content,
    }
