"""`ggp lsp`: the language server, for editors."""

from __future__ import annotations

from importlib.util import find_spec

import click

from ggp.errors import GgpError


class NoLanguageServer(GgpError):
    """The packages that the language server needs are not installed."""

    def __str__(self) -> str:
        return "the language server needs the package pygls: pip install 'ggp[lsp]'"


@click.command()
def lsp() -> None:
    """Serve an editor: diagnostics, hover, completion, outline and formatting of rules files.

    Started by the editor; speaks the language server protocol on standard input and output.
    """
    if find_spec("pygls") is None:
        raise NoLanguageServer
    from ggp.language_server.server import serve

    serve()
