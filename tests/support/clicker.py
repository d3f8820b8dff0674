"""Plays any game in the browser by mouse clicks; knows no game, only what the pages promise to tests.

`data-component` and `data-action` stand on whatever can be clicked, `data-turn` on the board while the person is to
act, `data-over` on it with the result at the end.
"""

from __future__ import annotations

import asyncio
import random
from typing import Any

from tests.support.browser import Page

OPEN = "[data-component], [data-action]"
SEEN = f"""(() => {{
  const over = document.querySelector("[data-over]");
  const record = document.querySelector("[data-record]");
  if (over) return {{over: over.dataset.over, record: record?.dataset.record}};
  const problem = document.querySelector("[role=alert]");
  if (problem) return {{problem: problem.textContent}};
  if (!document.querySelector("[data-turn]")) return {{count: 0}};
  return {{count: document.querySelectorAll("{OPEN}").length}};
}})()"""
PLACE = f"""((number) => {{
  const one = document.querySelectorAll("{OPEN}")[number];
  if (!one) return null;
  one.scrollIntoView({{block: "center", inline: "center"}});
  const box = one.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  const hit = document.elementFromPoint(x, y);
  const [what, above] = [one, hit].map((each) => each && each.outerHTML.slice(0, 200));
  return {{x, y, free: one.contains(hit), what, above}};
}})"""
PATIENCE = 1500
"""How often a page may have nothing to click before the game counts as stuck."""


async def played(page: Page, seed: int, limit: int) -> dict[str, Any] | None:
    """Click at random until the game is over; return its result and record, None after `limit` clicks."""
    rng = random.Random(seed)
    clicks = waited = 0
    while clicks < limit:
        seen = await page.value(SEEN)
        assert "problem" not in seen, seen
        if "over" in seen:
            result: dict[str, Any] = seen
            return result
        if not seen["count"]:
            waited += 1
            assert waited < PATIENCE, "nothing to click"
            await asyncio.sleep(0.01)
            continue
        place = await page.value(f"{PLACE}({rng.randrange(seen['count'])})")
        if place is not None:
            assert place["free"], place
            await page.click(place["x"], place["y"])
            clicks, waited = clicks + 1, 0
    return None
