"""Best responses and NashConv in games too large to be unfolded; the walk itself is in `response_walk.py`.

A search's strategies are found by key (`walked_responses`). Any other strategy is asked at every information state: a
first walk, in which all play at random, finds these. Histories that differ only in what the others know are merged
there, so it takes a fraction of the time of the second walk.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ggp.codegen.kernels import F64, U64, kernel
from ggp.game.game import Game, check_is_game
from ggp.game.history import InformationState
from ggp.native.information_states import START_FIRST, START_SECOND
from ggp.native.infoset_table import (
    FIRST_NODE,
    HEADER_WORDS,
    NODES,
    WORDS,
    InfosetTable,
    action_count,
    block_words,
    find,
    new_infoset_table,
    player_at,
)
from ggp.native.interface import NativeGame
from ggp.solvers.sequence_form.best_responses import BadProbabilities, Response
from ggp.solvers.sequence_form.strategy_files import read_strategies
from ggp.solvers.sequence_form.unfolding import raise_problem
from ggp.solvers.state_strategies import StateStrategy, saved_states
from ggp.solvers.strategies import Choice, Strategy, shares_of
from ggp.solvers.worlds.exploration import GameTooLarge, NotSolvable
from players.evaluation.response_memory import (
    DONE,
    FAULT_FOUND,
    NEEDS_ROOM,
    PAUSED,
    TRAIL_FULL,
    TRAIL_WORDS,
    Trail,
    enlarged,
    new_trail,
    share_done,
    started,
)
from players.evaluation.response_walk import walk_on
from players.search.foundation.kernel_arguments import new_model
from players.search.information_sets.information_search import write_tag

SLICE = 1 << 16
"""Histories that a call expands."""
REPORT_S = 0.25
"""Seconds between two reports of progress."""
SUM_TOLERANCE = 1e-9


def walked_responses(
    native: NativeGame, frozen: InfosetTable, memory_bytes: int = 4 * 2**30, trail: Trail | None = None
) -> Generator[float, None, Response]:
    """Return the utilities of frozen strategies against each other, and of best responses to them.

    Yields now and then the share of the work that is done: a guess.

    Args:
        native: a game of constant sum, with any number of players.
        frozen: the strategies of all players.
        memory_bytes: at most, but for the trail.
        trail: filled with all information states that are met, if it is given.

    Raises:
        GameTooLarge: too many histories follow one information state, or the trail is full.
        FaultInRules: a fault or a dead end is reached.
        NotSolvable: the sum is not constant, or one information state has different legal actions.
    """
    expected: list[float] = []
    best, model, told = [], new_model(native), time.monotonic()
    players, keeps_trail, trail = native.shape.players, trail is not None, trail or new_trail(0)
    for player in range(players):
        walk, status = started(native), PAUSED
        # what the last player gets is the rest of the sum
        is_last = 0 < player == players - 1
        # a trail comes to every information state
        kept_bytes = 0 if keeps_trail else memory_bytes // 4
        kept = new_infoset_table(kept_bytes, 0 if keeps_trail else 1)
        while status != DONE:
            status = walk_on(model, frozen, walk, trail, kept, player, is_last, SLICE)
            if status == NEEDS_ROOM:
                walk = enlarged(walk, native.shape, memory_bytes - kept_bytes)
            elif status == TRAIL_FULL:
                raise GameTooLarge("the information states do not fit into memory: raise the limit on it")
            elif status not in (PAUSED, DONE):
                raise_problem(status, int(walk.counters[FAULT_FOUND]), player, native)
            if time.monotonic() - told > REPORT_S:
                told = time.monotonic()
                yield (player + share_done(walk)) / players
        low, high = walk.sums
        if high - low > SUM_TOLERANCE * max(1.0, abs(low), abs(high)):
            raise NotSolvable("the players' utilities do not have the same sum at every end of play")
        expected.append(float(high) - sum(expected) if is_last else float(walk.frames.own[0]))
        best.append(float(walk.frames.best[0]))
    return Response(tuple(expected), tuple(best))


Chooser = Callable[[InformationState], "Choice | None"]
"""What a player does at an information state with several legal actions; None: each with the same probability."""
Step = TypeVar("Step")
Found = TypeVar("Found")

DEFAULT_MEMORY_GIB = 8.0
RECENT = 1 << 16
"""Information states whose text is remembered: neighbours come one after the other."""
ASKED_AT_ONCE = 1000


def walked_exploitability(
    game: Game, strategy: Chooser | Strategy | StateStrategy | str | Path | None, memory_gib: float = DEFAULT_MEMORY_GIB
) -> Response:
    """Return what `ggp.exploitability` does, for games of constant sum whose histories do not fit into memory.

    The information states have to fit, at some 300 bytes each. Time is that of all histories that the strategy reaches,
    some 10^7 a second.

    Args:
        game: of any number of players, with a constant sum.
        strategy: of all players: one; or a function, asked once for each information state; or a file, uniform where
            it says nothing; None: uniform everywhere.
        memory_gib: at most.

    Raises:
        BadProbabilities: a choice is no distribution over the legal actions, or a file has other information states.
        StrategyFileUnusable: a file cannot be read, or belongs to another game.
        GameTooLarge: memory is too small.
        NotSolvable: the game has no constant sum.
    """
    check_is_game(game)
    if strategy is None:
        nothing = new_infoset_table(0, 1)
        return exhausted(walked_responses(game.native(), nothing, int(memory_gib * 2**30)))
    given: Any
    if isinstance(strategy, Strategy | StateStrategy):
        given = strategy.at
    else:
        given = strategy if callable(strategy) else _read(game, Path(strategy))
    return exhausted(walking_exploitability(game, given, int(memory_gib * 2**30)))


def _read(game: Game, path: Path) -> Any:
    saved = read_strategies(path, game)
    return saved_states(game, saved.records).at if saved.by_states else saved.records


def exhausted(steps: Generator[Step, None, Found], report: Callable[[Step], object] = lambda _: None) -> Found:
    """Return what a generator returns, after all its steps, each of which is reported."""
    while True:
        try:
            report(next(steps))
        except StopIteration as ended:
            found: Found = ended.value
            return found


def walking_exploitability(
    game: Game, strategy: Chooser | Iterable[Mapping[str, Any]], memory_bytes: int
) -> Generator[tuple[str, float], None, Response]:
    """Do what `walked_exploitability` does; yield now and then what is being done, and the share of it.

    The strategy may also be given by records, see `strategy_records.py`.
    """
    choose = strategy if callable(strategy) else _RecordChooser(game, strategy)
    native, trail = game.native(), new_trail(memory_bytes // 2)
    for share in walked_responses(native, new_infoset_table(0, 1), memory_bytes // 4, trail):
        yield "finding information states", share
    for share in _asked(game, trail, choose):
        yield "asking the strategy", share
    if isinstance(choose, _RecordChooser):
        choose.check_all_used()
    walk = walked_responses(native, trail.decisions, memory_bytes // 4)
    while True:
        try:
            yield "walking through the game", next(walk)
        except StopIteration as ended:
            found: Response = ended.value
            return found


class _RecordChooser:
    """Plays by records, as long as it is asked only once at each information state."""

    def __init__(self, game: Game, records: Iterable[Mapping[str, Any]]) -> None:
        self._game = game
        self._left: dict[tuple[str, str], Mapping[str, float]] = {
            (str(one["player"]), str(one["key"])): one["strategy"] for one in records
        }

    def __call__(self, known: InformationState) -> Mapping[str, float] | None:
        first, second = known.key
        return self._left.pop((self._game.players[known.player], f"{first:016x}{second:016x}"), None)

    def check_all_used(self) -> None:
        """Refuse information states that the game does not have.

        Raises:
            BadProbabilities: there are some.
        """
        for (player, key), choice in self._left.items():
            if len(choice) > 1:
                raise BadProbabilities(f"{self._game.name} has no decision of {player} at information state {key}")


def _asked(game: Game, trail: Trail, choose: Chooser) -> Generator[float, None, None]:
    """Write a strategy over the legal actions of the decisions in a trail; yield the share that is done."""
    count = int(trail.decisions.counters[NODES])
    for asked, (place, known, legal) in enumerate(_decisions(game, trail)):
        choice = choose(known)
        shares: F64 = np.full(len(legal), 1.0 / len(legal)) if choice is None else shares_of(game, legal, choice)
        trail.decisions.words[place] = shares
        if asked % ASKED_AT_ONCE == 0:
            yield asked / count


def _decisions(game: Game, trail: Trail) -> Iterator[tuple[slice, InformationState, list[int]]]:
    """Yield the decisions of a trail: where its actions stand in the table, what the player knows, and the actions."""
    events, decisions, keys = trail.events, trail.decisions, np.zeros(2, np.uint64)

    @lru_cache(RECENT)
    def known(first: int, second: int) -> tuple[Any, ...]:
        if first == int(START_FIRST) and second == int(START_SECOND):
            return ()
        keys[:] = first, second
        node = event_at(events, keys)
        width = action_count(events, node)
        words = events.longs[node + HEADER_WORDS : node + HEADER_WORDS + width].tolist()
        own, told = words[2], tuple(words[TRAIL_WORDS:])
        return (*known(words[0] % 2**64, words[1] % 2**64), *([own] if own >= 0 else []), *([told] if told else []))

    node, tag = FIRST_NODE, np.zeros(2, np.int64)
    while node < decisions.counters[WORDS]:
        count, player = action_count(decisions, node), player_at(decisions, node)
        place = slice(node + HEADER_WORDS, node + HEADER_WORDS + count)
        legal = decisions.longs[place].copy()
        # the second word of the key is behind the tag, which is added by exclusive or
        keys[:] = int(decisions.longs[node]) % 2**64, 0
        write_tag(keys, player, legal, tag)
        second = int(decisions.longs[node + 1] ^ tag[1]) % 2**64
        yield place, InformationState(game, player, known(int(keys[0]), second)), legal.tolist()
        node += block_words(decisions, count)


@kernel
def event_at(events: InfosetTable, keys: U64) -> int:
    """Return the node of a key among the events of a trail."""
    return find(events, keys[0], keys[1])
