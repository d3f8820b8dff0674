"""The games that a player is compiled for before it joins a manager."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ggp.cli.announced_games import MAX_COMPETITIONS, announced_games
from ggp.cli.manager_client import ManagerRefuses


class Manager:
    """Answers as a manager's API does; `answers` replaces what it says of a path."""

    def __init__(self, competitions: dict[str, dict[str, Any]], **answers: Any) -> None:
        self._competitions = competitions
        self._answers = answers

    def get(self, path: str) -> Any:
        path = path.removeprefix("/competitions")
        if path.startswith("/"):
            name = path.removeprefix("/")
            if name not in self._competitions:
                raise ManagerRefuses("no such competition")
            return self._answers.get(name, {"settings": {"games": self._competitions[name]["games"]}})
        state = path.partition("state=")[2].partition("&")[0]
        found = [{"competition": name, **one} for name, one in self._competitions.items() if one["state"] == state]
        return self._answers.get("listed", found)


def competition(game: str, entry: str = "everybody", state: str = "registering", **more: Any) -> dict[str, Any]:
    choice = {"game": game, "parameters": {}, "rules": None, "files": {}} | more
    return {"entry": entry, "state": state, "games": [choice]}


def names(manager: Any, wanted: str | None = None) -> list[str]:
    return sorted(game.name for game in announced_games(manager, wanted))


def test_competitions_that_everybody_enters_and_the_one_asked_for_are_told() -> None:
    manager: Any = Manager(
        {
            "1": competition("goofspiel", parameters={"n": "3"}),
            "2": competition("tic_tac_toe", entry="invitation"),
            "3": competition("nim", state="finished"),
            "4": competition("kuhn_poker", state="running"),
            "5": competition("own", rules=Path("rules/nim.rules").read_text()),
        }
    )
    assert names(manager) == ["goofspiel", "kuhn_poker", "nim"]
    assert announced_games(manager, None)[0].parameters["n"] == "3"
    assert names(manager, "2") == ["goofspiel", "kuhn_poker", "nim", "tic_tac_toe"]
    assert names(manager, "not there") == []


@pytest.mark.parametrize("game", ["rules/nim.rules", "no_such_game", "../nim"])
def test_a_manager_cannot_make_the_player_read_files_of_its_machine(game: str) -> None:
    manager: Any = Manager({"1": competition(game), "2": competition("nim")})
    assert names(manager) == ["nim"]


@pytest.mark.parametrize("answer", [None, [], 7, {"settings": 3}, {"settings": {"games": [{"game": "nim"}]}}])
def test_an_answer_of_another_form_tells_nothing(answer: Any) -> None:
    manager: Any = Manager({"1": competition("nim")}, **{"1": answer})
    assert names(manager) == []
    manager = Manager({"1": competition("nim")}, listed=answer)
    assert names(manager) == []


def test_with_many_competitions_anything_may_be_played() -> None:
    manager: Any = Manager({str(number): competition("nim") for number in range(MAX_COMPETITIONS + 1)})
    assert names(manager) == []
