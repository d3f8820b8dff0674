"""Files that are replaced: whole, with the mode that was asked for, and never lost."""

import stat
import sys
from pathlib import Path

import pytest

from ggp.whole_files import replacing


def test_the_old_file_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with replacing(path) as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of POSIX")
def test_a_new_file_has_the_mode_that_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with replacing(path, 0o600) as file:
        file.write(b"secret")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
