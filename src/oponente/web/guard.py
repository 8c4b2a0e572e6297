"""What every request must fulfil before anything else looks at it, and the headers of every answer.

A page that a browser has loaded from elsewhere must not be able to talk to the server: the ``Host`` must be one by
which the server is known (else a foreign name that is made to resolve to this machine would do, *DNS rebinding*), and
what comes from a page must come from one of this server (``Origin``).
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self';"
    " manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),  # links are secrets
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Guard:
    """Refuses requests that come from elsewhere, or are too long.

    Args:
        app: what answers the others.
        hosts: names and addresses by which browsers may call the server, without the port; ``*``: any.
        longest: bytes of a request's body at most, by the path; others: `default`.
        default: likewise.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str], longest: dict[str, int], default: int) -> None:
        self._app, self._hosts = app, {host.lower() for host in hosts}
        self._longest, self._default = longest, default

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or let the application do it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        reason = self._refusal(scope, headers)
        if reason is not None:
            if scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": reason})
            else:
                await PlainTextResponse(reason, 403)(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        limit = self._longest.get(scope["path"], self._default)
        declared = headers.get(b"content-length", b"0")
        if not declared.isdigit() or int(declared) > limit:
            await PlainTextResponse(f"too long: at most {limit} bytes", 413)(scope, receive, send)
            return
        await self._app(scope, _Limited(receive, limit), _with_headers(send))

    def _refusal(self, scope: Scope, headers: dict[bytes, bytes]) -> str | None:
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if _name(f"//{host}") not in self._hosts and "*" not in self._hosts:
            return "this server is not known by that name"
        origin = headers.get(b"origin")
        if origin is None:
            # Browsers leave it out when a link is followed, never with sockets, or where something is changed.
            harmless = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
            return None if harmless else "an Origin is needed"
        given = urlsplit_or_none(origin.decode("latin-1").lower())
        return None if given == host and host else "that page is not of this server"


def urlsplit_or_none(origin: str) -> str | None:
    """Return host and port of an origin; None if it is none."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return None
    return parts.netloc if parts.scheme in ("http", "https") else None


def _name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


class _Limited:
    """Ends a body that is longer than it may be, whatever its header says."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive, self._left = receive, limit

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        return {"type": "http.disconnect"} if self._left < 0 else message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *HEADERS]
        await send(message)

    return sending
