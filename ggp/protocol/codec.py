"""Strict conversion of messages to JSON and back, with errors that say what is wrong and where."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any, cast, get_args

import msgspec

from ggp.errors import GgpError
from ggp.protocol.messages import MAX_CLIENT_FRAME_BYTES, ClientMessage, ServerMessage

MAX_REASON = 200
"""Longest `reason` in characters. It may quote the frame, is stored, and is sent to the other players at the end."""

_ENCODER = msgspec.json.Encoder()
_CLIENT_DECODER = msgspec.json.Decoder(cast("type[ClientMessage]", ClientMessage))
_SERVER_DECODER = msgspec.json.Decoder(cast("type[ServerMessage]", ServerMessage))
_SERVER_TYPES = {None, *(kind.__struct_config__.tag for kind in get_args(ServerMessage))}


class _AnyMessage(msgspec.Struct):
    type: str


@dataclass(eq=False)
class MessageError(GgpError):
    """A frame that is not a message of the protocol.

    `match` is the match that the frame names, if it could be read, so that a malformed move can be counted in the match
    it was meant for.
    """

    reason: str
    match: str | None = None

    def __str__(self) -> str:
        return self.reason


def encode(message: ClientMessage | ServerMessage) -> str:
    """Return the text of the frame that carries a message."""
    return _ENCODER.encode(message).decode()


def decode_client(frame: str | bytes) -> ClientMessage:
    """Read a frame that a player sent.

    Raises:
        MessageError: it is too long, not JSON, or not a message from a player.
    """
    data = _bytes_of(frame)
    if len(data) > MAX_CLIENT_FRAME_BYTES:
        raise MessageError(f"the frame has {len(data)} bytes; {MAX_CLIENT_FRAME_BYTES} are allowed")
    try:
        message = _CLIENT_DECODER.decode(data)
    except msgspec.ValidationError as error:
        raise _wrong_message(error, data) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(not_json(error, data)) from error
    twice = key_given_twice(data)
    if twice is not None:
        raise MessageError(_shortened(f"the field `{twice}` is given twice"))
    return message


def key_given_twice(data: bytes) -> str | None:
    """Return a key that an object in JSON has twice, of which decoders silently take one; None if there is none."""
    twice: list[str] = []

    def note(pairs: list[tuple[str, Any]]) -> None:
        seen = Counter(key for key, _ in pairs)
        twice.extend(key for key, times in seen.items() if times > 1)

    json.loads(data, object_pairs_hook=note)
    return twice[0] if twice else None


def not_json(error: Exception, data: bytes) -> str:
    """Return why a decoder could not read some bytes."""
    if isinstance(error, msgspec.DecodeError) and re.search(rb"\\u[dD][89a-fA-F]", data):
        return "not JSON: a text has half of a surrogate pair, such as \\ud800, which is not a character"
    return f"not JSON: {error}"


def not_of_type(error: msgspec.ValidationError, type_: Any) -> str:
    """Return why JSON is not of a type; where a field takes some words only, with these."""
    place = re.search(r"^Invalid enum value .* - at `\$\.(\w+)`$", str(error))
    fields = getattr(msgspec.inspect.type_info(type_), "fields", ())
    allowed = [field.type for field in fields if place is not None and field.encode_name == place[1]]
    if not allowed or not isinstance(allowed[0], msgspec.inspect.LiteralType):
        return str(error)
    return f"{error}: it is one of {', '.join(map(str, allowed[0].values))}"


def decode_server(frame: str | bytes) -> ServerMessage | None:
    """Read a frame that the manager sent; None for a message that a later version has added.

    Raises:
        MessageError: it is not JSON, or not a message from a manager.
    """
    try:
        return _SERVER_DECODER.decode(frame)
    except msgspec.ValidationError as error:
        if _type_of(frame) not in _SERVER_TYPES:
            return None
        raise MessageError(_shortened(str(error))) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise MessageError(
            not_json(error, frame if isinstance(frame, bytes) else frame.encode(errors="replace"))
        ) from error


def _wrong_message(error: msgspec.ValidationError, data: bytes) -> MessageError:
    """Return what is wrong with a frame, and the match that it names, if it is valid JSON and names one."""
    try:
        frame: Any = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        frame = None  # the decoder of messages stops at the first wrong field and may not have seen this
    match = frame.get("match") if isinstance(frame, dict) else None
    return MessageError(_shortened(str(error)), match if isinstance(match, str) and len(match) <= 64 else None)


def _bytes_of(frame: str | bytes) -> bytes:
    # A lone surrogate in the frame itself is an error of the sender, as one that is escaped.
    return frame.encode("utf-8", "surrogatepass") if isinstance(frame, str) else frame


def _type_of(frame: str | bytes) -> str | None:
    """Return the type of a message; None if it has none, which is one of ours."""
    try:
        return msgspec.json.decode(frame, type=_AnyMessage).type
    except msgspec.ValidationError:
        return None


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 1] + "…"
