"""`ggp play`: every library game to its end, and the output on the way."""

from __future__ import annotations

import logging
import random
import re
from functools import cache
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

import ggp
from ggp.cli.commands.play import Left, Play, verdict
from ggp.cli.main import app
from ggp.game.history import plain_parts
from ggp.language import library_names, load_rules
from ggp.scene.terminal import drawing_of
from players.agents.registry import read_player
from studio.bots import Bot
from studio.knowledge import Knowledge
from studio.table import Table
from tests.support.clicked_games import UNDRAWN
from tests.support.library import game_of


class Person(Console):
    """A terminal at which somebody answers with what was prepared, and else with one of the first two actions."""

    def __init__(self, seed: int, *answers: str) -> None:
        self.screen, self.answers = StringIO(), [*answers]
        self.random = random.Random(seed)
        super().__init__(file=self.screen, width=200, highlight=False)

    def input(self, *_: object, **__: object) -> str:
        if self.answers:
            return self.answers.pop(0)
        listed = self.screen.getvalue().rpartition("your actions")[2]
        return self.random.choice(re.findall(r"#\d+ (.*?)(?:  |\n)", listed)[:2])


load = cache(ggp.load)


def play_of(name: str, own: int, seed: int, *answers: str) -> Play:
    game = load(name)
    bots = {role: Bot(read_player("random"), role, 0.01) for role in range(len(game.players)) if role != own}
    helper = Bot(read_player("random"), own, 0.01)
    rules, _ = load_rules(name)
    return Play(Table(game, seed), own, bots, helper, rules.text, Person(seed, *answers))


def told(play: Play) -> list[str]:
    return list(play.told.values())


@pytest.mark.sweep
@pytest.mark.parametrize("name", library_names())
def test_every_library_game_to_its_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # what is known is found out by trying transitions, which would be counted here
    monkeypatch.setattr(Knowledge, "tell", lambda *_: None)
    monkeypatch.setattr(Knowledge, "actors", lambda *_: None)
    monkeypatch.setattr(Knowledge, "scene", lambda *_: None)
    play = play_of(name, len(ggp.load(name).players) - 1, seed=3)
    play.play()
    shown = play.console.screen.getvalue()
    assert shown.count("the game is over") == 1
    assert shown.count("(you)") == 1
    # told in order, and of nothing else than the own actions where the game hides something
    if not play.table.game.perfect_information:
        states = [history.state for history in play.table.positions]
        seen = [part for state in states for part in plain_parts(state.readable_observation(play.own))]
        own = [str(action) for state in states if (action := state.action_taken(play.own)) is not None]
        moves = {f"move: {action}" for action in own}
        parts = [part for line in told(play) for part in line.split(", ")]
        assert [part for part in parts if part.startswith("you: ")] == [f"you: {action}" for action in own]
        # who moved is told where it is known: `east: 3`, of which the observation says `move: 3`
        names = re.compile(f"^({'|'.join(play.table.game.players)}): ")
        others = [names.sub("move: ", part) for part in parts if not part.startswith("you: ")]
        observed = [names.sub("move: ", part) for text in seen for part in text.split(", ")]
        assert [part for part in others if part not in moves] == [part for part in observed if part not in moves]
        for at, state in enumerate(states[:-1], start=1):
            assert play.table.actors_known(play.own, at) in (None, state.actors())


@pytest.mark.long
def test_hidden_games_of_the_library_are_drawn_for_players() -> None:
    """Every one that has too many states to work out what is certain says how a player sees it."""
    hidden = [name for name in library_names() if not load(name).perfect_information]
    assert [name for name in hidden if not load(name).codec.has_views] == ["kuhn_poker", "kuhn_poker_three"]


def test_no_source_of_the_rules_is_shown() -> None:
    play = play_of("hanabi", 0, 3, *["play 1", "hint_rank 1", "quit"])
    with pytest.raises(Left):
        play.play()
    shown = play.console.screen.getvalue()
    assert "their colours" in shown
    assert not re.search(r"hue\[|{j in", shown)


def test_many_sets_without_names_are_drawn_and_not_listed() -> None:
    play = play_of("dark_chess", 0, 3, *["e2e4", "seen", "quit"])
    with pytest.raises(Left):
        play.play()
    before, _, after = play.console.screen.getvalue().partition("{")
    assert "you: e2 e4 pawn" in before
    # the drawing after the move, and only then what `seen` lists
    assert before.count("what you know") == 2
    assert after


@pytest.mark.parametrize(
    ("name", "line"), [("tron", r"you: \w+, blue: \w+"), ("breakthrough", r"(you|black): \w+ \w\d")]
)
def test_what_was_chosen_is_told_once(name: str, line: str) -> None:
    play = play_of(name, 0, seed=4)
    play.play()
    assert told(play)
    assert all(re.fullmatch(line, one) for one in told(play))


def test_what_the_rules_tell_besides_is_told_too() -> None:
    """In goofspiel chance reveals a prize, which nobody chose."""
    play = play_of("goofspiel", 0, seed=4)
    play.play()
    assert told(play)[0].startswith("c: ")


def test_an_opponents_card_is_not_shown_before_the_end() -> None:
    shown: dict[tuple[str, ...], str] = {}
    cards: dict[tuple[str, ...], set[object]] = {}
    for seed in range(40):
        play = play_of("kuhn_poker", 0, seed)
        play.console.random = random.Random(1)
        play.play()
        screen = re.sub(r"--seed \d+", "", play.console.screen.getvalue())
        before_the_end = screen.rpartition("you: ")[0]
        key = tuple(told(play))
        assert shown.setdefault(key, before_the_end) == before_the_end
        cards.setdefault(key, set()).add(screen)
    # the same things were told, and something else was behind them
    assert any(len(endings) > 1 for endings in cards.values())


def test_the_mover_is_named_and_what_is_known_is_drawn() -> None:
    play = play_of("kuhn_poker", 1, seed=2)
    play.play()
    assert re.fullmatch(r"first: (pass|bet)", told(play)[1])
    before_the_end = play.console.screen.getvalue().rpartition("you: ")[0]
    assert re.search(r"cards: \[first: \?, second: [123]\]", before_the_end)


def test_cells_are_unknown_where_possible_states_differ() -> None:
    source, _ = load_rules("phantom_tic_tac_toe")
    game = game_of(source.text.partition("display for")[0])
    knowledge = Knowledge(game, 0)
    state = game.initial()
    for actor, action in enumerate(("b2", "a1")):
        state = state.apply(action)
        knowledge.tell(action if actor == 0 else None, state.readable_observation(0))
        assert knowledge.actors() == (actor,)
    scene = knowledge.scene([str(action) for action in state.legal(0)])
    assert scene is not None
    assert knowledge.certain
    shown = [[cell.text for cell in row] for row in drawing_of(scene).rows]
    assert shown == [["?", "?", "?"], ["?", "X", "?"], ["?", "?", "?"]]


def test_where_too_much_is_possible_nothing_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("studio.knowledge.SAMPLES", 1)
    game = ggp.load("phantom_tic_tac_toe")
    knowledge, state = Knowledge(game, 0), game.initial()
    for actor, action in enumerate(("b2", "a1", "c1", "a3")):
        state = state.apply(action)
        knowledge.tell(None if actor % 2 else action, state.readable_observation(0))
    assert knowledge.scene([str(action) for action in state.legal(0)]) is not None
    assert knowledge.actors() is None
    assert not knowledge.certain


@pytest.mark.parametrize("is_shown", [True, False])
def test_a_game_with_too_many_states_names_who_acted_where_it_was_shown_who_was_to_act(is_shown: bool) -> None:
    text = load_rules("oh_hell")[0].text
    table = Table(game_of(text if is_shown else text.replace('    line "to play" turn\n', "")), seed=3)
    while table.draw():
        pass
    (first,) = actors = table.waiting()
    table.choose(first, "0")
    for role in {0, 1, 2, 3} - {first}:
        assert table.actors_known(role, len(table.positions) - 1) == (actors if is_shown else None)


@pytest.mark.parametrize(
    ("name", "answer", "line"),
    [
        ("connect_four", "4", "you: d1"),
        ("goofspiel", "#4", "you: 4"),
        ("oshi_zumo", "4", "you: 4"),
        ("connect_four", "d", "you: d1"),
        ("chess", "e2e4", "you: e2 e4"),
        ("poker", "ch", "you: check"),
    ],
)
def test_a_number_a_part_or_an_action_that_is_a_number(name: str, answer: str, line: str) -> None:
    play = play_of(name, 0, 1, answer, "quit")
    with pytest.raises(Left):
        play.play()
    assert any(one.startswith(line) for one in told(play)), told(play)


def test_players_who_play_together_have_one_result_and_a_title_that_asks_no_full_stop(tmp_path: Path) -> None:
    rules = tmp_path / "together.rules"
    rules.write_text(
        'game together "Who finds it?"\nplayers ann, bob\nphase look\n    each p chooses x in 1..2\n    next end\n\n'
        "payoff[p] = 0\n",
        encoding="utf-8",
    )
    play = play_of(str(rules), 0, 1)
    play.play()
    screen = play.console.screen.getvalue()
    assert "together: Who finds it? You are ann." in screen
    assert "your result is 0" in screen


def test_an_action_keeps_its_number_and_a_move_can_be_taken_back() -> None:
    play = play_of("tic_tac_toe", 0, 1, "undo", "a1", "undo", "hint", "seen", "rules", "?", "#5", "#5", "c", "quit")
    with pytest.raises(Left):
        play.play()
    screen = play.console.screen.getvalue()
    assert "there is no move of yours to take back" in screen
    assert "your last move is taken back" in screen
    assert "`auto` would play" in screen
    assert "mark[turn] := mark[turn] + {at}" in screen
    assert told(play)[0] == "you: b2"
    assert sum(one.startswith("you: ") for one in told(play)) == 1
    assert "`#5` is not one of your actions" in screen
    assert "`c` may be c1, c2, c3" in screen or "`c` may be c" in screen


@pytest.mark.parametrize(
    ("utilities", "text"),
    [
        ((1, -1), "you won"),
        ((-1, 1), "you lost: col won"),
        ((0, 0), "a draw"),
        ((7, 7), "all get 7"),
        ((2, 2, 0), "you won, with col"),
        ((0, 3, 3), "you lost: col and third won"),
        ((4,), "your result is 4"),
    ],
)
def test_the_end_in_words(utilities: tuple[float, ...], text: str) -> None:
    assert verdict(["row", "col", "third"][: len(utilities)], utilities, 0) == text


@pytest.mark.parametrize(("name", "listed"), [("goofspiel", "your actions (bid):"), ("kuhn_poker", "your actions:")])
def test_numbers_are_listed_with_the_name_of_what_is_chosen(name: str, listed: str) -> None:
    play = play_of(name, 0, seed=1)
    play.play()
    assert listed in play.console.screen.getvalue()


@pytest.mark.parametrize("width", [20, 200])
def test_actions_are_listed_in_the_width_of_the_terminal(width: int) -> None:
    play = play_of("gomoku", 0, seed=1)
    play.console = Console(file=StringIO(), width=width, highlight=False)
    play._list([f"a{row}" for row in range(1, 80)])
    lines = [line for line in play.console.file.getvalue().splitlines() if "#" in line]
    assert max(map(len, lines)) <= width
    assert len(lines) == (40 if width == 20 else 4)


def test_draws_in_a_row_are_told_below_each_other() -> None:
    play = play_of("love_letter", 0, 5, "quit")
    with pytest.raises(Left):
        play.play()
    assert re.search(r"(\nc: \w+){4}\n\n", play.console.screen.getvalue())


def test_what_phases_change_in_which_nobody_acts_is_drawn_before_one_is_asked() -> None:
    (game,) = (file for file in UNDRAWN if file.endswith("dragons.rules"))
    play = play_of(game, 0, 1, "quit")
    with pytest.raises(Left):
        play.play()
    shown = play.console.screen.getvalue()
    assert shown.count("1 O   R   G   BR  Y   BL  PU  PI") == 1, "towers, and empty cells of the same colours"
    assert shown.count("2 .r  .o  .pi .pu .bl .y  .br .g") == 1
    assert shown.count("a   b   c   d") == 1, "not the empty board before"


def test_nothing_is_said_of_what_is_considered_possible(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (game,) = (file for file in UNDRAWN if file.endswith("expeditions.rules"))
    logger = logging.getLogger("players.beliefs")
    monkeypatch.setattr(logger, "level", logger.level)
    result = CliRunner().invoke(app, ["play", game, "--against", "random", "--seed", "3"], input="quit\n")
    assert "what you seem to know" in result.output, result.output
    assert not [record.getMessage() for record in caplog.records if record.name.startswith("players.beliefs")]
