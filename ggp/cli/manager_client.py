"""A client for the HTTP API of a running game manager."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

import click

from ggp.cli.arguments import BadArgument
from ggp.errors import GgpError
from ggp.terminal import safe_text

TIMEOUT_S = 30.0
"""For a whole answer."""
MAX_PAGES = 1000
MAX_ANSWER_BYTES = 64 * 1024 * 1024
CHUNK_BYTES = 64 * 1024


class ManagerRefuses(GgpError):
    """The manager cannot be reached, or refuses a request."""


class ManagerClient:
    """A running manager.

    Args:
        url: of the manager, such as `http://localhost:8000`, or without the scheme.
        admin_token: shown with every request, if there is one.
    """

    def __init__(self, url: str, admin_token: str | None) -> None:
        self._url = manager_address(url, "http")
        self._headers = {} if admin_token is None else {"authorization": f"Bearer {admin_token}"}

    def every(self, path: str) -> list[Any]:
        """Return all pages of a list.

        Raises:
            ManagerRefuses: a request failed.
        """
        found: list[Any] = []
        for _ in range(MAX_PAGES):
            body, link = self._answer("GET", path, None)
            found += self._decoded(body)
            if link is None:
                break
            path = urllib.parse.urljoin(path, link.partition("<")[2].partition(">")[0])
        return found

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a request, and return the JSON of the answer.

        Raises:
            ManagerRefuses: the request failed.
        """
        return self._decoded(self._answer(method, path, body)[0])

    def _answer(self, method: str, path: str, body: Mapping[str, Any] | None) -> tuple[bytes, str | None]:
        data = None if body is None else json.dumps(body).encode()
        headers = {**self._headers, "content-type": "application/json"}
        request = urllib.request.Request(self._url + path, data, headers, method=method)
        deadline = time.monotonic() + TIMEOUT_S
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
                found = bytearray()
                while chunk := answer.read1(CHUNK_BYTES):
                    found += chunk
                    if len(found) > MAX_ANSWER_BYTES:
                        raise ManagerRefuses(f"{self._url} answers with more than {MAX_ANSWER_BYTES >> 20} MiB")
                    if time.monotonic() > deadline:
                        raise TimeoutError("no answer in time")
                return bytes(found), answer.headers.get("link")
        except urllib.error.HTTPError as error:
            raise ManagerRefuses(_reason(error)) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise ManagerRefuses(f"cannot reach {self._url}: {safe_text(str(reason))}") from error

    def _decoded(self, body: bytes) -> Any:
        try:
            return json.loads(body)
        except ValueError as error:
            raise ManagerRefuses(f"{self._url} does not answer like a game manager") from error


def manager_address(text: str, scheme: str) -> str:
    """Return the address of a manager, without a path, however it is written.

    Args:
        text: such as `localhost:8000` or `ws://localhost:8000/play`.
        scheme: http or ws; made secure where that of the text is.

    Raises:
        BadArgument: it is no such address.
    """
    given, separator, rest = text.partition("://")
    given, rest = (given, rest) if separator else (scheme, text)
    host = rest.rstrip("/").removesuffix("/play").rstrip("/")
    if given not in ("http", "https", "ws", "wss") or not host:
        raise BadArgument(f"`{text}` is not an address of a manager such as {scheme}://localhost:8000")
    return f"{scheme}{'s' if given in ('https', 'wss') else ''}://{host}"


def part(text: str) -> str:
    """Return a text quoted as a part of an address."""
    return urllib.parse.quote(text, safe="")


def _reason(error: urllib.error.HTTPError) -> str:
    try:
        with error:
            said = json.loads(error.read(10_000)).get("error")
    except (ValueError, AttributeError, OSError):
        said = None
    if not isinstance(said, str):
        return f"the manager answers with status {error.code}"
    # further lines are indented: none can look like a line of this command
    return "\n    ".join(safe_text(line.strip()) for line in said.split("\n"))


def on_a_manager(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that name a manager; the command gets a client of it as its first argument."""

    @click.option(
        "--manager",
        default="http://localhost:8000",
        envvar="GGP_MANAGER",
        show_envvar=True,
        metavar="URL",
        help="Address of the manager.",
    )
    @click.option("--admin-token", envvar="GGP_ADMIN_TOKEN", show_envvar=True, help="Of the manager, if it has one.")
    @wraps(command)
    def asked(manager: str, admin_token: str | None, **options: Any) -> None:
        command(ManagerClient(manager, admin_token), **options)

    return asked
