"""Runs coroutines as tests, and a part of each sweep; fails runs that skipped tests unasked."""

import asyncio
import inspect
import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support.sweeps import to_run

# Each of some hundred processes would compile all sources for itself, and each worker all tests.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Matrices are small here, and threads of a linear algebra library that wait for each other take five times the time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A shell that runs the tests in the background has them ignore interrupts, and the processes they start inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
# A busy machine makes no test fail, and one that fails does so again.
settings.register_profile("tests", deadline=None, derandomize=True, database=None)
settings.load_profile("tests")


SMOKE = Path(__file__).parent / "smoke"
COROUTINE_S, BROWSER_S = 60, 300
"""How long a test that is a coroutine may take, and one that looks at pages."""


@pytest.fixture
def here(tmp_path: Path) -> object:
    """A manager with small games, of which a coroutine gets the `Arena`."""
    from tests.support.arena import arena

    return arena(tmp_path)


@pytest.fixture(scope="session")
def built_pages() -> None:
    """Skip a test where the pages are not built."""
    from server.web.pages import BUILT

    if not (Path(__file__).parents[1] / BUILT[0].replace(".", "/") / BUILT[1] / "index.html").is_file():
        pytest.skip("the pages are not built: run `make web`")


@pytest.fixture
def page(built_pages: None) -> object:
    """A tab in a browser, of which a coroutine gets the `Page`."""
    from tests.support.browser import CHROMIUM, browser

    if CHROMIUM is None:
        pytest.skip("no chromium here: the pages are NOT tested (apt install chromium)")
    return browser()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a test that is a coroutine function; arguments that are asynchronous contexts are entered for it."""
    if not inspect.iscoroutinefunction(pyfuncitem.function):
        return None

    async def run() -> None:
        async with AsyncExitStack() as stack:
            arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.function).parameters}
            for name, value in arguments.items():
                if hasattr(value, "__aenter__"):
                    arguments[name] = await stack.enter_async_context(value)
            await pyfuncitem.function(**arguments)

    limit_s = BROWSER_S if "page" in pyfuncitem.fixturenames else COROUTINE_S
    asyncio.run(asyncio.wait_for(run(), limit_s))
    return True


def pytest_xdist_auto_num_workers() -> int:
    """Return a worker more than there are processors: tests wait for browsers, servers and clocks."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the smoke tests, and leave out a part of each sweep."""
    for item in items:
        if item.path.is_relative_to(SMOKE):
            item.add_marker("smoke")
    kept = to_run(items)
    config.hook.pytest_deselected(items=list({*items} - {*kept}))
    items[:] = kept


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where tests were skipped and none may be: `GGP_NO_SKIPS=1`, which continuous integration sets."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("GGP_NO_SKIPS") == "1" and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
