"""A headless Chromium, driven over its debugging protocol: pages are tested as people see them."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
"""Checks the accessibility of a page."""
START_S, WAIT_S = 30.0, 20.0

needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium here: the pages are NOT tested (apt install chromium)"
)


class Page:
    """One tab.

    Attributes:
        complaints: errors of scripts and violations of the content security policy.
    """

    def __init__(self, socket: ClientConnection, session: str, first: Page | None = None) -> None:
        self.complaints: list[str] = []
        self._socket = socket
        self._session = session
        self._others: dict[str, Page] = {}
        # one connection, whose messages the first page reads for all
        self._numbers: Iterator[int] = itertools.count(100) if first is None else first._numbers
        self._answers: dict[int, asyncio.Future[Any]] = {} if first is None else first._answers
        self._reader = asyncio.create_task(self._read()) if first is None else None

    async def _read(self) -> None:
        async for frame in self._socket:
            message = json.loads(frame)
            page = self._others.get(message.get("sessionId", ""), self)
            if "id" in message and message["id"] in self._answers:
                self._answers.pop(message["id"]).set_result(message)
            elif message.get("method") == "Log.entryAdded":
                entry = message["params"]["entry"]
                if entry["level"] == "error":
                    page.complaints.append(entry["text"])
            elif message.get("method") == "Runtime.exceptionThrown":
                page.complaints.append(json.dumps(message["params"]["exceptionDetails"])[:500])

    async def call(self, method: str, *, session: bool = True, **parameters: Any) -> Any:
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        request = {"id": number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = self._session
        await self._socket.send(json.dumps(request))
        answer = await asyncio.wait_for(asyncio.shield(self._answers[number]), WAIT_S)
        assert "error" not in answer, answer
        return answer["result"]

    async def open(self, url: str) -> None:
        """Go to an address and wait until the page says that it is ready."""
        await self.call("Page.navigate", url=url)
        await self.until("document.getElementById('main')?.dataset.ready === 'yes'")

    async def value(self, script: str) -> Any:
        answer = await self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def until(self, script: str, wait_s: float = WAIT_S) -> None:
        async with asyncio.timeout(wait_s):
            while not await self.value(script):
                await asyncio.sleep(0.05)

    async def click(self, x: float, y: float) -> None:
        """Move the mouse to a place of the window and click there."""
        await self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def press(self, key: str, code: int) -> None:
        for kind in ("keyDown", "keyUp"):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, text="")

    async def screen(self, width: int, height: int) -> None:
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True
        )

    async def other(self) -> Page:
        """Return a page of another person: another profile of the same browser, with a storage of its own."""
        context = await self.call("Target.createBrowserContext", session=False)
        target = await self.call("Target.createTarget", session=False, url="about:blank", **context)
        attached = await self.call("Target.attachToTarget", session=False, targetId=target["targetId"], flatten=True)
        page = Page(self._socket, attached["sessionId"], self)
        self._others[attached["sessionId"]] = page
        await page.enable()
        return page

    async def enable(self) -> None:
        """Let the browser tell of what happens in the page."""
        for domain in ("Page", "Runtime", "Log"):
            await self.call(f"{domain}.enable")


@contextlib.asynccontextmanager
async def browser(folder: Path) -> AsyncIterator[Page]:
    """Start a Chromium with one empty tab."""
    assert CHROMIUM is not None
    process = await asyncio.create_subprocess_exec(
        CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
        "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank",
        stderr=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stderr is not None
    try:
        async with asyncio.timeout(START_S):
            line = ""
            while "DevTools listening on " not in line:
                line = (await process.stderr.readline()).decode()
                assert line, "chromium ended"
        drain = asyncio.create_task(_drained(process.stderr))
        async with connect(line.partition("listening on ")[2].strip(), max_size=None, compression=None) as socket:
            target = await _ask(socket, "Target.createTarget", url="about:blank")
            attached = await _ask(socket, "Target.attachToTarget", targetId=target["targetId"], flatten=True)
            page = Page(socket, attached["sessionId"])
            await page.enable()
            yield page
            assert page._reader is not None
            page._reader.cancel()
            await asyncio.gather(page._reader, return_exceptions=True)
        drain.cancel()
        await asyncio.gather(drain, return_exceptions=True)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _drained(stream: asyncio.StreamReader) -> None:
    while await stream.read(65536):
        pass


async def _ask(socket: ClientConnection, method: str, **parameters: Any) -> Any:
    await socket.send(json.dumps({"id": 1, "method": method, "params": parameters}))
    while True:
        message = json.loads(await socket.recv())
        if message.get("id") == 1:
            return message["result"]
