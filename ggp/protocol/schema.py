"""The JSON Schema of the protocol, generated from the message types."""

from __future__ import annotations

import inspect
from typing import Any

import msgspec

from ggp.protocol.messages import (
    MAX_CLIENT_FRAME_BYTES,
    MAX_SERVER_FRAME_BYTES,
    PROTOCOL_VERSION,
    ClientMessage,
    ServerMessage,
)


def protocol_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of all messages; `client` and `server` are the two directions."""
    (client, server), components = msgspec.json.schema_components(
        [ClientMessage, ServerMessage], ref_template="#/$defs/{name}"
    )
    for component in components.values():
        if "description" in component:  # from Python 3.13 on docstrings have no indentation, before they do
            component["description"] = inspect.cleandoc(component["description"])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"ggp protocol, version {PROTOCOL_VERSION}",
        "description": (
            f"One message per text frame. A player's frames have at most {MAX_CLIENT_FRAME_BYTES} bytes, "
            f"the manager's at most {MAX_SERVER_FRAME_BYTES}."
        ),
        "anyOf": [{"$ref": "#/$defs/client"}, {"$ref": "#/$defs/server"}],
        "$defs": {"client": client, "server": server, **components},
    }
