"""The search for disagreements itself: it goes on where it stopped, and names, reduces and saves what it finds."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from ggp.language import SourceFile, check
from tests.fuzz import comparisons, isolated
from tests.fuzz.comparisons import AGREED, CHECKER, Failure, Subject
from tests.fuzz.finds import Finds
from tests.fuzz.isolated import compared_apart
from tests.fuzz.reduction import reduced
from tests.fuzz.search import Search
from tests.support.library import one_phase
from tests.support.random_rules import random_text

COMPARED = one_phase("one chooses c in 1..3\nn := c", "n: 0..9 = 0", payoff="n", players="one")
DRAWN = one_phase("chance draws c in 1..3\nn := c\nsees all: n", "n: 0..9 = 0", payoff="n", players="one")


def fail_on_draws(subject: Subject) -> None:
    assert "chance draws" not in subject.text


def turn(_: Subject) -> None:
    while True:
        pass


def end_the_process(_: Subject) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GGP_CACHE", str(tmp_path / "cache"))


@pytest.mark.long
def test_a_search_reduces_and_saves_what_it_finds_and_goes_on_where_it_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: None
) -> None:
    monkeypatch.setattr(comparisons, "COMPARISONS", {"draws": fail_on_draws})
    monkeypatch.setattr("tests.fuzz.search.COMPARISONS", ["draws"])
    monkeypatch.setattr("tests.fuzz.search.random_text", lambda seed, number: DRAWN if number == 2 else COMPARED)
    first = Search(Finds(tmp_path, 7), minutes=5, reduce_minutes=5)
    for _ in range(4):
        first.step()
    (path,) = first.new
    assert path.name == "draws_AssertionError_test_fuzz_py_fail_on_draws.rules"
    about, _, text = path.read_text(encoding="utf-8").partition("\n\n")
    assert about.startswith("# Text 2 of seed 7. The comparison that fails: draws.")
    assert check(SourceFile("reduced.rules", text)).game is not None
    assert "chance draws" in text
    assert len(text) < len(DRAWN)
    assert "sees" not in text
    again = Search(Finds(tmp_path, 7), minutes=5, reduce_minutes=5)
    assert again.finds.searched == first.finds.searched
    assert again.finds.searched.texts == 4
    again.finds.searched.texts = 2
    again.step()
    assert again.new == [], "it is known"
    assert again.finds.searched.finds == {path.name: 2}


@pytest.mark.long
def test_what_ends_its_process_or_never_answers_is_a_find(monkeypatch: pytest.MonkeyPatch, cache: None) -> None:
    monkeypatch.setattr(
        comparisons, "COMPARISONS", {"kill": end_the_process, "wait": lambda _: time.sleep(60), "turn": turn}
    )
    assert compared_apart(COMPARED, 1, ()) == AGREED
    killed = compared_apart(COMPARED, 1, ("kill",))
    assert isinstance(killed, Failure)
    assert killed.sort == ("kill", "SIGKILL", "")
    monkeypatch.setattr(isolated, "CPU_S", 1)
    busy = compared_apart(COMPARED, 1, ("turn",))
    assert isinstance(busy, Failure)
    assert busy.sort == ("turn", "timeout", "")
    monkeypatch.setattr(isolated, "TIMEOUT_S", 0.5)
    late = compared_apart(COMPARED, 1, ("wait",))
    assert isinstance(late, Failure)
    assert late.sort == ("wait", "timeout", "")


def test_whatever_the_checker_raises_is_a_find(monkeypatch: pytest.MonkeyPatch, cache: None) -> None:
    monkeypatch.setattr(comparisons, "check", lambda *_: {}["nothing"])
    failure = compared_apart(COMPARED, 1)
    assert isinstance(failure, Failure)
    assert failure.sort[:2] == (CHECKER, "KeyError")


@pytest.mark.long
def test_reduction_leaves_what_matters() -> None:
    def still_fails(smaller: str) -> bool:
        return "hash(" in smaller and check(SourceFile("r.rules", smaller)).game is not None

    text = next(text for number in range(50) if still_fails(text := random_text(4, number)))
    tries = iter(range(300))
    smaller = reduced(text, still_fails, lambda: next(tries, None) is not None)
    assert still_fails(smaller)
    assert len(smaller) < len(text) / 3
