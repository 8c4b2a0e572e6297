"""The server that the environment names, for what needs a real one: games of a study, tests."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

HOST, PORT, COOKIE = "OPONENTE_JSETTLERS_HOST", "OPONENTE_JSETTLERS_PORT", "OPONENTE_JSETTLERS_COOKIE"
LOOPBACK, DEFAULT_PORT = "127.0.0.1", 8880
WANTED = f"set {COOKIE} to the word by which a JSettlers server knows its robots, {HOST} and {PORT} to where it is"
"""How a server is given."""
MAX_WORD = 100
"""Characters of a name or a word at most."""


@dataclass(frozen=True)
class Server:
    """Where a server is, and the word by which it knows its robots."""

    host: str
    port: int
    cookie: str = field(repr=False)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def given_server() -> Server | None:
    """Return the server that the environment names; None without the word, by which alone robots are let in.

    What is set to nothing is not set.

    Raises:
        ValueError: the port is none, or the word can't be one.
    """
    cookie = os.environ.get(COOKIE)
    if not cookie:
        return None
    check_word(COOKIE, cookie)
    port = os.environ.get(PORT) or str(DEFAULT_PORT)
    if not (port.isascii() and port.isdecimal() and len(port) < 6 and 0 < int(port) < 1 << 16):
        raise ValueError(f"{PORT}={port!r}: expected a port, 1 to 65535")
    return Server(os.environ.get(HOST) or LOOPBACK, int(port), cookie)


def check_word(name: str, word: str) -> None:
    """Refuse what can't be a field of a message.

    Args:
        name: what the user has given; the word itself may be a secret.
        word: the word.

    Raises:
        ValueError: it is too long, or has a sign that messages don't allow.
    """
    if len(word) > MAX_WORD or not word.isprintable() or set(word) & set("|,"):
        raise ValueError(f"{name}: expected at most {MAX_WORD} printable characters, without , and |")
