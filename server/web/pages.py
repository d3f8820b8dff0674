"""Serves the built pages: one shell for all addresses, whose script reads them, under a strict security policy."""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cache
from importlib import resources

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}
BUILT = ("server.web", "built")
"""The package and the folder in it that `make web` writes to."""
NO_PAGE = """<!doctype html>
<html lang="en"><meta name="viewport" content="width=device-width"><title>No such page</title>
<link rel="stylesheet" href="{root}static/main.css">
<main class="page"><h1>There is no such page here</h1>
<p><a href="{root}view">Matches and competitions</a></p></main></html>
"""
NOT_BUILT = "The pages are not built: run `make web` in the repository.\n"


@cache
def _files() -> dict[str, tuple[bytes, str]]:
    """Return the built files with their tags: all at once, since the names in one build are not those of the next."""
    package, folder = BUILT
    built = resources.files(package) / folder
    contents = {file.name: file.read_bytes() for file in built.iterdir()} if built.is_dir() else {}
    return {name: (each, f'"{hashlib.sha256(each).hexdigest()[:16]}"') for name, each in contents.items()}


def _file(name: str) -> tuple[bytes, str]:
    """Return a built file and its tag.

    Raises:
        HTTPException: there is no such file.
    """
    if name not in _files():
        raise HTTPException(404)
    return _files()[name]


async def shell(request: Request) -> Response:
    """Return the page that all addresses share; its script is told which door it came through.

    That is the `door` of the application's state: `studio` if none is set, `manager`, or `reading`, where nobody plays.
    """
    try:
        content, _tag = _file("index.html")
    except HTTPException:
        return PlainTextResponse(NOT_BUILT, 503, headers=HEADERS)
    door = getattr(request.app.state, "door", "studio")
    content = content.replace(b"<html ", f'<html data-door="{door}" '.encode(), 1)
    content = content.replace(b'"/static/', f'"{_root(request)}static/'.encode())
    return Response(content, media_type="text/html; charset=utf-8", headers=HEADERS)


async def embedded(request: Request) -> Response:
    """Return the page that all addresses share, as pages of others may embed it."""
    answer = await shell(request)
    policy = HEADERS["content-security-policy"].replace("frame-ancestors 'none'", "frame-ancestors *")
    answer.headers["content-security-policy"] = policy
    return answer


async def static(request: Request) -> Response:
    """Return a script, a style sheet or a picture of the pages."""
    name = request.path_params["name"]
    content, tag = _file(name)
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = {**HEADERS, "etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=kind, headers=headers)


def manager_routes() -> list[Route]:
    """Return the routes of a manager's pages, which are made of its API alone."""
    return [
        Route("/view", shell),
        Route("/view/competitions/{competition}", shell),
        Route("/view/competitions/{competition}/players/{player:path}", shell),
        Route("/view/players/{player:path}", shell),
        Route("/view/matches/{match}", shell),
        Route("/embed/matches/{match}", embedded),
        Route("/static/{name}", static),
    ]


def wants_page(request: Request) -> bool:
    """Return whether the request comes from a browser."""
    return "text/html" in request.headers.get("accept", "")


def to_pages() -> Response:
    """Redirect a browser to the first page."""
    return RedirectResponse("view", 303)


def no_page(request: Request) -> Response:
    """Tell a browser that an address leads nowhere."""
    return HTMLResponse(NO_PAGE.format(root=_root(request)), 404, headers=HEADERS)


def _root(request: Request) -> str:
    """Return the way from a page to the manager's root, which a proxy may serve below a path that nobody tells us."""
    return "../" * (request.scope["raw_path"].count(b"/") - 1) or "./"
