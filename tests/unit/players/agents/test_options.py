"""Players as texts: parsing and error messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pytest

from players.agents.registry import PLAYERS, modelled_player, read_player
from players.player_options import (
    BadPlayer,
    option_texts,
    read_settings,
    setting,
    settings_text,
    split_player,
)


@dataclass(frozen=True, kw_only=True)
class Settings:
    depth: int = setting(3, "how deep", 1, 9)
    rate: float = setting(0.5, "how fast", 0, 1)
    belief: bool = setting(True, "whether to believe")
    final: Literal["mix", "max"] = setting("mix", "which move")


def test_everything_is_read() -> None:
    name, pairs = split_player("some:depth=4, rate=0.25,belief=off,final=max")
    assert name == "some"
    assert read_settings(Settings, name, pairs) == Settings(depth=4, rate=0.25, belief=False, final="max")
    assert read_settings(Settings, "some", {}) == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x:depht=4", "player `x` has no option `depht`; did you mean `depth`?"),
        ("x:zzz=4", "player `x` has no option `zzz`; there are depth, rate, belief, final"),
        ("x:depth=0", "player `x`: `depth` is a whole number from 1 to 9, not `0`"),
        ("x:depth=2.5", "player `x`: `depth` is a whole number from 1 to 9, not `2.5`"),
        ("x:rate=nan", "player `x`: `rate` is a number from 0 to 1, not `nan`"),
        ("x:rate=fast", "player `x`: `rate` is a number from 0 to 1, not `fast`"),
        ("x:belief=yes", "player `x`: `belief` is on or off, not `yes`"),
        ("x:final=maxx", "player `x`: `final` is mix or max, not `maxx`; did you mean `max`?"),
        ("x:depth", "in player `x:depth`: `depth` is not of the form key=value"),
        ("x:", "in player `x:`: `` is not of the form key=value"),
        ("x:depth=1,depth=2", "in player `x:depth=1,depth=2`: `depth` is given twice"),
    ],
)
def test_mistakes_are_named(text: str, message: str) -> None:
    with pytest.raises(BadPlayer) as caught:
        read_settings(Settings, *split_player(text))
    assert str(caught.value) == message


def test_written_and_read_again() -> None:
    settings = Settings(rate=0.125, belief=False)
    text = settings_text("some", settings)
    assert text == "some:rate=0.125,belief=off"
    assert read_settings(Settings, *split_player(text)) == settings
    assert settings_text("some", Settings()) == "some"


@pytest.mark.parametrize("rate", [1.0, 0.1234567890123, 1e-7, 1 / 3])
def test_no_digit_of_a_number_is_lost(rate: float) -> None:
    text = settings_text("some", Settings(rate=rate))
    assert read_settings(Settings, *split_player(text)).rate == rate
    assert not text.endswith(".0")


def test_bounds_can_be_written_as_they_are_told() -> None:
    told = {option.key: option.values for option in option_texts(PLAYERS["cfr"].settings)}
    assert told["rollouts"] == "whole number from 1 to 1000000"
    assert read_player("cfr:rollouts=1000000")
    gamma = next(option for option in option_texts(PLAYERS["exp3"].settings) if option.key == "gamma")
    assert gamma.values == "number from 0.000001 to 1"


def test_help_comes_from_the_dataclass() -> None:
    assert [(option.key, option.values, option.default) for option in option_texts(Settings)] == [
        ("depth", "whole number from 1 to 9", "3"),
        ("rate", "number from 0 to 1", "0.5"),
        ("belief", "on or off", "on"),
        ("final", "mix or max", "mix"),
    ]


@pytest.mark.parametrize("name", PLAYERS)
def test_every_player_is_known_with_valid_defaults_and_help(name: str) -> None:
    spec = read_player(name)
    assert str(spec) == name
    for option in option_texts(spec.kind.settings):
        assert option.explanation
        if option.default:
            assert read_player(f"{name}:{option.key}={option.default}") == spec


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rnr:model=duckt", "there is no player `duckt`; did you mean `duct`?"),
        ("rnr:model=duct:c=-1", "player `duct`: `c` is a number from 0 to 1000, or auto, not `-1`"),
        ("rnr:model=random", "`random` cannot be a model: its strategies cannot be read"),
        ("rnr:model=rnr", "`rnr` cannot be a model: its strategies cannot be read"),
        ("rnr:model=duct:c=1/threads=2", "`duct:c=1/threads=2` cannot be a model: strategies are read from one tree,"),
        ("rnr:p=1.1", "player `rnr`: `p` is a number from 0 to 1, not `1.1`"),
        ("cfr:threads=2", "player `cfr` has no option `threads`"),
    ],
)
def test_modelled_players_and_threads(text: str, message: str) -> None:
    with pytest.raises(BadPlayer) as caught:
        read_player(text)
    assert message in str(caught.value)


def test_a_modelled_player_with_options() -> None:
    text = "rnr:p=0.75,model=duct:c=1/final=max,model_iterations=500"
    assert str(read_player(text)) == text
    model = modelled_player(read_player(text).settings.model)
    assert (model.settings.c, model.settings.final) == (1, "max")


def test_unknown_player() -> None:
    with pytest.raises(BadPlayer, match=r"there is no player `duckt`; did you mean `duct`\?"):
        read_player("duckt")
