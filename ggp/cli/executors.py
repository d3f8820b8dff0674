"""Where a command's work runs: in processes on this machine, or on a Dask cluster."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ggp.errors import GgpError

CONNECT_S = 20
RETRIES = 5
"""How often work is repeated after its worker was lost."""

executor_option = click.option(
    "--executor", metavar="tcp://HOST:PORT", help="Scheduler of a Dask cluster that does the work instead."
)


class ExecutorUnusable(GgpError):
    """The cluster cannot be reached, or `distributed` is not installed."""


@contextmanager
def working_on(address: str | None) -> Iterator[None]:
    """Run the work within the context on a cluster; without an address, in processes on this machine.

    Args:
        address: of a Dask scheduler. Its workers need the same version of ggp, and rules files at the same paths.

    Raises:
        ExecutorUnusable: there is no cluster.
    """
    if address is None:
        yield
        return
    if "://" not in address:
        raise ExecutorUnusable(f"`{address}` is not an address of a scheduler such as tcp://localhost:8786")
    try:
        from distributed import Client
    except ImportError as error:
        raise ExecutorUnusable("--executor needs `pip install ggp[cluster]`") from error
    from players.agents.processes import on_executor

    try:
        client = Client(address, timeout=CONNECT_S, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, ImportError) as error:
        raise ExecutorUnusable(f"cannot reach a scheduler at {address}: {error}") from error
    with client:
        workers = len(client.scheduler_info()["workers"])
        if not workers:
            raise ExecutorUnusable(f"the cluster at {address} has no workers")
        print(f"ggp: {workers} workers at {address}", file=sys.stderr)
        with on_executor(client.get_executor(retries=RETRIES)):  # type: ignore[no-untyped-call]
            yield
