"""What every request must be before it is looked at, and what every answer says: safe by default.

A page of another site may send requests to a server on this machine, and the site's name may come to lead here (DNS
rebinding). So a request must name this server as its host, must come from its own page (a link may lead to the empty page
itself), and must be small. Who may do what is told by a secret in a header, never by a cookie, so no other site can act in
somebody's name.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import JSONResponse

from timeline_env.play.hosts import is_address, is_loopback

MOST_BODY = 64 * 1024
"""The most bytes a request's body may have."""
OWN = ("same-origin", "none")
"""What a browser says (``Sec-Fetch-Site``) of requests from the page itself, and of an address that was typed."""
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Receive = Callable[[], Awaitable[Message]]


class Guard:
    """Looks at requests before the application does.

    Args:
        app: the application.
        host: the name or address that the server is bound to.
        port: its port.
    """

    def __init__(self, app: Any, host: str, port: int) -> None:
        self.app, self.host, self.port = app, host.lower(), port

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":  # the page opens none, and the application looks at none
            await send({"type": "websocket.close"})
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message.get("headers", []), *own]
            await send(message)

        headers = Headers(scope=scope)
        if not self.is_own_host(headers.get("host", "")):
            await refuse(400, "the request names another host")(scope, receive, send_with_headers)
        elif scope["path"] != "/" and not self.is_own_page(headers):
            await refuse(403, "the request comes from another site")(scope, receive, send_with_headers)
        elif not fits(headers.get("content-length", "0")):
            await refuse(413, f"a request has at most {MOST_BODY} bytes")(scope, receive, send_with_headers)
        else:
            await self.app(scope, receive, send_with_headers)

    def is_own_host(self, host: str) -> bool:
        """Whether this is a name of this server: only its own names if it is bound to this machine alone; else also any IP address."""
        name, _, port = host.rpartition(":")
        if not name or host.endswith("]"):  # browsers leave out the default port
            name, port = host, "80"
        if port != str(self.port):
            return False
        name = name.strip("[]").lower()
        if name in ("127.0.0.1", "localhost", "::1", self.host):
            return True
        return not is_loopback(self.host) and is_address(name)

    def is_own_page(self, headers: Headers) -> bool:
        """Whether the page that sends it is this server's."""
        origin = headers.get("origin")
        if origin is not None and not (origin.startswith("http://") and self.is_own_host(origin[len("http://") :])):
            return False
        return headers.get("sec-fetch-site", "none") in OWN


def refuse(status: int, why: str) -> JSONResponse:
    """An answer that says why not."""
    return JSONResponse({"error": why}, status)


def fits(length: str) -> bool:
    """Whether a body of this length is read."""
    return length.isdecimal() and len(length) < 9 and int(length) <= MOST_BODY
