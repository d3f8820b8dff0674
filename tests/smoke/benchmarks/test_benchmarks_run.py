"""The benchmarks run, and the page shows their results."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import accelerator_speed, batch_speed, hidden_search_speed, search_speed
from benchmarks.__main__ import main, run
from benchmarks.search_speed import PLAYERS, Speed
from benchmarks.tables import table


def test_a_quick_run_measures_and_writes(tmp_path: Path) -> None:
    main(["--quick", "searches", "--json", str(tmp_path / "figures.json"), "--markdown", str(tmp_path / "page.md")])
    figures = json.loads((tmp_path / "figures.json").read_text())
    rows = figures["searches"]
    assert list(rows) == ["goofspiel(5), fixed prizes", "Oshi-Zumo(10,3,1)"]
    for speeds in rows.values():
        assert list(speeds) == list(PLAYERS)
        assert all(speed["iterations_per_s"] > 1000 and speed["bytes_per_node"] >= 16 for speed in speeds.values())
    assert figures["machine"]["processor"] in (tmp_path / "page.md").read_text()


def test_ratios_are_to_the_java_program() -> None:
    speeds = {"Tron 5×6": {player: Speed(666_000.0, 40.0) for player in PLAYERS}}
    assert "| Tron 5×6 | 666 (2.0×) | 666 (3.3×) | 666 (2.4×) | 666 (4.5×) |" in search_speed.section(speeds, 0.1)


def test_nothing_is_measured_without_a_part() -> None:
    figures, page = run((), quick=True)
    assert list(figures) == ["machine"]
    assert "##" not in page


def test_an_unknown_part_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serches"])
    assert "there is no part `serches`" in capsys.readouterr().err


def test_tables_are_markdown() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n| --- | ---: |\n| 1 | 2 |"


def test_a_quick_run_measures_searches_in_turns(tmp_path: Path) -> None:
    main(["--quick", "turns", "--json", str(tmp_path / "figures.json"), "--markdown", str(tmp_path / "page.md")])
    figures = json.loads((tmp_path / "figures.json").read_text())["turns"]
    assert all(rate > 0 for rate in figures["simulations"]["connect_four"]["ours"].values())
    stars = figures["stars"]["pig"]
    assert stars["expectimax"]["share"] == 1
    assert 0 < stars["star1"]["share"] < 1
    assert all(one["depth"] >= 2 for one in stars.values())
    assert f"| pig | {stars['star1']['equal_depth']} |" in (tmp_path / "page.md").read_text()


def test_a_quick_run_measures_solvers() -> None:
    figures, page = run(("solvers",), quick=True)
    kuhn = figures["solvers"]["Kuhn poker"]
    assert kuhn["iterations_per_s"] > kuhn["open_spiel_iterations_per_s"] > 0
    assert 0 < kuhn["response_s"] < kuhn["open_spiel_response_s"]
    assert "| Kuhn poker |" in page


def test_a_quick_run_measures_hidden_information() -> None:
    figures, page = run(("hidden",), quick=True)
    speeds = figures["hidden"]["hidden goofspiel(6)"]
    assert list(speeds) == list(hidden_search_speed.PLAYERS)
    assert all(speed > 1000 for speed in speeds.values())
    assert "| hidden goofspiel(6) |" in page


def test_a_quick_run_compares_games_in_python(tmp_path: Path) -> None:
    main(["--quick", "python", "--json", str(tmp_path / "figures.json"), "--markdown", str(tmp_path / "page.md")])
    figures = json.loads((tmp_path / "figures.json").read_text())["python"]
    assert list(figures) == ["goofspiel", "tic_tac_toe"]
    for speeds in figures.values():
        # neighbours of one moment can halve any figure
        assert speeds["python_games_per_s"] > 0.1 * speeds["peer_games_per_s"] > 0
    assert "| tic_tac_toe |" in (tmp_path / "page.md").read_text()


PGX = """import sys
game, n, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
assert game == "pgx:connect_four"
print("ready 2.5", flush=True)
for number, _ in enumerate(sys.stdin):
    print(1000.0 * n * steps * (number + 1), 1500.0 * n * steps, flush=True)
"""


def test_batches_are_measured_beside_pgx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = tmp_path / "child.py"
    child.write_text(PGX)
    monkeypatch.setattr(batch_speed, "CHILD", child)
    found = batch_speed.measure(["connect_four", "gomoku"], 0.01, Path(sys.executable))
    peer, alone = found["connect_four"], found["gomoku"]
    assert peer.peer_actions_per_s == 1000.0 * batch_speed.BATCH * 200 * 3  # the median of five rounds
    assert peer.peer_loop_actions_per_s == 1500.0 * batch_speed.BATCH * 200
    assert (peer.peer_compile_s, alone.peer_compile_s, alone.peer_actions_per_s) == (2.5, 0, 0)
    assert peer.actions_per_s == peer.steps_per_s > 1_000_000
    page = batch_speed.section(found)
    assert 0 < peer.shown_actions_per_s < peer.actions_per_s
    assert page.count("| - | - | - | - | - |") == 1


def test_all_processors_are_measured_beside_an_accelerator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    child = tmp_path / "child.py"
    child.write_text(PGX.replace('assert game == "pgx:connect_four"', 'assert game.startswith("pgx:")'))
    monkeypatch.setattr(accelerator_speed, "CHILD", child)
    monkeypatch.setattr(accelerator_speed, "OUR_SIZES", (1024,))
    found = tmp_path / "figures.json"
    accelerator_speed.main(["connect_four", "--jax", sys.executable, "--seconds", "0.01", "--json", str(found)])
    figures = json.loads(found.read_text())
    theirs = {
        "shown": 1000.0 * 1_048_576 * accelerator_speed.STEPS * 3,
        "bare": 1500.0 * 1_048_576 * accelerator_speed.STEPS,
    }
    assert figures["theirs"] == {"pgx:connect_four": theirs, "ludax:connect_four": {"shown": 0.0, "bare": 0.0}}
    assert figures["ours"]["connect_four"]["bare"] > 1000
    assert capsys.readouterr().out.count("| connect_four |") == 2


def test_a_peer_that_does_not_start_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_speed, "CHILD", tmp_path / "missing.py")
    found = batch_speed.measure(["poker"], 0.01, Path(sys.executable))["poker"]
    assert found.peer_actions_per_s == 0
    assert 0.5 * found.steps_per_s < found.actions_per_s < 0.9 * found.steps_per_s


@pytest.mark.usefixtures("page")
def test_a_quick_run_measures_the_pages(tmp_path: Path) -> None:
    main(["--quick", "pages", "--json", str(tmp_path / "figures.json"), "--markdown", str(tmp_path / "page.md")])
    figures = json.loads((tmp_path / "figures.json").read_text())["pages"]
    assert 0 < figures["script_bytes"] < 150_000
    assert all(one["click_ms"] > 0 and one["first_ms"] > 0 for one in figures["games"].values())
