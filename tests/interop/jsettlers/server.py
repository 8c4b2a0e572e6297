"""A server that plays a recorded connection: it sends what was sent, and compares what comes with what came, byte for
byte.
"""

import socket
import threading

from oponente.interop.jsettlers import session
from oponente.interop.jsettlers.transcript import read_transcript
from oponente.interop.jsettlers.wire import LENGTH_BYTES, encode

PATIENCE = 20.0
"""Seconds for which anything is awaited."""


class ScriptedServer:
    """Listens on a free port of this machine, plays the script to the first client, and closes the connection.

    Args:
        path: the script.
        unawaited: the line of a message of the client for which the server waits, though not for its arrival: until
            ``go_on`` is set.

    Attributes:
        problems: what was not as it should be; empty after a game as recorded.
        compared: how many messages of the client were compared.
    """

    def __init__(self, path, unawaited=None):
        self.entries = list(read_transcript(path))
        self.unawaited = unawaited
        self.go_on = threading.Event()
        self.problems = []
        self.compared = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.join()
        self._listener.close()

    def join(self):
        """Wait until the connection is closed."""
        self._thread.join(PATIENCE)

    def _run(self):
        self._listener.settimeout(PATIENCE)
        try:
            connection, _ = self._listener.accept()
            with connection:
                connection.settimeout(PATIENCE)
                self._play(connection)
        except OSError as error:
            self.problems.append(f"{type(error).__name__}: {error}")

    def _play(self, connection):
        if not isinstance(self.entries[0].message, session.Version):
            # The recording begins with the invitation: the client is welcomed first.
            for _ in range(2):
                self._receive(connection)
            for text in ("9998|2700,2.7.00,JM20260517,;ch;", "1071|120,35,0.13,1.0,1.0,3.0,1.0,1,1"):
                connection.sendall(encode(text))
        over = False
        for entry in self.entries:
            over |= entry.text.startswith("1061|") and "true" in entry.text
            if entry.line == self.unawaited:
                self.go_on.wait(PATIENCE)
                continue
            if entry.incoming:
                try:
                    connection.sendall(encode(entry.text))
                except OSError:
                    # The client may leave as soon as the game is over.
                    if not over:
                        raise
                continue
            try:
                received = self._receive(connection)
            except TimeoutError:
                self.problems.append(f"line {entry.line}: nothing came, expected {entry.text!r}")
                return
            self.compared += 1
            if received != encode(entry.text):
                self.problems.append(f"line {entry.line}: {received[LENGTH_BYTES:]!r} came, expected {entry.text!r}")
                return

    @staticmethod
    def _receive(connection):
        """Return the bytes of a message, its length included."""
        data, end = b"", LENGTH_BYTES
        while len(data) < end:
            piece = connection.recv(end - len(data))
            if not piece:
                raise ConnectionError("the client has closed the connection")
            data += piece
            if len(data) == LENGTH_BYTES:
                end += int.from_bytes(data, "big")
        return data
