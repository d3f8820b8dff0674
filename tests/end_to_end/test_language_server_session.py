"""A session with the language server, as in an editor: a separate process, messages over standard input and output."""

from __future__ import annotations

import asyncio
import sys

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
PATIENCE_S = 30


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


async def test_a_session_from_its_beginning_to_its_end() -> None:
    editor = Editor()
    await editor.start_io(sys.executable, "-m", "ggp", "lsp")
    initialized = await editor.initialize_async(lsp.InitializeParams(capabilities=lsp.ClientCapabilities()))
    offered = initialized.capabilities
    assert all([
        offered.hover_provider, offered.completion_provider, offered.document_symbol_provider,
        offered.document_formatting_provider, offered.definition_provider, offered.references_provider,
        offered.rename_provider,
    ])  # fmt: skip
    editor.initialized(lsp.InitializedParams())
    document = lsp.TextDocumentIdentifier(URI)

    editor.text_document_did_open(lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(URI, "ggp-rules", 1, RULES)))
    (first, *_) = await editor.diagnostics()
    assert first.severity == lsp.DiagnosticSeverity.Error
    assert first.message.startswith("unknown name `s`")
    assert first.range == lsp.Range(lsp.Position(8, 16), lsp.Position(8, 17))

    right = RULES.replace("(s[even] == s[odd])", "same").replace(
        "    next end", "    same := s[even] == s[odd]\n    next end"
    )
    right = right.replace("phase toss", "state\n    same: bool = no\n\nphase toss")
    for version, text in enumerate((right.replace("next end", "nxt end"), right), start=2):
        changed = lsp.VersionedTextDocumentIdentifier(version, URI)
        whole = lsp.TextDocumentContentChangeWholeDocument(text)
        editor.text_document_did_change(lsp.DidChangeTextDocumentParams(changed, [whole]))
    assert await editor.diagnostics() == []

    lines = right.split("\n")
    line = next(number for number, text in enumerate(lines) if "same :=" in text)
    at = lsp.Position(line, lines[line].index("s[odd]"))
    hover = await editor.text_document_hover_async(lsp.HoverParams(document, at))
    assert hover.contents.value == ("```ggp-rules\ns[player]: side\n```\nchosen, declared in line 9\n\n🪙 both at once")
    completion = await editor.text_document_completion_async(lsp.CompletionParams(document, at))
    assert {"same", "s", "heads", "even", "other"} <= {item.label for item in completion}
    definition = await editor.text_document_definition_async(lsp.DefinitionParams(document, at))
    references = await editor.text_document_references_async(
        lsp.ReferenceParams(context=lsp.ReferenceContext(include_declaration=True), text_document=document, position=at)
    )
    assert references[0].range == definition.range
    rename = await editor.text_document_rename_async(lsp.RenameParams(document, at, "shown"))
    edits = rename.changes[URI]
    assert {edit.new_text for edit in edits} == {"shown"}
    assert [edit.range for edit in edits] == [place.range for place in references]
    with pytest.raises(JsonRpcException, match="`next` is a word of the language"):
        await editor.text_document_rename_async(lsp.RenameParams(document, at, "next"))
    symbols = await editor.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert [symbol.name for symbol in symbols] == ["pennies", "players", "side", "state", "toss", "payoff"]
    (edit,) = await editor.text_document_formatting_async(
        lsp.DocumentFormattingParams(document, lsp.FormattingOptions(4, True))
    )
    assert edit.new_text.startswith('game pennies "Match the other\'s coin"\n\nplayers even, odd\n')
    assert (edit.range.start, edit.range.end.line) == (lsp.Position(0, 0), 13)

    editor.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
    assert await editor.diagnostics() == []
    await editor.shutdown_async(None)
    assert editor.published_count == 3  # opened, changed, closed: of quick changes only the last is checked
    editor.exit(None)
    assert editor._server is not None
    assert await asyncio.wait_for(editor._server.wait(), PATIENCE_S) == 0
    await editor.stop()
