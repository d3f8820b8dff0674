"""`ggp play`: every library game to its end, and the output on the way."""

from __future__ import annotations

import random
import re
from functools import cache
from io import StringIO

import pytest
from rich.console import Console

import ggp
from ggp.cli.commands.play import Left, Table
from ggp.game.game import State
from ggp.game.history import observed_parts
from ggp.language import library_names, load_rules
from players.agents.agent import RandomAgent
from players.beliefs.known_states import KnownStates
from tests.support.library import game_of


class Person(Console):
    """A terminal at which somebody answers with the first or the second action."""

    def __init__(self, seed: int) -> None:
        self.screen = StringIO()
        self.choices = random.Random(seed)
        super().__init__(file=self.screen, width=200, highlight=False)

    def input(self, *_: object, **__: object) -> str:
        return self.choices.choice(["#1", "#2"])


load = cache(ggp.load)


def table_of(name: str, own: int, seed: int) -> Table:
    game = load(name)
    agents = {}
    for number in range(len(game.players)):
        if number != own:
            agents[number] = RandomAgent()
            agents[number].start(game, number, seed)
    return Table(game, own, agents, 0.01, seed, Person(seed))


@pytest.mark.sweep
@pytest.mark.parametrize("name", library_names())
def test_every_library_game_to_its_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[bool] = []
    told: list[str] = []
    draw, observe = State.drawing, State.readable_observation

    def drawing(state: State, player: int | None = None) -> object:
        assert player in (None, table.own)
        if player is None:
            drawn.append(state.is_terminal())
        return draw(state, player)

    def observation(state: State, player: int) -> object:
        seen = observe(state, player)
        if player == table.own:
            told.extend(observed_parts(seen))
        return seen

    # what is known is found out by trying transitions, which would be counted here
    monkeypatch.setattr(KnownStates, "actors_of", lambda *_: None)
    monkeypatch.setattr(KnownStates, "drawing", lambda *_: None)
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


def test_the_mover_is_named_and_what_is_known_is_drawn() -> None:
    table = table_of("kuhn_poker", 1, seed=2)
    table.play()
    assert re.fullmatch(r"first: (pass|bet)", table.told[1])
    before_the_end = table.console.screen.getvalue().rpartition("you: ")[0]
    assert re.search(r"cards: \[first: \?, second: [123]\]", before_the_end)


def test_cells_are_unknown_where_possible_states_differ() -> None:
    source, _ = load_rules("phantom_tic_tac_toe")
    game = game_of(source.text.partition("display for")[0])
    known = KnownStates(game, 0)
    state = game.initial()
    for action, told in (("b2", True), ("a1", True)):
        state = state.apply(action)
        observation = state.readable_observation(0)
        actors = known.actors_of(action if told and action == "b2" else None, observation)
        assert actors == ((0,) if action == "b2" else (1,))
    drawing = known.drawing([str(action) for action in state.legal(0)])
    assert drawing is not None
    assert [[cell.text for cell in row] for row in drawing.rows] == [["?", "?", "?"], ["?", "X", "?"], ["?", "?", "?"]]


def test_too_many_states_are_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("players.beliefs.known_states.MAX_WORK", 5)
    game = ggp.load("phantom_tic_tac_toe")
    known = KnownStates(game, 0)
    state = game.initial().apply("b2")
    assert known.actors_of("b2", state.readable_observation(0)) == (0,)
    state = state.apply("a1")
    assert known.actors_of(None, state.readable_observation(0)) is None
    assert known.drawing(["a1"]) is None


def test_a_number_alone_is_an_action_where_it_is_one_and_else_a_place_in_the_list() -> None:
    class Typing(Person):
        def input(self, *_: object, **__: object) -> str:
            return self.answers.pop(0)

    typed = [("connect_four", "4", "you: d1"), ("goofspiel", "#4", "you: 4"), ("oshi_zumo", "4", "you: 4")]
    for name, answer, told in typed:
        table = table_of(name, 0, seed=1)
        table.console = Typing(1)
        table.console.answers = [answer, "quit"]
        with pytest.raises(Left):
            table.play()
        assert any(re.match(told, line) for line in table.told), table.told


@pytest.mark.parametrize("width", [20, 200])
def test_actions_are_listed_in_the_width_of_the_terminal(width: int) -> None:
    table = table_of("gomoku", 0, seed=1)
    table.console = Console(file=StringIO(), width=width, highlight=False)
    table._list([f"a{row}" for row in range(1, 80)])
    lines = [line for line in table.console.file.getvalue().splitlines() if "#" in line]
    assert max(map(len, lines)) <= width
    assert len(lines) == (40 if width == 20 else 4)
