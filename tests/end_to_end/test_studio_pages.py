"""The studio's pages in a browser: accessible, within the window, by keys alone, and without requests to elsewhere."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from urllib.parse import quote

import pytest

from server.web import pages
from tests.support.browser import ELSEWHERE, Page, accessible
from tests.support.clicked_games import UNDRAWN
from tests.support.clicker import OPEN, SEEN, played
from tests.support.studio_server import studio

BOWLS = """game bowls "A die, and bowls of as many numbers"
players a, b
type bowl = 1..6

state
    die[1..2]: 1..6 = 3
    bowls[bowl]: 0..9 = 4

phase rob
    a chooses k in {k in bowl: k > 2}
    bowls[k] := 0
    next end

payoff[p] = 0
"""
RELAY = """game relay "Nobody chooses for a while, then something is bought"
players a, b
type ware = {wool, wine}

state
    left[ware]: 0..9 = 5
    sold[ware]: 0..9 = 0
    has[player, ware]: 0..9 = 1
    steps: 0..60 = 0

phase relay
    steps := steps + 1
    next buy if steps == 60 else relay

phase buy
    a chooses k in ware
    left[k] := left[k] - 1
    next end

payoff[p] = 0
"""
CHAIN = """game chain "Dominoes in a row, and what was drawn"
players a, b
type pips = 0..2
type bone = 1..6
type colour = {red, orange, pink}
type number = 1..3
type card = number of colour
table low[bone]: pips = [0, 0, 0, 1, 1, 2]
table high[bone]: pips = [0, 1, 2, 1, 2, 2]

state
    chain: sequence of bone, at most 6 = [5, 4, 2]
    stock: set of bone = {1, 4}
    hand[player]: set of card = {card(2, orange), card(3, pink)}
    drawn: 0..20 = 0

phase draw
    chance draws k in bone, c in card
    drawn := drawn + 1
    sees all: k
    next draw if drawn < 20 else take

phase take
    a chooses d in card
    hand[a] := {d}
    sees b: d
    next end

payoff[p] = 0
"""
NASTY = "<img src=x onerror=alert(1)>"
RULES = f"""# {NASTY} in a comment
game nasty "{NASTY}"
players a, b
board cell = grid(2, 2)

state
    mine[player]: set of cell = {{}}

phase p
    each q chooses c in all - mine[q]
    mine[q] := mine[q] + {{c[q]}}  for q in player
    next end if count(mine[a]) == 3 else p

payoff[p] = 0

display grid cell
    mine[p]: "{NASTY}" of p  for p in player
    line "{NASTY}" mine
"""
PAGES = (
    "",
    "play?game=chess&against=random",
    "play?game=goofspiel&against=random",
    "play?game=ra&against=random",
    "play?game=kuhn_poker&against=link",
    "play?game=kuhn_poker&move=chance: 3 1&move=first: pass&move=second: pass",  # over
    "games/ra",
    "write?game=nim",
)
LONG = (
    (390, "light", True),
    (390, "dark", True),
    (1280, "light", False),
    (1280, "dark", False),
    (2560, "light", False),
)
BARE = """[...document.querySelectorAll(".card, .place-of, header:has(nav), main button:not([class])")].filter(
    one => getComputedStyle(one).backgroundColor === "rgba(0, 0, 0, 0)").map(one => one.outerHTML.slice(0, 200))"""
"""Surfaces without a colour of their own."""
REPORT = "[...document.querySelectorAll('button')].find(one => one.innerText === 'Report')"


@pytest.mark.parametrize(
    ("width", "theme", "reports"),
    [
        (390, "dark", False),
        *(pytest.param(*case, marks=pytest.mark.long) for case in LONG),
    ],
)
async def test_the_pages_are_accessible_and_fit_the_window(
    host: str, page: Page, width: int, theme: str, *, reports: bool
) -> None:
    await page.media("prefers-color-scheme", theme)
    await page.screen(width, 900)
    for path in PAGES:
        await page.open(f"http://{host}/{path}")
        assert await page.value(BARE) == [], path
        await accessible(page)
    if reports:
        await page.until(f"!{REPORT}.disabled")
        await page.push("Report")
        await page.until("document.querySelector('dl.figures') !== null", 90)
        await accessible(page)


async def test_texts_of_rules_stay_texts_and_nothing_is_loaded_from_elsewhere(tmp_path: Path, page: Page) -> None:
    file = tmp_path / "nasty.rules"
    file.write_text(RULES)
    with studio((str(file),)) as host:
        for path in ("", f"play?game={quote(str(file))}&against=random", "games/ra", "write?game=nim"):
            await page.open(f"http://{host}/{path}")
            assert await page.value("document.querySelectorAll('img[src=x]').length") == 0
            assert await page.value("performance.getEntriesByType('resource').length")
            assert await page.value(ELSEWHERE) == []


async def test_a_page_that_is_older_than_the_server_is_loaded_anew(
    host: str, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    await page.open(f"http://{host}/")
    files = pages._files()
    with monkeypatch.context() as renewed:
        renewed.setattr(pages, "_files", lambda: {name: file for name, file in files.items() if "write" not in name})
        await page.push("Write")
        await page.until("document.querySelector('main [role=alert] button') !== null")
    await page.push("Load it anew")
    await page.until("document.querySelector('main.write') !== null")
    await page.open(f"http://{host}/")
    with monkeypatch.context() as renewed:
        renewed.setattr(pages, "_files", lambda: {name: file for name, file in files.items() if "write" not in name})
        await page.value("performance.now = () => 1e6; 0")
        await page.push("Write")
        await page.until("performance.now() < 1e6 && document.querySelector('main [role=alert] button') !== null")
    page.complaints.clear()  # of what was gone


@pytest.mark.parametrize(
    "game",
    [
        "tic_tac_toe",
        *(pytest.param(game, marks=pytest.mark.long) for game in ("goofspiel", "liars_dice", "phantom_tic_tac_toe")),
    ],
)
async def test_a_game_is_played_by_keys_alone(host: str, page: Page, game: str) -> None:
    await page.open(f"http://{host}/play?game={game}&against=random&seed=2")
    end = time.monotonic() + 90
    while time.monotonic() < end:
        seen = await page.value(SEEN)
        assert "problem" not in seen, seen
        if "over" in seen:
            return
        await page.press("Tab", 9)
        if await page.value(f"document.activeElement.matches('{OPEN}')"):
            await page.press("Enter", 13)
            await asyncio.sleep(0.05)
    raise AssertionError("not over")


async def test_who_plays_by_keys_goes_on_beside_what_was_played_last(host: str, page: Page) -> None:
    await page.open(f"http://{host}/play?game=tic_tac_toe&against=random&seed=2")
    await page.until("document.querySelector('[data-turn] [data-component]') !== null")
    while not await page.value(f"document.activeElement.matches('{OPEN}')"):
        await page.press("Tab", 9)
    is_over = "document.querySelector('[data-over]') !== null"
    while not await page.value(is_over):
        await page.press("Enter", 13)
        await page.until(f"{is_over} || document.activeElement.matches('[data-turn] [data-component]')")


async def test_a_man_is_dragged_to_where_it_goes(host: str, page: Page) -> None:
    await page.media("prefers-reduced-motion", "reduce")
    await page.call("Emulation.setDeviceMetricsOverride", width=1280, height=1000, deviceScaleFactor=1, mobile=False)
    await page.open(f"http://{host}/play?game=chess&seat.black=me")
    place = "(({x, y, width, height}) => ({x: x + width / 2, y: y + height / 2, height}))"
    box = "document.querySelector('[data-component=e2] .area').getBoundingClientRect()"
    await page.until("document.querySelector('[data-component=e2] .area') !== null")
    man = await page.value(f"{place}({box})")
    for target in ((man["x"], man["y"] - man["height"] / 3), (man["x"], man["y"] - 2.1 * man["height"])):
        await dragged(page, (man["x"], man["y"]), target)
    await page.until("document.querySelectorAll('.moves .move').length === 1")
    assert "e2 e4 pawn" in await page.value("document.querySelector('.moves').innerText")


async def dragged(page: Page, begin: tuple[float, float], end: tuple[float, float]) -> None:
    middle = (begin[0], (begin[1] + end[1]) / 2)
    steps = [("mousePressed", begin), ("mouseMoved", middle), ("mouseMoved", end), ("mouseReleased", end)]
    for kind, (x, y) in steps:
        await page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


async def test_a_page_is_left_and_found_again_by_back(host: str, page: Page) -> None:
    await page.open(f"http://{host}/play?game=tic_tac_toe&seed=99999999999999999999999&clock=-1")
    await page.call("Page.navigate", url=f"http://{host}/games/ra")
    await page.until("location.pathname === '/games/ra' && document.querySelector('main') !== null")
    await page.value("setTimeout(() => history.back())")
    await page.until("location.pathname === '/play' && document.querySelector('[data-turn]') !== null")
    await asyncio.sleep(0.5)
    assert await page.value("document.querySelector('[role=alert]')") is None
    await played(page, 1, 20)
    page.complaints.clear()  # of a connection that broke when the page was left


async def test_on_a_telephone_ones_own_hand_comes_before_those_of_several_others(host: str, page: Page) -> None:
    await page.screen(390, 900)
    await page.open(f"http://{host}/play?game=oh_hell&against=random")
    await page.until("document.querySelectorAll('.others > .place-of').length > 1")
    top = "document.querySelector('{}').getBoundingClientRect().top"
    for own in (".place-of.nearest", ".side > section"):
        assert await page.value(f"{top.format(own)} < {top.format('.others')}"), own


@pytest.mark.long
async def test_a_pack_of_many_cards_face_down_keeps_its_room_and_two_uses_of_a_card_are_told_apart(page: Page) -> None:
    (game,) = (file for file in UNDRAWN if file.endswith("expeditions.rules"))
    with studio((game,)) as host:
        for width in (1280, 390):
            await page.screen(width, 900)
            await page.open(f"http://{host}/play?game={quote(game)}&against=random")
            await page.until("document.querySelector('.backs.tight') !== null")
            wide = await page.value("document.querySelector('.common .backs.tight').getBoundingClientRect().width")
            assert wide > 100
        await page.value("document.querySelector('.nearest .cards button.item').click()")
        await page.until("document.querySelectorAll('.actions .with-card').length === 2")
        cards = "[...document.querySelectorAll('.actions .with-card')]"
        assert await page.value(f"{cards}.map(one => one.innerText.split('\\n')[0].trim())") == ["lay", "discard"]


async def test_numbered_cards_say_what_they_are_and_arrow_keys_go_among_values(page: Page) -> None:
    (game,) = (file for file in UNDRAWN if file.endswith("splendid.rules"))
    with studio((game,)) as host:
        await page.open(f"http://{host}/play?game={quote(game)}&against=random&seed=4")
        await page.until("document.querySelector('[data-component=diamond]') !== null")
        assert "worth" in await page.value("document.querySelector('.playing-card.wide').getAttribute('aria-label')")
        await page.value("document.querySelector('[data-component=diamond]').focus()")
        for key, there in (("ArrowRight", "sapphire"), ("ArrowRight", "emerald"), ("ArrowLeft", "sapphire")):
            await page.press(key, {"ArrowLeft": 37, "ArrowRight": 39}[key])
            assert await page.value("document.activeElement.dataset.component") == there


async def test_a_die_is_not_clicked_for_a_bowl_of_the_number_that_it_shows(page: Page, tmp_path: Path) -> None:
    (file := tmp_path / "bowls.rules").write_text(BOWLS)
    with studio((str(file),)) as host:
        await page.open(f"http://{host}/play?game={quote(str(file))}&against=random")
        await page.until("document.querySelectorAll('.pits button.item').length === 4")
        assert await page.value("document.querySelector('.dice button')") is None


@pytest.mark.long
async def test_a_long_row_is_shown_faster_and_supplies_in_a_table_are_clicked(page: Page, tmp_path: Path) -> None:
    """Sixty transitions of 320 ms each would take 19 seconds; they take 6.4."""
    (file := tmp_path / "relay.rules").write_text(RELAY)
    with studio((str(file),)) as host:
        await page.open(f"http://{host}/play?game={quote(str(file))}&against=random")
        begin = time.monotonic()
        await page.until("document.querySelector('[data-turn]') !== null")
        assert time.monotonic() - begin < 14
        assert await page.value("document.querySelectorAll('.common td [data-component=wine]').length") == 2
        await accessible(page)


async def test_dominoes_in_a_chain_meet_by_equal_ends_and_cards_have_their_colours(page: Page, tmp_path: Path) -> None:
    (tmp_path / "chain.rules").write_text(CHAIN)
    with studio((str(tmp_path / "chain.rules"),)) as host:
        await page.open(f"http://{host}/play?game={quote(str(tmp_path / 'chain.rules'))}&against=random&seed=1")
        await page.until(
            "document.querySelector('.face.orange + g') !== null && document.querySelector('.face.pink') !== null"
        )
        ends = "[...document.querySelectorAll('{}')].map(one => one.getAttribute('aria-label'))"
        assert await page.value(ends.format(".common .lying")) == ["2 of 1", "1 of 1", "1 of 0"]
        assert await page.value(ends.format(".common .playing-card:not(.lying)")) == ["0 of 0", "1 of 1"]
        told = "document.querySelector('.told')"
        await page.until(f"{told}.children.length === 20")
        await page.until(f"{told}.scrollTop > 99 && {told}.scrollTop + {told}.clientHeight >= {told}.scrollHeight - 1")


GUESSES = """game guesses "Four colours in a row, several times"
players maker, breaker
type colour = {red, orange, yellow, green}
type place = 1..4
type row = 1..3
state
    guess[row, place]: colour or none = orange
    black[row]: 0..4 = 0
    white[row]: 0..4 = 0
phase go
    maker chooses g[i in place] in colour
    guess[1, i] := g[i]  for i in place
    next end
payoff[p] = 0
"""


COLUMNS = """game columns "Values in the columns of their colours"
players ann, bob
type colour = {blue, green}
type value = {two, three, six}
type card = value of colour
state
    hand[player]: set of card = all
    route[player, colour]: sequence of value, at most 3 = [two, three]
phase go
    ann chooses c in hand[ann]
    next end
payoff[p] = 0
"""


async def test_cards_in_the_column_of_a_colour_have_it_and_say_what_they_are_below_others(
    page: Page, tmp_path: Path
) -> None:
    (file := tmp_path / "columns.rules").write_text(COLUMNS)
    with studio((str(file),)) as host:
        await page.open(f"http://{host}/play?game={quote(str(file))}&against=random")
        await page.until("document.querySelector('.nearest .standing .face.green') !== null")
        words = "[...document.querySelectorAll('.nearest .standing .word')]"
        seen = f"{words}.filter(one => one.getBoundingClientRect().width).map(one => one.textContent)"
        assert await page.value(seen) == ["two", "two"], "three lies on it"


async def test_a_table_of_colours_fits_a_telephone(page: Page, tmp_path: Path) -> None:
    (file := tmp_path / "guesses.rules").write_text(GUESSES)
    await page.screen(390, 900)
    with studio((str(file),)) as host:
        await page.open(f"http://{host}/play?game={quote(str(file))}&against=random")
        await page.until("document.querySelectorAll('.table td .swatch').length === 12")
        assert await page.value("document.querySelector('.goes-on')") is None


async def test_games_are_found_by_their_kind_and_one_that_is_not_there_is_named(host: str, page: Page) -> None:
    await page.open(f"http://{host}/")
    await page.fill("input[type=search]", "hidden cards")
    await page.until("document.querySelector('a[href$=oh_hell]') && !document.querySelector('a[href$=connect_four]')")
    await page.open(f"http://{host}/write?game=ches")
    await page.until("document.querySelector('main').textContent.includes('no game `ches` here; did you mean `chess`')")
    page.complaints.clear()  # that it is not there
