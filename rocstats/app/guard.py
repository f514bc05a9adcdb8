"""Who may ask: pages with patients' data answer one browser on this computer alone.

A page of another site may make a browser send requests to this address, and a name may be made to
point here (DNS rebinding). So each request must name this host, come with the cookie that the
one-time address has set, and, if it changes anything, come from a page of this window.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

MOST_BYTES = 200 * 2**20
"""Size of an upload: a file of some million rows; larger ones are for the command line."""
ENTRANCE = "/enter"

_POLICY = (
    "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self';"
    " connect-src 'self';"
    " frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'self'"
)
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}


class Guard:
    """Refuses requests that are not of this window, before any page sees them.

    Parameters
    ----------
    app : callable
        The pages.
    port : int
        Port of the loopback address.
    first : str, default "/"
        Page to begin with.
    """

    def __init__(self, app: App, *, port: int, first: str = "/") -> None:
        self.app, self.first = app, first
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.cookie = f"rocstats_{port}"
        self.token: str | None = secrets.token_urlsafe(32)
        self._pass = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): text.decode("latin-1") for name, text in scope["headers"]
        }
        if headers.get("host") not in self.hosts:
            await _refuse(send, 421, "This address is not of rocstats.")
        elif not self._is_own_origin(scope, headers):
            await _refuse(send, 403, "The request comes from another page.")
        elif scope["path"] == ENTRANCE:
            await self._enter(scope, send)
        elif not self._has_pass(headers):
            await _refuse(send, 403, "Open the address that `rocstats app` has printed.")
        elif not headers.get("content-length", "0").isdigit() or (
            int(headers.get("content-length", "0")) > MOST_BYTES
        ):
            await _refuse(send, 413, _too_large())
        else:
            await self.app(scope, _counted(receive), _with_headers(send))

    def _is_own_origin(self, scope: Scope, headers: dict[str, str]) -> bool:
        """Return whether a request that changes anything comes from a page of this window."""
        origins = {f"http://{host}" for host in self.hosts}
        if "origin" in headers:
            return headers["origin"] in origins
        return scope["method"] in ("GET", "HEAD")

    async def _enter(self, scope: Scope, send: Send) -> None:
        """Exchange the token, which is good once, for the cookie."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self.token is None or not secrets.compare_digest(given.encode(), self.token.encode()):
            await _refuse(send, 403, "This address was used. Run `rocstats app` again.")
            return
        self.token = None
        kept = f"{self.cookie}={self._pass}; HttpOnly; SameSite=Strict; Path=/"
        headers = {**_HEADERS, "location": self.first, "set-cookie": kept}
        await _answer(send, 303, headers, b"")

    def _has_pass(self, headers: dict[str, str]) -> bool:
        try:
            kept = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return kept is not None and secrets.compare_digest(kept.value.encode(), self._pass.encode())


class TooLargeError(Exception):
    """The body of a request has more bytes than an upload may have."""


def _too_large() -> str:
    return f"Files of up to {MOST_BYTES // 2**20} MB; larger ones are for the command line."


def _counted(receive: Receive) -> Receive:
    """Return what receives a body of which no length was given, up to the largest size."""
    n_bytes = 0

    async def counted() -> Message:
        nonlocal n_bytes
        message = await receive()
        n_bytes += len(message.get("body", b""))
        if n_bytes > MOST_BYTES:
            raise TooLargeError(_too_large())
        return message

    return counted


def _with_headers(send: Send) -> Send:
    """Return what sends an answer with the headers of every page, but for those that it has."""

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name for name, _ in message["headers"]}
            added = [
                (k.encode(), v.encode()) for k, v in _HEADERS.items() if k.encode() not in given
            ]
            message["headers"] = [*message["headers"], *added]
        await send(message)

    return guarded


async def _refuse(send: Send, status: int, text: str) -> None:
    headers = {**_HEADERS, "content-type": "text/plain; charset=utf-8", "connection": "close"}
    await _answer(send, status, headers, f"{text}\n".encode())


async def _answer(send: Send, status: int, headers: dict[str, str], body: bytes) -> None:
    listed = [(name.encode(), text.encode()) for name, text in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": listed})
    await send({"type": "http.response.body", "body": body})
