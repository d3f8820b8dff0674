from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from ggp.cli.commands import fmt as fmt_module
from ggp.cli.commands.fmt import UnreadableRules, fmt

MESSY = "param n : 1..2=1   # a count\n"
CLEAN = "param n: 1..2 = 1                              # a count\n"


runner = CliRunner()


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "a.rules"
    path.write_text(MESSY)
    return path


def test_formats_in_place_and_keeps_the_mode(rules: Path) -> None:
    rules.chmod(0o640)
    result = runner.invoke(fmt, [str(rules)])
    assert result.exit_code == 0
    assert rules.read_text() == CLEAN
    assert rules.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in rules.parent.iterdir()] == ["a.rules"]


def test_a_formatted_file_is_not_touched(rules: Path) -> None:
    rules.write_text(CLEAN)
    before = rules.stat()
    result = runner.invoke(fmt, [str(rules)])
    assert (result.exit_code, result.output) == (0, "")
    assert rules.stat().st_ino == before.st_ino


def test_through_a_link(rules: Path) -> None:
    link = rules.with_name("link.rules")
    link.symlink_to(rules)
    assert runner.invoke(fmt, [str(link)]).exit_code == 0
    assert link.is_symlink()
    assert rules.read_text() == CLEAN


def test_check_changes_nothing(rules: Path) -> None:
    result = runner.invoke(fmt, ["--check", str(rules)])
    assert result.exit_code == 1
    assert result.stderr == f"{rules} is not formatted\n"
    assert rules.read_text() == MESSY
    rules.write_text(CLEAN)
    assert runner.invoke(fmt, ["--check", str(rules)]).exit_code == 0


def test_diff_changes_nothing(rules: Path) -> None:
    result = runner.invoke(fmt, ["--diff", str(rules)])
    assert result.exit_code == 0
    assert result.stdout == f"--- {rules}\n+++ {rules} (formatted)\n@@ -1 +1 @@\n-{MESSY}+{CLEAN}"
    assert rules.read_text() == MESSY


def test_windows_line_ends_count_as_a_difference(rules: Path) -> None:
    rules.write_bytes(CLEAN.replace("\n", "\r\n").encode())
    assert runner.invoke(fmt, ["--check", str(rules)]).exit_code == 1
    assert runner.invoke(fmt, [str(rules)]).exit_code == 0
    assert rules.read_bytes() == CLEAN.encode()


def test_the_mark_of_windows_counts_as_a_difference(rules: Path) -> None:
    rules.write_text("\ufeff" + CLEAN, encoding="utf-8")
    assert runner.invoke(fmt, ["--check", str(rules)]).exit_code == 1
    assert runner.invoke(fmt, [str(rules)]).exit_code == 0
    assert rules.read_bytes() == CLEAN.encode()


def test_standard_input() -> None:
    result = runner.invoke(fmt, ["-"], input=MESSY)
    assert (result.exit_code, result.stdout) == (0, CLEAN)
    assert runner.invoke(fmt, ["-"], input="param n 1\n").stderr.startswith("standard input:1:9: error: expected `:`")


def test_errors_of_syntax_leave_the_file_alone(rules: Path) -> None:
    other = rules.with_name("b.rules")
    other.write_text("param n 1..2 = 1\n")
    result = runner.invoke(fmt, [str(other), str(rules)])
    assert result.exit_code == 1
    assert f"{other}:1:9: error: expected `:`, found `1`" in result.stderr
    assert other.read_text() == "param n 1..2 = 1\n"
    assert rules.read_text() == CLEAN


@pytest.mark.parametrize(
    ("data", "message"), [(None, "No such file or directory"), (b"game \xff", "not UTF-8 text (byte 5)")]
)
def test_unreadable_files(tmp_path: Path, data: bytes | None, message: str) -> None:
    path = tmp_path / "x.rules"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(UnreadableRules) as caught:
        fmt([str(path)])
    assert str(caught.value) == f"{path}: {message}"


def test_a_failed_write_leaves_the_file_and_nothing_else(rules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fmt_module.os, "fsync", fail)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with pytest.raises(UnreadableRules, match="No space left on device"):
        fmt([str(rules)])
    assert rules.read_text() == MESSY
    assert [path.name for path in rules.parent.iterdir()] == ["a.rules"]
