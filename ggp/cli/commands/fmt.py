"""`ggp fmt`: formats rules files."""

from __future__ import annotations

import difflib
import os
import sys
import tempfile
from pathlib import Path

import click

from ggp.errors import GgpError
from ggp.language.render import render_all
from ggp.language.text.formatter import format_rules
from ggp.language.text.source import MARK, SourceFile

STANDARD_INPUT = "-"


class UnreadableRules(GgpError):
    """A rules file that cannot be read or written."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", help="Rules files; `-` reads from standard input.")
@click.option("--check", is_flag=True, help="Change nothing; say which files would be changed.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would be changed.")
def fmt(files: tuple[str, ...], check: bool, diff: bool) -> None:
    """Format rules files: indentation, blanks, aligned tails and comments. Line breaks and comments stay.

    Files with syntax errors are left unchanged. Exits with status 1 if there are any, or if `--check` finds a file that
    is not formatted.
    """
    clean = True
    for name in files:
        text = _read(name)
        plain = text.removeprefix(MARK).replace("\r\n", "\n").replace("\r", "\n")
        source = SourceFile("standard input" if name == STANDARD_INPUT else name, plain)
        formatted, diagnostics = format_rules(source)
        if formatted is None:
            sys.stderr.write(render_all(diagnostics, source))
            clean = False
            continue
        changed = formatted != text
        if diff:
            _print_diff(source, formatted)
        if check:
            clean &= not changed
            if changed:
                print(f"{source.name} is not formatted", file=sys.stderr)
        elif name == STANDARD_INPUT and not diff:
            sys.stdout.write(formatted)
        elif changed and not diff:
            _write(Path(name), formatted)
            print(f"formatted {name}", file=sys.stderr)
    if not clean:
        raise click.exceptions.Exit(1)


def _read(name: str) -> str:
    """Return the text of a file, with its mark and its line endings."""
    try:
        data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        return data.decode("utf-8")
    except OSError as error:
        raise UnreadableRules(name, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise UnreadableRules(name, f"not UTF-8 text (byte {error.start})") from error


def _print_diff(source: SourceFile, formatted: str) -> None:
    before, after = source.text.splitlines(keepends=True), formatted.splitlines(keepends=True)
    for line in difflib.unified_diff(before, after, source.name, f"{source.name} (formatted)"):
        sys.stdout.write(line if line.endswith("\n") else f"{line}\n\\ no line end at the end of the file\n")


def _write(path: Path, text: str) -> None:
    """Replace a file's text atomically: no reader and no crash sees half of it."""
    target = path.resolve()
    aside = None
    try:
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=target.parent, prefix=f".{target.name}.", delete=False
        ) as file:
            aside = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        aside.chmod(target.stat().st_mode & 0o7777)
        aside.replace(target)
    except OSError as error:
        if aside is not None:
            aside.unlink(missing_ok=True)
        raise UnreadableRules(str(path), error.strerror or str(error)) from error
