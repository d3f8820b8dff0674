"""A headless Chromium, driven over its debugging protocol: pages are tested as people see them."""

from __future__ import annotations

import asyncio
import atexit
import collections
import contextlib
import functools
import itertools
import json
import shutil
import subprocess
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
"""Checks the accessibility of a page."""
SCROLLS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
"""Whether a page is wider than the window."""
ELSEWHERE = """performance.getEntriesByType('resource').map(one => one.name)
    .filter(name => !/^(blob|data):/.test(name) && !name.startsWith(location.origin + '/'))"""
"""What a page loaded from other places than it came from."""
WAIT_S = 20.0


class Navigated(Exception):
    """The page went to another address before it could answer."""


class Page:
    """One tab.

    Attributes:
        complaints: errors of scripts and violations of the content security policy.
        context: its profile in the browser.
    """

    def __init__(self, socket: ClientConnection, session: str, first: Page | None = None) -> None:
        self.complaints: list[str] = []
        self.context = ""
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
        # `wait_for` of Python 3.11 swallows a cancelling that comes with the answer
        async with asyncio.timeout(WAIT_S):
            answer = await asyncio.shield(self._answers[number])
        if "navigated" in answer.get("error", {}).get("message", ""):
            raise Navigated
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
            while True:
                with contextlib.suppress(Navigated):
                    if await self.value(script):
                        return
                await asyncio.sleep(0.05)

    async def click(self, x: float, y: float) -> None:
        """Move the mouse to a place of the window and click there."""
        await self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    async def press(self, key: str, code: int) -> None:
        what = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        text = "\r" if key == "Enter" else ""  # buttons wait for the character
        await self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **what)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **what)

    async def screen(self, width: int, height: int) -> None:
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2, mobile=True
        )

    async def media(self, name: str, value: str) -> None:
        """Prefer something, such as a dark scheme of colours."""
        await self.call("Emulation.setEmulatedMedia", features=[{"name": name, "value": value}])

    async def push(self, text: str, among: str = "button, a, summary") -> None:
        """Click on the first button, link or heading with exactly this text."""
        found = f"[...document.querySelectorAll({json.dumps(among)})]"
        await self.value(f"{found}.find(one => one.textContent.trim() === {json.dumps(text)}).click()")

    async def fill(self, selector: str, text: str) -> None:
        """Type a text into a field."""
        await self.value(f"document.querySelector({json.dumps(selector)}).focus()")
        await self.call("Input.insertText", text=text)

    async def other(self) -> Page:
        """Return a page of another person, with a storage of its own."""
        page = await _new_page(self._socket, self)
        self._others[page._session] = page
        return page


async def accessible(page: Page) -> None:
    """Check the page that is shown with axe, that it is not wider than the window, and that it came from here alone.

    Raises:
        AssertionError: it is wider, or loaded something from elsewhere, or axe found something.
    """
    where = await page.value("location.href")
    assert not await page.value(SCROLLS), where
    assert await page.value(ELSEWHERE) == [], where
    await page.call("Page.setBypassCSP", enabled=True)
    await page.value(AXE.read_text(encoding="utf-8") + ";0")
    named = "violations.map(each => each.id + each.nodes[0].html)"
    assert await page.value(f"axe.run().then(result => result.{named})") == [], where
    await page.call("Page.setBypassCSP", enabled=False)


async def accessible_on_a_telephone(page: Page) -> None:
    """Check the page that is shown in a narrow window, too."""
    await page.screen(390, 900)
    await accessible(page)
    await page.call("Emulation.clearDeviceMetricsOverride")


@contextlib.asynccontextmanager
async def browser() -> AsyncIterator[Page]:
    """Open an empty tab with a storage of its own, in a Chromium that all tests of this process share.

    Raises:
        AssertionError: in the end a page has complained, or loaded something from elsewhere.
    """
    async with connect(_chromium(), max_size=None, compression=None) as socket:
        page = await _new_page(socket)
        try:
            yield page
            for one in (page, *page._others.values()):
                assert one.complaints == []
                assert await one.value(ELSEWHERE) == []
        finally:
            for one in (page, *page._others.values()):
                await page.call("Target.disposeBrowserContext", session=False, browserContextId=one.context)
            assert page._reader is not None
            page._reader.cancel()
            await asyncio.gather(page._reader, return_exceptions=True)


async def _new_page(socket: ClientConnection, first: Page | None = None) -> Page:
    page = Page(socket, "", first)
    page.context = (await page.call("Target.createBrowserContext", session=False))["browserContextId"]
    target = await page.call("Target.createTarget", session=False, url="about:blank", browserContextId=page.context)
    attached = await page.call("Target.attachToTarget", session=False, targetId=target["targetId"], flatten=True)
    page._session = attached["sessionId"]
    for domain in ("Page", "Runtime", "Log"):
        await page.call(f"{domain}.enable")
    return page


@functools.cache
def _chromium() -> str:
    """Start a Chromium, which ends with this process; return the address of its debugging protocol."""
    assert CHROMIUM is not None
    folder = tempfile.TemporaryDirectory()
    process = subprocess.Popen(
        [
            CHROMIUM, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--remote-debugging-port=0", f"--user-data-dir={folder.name}", "about:blank",
        ],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    stderr = process.stderr
    assert stderr is not None

    def end() -> None:
        process.kill()
        process.wait()
        with contextlib.suppress(OSError):  # its helpers may still write there
            folder.cleanup()

    atexit.register(end)
    line = next((line for line in stderr if "DevTools listening on " in line), "")
    assert line, "chromium ended"
    threading.Thread(target=lambda: collections.deque(stderr, 0), daemon=True).start()  # or it would wait for a reader
    return line.partition("listening on ")[2].strip()
