"""Players on the command line: `name` or `name:key=value,key=value`, read into each player's settings dataclass.

Parser, help and documentation are made from the dataclass: a field is an option, its annotation gives the values it
accepts (`int`, `float`, `float | None` as a number or auto, `bool` as on/off, `Literal` of texts, `PlayerText`), and
`setting` adds help and bounds.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NewType, get_args, get_origin, get_type_hints

from msgspec import Struct

from ggp.errors import GgpError

AUTO = "auto"
"""The value of an option that depends on the game."""
HELP, LOW, HIGH = "help", "low", "high"

PlayerText = NewType("PlayerText", str)
"""A player as an option of another, with `/` instead of commas between its own options."""

FileText = NewType("FileText", str)
"""A file as an option; empty: none."""


class BadPlayer(GgpError):
    """A player with an unknown name, an unknown key, or a wrong value."""


class NotApplicable(GgpError):
    """A player that cannot play a game, such as one for two players in a game for three."""


def setting(default: Any, explanation: str, low: float = -math.inf, high: float = math.inf) -> Any:
    """Return a field of a settings dataclass, with default, explanation, and the bounds of a number."""
    return dataclasses.field(default=default, metadata={HELP: explanation, LOW: low, HIGH: high})


class OptionText(Struct, frozen=True):
    """An option as help and documentation show it."""

    key: str
    values: str
    default: str
    explanation: str


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean ...?` with the nearest known names, or a list of all."""
    names = list(known)
    near = difflib.get_close_matches(word, names, n=3, cutoff=0.6)
    if near:
        return f"; did you mean {' or '.join(f'`{name}`' for name in near)}?"
    return f"; there are {', '.join(names)}" if names else ""


def split_player(text: str) -> tuple[str, dict[str, str]]:
    """Split `name:key=value,key=value` into the name and the pairs.

    Raises:
        BadPlayer: an option is not of the form `key=value`, or a key is given twice.
    """
    name, colon, rest = text.partition(":")
    pairs: dict[str, str] = {}
    for part in rest.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not equals or not key.strip() or not value.strip():
            raise BadPlayer(f"in player `{text}`: `{part}` is not of the form key=value")
        if key.strip() in pairs:
            raise BadPlayer(f"in player `{text}`: `{key.strip()}` is given twice")
        pairs[key.strip()] = value.strip()
    return name.strip(), pairs


def read_settings(settings_type: type[Any], player: str, pairs: Mapping[str, str]) -> Any:
    """Return a settings dataclass with the given options and defaults for the others.

    Raises:
        BadPlayer: a key is unknown, or a value is of the wrong form or out of bounds.
    """
    fields = {field.name: field for field in dataclasses.fields(settings_type)}
    hints = get_type_hints(settings_type)
    values: dict[str, Any] = {}
    for key, text in pairs.items():
        if key not in fields:
            raise BadPlayer(f"player `{player}` has no option `{key}`{suggestion(key, fields)}")
        values[key] = _value(player, fields[key], hints[key], text)
    return settings_type(**values)


def option_texts(settings_type: type[Any]) -> list[OptionText]:
    """Return the options of a settings dataclass, as help and documentation show them."""
    hints = get_type_hints(settings_type)
    return [
        OptionText(field.name, _values_text(field, hints[field.name]), _text(field.default), field.metadata[HELP])
        for field in dataclasses.fields(settings_type)
    ]


def settings_text(name: str, settings: Any) -> str:
    """Return a player as it would be written, with only the options that differ from the defaults."""
    pairs = [
        f"{field.name}={_text(getattr(settings, field.name))}"
        for field in dataclasses.fields(settings)
        if getattr(settings, field.name) != field.default
    ]
    return f"{name}:{','.join(pairs)}" if pairs else name


def _text(value: Any) -> str:
    if value is None:
        return AUTO
    if isinstance(value, bool):
        return "on" if value else "off"
    # with all digits: other processes read the player from this text
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def _values_text(field: dataclasses.Field[Any], hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(get_args(hint))
    if hint is bool:
        return "on or off"
    if hint is PlayerText:
        return "player"
    if hint is FileText:
        return "file"
    if hint == float | None:
        return f"{_values_text(field, float)}, or {AUTO}"
    kind = "whole number" if hint is int else "number"
    low, high = field.metadata[LOW], field.metadata[HIGH]
    if high < math.inf:
        return f"{kind} from {_bound_text(low)} to {_bound_text(high)}"
    return f"{kind} from {_bound_text(low)}" if low > -math.inf else kind


def _bound_text(bound: float) -> str:
    """Return a bound as it can be written in an option, so without commas."""
    return str(bound) if isinstance(bound, int) else f"{bound:f}".rstrip("0")


def _value(player: str, field: dataclasses.Field[Any], hint: Any, text: str) -> Any:
    wrong = BadPlayer(f"player `{player}`: `{field.name}` is a {_values_text(field, hint)}, not `{text}`")
    if get_origin(hint) is Literal:
        choices = get_args(hint)
        if text not in choices:
            near = suggestion(text, choices)
            raise BadPlayer(f"player `{player}`: `{field.name}` is {' or '.join(choices)}, not `{text}`{near}")
        return text
    if hint is PlayerText:
        return PlayerText(text)
    if hint is FileText:
        return FileText(text)
    if hint is bool:
        if text not in ("on", "off"):
            raise BadPlayer(f"player `{player}`: `{field.name}` is on or off, not `{text}`")
        return text == "on"
    if hint == float | None:
        if text == AUTO:
            return None
        hint = float
    try:
        number = hint(text)
    except ValueError:
        raise wrong from None
    if not field.metadata[LOW] <= number <= field.metadata[HIGH]:  # also false for not-a-number
        raise wrong
    return number
