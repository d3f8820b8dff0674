"""Every diagnostic of a rules file: small files with mistakes, and the exact text that each must get.

The first line of a file may say `#! name=value ...`: parameters given from outside. Tables are read from the files
beside it. What only files of many lines show stands in `long_files.messages`, without the lines themselves.

After a change that is meant, write the texts again and look at the difference before committing it:

    GGP_REGENERATE=1 python -m pytest tests/golden/test_diagnostics.py
"""

from __future__ import annotations

import ast
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import ggp.language
from ggp.language import SourceFile, check, render_all
from ggp.language.diagnostics import Diagnostic
from tests.support.hostile_rules import hostile_files

FOLDER = Path(__file__).parent / "diagnostics"
FILES = sorted(FOLDER.glob("*.rules"))


LONG_FILES = FOLDER / "long_files.messages"
SHOWN = 3
"""Messages shown of each long file."""
HOSTILE = {name: (text, words) for name, text, words in hostile_files()}
SECONDS = 20.0
"""Far above what any hostile file takes, and far below what it would take without the limit that it meets."""


def diagnosed(file: Path) -> tuple[SourceFile, tuple[Diagnostic, ...]]:
    source = SourceFile(file.name, file.read_bytes().decode("utf-8"))
    given = source.text.partition("\n")[0].removeprefix("#!") if source.text.startswith("#!") else ""
    parameters = dict(word.split("=") for word in given.split())
    return source, check(source, parameters, lambda name: (FOLDER / name).read_text(encoding="utf-8")).diagnostics


def written_messages() -> dict[str, list[str]]:
    """What long files are told as it was written down, by their names: messages, with their hints."""
    told: dict[str, list[str]] = {}
    name = ""
    for line in LONG_FILES.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            told[name].append(line.removeprefix("    "))
        else:
            name = line
            told[name] = []
    return told


@pytest.mark.sweep
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_gets_a_clear_error_soon(name: str) -> None:
    text, words = HOSTILE[name]
    began = time.process_time()
    result = check(SourceFile("long.rules", text))
    assert time.process_time() - began < SECONDS
    assert result.game is None
    errors = [diagnostic.message for diagnostic in result.diagnostics if diagnostic.severity == "error"]
    assert any(words in message for message in errors), errors[:3]
    assert len(errors) <= 51
    told = [one.message + (f"; {one.hint}" if one.hint else "") for one in result.diagnostics[:SHOWN]]
    written = written_messages()
    if os.environ.get("GGP_REGENERATE"):
        written[name] = told
        lines = (line for file in HOSTILE for line in (file, *(f"    {message}" for message in written.get(file, []))))
        LONG_FILES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert told == written[name]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_mistakes_get_the_text_written_down_in_the_wording_of_the_house(file: Path) -> None:
    source, found = diagnosed(file)
    text = render_all(found, source)
    written = file.with_suffix(".txt")
    if os.environ.get("GGP_REGENERATE"):
        written.write_text(text, encoding="utf-8")
    assert text == written.read_text(encoding="utf-8")
    assert found, "a file without mistakes shows nothing"
    for diagnostic in found:
        assert diagnostic.message[0] in "`'0123456789" or diagnostic.message[0].islower(), diagnostic.message
        assert not diagnostic.message.endswith((".", "!")), diagnostic.message
        assert "\n" not in diagnostic.message + (diagnostic.hint or "")
        assert "Token(" not in diagnostic.message
        assert "__" not in diagnostic.message


def test_every_text_has_its_rules() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == {file.stem for file in FILES}
    assert [*written_messages()] == [*HOSTILE]


# --- are all messages covered? ----------------------------------------------------------------------------------------

REPORTS = {"fail": 1, "error": 1, "warning": 1, "fail_once": 1, "fail_outside": 0}
"""The methods that report a diagnostic, and the position of its message among their arguments."""
ELSEWHERE = 2
"""Messages for a file that makes Python run out of stack, of which none is known, and for tables of four megabytes."""


def messages_of(module: Path) -> Iterator[str]:
    """Give each message that a module reports, as a pattern: what is filled in may be anything."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in REPORTS):
            continue
        position = REPORTS[node.func.attr]
        message = node.args[position] if len(node.args) > position else None
        if isinstance(message, ast.Constant):
            yield re.escape(message.value)
        elif isinstance(message, ast.JoinedStr):
            yield "".join(re.escape(part.value) if isinstance(part, ast.Constant) else ".*" for part in message.values)


def test_every_message_of_the_front_end_is_shown_here() -> None:
    long_messages = written_messages()

    shown = [found.message for file in FILES for found in diagnosed(file)[1]]
    shown += [message.rpartition("; ")[0] for told in long_messages.values() for message in told]
    shown += [message for told in long_messages.values() for message in told]
    modules = Path(ggp.language.__file__).parent.rglob("*.py")
    patterns = [pattern for module in modules for pattern in messages_of(module)]
    missing = [pattern for pattern in patterns if not any(re.fullmatch(pattern, message) for message in shown)]
    assert len(patterns) > 150
    assert len(missing) <= ELSEWHERE, missing
