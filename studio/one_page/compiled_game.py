"""A game for a page: WebAssembly, and what the page has to know besides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ggp.codegen.llvm.wasm import wasm_module
from ggp.faults import RulesFault
from ggp.game.game import Game
from ggp.rules_compiler.entry_points.entries import generate
from ggp.rules_compiler.entry_points.pictures import picture_words, write_pictures
from ggp.rules_compiler.native_code import FUNCTIONS
from ggp.rules_compiler.rules_backend import rules_of
from studio.catalogue import described_text
from studio.one_page.display_facts import display_facts
from studio.one_page.game_facts import Types, game_facts


@dataclass(frozen=True, slots=True)
class CompiledGame:
    """What a page is made of.

    Attributes:
        code: the native functions of the game and its pictures, as WebAssembly.
        facts: as `web/src/alone/facts.ts` describes them.
    """

    code: bytes
    facts: dict[str, Any]


def compiled_game(game: Game, name: str) -> CompiledGame:
    """Return a game compiled for pages.

    Args:
        game: to compile.
        name: what the page calls it.

    Raises:
        NoRules: the game was not made from a rules file.
        LimitExceeded: its pictures could need too much code or memory.
    """
    backend = rules_of(game)
    words = picture_words(backend.rules)
    module = generate(backend.rules, backend.layout)
    pictures = write_pictures(module)
    code = wasm_module(module.code, (*FUNCTIONS, *pictures))
    types = Types()
    facts = game_facts(game, types)
    facts["display"] = display_facts(backend.scenes, backend.layout, types)
    facts["sizes"]["picture"] = words
    facts["faults"] = [
        str(RulesFault(site.kind, site.span, site.reason, source_name=backend.rules.source_name))
        for site in module.sites
    ]
    described = described_text(backend.rules.source_text)
    facts |= {key: described[key] for key in ("title", "prose", "text", "tags")}
    facts |= {"name": name, "dataEnd": code.data_end, "types": types.facts}
    return CompiledGame(code.code, facts)
