"""Lets processes that tests start be interrupted, runs a part of each sweep, fails runs that skipped tests unasked."""

import os
import signal
import zlib
from pathlib import Path

import pytest

# A shell that runs the tests in the background has them ignore interrupts, and the processes they start inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


TESTS = Path(__file__).parent
SMOKE = TESTS / "smoke"
GAMES = {path.stem for folder in ("../rules", "support/undrawn_games") for path in (TESTS / folder).glob("*.rules")}
SAMPLED_GAMES = {
    "chess", "connect_four", "dark_hex", "einstein", "go", "goofspiel", "hanabi", "hex", "kuhn_poker",
    "kuhn_poker_three", "love_letter", "nim", "oh_hell", "oshi_zumo", "phantom_tic_tac_toe", "pig", "ra", "tic_tac_toe",
    "twenty_one", "auction", "ludo", "memory", "of_a_kind", "slide", "track", "war",
}  # fmt: skip
"""Of the tests of a sweep over games, marked `sweep`, `make test` runs those of these games, of all kinds: the
same ones in all sweeps, since much of the time goes into compiling them. `make experiments` runs the others."""
SAMPLED = 3
"""Of the tests of other sweeps `make test` runs every third."""


def is_sampled(item: pytest.Item) -> bool:
    """Whether `make test` runs a test of a sweep."""
    case = item.callspec.id.rstrip("-") if isinstance(item, pytest.Function) else ""
    return case in SAMPLED_GAMES if case in GAMES else zlib.crc32(item.nodeid.encode()) % SAMPLED == 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the smoke tests, and leave out a part of each sweep; `GGP_SWEEPS`: `sample`, `rest`, or `all`."""
    wanted = os.environ.get("GGP_SWEEPS", "sample")
    kept, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        if item.path.is_relative_to(SMOKE):
            item.add_marker("smoke")
        is_swept = item.get_closest_marker("sweep") is not None
        runs = not is_swept or wanted == "all" or is_sampled(item) == (wanted == "sample")
        (kept if runs else left).append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=left)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where tests were skipped and none may be: `GGP_NO_SKIPS=1`, which continuous integration sets."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("GGP_NO_SKIPS") == "1" and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
