"""The language server, on pygls: diagnostics while typing, hover, completion, outline, formatting, renaming.

The protocol counts lines from 0 and characters in units that the editor chooses; only `_Positions` deals with that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import get_args

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer
from pygls.workspace import TextDocument

from ggp.language.check.checker import no_files
from ggp.language.diagnostics import Diagnostic
from ggp.language.fixes import fixes
from ggp.language.library import SUFFIX, read_beside
from ggp.language.text.formatter import format_rules
from ggp.language.text.lines import span_of
from ggp.language.text.source import MARK, SourceFile, Span
from ggp.language_server import features, references
from ggp.language_server.analysis import Analysis, analyse

LANGUAGE = "ggp-rules"
"""What editors call the language."""
PAUSE_S = 0.01
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
_TOKENS = get_args(features.TokenKind)
"""What semantic tokens may be, in the order of the protocol's legend."""
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
        self._shift = 1 if document.source.startswith(MARK) else 0

    def ours(self, position: lsp.Position) -> tuple[int, int]:
        """Return line and column, both from 1."""
        if position.line >= len(self._lines):
            return len(self._lines) + 1, 1
        inner = self._codec.position_from_client_units(self._lines, position)
        return inner.line + 1, max(inner.character + 1 - (self._shift if inner.line == 0 else 0), 1)

    def theirs(self, line: int, column: int) -> lsp.Position:
        """Return the protocol's position of a line and a column that count from 1."""
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        place = lsp.Position(line - 1, min(column - 1 + (self._shift if line == 1 else 0), len(text)))
        return place if text.isascii() else self._codec.position_to_client_units(self._lines, place)

    def range(self, span: Span) -> lsp.Range:
        """Return a span as the protocol's range."""
        return lsp.Range(self.theirs(span.line, span.column), self.theirs(span.end_line, span.end_column))

    def whole(self) -> lsp.Range:
        """Return the range of the whole document."""
        return lsp.Range(lsp.Position(0, 0), self.range(Span(1, 1, len(self._lines), len(self._lines[-1]) + 1)).end)


class RulesServer(LanguageServer):
    """Keeps the analysis of the latest version of each open file; analyses are made in a thread of their own."""

    def __init__(self, folder: Path | None = None) -> None:
        # whole documents: what counts as a line end differs between pygls, the protocol and rules files
        super().__init__("ggp", _version(), text_document_sync_kind=lsp.TextDocumentSyncKind.Full)
        self._folder = folder
        self._latest: dict[str, tuple[str, Future[Analysis]]] = {}
        self._waiting: dict[str, asyncio.Task[None]] = {}
        self._thread = ThreadPoolExecutor(1, "analysis")
        self._stopped = False

    def stop(self) -> None:
        """End what is under way, and the thread that makes analyses."""
        self._stopped = True
        for uri in list(self._waiting):
            self.forget_check(uri)
        self._thread.shutdown(wait=False, cancel_futures=True)

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

    async def analysis(self, document: TextDocument) -> Analysis:
        """Return the analysis of a document in its current version; while it is made, others are answered.

        Raises:
            CancelledError: the server was stopped.
        """
        if self._stopped:
            raise asyncio.CancelledError
        known = self._latest.get(document.uri)
        if known is None or known[0] != document.source:
            if known is not None:
                known[1].cancel()  # if it has not begun, nobody needs it any more
            source = SourceFile(Path(document.filename or "rules").name, document.source.removeprefix(MARK))
            known = document.source, self._thread.submit(analyse, source, self._reader(document))
            self._latest[document.uri] = known
        return await asyncio.shield(asyncio.wrap_future(known[1]))

    def _reader(self, document: TextDocument) -> Callable[[str], str]:
        """Return the function that reads files beside a document: as they are in the editor, if they are open there."""
        path = uris.to_fs_path(document.uri) if document.uri.startswith("file:") else None
        folder = self._folder if path is None else Path(path).parent
        if folder is None:
            return no_files
        opened = {
            Path(path).name: other.source
            for other in self.workspace.text_documents.values()
            if (path := uris.to_fs_path(other.uri)) and Path(path).parent == folder
        }
        return lambda name: opened[name] if name in opened else read_beside(folder, name)

    def is_rules(self, uri: str) -> bool:
        """Return whether a document holds rules; others may be files that rules name."""
        return Path(uri).suffix in (SUFFIX, "") or self.workspace.get_text_document(uri).language_id == LANGUAGE

    def changed(self, uri: str) -> None:
        """Check a document soon; if it is a file that rules may name, all rules that are open."""
        if self.is_rules(uri):
            self.check_soon(uri)
        else:
            self.check_all()

    def check_all(self) -> None:
        """Check all rules that are open anew: a file that they name may have changed."""
        self._latest.clear()
        for uri in self.workspace.text_documents:
            if self.is_rules(uri):
                self.check_soon(uri)

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
        await self.publish(uri)

    async def publish(self, uri: str) -> None:
        """Check a document now and publish the diagnostics."""
        document, positions = self.document(uri)
        version = document.version
        found = (await self.analysis(document)).result.diagnostics
        source = SourceFile("rules", document.source.removeprefix(MARK))
        made = [_diagnostic(one, uri, positions, source) for one in found]
        if document.version == version:  # else what was typed meanwhile is checked soon
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, made, version=version))


def _version() -> str:
    try:
        return version("ggp")
    except PackageNotFoundError:
        # Run from a source tree that was never installed.
        return "unknown"


def _diagnostic(one: Diagnostic, uri: str, positions: _Positions, source: SourceFile) -> lsp.Diagnostic:
    notes = [
        lsp.DiagnosticRelatedInformation(lsp.Location(uri, positions.range(span)), text) for span, text in one.notes
    ]
    return lsp.Diagnostic(
        range=positions.range(one.span or Span(1, 1, 1, 1)),
        message=one.message + (f"\nhint: {one.hint}" if one.hint else ""),
        severity=_SEVERITY[one.severity],
        code=one.code,
        source="ggp",
        related_information=notes,
        # for editors that offer them beside the message, without asking for code actions
        data=[
            {"title": fix.title, "range": _plain(positions.range(fix.span)), "newText": fix.text}
            for fix in fixes(one, source)
        ],
    )


def _plain(place: lsp.Range) -> dict[str, dict[str, int]]:
    ends = (("start", place.start), ("end", place.end))
    return {name: {"line": end.line, "character": end.character} for name, end in ends}


class _Refused(JsonRpcInvalidParams):
    """What was asked for is not possible, and the answer says why: no fault of the server."""


def create_server(folder: Path | None = None) -> RulesServer:
    """Return a server with handlers for all supported requests; `start_io` runs it.

    Args:
        folder: where rules without a file of their own find the files that they name; None: nowhere.
    """
    server = RulesServer(folder)
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_fault)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        uri = params.text_document.uri
        if server.is_rules(uri):
            await server.publish(uri)
        else:
            server.check_all()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def did_save(params: lsp.DidSaveTextDocumentParams) -> None:
        server.changed(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def did_change_files(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.check_all()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.close(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document, positions = server.document(params.text_document.uri)
        found = features.hover(await server.analysis(document), *positions.ours(params.position))
        if found is None:
            return None
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text), positions.range(found.span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        document, positions = server.document(params.text_document.uri)
        found = references.definition(await server.analysis(document), *positions.ours(params.position))
        return lsp.Location(document.uri, positions.range(found)) if found is not None else None

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def find_references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document, positions = server.document(params.text_document.uri)
        place = positions.ours(params.position)
        analysis = await server.analysis(document)
        found = references.references(analysis, *place, params.context.include_declaration)
        return [lsp.Location(document.uri, positions.range(span)) for span in found]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range:
        document, positions = server.document(params.text_document.uri)
        analysis, (line, column) = await server.analysis(document), positions.ours(params.position)
        with _refusing():
            references.renamable(analysis, line, column)
        token = analysis.token_at(line, column)
        assert token is not None, "something there can be renamed"
        return positions.range(span_of(token))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        document, positions = server.document(params.text_document.uri)
        analysis, place = await server.analysis(document), positions.ours(params.position)
        with _refusing():
            found = await asyncio.to_thread(references.renamed, analysis, *place, params.new_name)
        edits = [lsp.TextEdit(positions.range(span), params.new_name) for span in found]
        return lsp.WorkspaceEdit({document.uri: edits})

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["."]))
    async def completion(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        document, positions = server.document(params.text_document.uri)
        place = positions.ours(params.position)
        return [
            lsp.CompletionItem(
                one.label, kind=_COMPLETION[one.kind], detail=one.detail or None, documentation=one.help or None
            )
            for one in features.completions(await server.analysis(document), *place)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def document_symbol(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document, positions = server.document(params.text_document.uri)
        return [_symbol(one, positions) for one in features.symbols(await server.analysis(document))]

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(token_types=_TOKENS, token_modifiers=[])
    )
    async def semantic_tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        document, positions = server.document(params.text_document.uri)
        data: list[int] = []
        line = character = 0
        for span, kind in features.tokens(await server.analysis(document)):
            place = positions.range(span)
            before = character if place.start.line == line else 0
            length = place.end.character - place.start.character
            data += [place.start.line - line, place.start.character - before, length, _TOKENS.index(kind), 0]
            line, character = place.start.line, place.start.character
        return lsp.SemanticTokens(data)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    async def code_action(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        document, positions = server.document(params.text_document.uri)
        analysis = await server.analysis(document)
        first, last = (positions.ours(end)[0] for end in (params.range.start, params.range.end))
        return [
            lsp.CodeAction(
                fix.title,
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[_diagnostic(one, document.uri, positions, analysis.source)],
                edit=lsp.WorkspaceEdit({document.uri: [lsp.TextEdit(positions.range(fix.span), fix.text)]}),
            )
            for one in analysis.result.diagnostics
            if one.span is not None and first <= one.span.line <= last
            for fix in fixes(one, analysis.source)
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document, positions = server.document(params.text_document.uri)
        text, _ = format_rules(SourceFile("rules", document.source.removeprefix(MARK).replace("\r\n", "\n")))
        if text is not None and "\r\n" in document.source:
            text = text.replace("\n", "\r\n")
        return [] if text in (None, document.source) else [lsp.TextEdit(positions.whole(), text or "")]

    return server


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except references.CannotRename as error:
        raise _Refused(str(error)) from error


def _is_fault(record: logging.LogRecord) -> bool:
    """Return whether a record of pygls is of more than an answer that refuses something."""
    return not (record.exc_info and isinstance(record.exc_info[1], _Refused))


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
