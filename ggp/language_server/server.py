"""The language server, on pygls: diagnostics while typing, hover, completion, outline, formatting, renaming.

The protocol counts lines from 0 and characters in units that the editor chooses; only `_Positions` deals with that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from ggp.errors import GgpError
from ggp.language.check.checker import no_files
from ggp.language.diagnostics import Diagnostic
from ggp.language.library import load_rules
from ggp.language.text.formatter import format_rules
from ggp.language.text.source import SourceFile, Span
from ggp.language_server import features, references
from ggp.language_server.analysis import Analysis, analyse

PAUSE_S = 0.15
"""Seconds without typing after which the file is checked."""

_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
    "hint": lsp.DiagnosticSeverity.Hint,
}
_COMPLETION = {
    "word": lsp.CompletionItemKind.Keyword,
    "type": lsp.CompletionItemKind.Class,
    "function": lsp.CompletionItemKind.Function,
    "variable": lsp.CompletionItemKind.Variable,
    "constant": lsp.CompletionItemKind.Constant,
    "member": lsp.CompletionItemKind.EnumMember,
    "phase": lsp.CompletionItemKind.Event,
    "kind": lsp.CompletionItemKind.EnumMember,
    "field": lsp.CompletionItemKind.Field,
}
_SYMBOL = {
    "game": lsp.SymbolKind.Module,
    "parameter": lsp.SymbolKind.Constant,
    "type": lsp.SymbolKind.Class,
    "table": lsp.SymbolKind.Array,
    "variable": lsp.SymbolKind.Variable,
    "function": lsp.SymbolKind.Function,
    "phase": lsp.SymbolKind.Event,
    "value": lsp.SymbolKind.Constant,
    "other": lsp.SymbolKind.Namespace,
}


class _Positions:
    """Converts positions in one document between the protocol's counting and ours."""

    def __init__(self, document: TextDocument) -> None:
        self._codec = document.position_codec
        self._lines = document.source.split("\n")

    def ours(self, position: lsp.Position) -> tuple[int, int]:
        """Return line and column, both from 1."""
        if position.line >= len(self._lines):
            return len(self._lines) + 1, 1
        inner = self._codec.position_from_client_units(self._lines, position)
        return inner.line + 1, inner.character + 1

    def range(self, span: Span) -> lsp.Range:
        """Return a span as the protocol's range."""
        ends = [
            lsp.Position(line - 1, min(column - 1, len(self._lines[line - 1]) if line <= len(self._lines) else 0))
            for line, column in ((span.line, span.column), (span.end_line, span.end_column))
        ]
        return self._codec.range_to_client_units(self._lines, lsp.Range(*ends))

    def whole(self) -> lsp.Range:
        """Return the range of the whole document."""
        return self.range(Span(1, 1, len(self._lines), len(self._lines[-1]) + 1))


class RulesServer(LanguageServer):
    """Keeps the analysis of the latest version of each open file."""

    def __init__(self) -> None:
        super().__init__("ggp", _version())
        self._latest: dict[str, tuple[str, Analysis]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}

    def document(self, uri: str) -> tuple[TextDocument, _Positions]:
        """Return a document and the conversion of its positions.

        Raises:
            JsonRpcInvalidParams: it is not open, and cannot be read as a file.
        """
        document = self.workspace.get_text_document(uri)
        try:
            return document, _Positions(document)
        except (OSError, ValueError) as error:
            raise JsonRpcInvalidParams(f"{uri} is not open, and cannot be read") from error

    def analysis(self, document: TextDocument) -> Analysis:
        """Return the analysis of a document in its current version."""
        known = self._latest.get(document.uri)
        if known is not None and known[0] == document.source:
            return known[1]
        made = analyse(SourceFile(Path(document.filename or "rules").name, document.source), _reader(document))
        self._latest[document.uri] = (document.source, made)
        return made

    def check_soon(self, uri: str) -> None:
        """Check a document once its author pauses, and publish the diagnostics."""
        self.forget_check(uri)
        self._waiting[uri] = asyncio.get_running_loop().create_task(self._check_later(uri))

    def forget_check(self, uri: str) -> None:
        """Cancel the pending check of a document, if any."""
        before = self._waiting.pop(uri, None)
        if before is not None:
            before.cancel()

    def close(self, uri: str) -> None:
        """Forget a document and clear its diagnostics."""
        self.forget_check(uri)
        self._latest.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    async def _check_later(self, uri: str) -> None:
        await asyncio.sleep(PAUSE_S)
        del self._waiting[uri]
        self.publish(uri)

    def publish(self, uri: str) -> None:
        """Check a document now and publish the diagnostics."""
        document, positions = self.document(uri)
        found = self.analysis(document).result.diagnostics
        made = [_diagnostic(one, uri, positions) for one in found]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, made, version=document.version))


def _version() -> str:
    try:
        return version("ggp")
    except PackageNotFoundError:
        # Run from a source tree that was never installed.
        return "unknown"


def _reader(document: TextDocument) -> Callable[[str], str]:
    """Return the function that reads files beside the document; a document that was never saved has none."""
    path = uris.to_fs_path(document.uri)
    if path is None:
        return no_files
    try:
        _, read_text = load_rules(path)
    except GgpError:
        return no_files
    return read_text


def _diagnostic(one: Diagnostic, uri: str, positions: _Positions) -> lsp.Diagnostic:
    notes = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri, positions.range(span)), text) for span, text in one.notes
    ]
    return lsp.Diagnostic(
        range=positions.range(one.span or Span(1, 1, 1, 1)),
        message=one.message + (f"\nhint: {one.hint}" if one.hint else ""),
        severity=_SEVERITY[one.severity],
        source="ggp",
        related_information=notes,
    )


def create_server() -> RulesServer:
    """Return a server with handlers for all supported requests; `start_io` runs it."""
    server = RulesServer()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.publish(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.check_soon(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document, positions = server.document(params.text_document.uri)
        found = features.hover(server.analysis(document), *positions.ours(params.position))
        if found is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text), positions.range(found.span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        document, positions = server.document(params.text_document.uri)
        found = references.definition(server.analysis(document), *positions.ours(params.position))
        return lsp.Location(document.uri, positions.range(found)) if found is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def find_references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document, positions = server.document(params.text_document.uri)
        place = positions.ours(params.position)
        found = references.references(server.analysis(document), *place, params.context.include_declaration)
        return [lsp.Location(document.uri, positions.range(span)) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_RENAME)
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document, positions = server.document(params.text_document.uri)
        try:
            found = references.renamed(server.analysis(document), *positions.ours(params.position), params.new_name)
        except references.CannotRename as error:
            raise JsonRpcInvalidParams(str(error)) from error
        return lsp.WorkspaceEdit(
            {document.uri: [lsp.TextEdit(positions.range(span), params.new_name) for span in found]}
        )

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
    def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        document, positions = server.document(params.text_document.uri)
        place = positions.ours(params.position)
        return [
            lsp.CompletionItem(
                one.label, kind=_COMPLETION[one.kind], detail=one.detail or None, documentation=one.help or None
            )
            for one in features.completions(server.analysis(document), *place)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbol(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document, positions = server.document(params.text_document.uri)
        return [_symbol(one, positions) for one in features.symbols(server.analysis(document))]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document, positions = server.document(params.text_document.uri)
        text, _ = format_rules(SourceFile("rules", document.source.replace("\r\n", "\n")))
        if text is None or text == document.source:
            return []
        return [lsp.TextEdit(positions.whole(), text)]

    return server


def _symbol(one: features.Symbol, positions: _Positions) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=one.name,
        kind=_SYMBOL[one.kind],
        range=positions.range(one.whole),
        selection_range=positions.range(one.span),
        detail=one.detail or None,
        children=[_symbol(part, positions) for part in one.inside],
    )


def serve() -> None:
    """Serve an editor on standard input and output until it exits."""
    logging.basicConfig(level=logging.WARNING)
    create_server().start_io()
