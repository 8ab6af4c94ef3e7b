# SPDX-License-Identifier: Apache-2.0
"""What stands before the page: who may talk to it, how much, and what a browser may load.

A page on the loopback address is reached by every page in the user's browser, too. Requests must
therefore name a host that is ours (a foreign name that was pointed at 127.0.0.1 is refused), must
not come from another origin, and have a limited size; the policy sent with each answer keeps the
browser from loading anything from elsewhere.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

BODY_LIMIT = 256 * 1024
"""Bytes of a request's body; an upload's file is limited further where it is read."""

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

POLICY = "; ".join(
    (
        "default-src 'self'",
        # the framework's templates are compiled, and its page is set up, in the browser
        "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
    )
)
_HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


def is_address(host: str) -> bool:
    """Whether ``host`` is an address and not a name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a server that binds to ``host``."""
    return host == "localhost" or (is_address(host) and ipaddress.ip_address(host).is_loopback)


def allowed_hosts(host: str) -> frozenset[str]:
    """The names that a server bound to ``host`` may be called by, and ``*`` for every address."""
    if is_loopback(host):
        return LOOPBACK | {host}
    own = {host, socket.gethostname().lower(), socket.getfqdn().lower()}
    wildcard = is_address(host) and ipaddress.ip_address(host).is_unspecified
    # An address cannot be pointed at another machine the way a name can.
    return frozenset(LOOPBACK | own | ({"*"} if wildcard else set()))


class Guard:
    """ASGI middleware that applies the rules to every request, web sockets included."""

    def __init__(self, app: Application, hosts: frozenset[str]) -> None:
        self.app = app
        self.hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer why not."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin", b"").decode("latin-1")
        if not self._ours(host):
            await _refuse(scope, send, 421, "this server does not go by that name")
        elif origin and origin.partition("://")[2] != host:
            await _refuse(scope, send, 403, "requests of other sites are refused")
        elif scope["type"] == "http":
            await self._http(scope, headers, receive, send)
        else:
            await self.app(scope, receive, send)

    def _ours(self, host: str) -> bool:
        name = host_name(host)
        return name in self.hosts or ("*" in self.hosts and is_address(name))

    async def _http(
        self, scope: Scope, headers: dict[bytes, bytes], receive: Receive, send: Send
    ) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            length = headers.get(b"content-length", b"")
            if not length.isdigit():
                await _refuse(scope, send, 411, "say how long the request is")
                return
            # Thousands of digits are none that Python reads.
            if len(length) > len(str(BODY_LIMIT)) or int(length) > BODY_LIMIT:
                await _refuse(scope, send, 413, f"more than {BODY_LIMIT // 1024} KiB")
                return

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        await self.app(scope, receive, with_headers)


def host_name(host: str) -> str:
    """The name in a Host header, without the port and an address's brackets."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


async def _refuse(scope: Scope, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    body = f"redcore: {reason}\n".encode()
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [
                (b"content-type", b"text/plain; charset=utf-8"),
                (b"content-length", str(len(body)).encode()),
                (b"connection", b"close"),
            ],
        }
    )
    await send({"type": "http.response.body", "body": body})
