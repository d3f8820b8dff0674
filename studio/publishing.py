"""What a manager's pages offer besides watching: seats, a workshop, and publishing of games.

A game is checked, then private, then open, with a ladder and bots of its own.

Rules come from anybody. They are compiled and played in processes of their own first, with limits of memory and time;
only what passes there is given to the manager. Bots are processes, too.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ggp.competition.formats import Ladder
from server.competitions.competition import Competition
from server.competitions.settings import CompetitionSettings, GameChoice
from server.matches.memory_limits import PLAYER_MEMORY, limit_memory
from server.network.answers import Access, Refusal, as_json, body_of
from server.network.host import Host
from studio.visitors import Visitors
from studio.workshop import DIED, TOO_LONG, end, started

Who = Literal["nobody", "hosts", "everybody"]
MAX_RULES = 300_000
MAX_PUBLISHED = 8
"""Published games that are played at the same time."""
CHECK_S = 90.0
"""Seconds in which rules must have been compiled and played at random."""
MAX_MEETINGS = 10
"""How often two players meet on the ladder of a published game: its bots do not play each other for ever."""
FRIENDS = 3
"""Whom the author of a private game may let sit down."""
START_MS, PLAY_MS = 60_000, 30_000
"""Clocks for people."""
STRONG, PLAIN = "auto:think=0.07,ponder=off", "random"
"""Bots: the first thinks for two seconds of a person's clock."""


class PublishRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /published`: the text of the rules."""

    rules: Annotated[str, Meta(max_length=MAX_RULES)]


class OpenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /published/ID/open`: the key that its author was given."""

    key: str


class Publisher:
    """The addresses at which games are published, and the bots that play them.

    Args:
        host: the manager.
        who: who may publish.
        access: decides who is a host.
        folder: for the authors' keys and the bots' tokens, readable by its owner alone.
    """

    def __init__(self, host: Host, who: Who, access: Access, folder: Path) -> None:
        self._host, self._who, self._access, self._folder = host, who, access, folder
        self._address = ""
        self._bots: dict[str, list[asyncio.subprocess.Process]] = {}
        self._checking = asyncio.Semaphore(1)

    def routes(self) -> Sequence[BaseRoute]:
        """Return the addresses."""
        return [
            Route("/published", self.terms, methods=["GET"]),
            Route("/published", self.publish, methods=["POST"]),
            Route("/published/{competition}/open", self.open, methods=["POST"]),
        ]

    async def begin(self, address: str) -> None:
        """Let the bots of games that were published before play on.

        Args:
            address: at which bots reach the manager, as `HOST:PORT`.
        """
        self._address = address
        for competition in self._published():
            await self._let_bots_join(competition)

    async def close(self) -> None:
        """End all bots."""
        for competition in list(self._bots):
            await self._end_bots(competition)

    async def terms(self, request: Request) -> Response:
        """Return whether whoever asks may publish."""
        return as_json({"may_publish": self._may_publish(request), "published": len(self._published())})

    def _may_publish(self, request: Request) -> bool:
        return self._who == "everybody" or (self._who == "hosts" and self._access.is_host(request))

    async def publish(self, request: Request) -> Response:
        """Check a game, and let it be played by those whom its author gives the link."""
        if not self._may_publish(request):
            raise Refusal(403, "the host of this manager does not let you publish")
        rules = (await body_of(request, PublishRequest)).rules
        if len(self._published()) >= MAX_PUBLISHED:
            raise Refusal(429, "too many published games are played here; the host has to end one")
        async with self._checking:
            found = await checked(rules)
        wrong = [one for one in found["findings"] if one["severity"] == "error"]
        if wrong:
            return as_json({"error": "the rules have mistakes", "findings": wrong}, 422)
        label = self._free_label(found["name"][:40])
        competition = await self._made(label, found["name"], rules, is_open=False)
        invitations = [await competition.field.invite(whom) for whom in ("its author", *["a friend"] * FRIENDS)]
        await self._let_bots_join(competition)
        key, name = self._facts_of(competition)["key"], competition.settings.name
        return as_json({"competition": competition.id, "name": name, "invitations": invitations, "key": key}, 201)

    async def open(self, request: Request) -> Response:
        """Open a private game to everybody: it gets a ladder that is listed, and the private one ends."""
        private = self._host.competitions.find(request.path_params["competition"])
        key = (await body_of(request, OpenRequest)).key
        if private not in self._published() or not secrets.compare_digest(
            key.encode(), self._facts_of(private)["key"].encode()
        ):
            raise Refusal(403, "only for the author, with the key that publishing gave")
        (choice,) = private.settings.games
        assert choice.rules is not None, "it was published with its rules"
        label = self._facts_of(private).get("label", choice.game)
        competition = await self._made(label, choice.game, choice.rules, is_open=True)
        await private.cancel("it is open to everybody now")
        await self._end_bots(private.id)
        for token in self._folder.glob(f"{private.id}-*.token"):  # they go on as the same players
            token.rename(token.with_name(token.name.replace(private.id, competition.id, 1)))
        await self._let_bots_join(competition)
        return as_json({"competition": competition.id, "name": competition.settings.name}, 201)

    def _free_label(self, game: str) -> str:
        """Return what a game is called here: its name, with a number where others of that name are played."""
        taken = {self._facts_of(one).get("label") for one in self._published()}
        return next(label for number in count(1) if (label := f"{game} {number}" if number > 1 else game) not in taken)

    async def _made(self, label: str, game: str, rules: str, *, is_open: bool) -> Competition:
        settings = CompetitionSettings(
            name=label if is_open else f"{label} (private {secrets.token_hex(3)})",
            games=(GameChoice(game, {}, rules, {}),),
            format=Ladder(MAX_MEETINGS),
            entry="everybody" if is_open else "invitation",
            min_players=2,
            listed=is_open,
            start_clock_ms=START_MS,
            play_clock_ms=PLAY_MS,
        )
        competition = await self._host.competitions.make(settings)
        self._folder.mkdir(mode=0o700, exist_ok=True)
        file = self._folder / f"{competition.id}.json"
        file.touch(mode=0o600)
        file.write_text(json.dumps({"key": secrets.token_urlsafe(18), "label": label}), encoding="utf-8")
        return competition

    def _facts_of(self, competition: Competition) -> dict[str, str]:
        found: dict[str, str] = json.loads((self._folder / f"{competition.id}.json").read_text(encoding="utf-8"))
        return found

    def _published(self) -> list[Competition]:
        """Return the competitions of published games that are not over."""
        return [one for one in self._host.competitions.all if (self._folder / f"{one.id}.json").exists()]

    async def _let_bots_join(self, competition: Competition) -> None:
        """Start bots for all seats but one, two at least; a game for one has none, they would play it for ever."""
        seats = competition.seats
        bots = [STRONG, *[PLAIN] * max(1, seats - 2)] if seats > 1 else []
        for number, player in enumerate(bots):
            token = self._folder / f"{competition.id}-{number}.token"
            label = self._facts_of(competition).get("label", competition.settings.games[0].game)
            name = f"{player.partition(':')[0]} of {label.replace('_', ' ')}"
            arguments = ["join", self._address, player, "--name", name[:64], "--unable", "random"]
            arguments += ["--competition", competition.id, "--token-file", str(token)]
            if competition.settings.entry == "invitation" and not token.exists():
                arguments += ["--invitation", await competition.field.invite("a bot")]
            process = await asyncio.create_subprocess_exec(
                sys.executable, "-X", "utf8", "-m", "ggp", *arguments, preexec_fn=_limited, start_new_session=True,
                stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
            )  # fmt: skip
            self._bots.setdefault(competition.id, []).append(process)

    async def _end_bots(self, competition: str) -> None:
        for bot in self._bots.pop(competition, []):
            with suppress(ProcessLookupError):
                bot.terminate()
            await bot.wait()


def _limited() -> None:
    """Limit what a bot may take, before it begins."""
    os.nice(10)
    limit_memory(PLAYER_MEMORY)


async def checked(rules: str) -> dict[str, Any]:
    """Return what a process of its own finds out about rules: mistakes, and the game's name.

    Raises:
        Refusal: it takes too long, or too much memory.
    """
    process = await started("examine")
    try:
        async with asyncio.timeout(CHECK_S):
            line, _ = await process.communicate(json.dumps({"rules": rules}).encode() + b"\n")
    except TimeoutError as error:
        raise Refusal(422, TOO_LONG) from error
    finally:
        await end(process)
    if not line:
        raise Refusal(422, DIED)
    found: dict[str, Any] = json.loads(line)
    return found


class ManagerPages:
    """The addresses for people, of one manager.

    Args:
        visitors: people who may use processes at the same time.
        who: who may publish.
        admin_token: see `Access`.
        folder: keeps what belongs to published games.
    """

    def __init__(self, visitors: int, who: Who, admin_token: str | None, folder: Path) -> None:
        self._visitors, self._who, self._access, self._folder = visitors, who, Access(admin_token), folder
        self._publisher: Publisher | None = None

    def routes(self, host: Host) -> Sequence[BaseRoute]:
        """Return the addresses for a manager."""
        self._publisher = Publisher(host, self._who, self._access, self._folder)
        return [*Visitors(host.manager, self._visitors).routes(), *self._publisher.routes()]

    async def begin(self, address: str) -> None:
        """Let the bots of published games join, at an address of the manager."""
        if self._publisher is not None:
            await self._publisher.begin(address)

    async def close(self) -> None:
        """End the bots."""
        if self._publisher is not None:
            await self._publisher.close()
