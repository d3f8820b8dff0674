"""`ggp play`: every library game to its end at a table, and what the person is shown on the way."""

from __future__ import annotations

import random
import re
from io import StringIO

import pytest
from rich.console import Console

import ggp
from ggp.cli.commands.play import Table
from ggp.language import library_names
from ggp.model.game import State
from ggp.model.history import observed_parts
from players.agents import RandomAgent


class Person(Console):
    """A terminal at which somebody answers with the first or the second action."""

    def __init__(self, seed: int) -> None:
        self.screen = StringIO()
        self.choices = random.Random(seed)
        super().__init__(file=self.screen, width=200, highlight=False)

    def input(self, *_: object, **__: object) -> str:
        return self.choices.choice(["#1", "#2"])


def table_of(name: str, own: int, seed: int) -> Table:
    game = ggp.load(name)
    agents = {}
    for number in range(len(game.players)):
        if number != own:
            agents[number] = RandomAgent()
            agents[number].start(game, number, seed)
    return Table(game, own, agents, 0.01, seed, Person(seed))


@pytest.mark.parametrize("name", library_names())
def test_every_library_game_to_its_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bool] = []
    told: list[str] = []
    draw, observe = State.drawing, State.readable_observation

    def drawing(state: State) -> object:
        drawn.append(state.is_terminal())
        return draw(state)

    def observation(state: State, player: int) -> object:
        seen = observe(state, player)
        if player == table.own:
            told.extend(observed_parts(seen))
        return seen

    monkeypatch.setattr(State, "drawing", drawing)
    monkeypatch.setattr(State, "readable_observation", observation)
    own = len(ggp.load(name).players) - 1
    table = table_of(name, own, seed=3)
    table.play()
    shown = table.console.screen.getvalue()
    assert shown.count("the game is over") == 1
    assert shown.count("(you)") == 1
    assert drawn[-1]
    assert len(drawn) == 1 or table.game.perfect_information
    # told in order, and of nothing else than the own actions where the game hides something
    if not table.game.perfect_information:
        lines = iter(table.told)
        parts = [part for line in lines for part in line.split(", ") if not part.startswith("you: ")]
        assert ", ".join(parts) == ", ".join(told)


@pytest.mark.parametrize(
    ("name", "told"), [("tron", r"you: \w+, blue: \w+"), ("breakthrough", r"(you|black): \w+ \w\d")]
)
def test_what_was_chosen_is_told_once(name: str, told: str) -> None:
    table = table_of(name, 0, seed=4)
    table.play()
    assert table.told
    assert all(re.fullmatch(told, line) for line in table.told)


def test_what_the_rules_tell_besides_is_told_too() -> None:
    """In goofspiel chance reveals a prize, which nobody chose."""
    table = table_of("goofspiel", 0, seed=4)
    table.play()
    assert table.told[0].startswith("c: ")


def test_an_opponents_card_is_not_shown_before_the_end() -> None:
    shown: dict[tuple[str, ...], str] = {}
    cards: dict[tuple[str, ...], set[object]] = {}
    for seed in range(40):
        table = table_of("kuhn_poker", 0, seed)
        table.console.choices = random.Random(1)
        table.play()
        before_the_end = table.console.screen.getvalue().rpartition("you: ")[0]
        key = tuple(table.told)
        assert shown.setdefault(key, before_the_end) == before_the_end
        cards.setdefault(key, set()).add(table.console.screen.getvalue())
    # the same things were told, and something else was behind them
    assert any(len(endings) > 1 for endings in cards.values())


@pytest.mark.parametrize(
    ("observation", "texts"),
    [
        ([('"your move"', "your move")], ["your move"]),
        ([("settled", True), ("c", None)], ["settled: yes", "c: none"]),
        ([("bid", {"row": 1, "col": [2, 3]})], ["bid: row 1, col {2, 3}"]),
    ],
)
def test_observations_as_texts(observation: list[tuple[str, object]], texts: list[str]) -> None:
    assert list(observed_parts(observation)) == texts
