"""Pages of a manager that a proxy serves below a path, in a real Chromium: nothing is asked for beside that path."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.matches.library_games import LibraryGames
from studio.publishing import ManagerPages
from tests.support.arena import arena
from tests.support.browser import Page

PATH = "/deep/games"


class Proxy:
    """Takes a path away, as nginx does with `location /deep/games/` and `proxy_pass http://127.0.0.1:8000/;`.

    Attributes:
        url: of the path.
        strays: what was asked for beside the path.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.url = ""
        self.strays: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            line, _, head = (await reader.readuntil(b"\r\n\r\n")).partition(b"\r\n")
            method, path, version = line.split(b" ")
            if not path.startswith(PATH.encode() + b"/"):
                self.strays.append(path.decode())
                writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
                return
            if b"pgrade: websocket" not in head:  # one request a connection
                head = head.replace(b"keep-alive", b"close")
            behind, ahead = await asyncio.open_connection("127.0.0.1", self._port)
            with contextlib.closing(ahead):
                way = path.removeprefix(PATH.encode()).replace(b"%2F", b"/")  # as nginx does
                ahead.write(b" ".join([method, way, version]) + b"\r\n" + head)
                ways = [asyncio.create_task(pass_on(*way)) for way in ((reader, ahead), (behind, writer))]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                for way in ways:
                    way.cancel()


async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while chunk := await reader.read(1 << 16):
            writer.write(chunk)
            await writer.drain()


@contextlib.asynccontextmanager
async def below_a_path(base: str) -> AsyncIterator[Proxy]:
    proxy = Proxy(int(base.rpartition(":")[2]))
    async with await asyncio.start_server(proxy.serve, "127.0.0.1", 0) as server:
        proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}{PATH}"
        yield proxy


@pytest.mark.long
async def test_pages_below_a_path(tmp_path: Path, page: Page) -> None:
    pages = ManagerPages(4, "everybody", None, tmp_path / "published")
    async with arena(tmp_path, LibraryGames(), pages.routes) as here:
        players = await here.players("ann", "bob/2")
        match, playing = await here.library_match(players, "tic_tac_toe")
        await playing
        async with below_a_path(here.base) as proxy:
            url = proxy.url
            await page.open(f"{url}/")
            assert await page.value("location.pathname") == f"{PATH}/view"
            await page.value("document.querySelector('a.match').click()")
            await page.until("document.querySelectorAll('.board .piece').length > 4")
            assert await page.value("location.pathname") == f"{PATH}/view/matches/{match}"
            await page.open(
                await page.value("[...document.querySelectorAll('a')].find(one => one.innerText === 'bob/2').href")
            )
            await page.until("document.querySelectorAll('a.match').length > 0")
            await page.open(f"{url}/view")
            await page.push("Games", "nav a")
            await page.until("document.querySelectorAll('a.game').length > 50")
            assert (await page.value("document.querySelector('a.game img').src")).startswith(f"{url}/api/picture")
            await page.open(f"{url}/embed/matches/{match}#2")
            await page.until("document.querySelectorAll('.board .piece').length === 2")
            await page.open(f"{url}/play?game=tic_tac_toe&seat=cross&against=random")
            await page.until("document.querySelectorAll('.board .ground').length === 9")
            await page.open(f"{url}/write?game=nim")
            await page.until("document.querySelector('.editor')?.dataset.errors === '0'")
            assert proxy.strays == []
            await page.call("Page.navigate", url="about:blank")  # it would miss the manager
