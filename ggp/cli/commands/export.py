"""`ggp export`: a game as one HTML file that needs no server and no network."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from ggp.cli.arguments import BadArgument, GameArgument, JsonOption, ParameterOption, parameters_from


def export(
    game: GameArgument,
    html: Annotated[Path, typer.Option("--html", metavar="FILE", help="Where the page is written.")],
    parameters: ParameterOption = [],  # noqa: B006 - read only; typer wants a list
    as_json: JsonOption = False,
) -> None:
    """Write a game as one HTML file: people play it there, or against a search, without a server or a network.

    The game is compiled to WebAssembly; its boards are those of `ggp studio`.
    """
    from ggp.cli.progress import progress_bar
    from studio.one_page.writing import exported

    start = time.monotonic()
    with progress_bar() as progress:
        progress.add_task("compiling", total=None)
        page = exported(game, parameters_from(parameters)).encode()
    try:
        html.write_bytes(page)
    except OSError as error:
        raise BadArgument(f"`{html}` cannot be written: {error.strerror}") from error
    seconds = time.monotonic() - start
    if as_json:
        print(json.dumps({"file": str(html), "bytes": len(page), "seconds": round(seconds, 2)}))
    else:
        print(f"{html}: {len(page) / 1000:,.0f} kB, in {seconds:.1f} s")
