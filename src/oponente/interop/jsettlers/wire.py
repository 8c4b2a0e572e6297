"""JSettlers' transport: messages as texts behind a length, in Java's *modified UTF-8*.

Modified UTF-8 (Java SE API, ``java.io.DataInput``) writes U+0000 as two bytes and characters beyond U+FFFF as two
surrogates of three bytes each; all else is UTF-8.
"""

from __future__ import annotations

LENGTH_BYTES = 2
MAX_BYTES = 0xFFFF
"""Bytes of a message at most, its length left out."""


class WireError(ValueError):
    """Bytes that are no message; the text is one line."""


def encode(text: str) -> bytes:
    """Return a message with its length before it.

    Raises:
        WireError: it is longer than `MAX_BYTES`.
    """
    data = _modified_utf8(text)
    if len(data) > MAX_BYTES:
        raise WireError(f"a message of {len(data)} bytes: at most {MAX_BYTES} fit")
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def _modified_utf8(text: str) -> bytes:
    if text.isascii() and "\0" not in text:
        return text.encode()
    parts = []
    for sign in text:
        code = ord(sign)
        if code == 0:
            parts.append(b"\xc0\x80")
        elif code > 0xFFFF:
            pair = sign.encode("utf-16-be")
            for half in (pair[:2], pair[2:]):
                parts.append(chr(int.from_bytes(half, "big")).encode("utf-8", "surrogatepass"))
        else:
            parts.append(sign.encode("utf-8", "surrogatepass"))
    return b"".join(parts)


def decode(data: bytes) -> str:
    """Return the text of a message, without its length.

    Raises:
        WireError: it is no modified UTF-8.
    """
    if data.isascii():
        return data.decode()
    try:
        text = data.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
        # Surrogates that belong together become one character; a single one stays what it is.
        return text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
    except UnicodeDecodeError as error:
        raise WireError(f"a message is no modified UTF-8 at byte {error.start}: {data[:40]!r}") from None


class Decoder:
    """Cuts what arrives, in pieces of any size, into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[str]:
        """Return the messages that are complete with these bytes.

        Raises:
            WireError: one of them is no modified UTF-8.
        """
        self._buffer += data
        found = []
        while len(self._buffer) >= LENGTH_BYTES:
            end = LENGTH_BYTES + int.from_bytes(self._buffer[:LENGTH_BYTES], "big")
            if len(self._buffer) < end:
                break
            found.append(decode(bytes(self._buffer[LENGTH_BYTES:end])))
            del self._buffer[:end]
        return found

    @property
    def incomplete(self) -> int:
        """How many bytes of a message that is not complete have arrived."""
        return len(self._buffer)
