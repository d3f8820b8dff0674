"""A game that is being written: a sample play drawn at once, played on from anywhere, examined and reported on.

Runs in a process of its own (`studio.worker`): the rules may be anybody's.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from starlette.websockets import WebSocket

from ggp.check_play.finding_facts import diagnostic_facts, finding_facts
from ggp.competition.results import ENDLESS
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.language import SourceFile, check, library_names, load_rules
from ggp.language.check.declarations.table_files import ReadText
from ggp.rules_compiler.loading import RulesInvalid, game_from_source
from ggp.rules_compiler.rules_backend import game_of_rules
from studio.room import Rooms
from studio.session import ME, Session, Start
from studio.table import Table

SAMPLE_S, SAMPLE = 0.4, 300
"""Seconds and transitions of a sample play, at most."""
EXAMINED_S, EXAMINED = 2.0, 100_000
"""Seconds and random games in which mistakes are looked for."""
ANY_LIBRARY_GAME = "tic_tac_toe"
PUBLISHED_SEED = 1


class Draft(msgspec.Struct, tag="draft"):
    """Draw a sample play of rules; `play` is one to show instead, as a finding gives it."""

    text: str
    seed: int = 0
    play: list[str] = []


class Examine(msgspec.Struct, tag="examine"):
    """Play random games, and tell what is wrong with the rules."""

    text: str
    seed: int = 0


class Report(msgspec.Struct, tag="report"):
    """Report on the game: its length, who wins, how much skill counts."""

    text: str
    seconds: float = 20.0
    seed: int = 0


_OWN = tuple(f'{{"type":"{tag}"' for tag in ("draft", "examine", "report"))
"""How messages begin that only this session knows; pages write the type first."""
_DECODER = msgspec.json.Decoder(Draft | Examine | Report)


def library_files() -> ReadText:
    """Return the function that reads the files that library games name: drafts begin with their texts."""
    return load_rules(ANY_LIBRARY_GAME)[1]


class DraftSession(Session):
    """A session whose rules come as text or from the library, and which shows drafts as their author sees them."""

    def __init__(self, socket: WebSocket, rooms: Rooms) -> None:
        super().__init__(socket, rooms)
        self._is_draft = False

    def _rules(self, request: Start) -> tuple[SourceFile, Callable[[str], str]]:
        if not request.text and request.game in library_names():
            return load_rules(request.game)
        return SourceFile(f"{request.game or 'game'}.rules", request.text), library_files()

    async def _answer(self, text: str) -> None:
        if not text.startswith(_OWN):
            self._is_draft = self._is_draft and not text.startswith('{"type":"start"')
            await super()._answer(text)
        else:
            try:
                match _DECODER.decode(text):
                    case Draft() as draft:
                        await self._draw(draft)
                    case Examine(rules, seed):
                        await self.tell(await asyncio.to_thread(examined, rules, seed))
                    case Report(rules, seconds, seed):
                        await self._report(rules, seconds, seed)
            except RulesInvalid:
                await self.tell({"type": "invalid"})  # the language server tells what is wrong, and where
            except (GgpError, msgspec.DecodeError) as error:
                await self.tell({"type": "problem", "text": str(error)})
        await self.tell({"type": "done"})

    async def _draw(self, draft: Draft) -> None:
        source = SourceFile("game.rules", draft.text)
        game = (await asyncio.to_thread(game_from_source, source, {}, library_files())).in_python()
        table = Table(game, draft.seed)
        problem = await asyncio.to_thread(sampled, table, draft.play, draft.seed)
        self._is_draft = True
        await self._enter(self._seated(table, Start(game.name, against=ME), source, ()), "", problem)

    def _eyes(self, table: Table, waiting: list[int], role: int | None) -> int | None:
        return role if self._is_draft else super()._eyes(table, waiting, role)

    async def _report(self, rules: str, seconds: float, seed: int) -> None:
        from players.evaluation.game_report import report

        loop = asyncio.get_running_loop()

        def tell(share: float) -> None:
            asyncio.run_coroutine_threadsafe(self.tell({"type": "progress", "share": round(share, 2)}), loop)

        source = SourceFile("game.rules", rules)
        result = check(source, {}, library_files())
        if result.game is None:
            raise RulesInvalid(result.diagnostics, source)
        found = await asyncio.to_thread(report, result.game, seconds, seed, tell)
        await self.tell({"type": "report", "facts": found.facts()})


def sampled(table: Table, play: Sequence[str], seed: int) -> str:
    """Make the transitions of a play, or random ones; return what stopped them, empty if nothing did."""
    rng, until = random.Random(seed), time.monotonic() + SAMPLE_S
    try:
        for line in play:
            table.replay([_as_record(table.game, line, table)])
        while not play and not table.is_over and len(table.made) < SAMPLE and time.monotonic() < until:
            if not table.draw():
                for role in table.waiting():
                    table.choose(role, str(rng.choice(table.history.state.legal(role))))
    except (GgpError, IndexError) as error:
        return str(error) if isinstance(error, GgpError) else "a player has to act and has no legal action"
    return ""


def _as_record(game: Game, line: str, table: Table) -> str:
    """Return a transition of a finding, `bid: row 3, col 5`, as a line of a record."""
    text = line.partition(": ")[2]
    if table.history.state.is_chance():
        return f"chance: {text}"
    names = "|".join(map(re.escape, game.players))
    parts = [part.partition(" ") for part in re.split(rf", (?=(?:{names}) )", text)]
    return "; ".join(f"{name}: {action}" for name, _, action in parts)


def examined(rules: str, seed: int) -> dict[str, Any]:
    """Return what random play shows of some rules: the findings, each with its place and the play that shows it.

    Raises:
        RulesInvalid: the rules have errors.
    """
    # these take a while to import
    from ggp.check_play.examination import examine, make_ready

    source = SourceFile("game.rules", rules)
    result = check(source, {}, library_files())
    if result.game is None:
        raise RulesInvalid(result.diagnostics, source)
    native = game_of_rules(result.game).native()
    make_ready(result.game, native)
    until = time.monotonic() + EXAMINED_S
    limits = [until - EXAMINED_S * share for share in (0.5, 0.25, 0.0)]
    sample_on, view_on, check_on = ((lambda limit=limit: time.monotonic() < limit) for limit in limits)
    found = examine(result.game, native, seed, EXAMINED, ENDLESS, sample_on, view_on, check_on)
    return {
        "type": "findings",
        "findings": [finding_facts(source, one) for one in found.findings],
        "warnings": [diagnostic_facts(source, one) for one in result.diagnostics],
        "games": found.games,
        "finished": found.finished,
    }


def published(rules: str) -> dict[str, Any]:
    """Return what speaks against publishing some rules: `findings`, as `examined` gives them, and the game's name."""
    source = SourceFile("game.rules", rules)
    result = check(source, {}, library_files())
    if result.game is None:
        return {"name": "", "findings": [diagnostic_facts(source, one) for one in result.diagnostics]}
    return {"name": result.game.name, "findings": examined(rules, PUBLISHED_SEED)["findings"]}
