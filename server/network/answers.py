"""Shared parts of the HTTP API: JSON answers, errors, pages of lists, request bodies with limits."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ggp.protocol.codec import key_given_twice, not_json, not_of_type

T = TypeVar("T")

MAX_BODY_BYTES = 1024 * 1024
"""Rules with their files are the longest."""
BODY_TIMEOUT_S = 10.0
MAX_REASON = 200
MAX_LISTED = 1000
USUALLY_LISTED = 100
LOOPBACK = ("127.0.0.1", "::1")


class Refusal(Exception):
    """A request is answered with an error."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Access:
    """Decides which requests come from hosts.

    Args:
        admin_token: the bearer token of hosts; None: all requests from this machine do.
    """

    def __init__(self, admin_token: str | None) -> None:
        self._admin_token = admin_token

    def is_host(self, request: Request) -> bool:
        """Return whether a request comes from a host."""
        if self._admin_token is None:
            return request.client is not None and request.client.host in LOOPBACK
        given = request.headers.get("authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {self._admin_token}".encode())

    def check(self, request: Request) -> None:
        """Refuse requests that do not come from a host.

        Raises:
            Refusal: this one does not.
        """
        if not self.is_host(request):
            if self._admin_token is None:
                raise Refusal(403, "only from the host's own machine")
            shown = "authorization" in request.headers
            raise Refusal(403, "this is not the host's token" if shown else "only with the host's token")


def as_json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON answer."""
    return Response(msgspec.json.encode(body), status, headers, media_type="application/json")


def problem(status: int, message: str) -> Response:
    """Return an error, in the form of all errors."""
    return as_json({"error": message}, status)


async def body_of(request: Request, type_: type[T]) -> T:
    """Return the body of a request.

    Raises:
        Refusal: it is too long, takes too long, or is not JSON of this type.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_TIMEOUT_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BODY_BYTES:
                    raise Refusal(413, f"{MAX_BODY_BYTES} bytes at most")
    except TimeoutError as error:
        raise Refusal(408, f"the body did not come within {BODY_TIMEOUT_S:.0f} seconds") from error
    try:
        found = msgspec.json.decode(bytes(body), type=type_)
        twice = key_given_twice(bytes(body))
    except msgspec.ValidationError as error:
        raise Refusal(400, not_of_type(error, type_)[:MAX_REASON]) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal(400, f"the body is {not_json(error, bytes(body))[:MAX_REASON]}") from error
    if twice is not None:
        raise Refusal(400, f"the field `{twice[:MAX_REASON]}` is given twice")
    return found


def limit_of(request: Request) -> int:
    """Return how long a list may be.

    Raises:
        Refusal: `limit` is not a number.
    """
    text = request.query_params.get("limit", str(USUALLY_LISTED))
    if not text.isascii() or not text.isdigit():
        raise Refusal(400, f"`limit` is a number from 0 to {MAX_LISTED}")
    return MAX_LISTED if len(text) > 4 else min(int(text), MAX_LISTED)


def offset_of(request: Request) -> int:
    """Return where in a list a page begins; `cursor` comes from the `Link` of the page before.

    Raises:
        Refusal: it is not a cursor.
    """
    text = request.query_params.get("cursor", "0")
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise Refusal(400, "`cursor` comes from the `Link` of another page")
    return int(text)


def page(request: Request, items: Sequence[Any], cursor: str | None) -> Response:
    """Return a page of a list; the header `Link` holds the address of the next one (RFC 8288).

    Args:
        request: the request.
        items: of this page.
        cursor: where the next page begins; None: this is the last one.
    """
    headers = {}
    if cursor is not None:
        query = {**request.query_params, "cursor": cursor}
        headers["link"] = f'<?{urlencode(query)}>; rel="next"'  # of the same path, whatever a proxy makes of it
    return as_json(items, 200, headers)


def page_of(request: Request, items: Sequence[Any]) -> Response:
    """Return the requested page of a list.

    Raises:
        Refusal: `limit` or `cursor` is wrong.
    """
    offset, limit = offset_of(request), limit_of(request)
    end = offset + limit
    return page(request, items[offset:end], str(end) if end < len(items) and limit else None)
