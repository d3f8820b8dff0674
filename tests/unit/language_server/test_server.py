"""What the server makes of documents as editors send them."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types as lsp
from pygls.workspace import TextDocument

from ggp.language.text.source import MARK
from ggp.language_server.server import RulesServer, _Positions

RULES = 'game g "t" {\nplayers a, b\nphase x\n    a chooses c in bool\n    next end\npayoff[p] = 0\n'


@pytest.mark.parametrize("mark", ["", MARK])
def test_a_byte_order_mark_is_no_part_of_the_rules(mark: str) -> None:
    """What stands behind it is found at its place in the document, the first line's too."""

    async def diagnostics() -> list[lsp.Range]:
        server = RulesServer()
        document = TextDocument("untitled:game.rules", mark + RULES)
        positions = _Positions(document)
        found = (await server.analysis(document)).result.diagnostics
        server.stop()
        brace = len(mark) + RULES.index("{")
        assert positions.ours(lsp.Position(0, brace)) == (1, RULES.index("{") + 1)
        assert positions.ours(lsp.Position(2, 3)) == (3, 4)
        assert positions.whole() == lsp.Range(lsp.Position(0, 0), lsp.Position(6, 0))
        return [positions.range(one.span) for one in found if one.span]

    (found,) = asyncio.run(diagnostics())
    brace = len(mark) + RULES.index("{")
    assert found == lsp.Range(lsp.Position(0, brace), lsp.Position(0, brace + 1))


async def test_a_server_that_was_stopped_makes_no_analyses() -> None:
    server = RulesServer()
    server.stop()
    with pytest.raises(asyncio.CancelledError):
        await server.analysis(TextDocument("untitled:game.rules", RULES))
