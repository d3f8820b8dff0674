"""Lets processes that tests start be interrupted, and fails runs that skipped tests where none may be."""

import os
import signal

import pytest

# A shell that runs the tests in the background has them ignore interrupts, and the processes they start inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where tests were skipped and none may be: `GGP_NO_SKIPS=1`, which continuous integration sets."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("GGP_NO_SKIPS") == "1" and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
