"""Serves the pages: a shell for all of them, whose script uses the API, under a strict content security policy."""

from __future__ import annotations

import hashlib
from importlib import resources

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

STATIC = {
    "style.css": "text/css; charset=utf-8",
    "pages.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "elements.js": "text/javascript; charset=utf-8",
}
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:;"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
}


class Pages:
    """The handlers of the pages. Their files come with the program and are read once."""

    def __init__(self) -> None:
        folder = resources.files("server.web") / "static"
        self._shell = (folder / "shell.html").read_bytes()
        self._static = {name: (folder / name).read_bytes() for name in STATIC}

    def routes(self) -> list[Route]:
        """Return the routes of all pages."""
        return [
            Route("/view", self.shell),
            Route("/view/competitions/{competition}", self.shell),
            Route("/view/competitions/{competition}/players/{player:path}", self.shell),
            Route("/view/matches/{match}", self.shell),
            Route("/view/static/{name}", self.static),
        ]

    async def shell(self, _: Request) -> Response:
        """Return the page that all addresses share; its script reads the address."""
        return Response(self._shell, media_type="text/html; charset=utf-8", headers=HEADERS)

    async def static(self, request: Request) -> Response:
        """Return a style sheet or a script of the pages."""
        name = request.path_params["name"]
        if name not in self._static:
            raise HTTPException(404)
        tag = f'"{hashlib.sha256(self._static[name]).hexdigest()[:16]}"'
        headers = {**HEADERS, "etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(self._static[name], media_type=STATIC[name], headers=headers)


def wants_page(request: Request) -> bool:
    """Return whether the request comes from a browser."""
    return "text/html" in request.headers.get("accept", "")


def to_pages() -> Response:
    """Redirect a browser to the first page."""
    return RedirectResponse("/view", 303)
