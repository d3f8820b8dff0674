"""A session with the language server, as in an editor: a separate process, messages over standard input and output."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

RULES = """\
game pennies "Match the other's coin"
players even, odd
type side = {heads, tails}

phase toss
    each p chooses s in side    # 🪙 both at once
    next end

payoff[p] = if (s[even] == s[odd]) == (p == even) then 1 else -1
"""
URI = "file:///tmp/never-saved.rules"
PATIENCE_S = 60


class Editor(LanguageClient):
    """Remembers the diagnostics of the document."""

    def __init__(self) -> None:
        super().__init__("test", "1")
        self.published_count = 0
        self.published: asyncio.Queue[list[lsp.Diagnostic]] = asyncio.Queue()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def keep(params: lsp.PublishDiagnosticsParams) -> None:
            self.published_count += 1
            self.published.put_nowait(list(params.diagnostics))

    async def diagnostics(self) -> list[lsp.Diagnostic]:
        return await asyncio.wait_for(self.published.get(), PATIENCE_S)


async def session() -> dict[str, Any]:
    seen: dict[str, Any] = {}
    editor = Editor()
    await editor.start_io(sys.executable, "-m", "ggp", "lsp")
    initialized = await editor.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
    seen["capabilities"] = initialized.capabilities
    editor.initialized(lsp.InitializedParams())
    document = lsp.TextDocumentIdentifier(URI)

    editor.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(URI, "ggp-rules", 1, RULES)))
    seen["first"] = await editor.diagnostics()
    right = RULES.replace("(s[even] == s[odd])", "same").replace(
        "    next end", "    same := s[even] == s[odd]\n    next end"
    )
    right = right.replace("phase toss", "state\n    same: bool = no\n\nphase toss")
    for version, text in enumerate((right.replace("next end", "nxt end"), right), start=2):
        editor.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                lsp.VersionedTextDocumentIdentifier(version, URI),
                [lsp.TextDocumentContentChangeWholeDocument(text)],
            )
        )
    seen["last"] = await editor.diagnostics()
    lines = right.split("\n")
    line = next(number for number, text in enumerate(lines) if "same :=" in text)
    at = lsp.Position(line, lines[line].index("s[odd]"))
    seen["hover"] = await editor.text_document_hover_async(lsp.HoverParams(document, at))
    seen["completion"] = await editor.text_document_completion_async(lsp.CompletionParams(document, at))
    seen["definition"] = await editor.text_document_definition_async(lsp.DefinitionParams(document, at))
    seen["references"] = await editor.text_document_references_async(
        lsp.ReferenceParams(context=lsp.ReferenceContext(include_declaration=True), text_document=document, position=at)
    )
    seen["rename"] = await editor.text_document_rename_async(lsp.RenameParams(document, at, "shown"))
    try:
        await editor.text_document_rename_async(lsp.RenameParams(document, at, "next"))
    except JsonRpcException as error:
        seen["refused"] = error.message
    seen["symbols"] = await editor.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    seen["format"] = await editor.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, lsp.FormattingOptions(4, True))
    )
    editor.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
    seen["closed"] = await editor.diagnostics()
    await editor.shutdown_async(None)
    seen["published"] = editor.published_count
    editor.exit(None)
    assert editor._server is not None
    seen["status"] = await asyncio.wait_for(editor._server.wait(), PATIENCE_S)
    await editor.stop()
    return seen


@pytest.fixture(scope="module")
def seen() -> dict[str, Any]:
    return asyncio.run(asyncio.wait_for(session(), 2 * PATIENCE_S))


def test_says_what_it_can_do(seen: dict[str, Any]) -> None:
    offered = seen["capabilities"]
    assert offered.hover_provider
    assert offered.completion_provider
    assert offered.document_symbol_provider
    assert offered.document_formatting_provider
    assert offered.definition_provider
    assert offered.references_provider
    assert offered.rename_provider


def test_diagnostics_of_the_opened_file(seen: dict[str, Any]) -> None:
    (first, *_) = seen["first"]
    assert first.severity == lsp.DiagnosticSeverity.Error
    assert first.message.startswith("unknown name `s`")
    assert first.range.start == lsp.Position(8, 16)
    assert first.range.end == lsp.Position(8, 17)


def test_only_the_last_of_quick_changes_is_checked(seen: dict[str, Any]) -> None:
    assert seen["last"] == []
    # When opened, when changed, when closed.
    assert seen["published"] == 3


def test_hover(seen: dict[str, Any]) -> None:
    assert (
        seen["hover"].contents.value
        == "```ggp-rules\ns[player]: side\n```\nchosen, declared in line 9\n\n🪙 both at once"
    )


def test_completion(seen: dict[str, Any]) -> None:
    assert {"same", "s", "heads", "even", "other"} <= {item.label for item in seen["completion"]}


def test_definition_references_and_rename(seen: dict[str, Any]) -> None:
    declared = seen["definition"].range
    assert seen["references"][0].range == declared
    edits = seen["rename"].changes[URI]
    assert {edit.new_text for edit in edits} == {"shown"}
    assert [edit.range for edit in edits] == [place.range for place in seen["references"]]
    assert seen["refused"] == "`next` is a word of the language"


def test_symbols(seen: dict[str, Any]) -> None:
    assert [symbol.name for symbol in seen["symbols"]] == ["pennies", "players", "side", "state", "toss", "payoff"]


def test_formatting(seen: dict[str, Any]) -> None:
    (edit,) = seen["format"]
    assert edit.new_text.startswith('game pennies "Match the other\'s coin"\n\nplayers even, odd\n')
    assert edit.range.start == lsp.Position(0, 0)
    assert edit.range.end.line == 13


def test_ends_when_told(seen: dict[str, Any]) -> None:
    assert seen["closed"] == []
    assert seen["status"] == 0
