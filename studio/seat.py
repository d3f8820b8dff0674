"""What a person at a seat of a match sees: the position, as the seat was told of it, and the parts of its actions.

Runs in a process of its own (`studio.worker`): the rules may be anybody's.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.game.state import State
from ggp.language import SourceFile, sent_files
from ggp.protocol.messages import Act, Observe
from ggp.rules_compiler.loading import game_from_source
from studio.knowledge import Knowledge
from studio.table import NotPossible


class Sit(msgspec.Struct, tag="sit"):
    """Take a seat of a match: its rules, with the files that they read, and the role that is looked through."""

    game: str
    rules: str
    role: str
    files: dict[str, str] = {}
    parameters: dict[str, str] = {}


_DECODER = msgspec.json.Decoder(Sit | Observe | Act)


class SeatSession:
    """Answers each message that a manager sent to a seat with what is seen then.

    Args:
        socket: of the page.
    """

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._game: Game | None = None
        self._role = 0
        self._known: Knowledge | None = None

    async def run(self) -> None:
        """Answer messages until the page is left."""
        await self._socket.accept()
        try:
            while True:
                await self._answer(await self._socket.receive_text())
        except WebSocketDisconnect:
            pass

    async def _answer(self, text: str) -> None:
        try:
            match _DECODER.decode(text):
                case Sit() as sit:
                    await self._send(await asyncio.to_thread(self._begin, sit))
                case Observe(observation=observed, action=action):
                    told = [(one.label, one.value) for one in observed]
                    await asyncio.to_thread(self._knowledge().tell, action, told)
                    await self._send(await asyncio.to_thread(self._seen, None))
                case Act(legal=legal, step=step):
                    await self._send({**await asyncio.to_thread(self._seen, legal), "step": step})
        except (GgpError, msgspec.DecodeError) as error:
            await self._send({"type": "problem", "text": str(error)})
        await self._send({"type": "done"})

    def _knowledge(self) -> Knowledge:
        if self._known is None:
            raise NotPossible("nobody sits here yet")
        return self._known

    def _begin(self, sit: Sit) -> Mapping[str, Any]:
        source = SourceFile(f"{sit.game}.rules", sit.rules)
        game = game_from_source(source, sit.parameters, sent_files(sit.files))
        self._game, self._role = game, game.player(sit.role)
        self._known = Knowledge(game, self._role)
        return self._seen(None)

    def _seen(self, legal: Sequence[str] | None) -> Mapping[str, Any]:
        """Return what the seat sees, and the parts of its legal actions."""
        known = self._knowledge()
        scene = known.scene(legal)
        actions = [{"text": text, "parts": _parts(self._game, known.state, self._role, text)} for text in legal or ()]
        return {"type": "seen", "scene": scene, "certain": known.certain, "role": self._role, "legal": actions}

    async def _send(self, message: Mapping[str, Any]) -> None:
        await self._socket.send_text(msgspec.json.encode(message).decode())


def _parts(game: Game | None, state: State | None, role: int, text: str) -> list[list[str]]:
    """Return the components of an action, none where no possible state is known."""
    if game is None or state is None:
        return []
    return [list(part) for part in game.codec.action_parts(state.parse_action(role, text), state.words[0])]


def sitting(game: str, rules: str, role: str, files: Mapping[str, str], parameters: Mapping[str, str]) -> str:
    """Return the message with which a page's seat begins."""
    facts = {"game": game, "rules": rules, "role": role, "files": dict(files), "parameters": dict(parameters)}
    return json.dumps({"type": "sit", **facts}, separators=(",", ":"))
