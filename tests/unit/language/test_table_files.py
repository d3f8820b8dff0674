"""Tables from files: the three forms, names with parameters, and what is said about files with mistakes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from ggp.language import SourceFile, check
from ggp.language.library import RulesUnreadable, load_rules, read_beside

RULES = """game g "g"
param map: {{hills, woods}} = woods
players one, two
board cell = grid(3, 2)
{table}
state
    done: bool = no
phase play
    one chooses d in {{yes, no}}
    done := d
    next end
payoff[p] = 0
"""


def checked(table: str, files: dict[str, str]) -> tuple[object, list[str]]:
    """Return the values of the only table, None if there are errors, and the errors."""

    def read_text(name: str) -> str:
        if name not in files:
            raise FileNotFoundError(name)
        return files[name]

    result = check(SourceFile("g.rules", RULES.format(table=table)), {}, read_text)
    errors = [found.message for found in result.diagnostics if found.severity == "error"]
    return (result.game.tables[0].values if result.game else None), errors


def test_plain_values_in_order() -> None:
    assert checked('table t[cell]: 0..9 from "f"', {"f": "1 2 3\n4 5 6\n"}) == ((1, 2, 3, 4, 5, 6), [])
    assert checked('table t[player]: 0..9 or none from "f"', {"f": "none 7"}) == ((None, 7), [])


def test_picture_has_its_north_row_first() -> None:
    assert checked('table t[cell]: bool from "f"', {"f": "#..\n..#\n"}) == ((0, 0, 1, 1, 0, 0), [])


def test_sets_of_named_indices() -> None:
    values, errors = checked(
        'table t[player, 1..2]: set of cell from "f"', {"f": "one 2: a1 c2\ntwo 1:\n\ntwo 2: b1\n"}
    )
    assert errors == []
    assert values == (frozenset(), frozenset({0, 5}), frozenset(), frozenset({1}))


def test_parameter_in_the_name() -> None:
    assert checked('table t[player]: 0..9 from "{map}.map"', {"woods.map": "3 4"}) == ((3, 4), [])
    assert checked('table t[player]: 0..9 from "{mop}.map"', {})[1] == ["`mop` is not a parameter"]


@pytest.mark.parametrize(
    ("table", "text", "message"),
    [
        ("table t[player]: 0..9", "1 2 3", "`f`: there are 3 values, and the table takes 2"),
        ("table t[player]: 0..9", "1\n12", "`f:2`: `12` is not in 0..9"),
        ("table t[cell]: bool", "#..", "`f`: the picture has 1 rows, and `cell` has 2"),
        ("table t[cell]: bool", "#..\n#", "`f:2`: the row has 1 cells, and `cell` is 3 wide"),
        ("table t[cell]: bool", "#..\n#x.", "`f:2`: `x` is neither `#` nor `.`"),
        ("table t[cell]: set of cell", "a1 a2", "`f:1`: expected `index: members`"),
        ("table t[cell]: set of cell", "a1: a2\na1: b1", "`f:2`: `a1` has a second line"),
        ("table t[cell]: set of cell", "a9: a2", "`f:1`: `a9` is not a `cell`"),
    ],
)
def test_mistakes_in_files(table: str, text: str, message: str) -> None:
    assert checked(f'{table} from "f"', {"f": text}) == (None, [message])


def test_file_that_is_not_there() -> None:
    assert checked('table t[player]: 0..9 from "f"', {})[1] == ["cannot read `f`: f"]


def test_a_file_of_megabytes_is_not_read() -> None:
    (error,) = checked('table t[player]: 0..9 from "f"', {"f": "1 " * 2_000_001})[1]
    assert error == "`f` has 4000002 characters; the limit is 4000000"


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"\xff\xfe")
    rules = RULES.format(table='table t[player]: 0..9 from "f"\ntable u[player]: 0..9 from "g"')
    result = check(SourceFile("g.rules", rules), {}, lambda name: (tmp_path / name).read_text(encoding="utf-8"))
    messages = [found.message for found in result.diagnostics]
    assert messages == ["cannot read `f`: it is not UTF-8 text", "cannot read `g`: no such file or directory"]


def test_files_as_windows_saves_them(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes("\ufeff1\r\n2\r\n".encode())
    (tmp_path / "g.rules").write_bytes((RULES.format(table='table t[player]: 0..9 from "f"') + "\n").encode("utf-16"))
    with pytest.raises(RulesUnreadable, match=r"g\.rules`: it is not UTF-8 text"):
        load_rules(str(tmp_path / "g.rules"))
    assert read_beside(tmp_path, "f").split() == ["1", "2"]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
@pytest.mark.parametrize(("written", "shown"), [(b"\xe4.rules", "\ufffd.rules"), ("ü.rules".encode(), "ü.rules")])
def test_a_file_name_of_any_bytes_is_shown(tmp_path: Path, written: bytes, shown: str) -> None:
    path = tmp_path / os.fsdecode(written)
    path.write_text("", encoding="utf-8")
    source, _ = load_rules(str(path))
    assert source.name == shown
    assert load_rules(str(tmp_path / written.decode("ascii", "surrogateescape")))[0].name == shown
