"""The tables of `docs/protocol.md`, generated from the message types.

`python -m docs.protocol_tables docs` writes them into the page, and the JSON Schema beside it.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from ggp.pages import with_part
from ggp.protocol.messages import ClientMessage, Observed, PlayerError, ServerMessage
from ggp.protocol.schema import protocol_schema

BEGIN = "<!-- tables made of the message types: begin -->"
END = "<!-- tables made of the message types: end -->"


def message_tables() -> str:
    """Return a section for each message, in Markdown."""
    definitions = protocol_schema()["$defs"]
    lines = ["### From the player", ""]
    for message in get_args(ClientMessage):
        lines += _section(message, definitions)
    lines += ["### From the manager", ""]
    for message in (*get_args(ServerMessage), Observed, PlayerError):
        lines += _section(message, definitions)
    return "\n".join(lines).rstrip() + "\n"


def schema_text() -> str:
    """Return the text of `docs/protocol.schema.json`."""
    return json.dumps(protocol_schema(), indent=2, ensure_ascii=False) + "\n"


def with_tables(page: str) -> str:
    """Return a page with the tables between its two marks replaced.

    Raises:
        ValueError: it has no such marks.
    """
    return with_part(page, BEGIN, END, f"\n\n{message_tables()}\n")


def _section(message: Any, definitions: dict[str, Any]) -> Iterator[str]:
    definition = definitions[message.__name__]
    tag = message.__struct_config__.tag
    yield f"#### `{tag}`" if tag else f"#### {message.__name__}"
    yield ""
    yield " ".join((inspect.getdoc(message) or "").split())
    yield ""
    yield "| field | type | | meaning |"
    yield "|---|---|---|---|"
    required = definition.get("required", [])
    for name, field in definition["properties"].items():
        if name == "type":
            continue
        must = "" if name in required else f"default `{json.dumps(field.get('default'))}`"
        yield f"| `{name}` | {_type_text(field)} | {must} | {field.get('description', '')} |"
    yield ""


def _type_text(field: dict[str, Any]) -> str:
    """Return the type of a field in words."""
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2]
    if "anyOf" in field and "examples" not in field:
        return " or ".join(_type_text(choice) for choice in field["anyOf"])
    if "examples" in field:
        words = ", ".join(f"`{value}`" for value in field["examples"])
        return f"{words}, or a word of a later version" + (", or null" if "anyOf" in field else "")
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    match field.get("type"):
        case "array":
            return f"list of {_type_text(field['items'])}"
        case "object":
            return f"object of {_type_text(field['additionalProperties'])}"
        case None:
            return "any"
        case name:
            return str(name)


def main(folder: Path) -> None:
    """Bring the page and the schema in a folder up to date."""
    page = folder / "protocol.md"
    page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "protocol.schema.json").write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
