"""What a person meets: a tab in a browser, a studio, and a manager of the library's games with its pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from server.matches.library_games import LibraryGames
from studio.visitors import Visitors
from tests.support.arena import arena
from tests.support.studio_server import studio


@pytest.fixture
def here(tmp_path: Path) -> object:
    """A manager of the library's games, at whose boards visitors sit down; a coroutine gets the `Arena`."""
    return arena(tmp_path, LibraryGames(), lambda host: Visitors(host.manager, 4).routes())


@pytest.fixture
def host() -> Iterator[str]:
    """Return host and port of a studio."""
    with studio() as address:
        yield address
