"""The notebooks run from top to bottom; their own assertions say what they show."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[3] / "docs/notebooks").glob("*.ipynb"))


@pytest.mark.sweep
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs(path: Path) -> None:
    if path.stem == "match_of_agents":
        pytest.importorskip("pettingzoo")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert any("assert" in one for one in code)
    names: dict[str, object] = {}
    for number, one in enumerate(code):
        exec(compile(one, f"{path.stem}, cell {number}", "exec"), names)


def test_they_are_kept_without_results() -> None:
    assert len(NOTEBOOKS) == 4
    for path in NOTEBOOKS:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(cell.get("outputs") for cell in cells)
