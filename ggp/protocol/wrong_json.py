"""What is wrong with JSON of another form than expected, in words for the person who wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import inspect

KINDS = {
    "str": "a text",
    "int": "a whole number",
    "float": "a decimal number",
    "bool": "true or false",
    "object": "an object {...}",
    "array": "a list [...]",
    "null": "null",
}
"""What the decoder calls the types of JSON, and what people call them."""
LIMITS = {">=": "at least", "<=": "at most"}


def wrong_json(error: msgspec.ValidationError, type_: Any, whole: str = "the body") -> str:
    """Return one line that says what is wrong, where, and what is possible there.

    Args:
        error: of the decoder.
        type_: that was expected.
        whole: what the whole is called.
    """
    text, _, path = str(error).partition(" - at `$")
    path = path.removesuffix("`").removeprefix(".")
    where = f"`{path}`" if path else whole
    if path.endswith("[...]"):
        where = f"each value in `{path.removesuffix('[...]')}`"
    if found := re.fullmatch(r"Expected (.*), got `(\w+)`", text):
        return f"{where} must be {_kinds(found[1])}, not {KINDS.get(found[2], found[2])}"
    if found := re.fullmatch(r"Expected `(\w+)`", text):
        return f"{where} must be {_kinds(found[1])}"
    if found := re.fullmatch(r"Expected `(\w+)`( of length)? ([<>]=) (\d+)", text):
        kind = KINDS.get(found[1], found[1])
        length = "of length " if found[2] else "that is "
        return f"{where} must be {kind} {length}{LIMITS[found[3]]} {found[4]}"
    if found := re.fullmatch(r"Object missing required field `(.*)`", text):
        return f"{where} lacks `{found[1]}`"
    if re.fullmatch("Expected `str` matching regex .*", text):
        return f"{where} must be {', '.join(_possible(_info(type_), path))}"
    possible = ", ".join(_possible(_info(type_), path))
    if found := re.fullmatch(r"Object contains unknown field `(.*)`", text):
        return f"{where} has an unknown field `{found[1]}`; the fields are {possible}"
    if found := re.fullmatch(r"Invalid (?:enum )?value '(.*)'", text):
        return f"{where} cannot be `{found[1]}`" + (f"; it is one of {possible}" if possible else "")
    return f"{where}: {text[:1].lower()}{text[1:]}"


@lru_cache
def _info(type_: Any) -> inspect.Type:
    return inspect.type_info(type_)


def _kinds(text: str) -> str:
    return " or ".join(KINDS.get(kind, kind) for kind in text.strip("`").split(" | "))


def _possible(type_: inspect.Type, path: str) -> Iterator[str]:
    """Yield what is possible at a path: one of some texts, what describes a text, or the fields of the object there."""
    first, _, rest = path.partition(".")
    match type_:
        case inspect.Metadata(type=inspect.StrType(pattern=str()), extra_json_schema=dict() as schema):
            yield schema["description"].rstrip(".").lower()
        case inspect.Metadata():
            yield from _possible(type_.type, path)
        case inspect.UnionType():
            for one in type_.types:
                yield from _possible(one, path)
        case inspect.ListType() | inspect.VarTupleType():
            yield from _possible(type_.item_type, path)
        case inspect.LiteralType():
            yield from map(str, type_.values)
        case inspect.StructType() if not path:
            yield from (field.encode_name for field in type_.fields)
        case inspect.StructType():
            name = first.partition("[")[0]
            if name == type_.tag_field:
                yield str(type_.tag)
            for field in type_.fields:
                if field.encode_name == name:
                    yield from _possible(field.type, rest)
