"""Protects the manager, and the studio, from pages of other sites that a browser on the host's machine has open.

A page may send requests to any address, and a browser lets it open websockets everywhere. Browsers name the page's
site in `Origin`, and ask before a page sends JSON, or an `authorization` header, to another site. A site whose name
resolves to this machine (DNS rebinding) is told by `Host`.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from server.network.answers import problem

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class CrossSiteGuard:
    """An ASGI application that refuses requests of other sites, and passes all others to another application.

    Args:
        application: the one protected.
        allowed_hosts: names under which it is reached, besides addresses and `localhost`. Pages of these hosts are not
            foreign either.
        advice: added where another name is refused.
    """

    def __init__(self, application: ASGIApp, allowed_hosts: Iterable[str] = (), advice: str = "") -> None:
        self._application = application
        self._allowed_hosts = frozenset(host.lower() for host in allowed_hosts)
        self._advice = advice

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or the handshake of a websocket."""
        refusal = self._refusal(scope, Headers(scope=scope))
        if refusal is None:
            await self._application(scope, receive, send)
        else:
            await problem(*refusal)(scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        """Return status and message if a request is refused."""
        host = headers.get("host", "").lower()
        name = _name_of(host)
        if not (name in self._allowed_hosts or name == "localhost" or _is_address(name)):
            return 421, f"this is not `{name[:64]}`{self._advice}"
        origin = headers.get("origin")
        if origin is not None:
            site = origin.lower().partition("://")[2]
            if site != host and _name_of(site) not in self._allowed_hosts:
                return 403, "not for pages of other sites"
        if scope["type"] == "websocket" or scope["method"] in SAFE_METHODS:
            return None
        is_json = headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
        if not is_json and not headers.get("authorization", "").startswith("Bearer "):
            return 415, "send the header `content-type: application/json`"
        return None


def _name_of(host: str) -> str:
    """Return a host without its port."""
    return host.partition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]


def _is_address(name: str) -> bool:
    """Return whether a host is given by its address, which no other site can resolve to."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
