"""Writes a compiled game, the scripts and the styles of a page into one HTML file."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
from collections.abc import Mapping
from importlib import resources
from string import Template

import msgspec

from ggp.errors import GgpError
from ggp.rules_compiler.loading import load
from server.web.pages import BUILT
from studio.one_page.compiled_game import CompiledGame, compiled_game

POLICY = (
    "default-src 'none'; script-src {script} 'wasm-unsafe-eval'; worker-src blob:; style-src {style}; img-src data:;"
    " base-uri 'none'; form-action 'none'"
)
"""The page runs its own script alone, and loads nothing from anywhere."""


OPENER = """(async () => {
  const packed = Uint8Array.from(atob(document.getElementById("packed").textContent), (letter) => letter.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { style, script, ...game } = await new Response(unpacked).json();
  window.game = game;
  for (const [name, text] of [["style", style], ["script", script]])
    document.head.appendChild(Object.assign(document.createElement(name), { textContent: text }));
})();"""
"""The script of the page that unpacks all else, which takes half the room then; no text of a game ends an element."""


class PagesNotBuilt(GgpError):
    """The scripts of the pages are missing."""

    def __init__(self) -> None:
        super().__init__("the pages are not built: run `make web` in the repository")


def exported(name: str, parameters: Mapping[str, str]) -> str:
    """Return the page of a library game or a rules file, with its parameters bound; see `page_of`.

    Raises:
        RulesInvalid: the rules have errors, or a parameter does not fit.
        LimitExceeded: the game, or its pictures, would be too large.
        PagesNotBuilt: the scripts of pages are missing.
        GgpError: there is no such game, or its file cannot be read.
    """
    game = load(name, **parameters)
    return page_of(compiled_game(game, game.name))


def page_of(game: CompiledGame) -> str:
    """Return a page on which a game is played, without a server or a network.

    Raises:
        PagesNotBuilt: its scripts are missing.
    """
    script, style, template, worker = map(_built, ("alone.js", "alone.css", "alone.html", "alone-worker.js"))
    given = {
        "style": style,
        "script": script,
        "worker": worker,
        "facts": game.facts,
        "code": base64.b64encode(gzip.compress(game.code, mtime=0)).decode(),
    }
    packed = base64.b64encode(gzip.compress(msgspec.json.encode(given), mtime=0)).decode()
    title = game.facts["title"] or game.facts["name"]
    return Template(template).substitute(
        policy=POLICY.format(script=f"{_digest(OPENER)} {_digest(script)}", style=_digest(style)),
        title=html.escape(f"{game.facts['name']} – {title}"), packed=packed, opener=OPENER,
    )  # fmt: skip


def _built(name: str) -> str:
    package, folder = BUILT
    file = resources.files(package) / folder / name
    if not file.is_file():
        raise PagesNotBuilt
    return file.read_text("utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
