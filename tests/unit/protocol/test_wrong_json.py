"""JSON of another form than expected is refused with a line that says what is wrong, where, and what is possible."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from ggp.protocol.wrong_json import wrong_json
from server.competitions.settings import CompetitionSettings


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"name": 3}, "`name` must be a text, not a whole number"),
        ({"name": ""}, "`name` must be a text of length at least 1"),
        ({"games": []}, "`games` must be a list [...] of length at least 1"),
        ({"games": [{}]}, "`games[0]` lacks `game`"),
        (
            {"games": [{"game": "nim", "parameters": {"n": 5}}]},
            "each value in `games[0].parameters` must be a text, not a whole number",
        ),
        (
            {"games": [{"game": "nim", "rule": ""}]},
            "`games[0]` has an unknown field `rule`; the fields are game, parameters, rules, files",
        ),
        ({"repeats": 1.5}, "`repeats` must be a whole number, not a decimal number"),
        ({"repeats": 0}, "`repeats` must be a whole number that is at least 1"),
        ({"strikes": None}, "`strikes` must be a whole number, not null"),
        ({"starts_at": 5}, "`starts_at` must be a text or null, not a whole number"),
        ({"latecomers": "yes"}, "`latecomers` must be true or false, not a text"),
        ({"entry": "all"}, "`entry` cannot be `all`; it is one of allow_list, approval, everybody, invitation"),
        ({"format": "swiss"}, "`format` must be an object {...}, not a text"),
        (
            {"format": {"kind": "cup"}},
            "`format.kind` cannot be `cup`; it is one of round_robin, swiss, groups_knockout, ladder",
        ),
        ({"format": {"kind": "swiss", "rounds": 0}}, "`format.rounds` must be a whole number that is at least 1"),
    ],
)
def test_place_and_cause_are_told(changed: dict[str, Any], told: str) -> None:
    body = json.dumps({"name": "cup", "games": [{"game": "nim"}], **changed})
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(body, type=CompetitionSettings)
    assert wrong_json(refused.value, CompetitionSettings) == told


@pytest.mark.parametrize(
    ("body", "told"),
    [("[]", "the body must be an object {...}, not a list [...]"), ("{}", "the body lacks `name`")],
)
def test_the_body_itself(body: str, told: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.json.decode(body, type=CompetitionSettings)
    assert wrong_json(refused.value, CompetitionSettings) == told
