"""Referees under random sequences of whatever can happen: readiness, moves, nonsense, time, in any order."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ggp.protocol.codec import encode
from ggp.protocol.messages import Act, End, Move, Observe, Problem, Ready, Reveal, Start
from server.matches.library_games import LibraryGames
from server.referee.game_interface import Player
from server.referee.journal import (
    Announced,
    Begun,
    Derived,
    Ended,
    Malformed,
    Received,
    Recorded,
    Released,
    Resumed,
    RulesStopped,
    Sent,
    Ticked,
    Transition,
    decode_event,
    encode_event,
)
from server.referee.referee import Referee
from server.referee.replay import first_difference, replay
from server.referee.rules_steps import make_step
from tests.support.tiny_games import DarkBids, created

LIBRARY = {"goofspiel": {"n": "3"}, "kuhn_poker": {}, "phantom_tic_tac_toe": {}}


@cache
def game_of(name):
    if name == "dark":
        return DarkBids(rounds=2)
    games = LibraryGames()
    return games.load(games.find(name, LIBRARY[name]))


class RefereeMachine(RuleBasedStateMachine):
    """One match; `time` goes on as the rules say."""

    @initialize(name=st.sampled_from(["dark", *LIBRARY]), seed=st.text("0123456789abcdef", min_size=1, max_size=8))
    def begin(self, name, seed):
        self.game = game_of(name)
        self.created = created(self.game, seed=seed)
        self.referee = Referee(self.game, self.created)
        self.time = 0
        self.journal = [self.created]
        # What the players did wrong, kept by this test alone.
        self.wrong = Counter()
        self.asked = [None] * len(self.game.players)
        self.started = [False] * len(self.game.players)
        self.take(self.referee.apply(Begun(0)))

    @property
    def players(self):
        return range(len(self.game.players))

    def take(self, events):
        for event in events:
            self.journal.append(event)
            if isinstance(event, Sent) and isinstance(event.message, Act):
                self.asked[event.player] = event.message
        return events

    def errors(self, events):
        return [(event.player, event.error.kind) for event in events if isinstance(event, Recorded)]

    # --- what can happen ----------------------------------------------------------------------------------------------

    @rule()
    def messages_leave(self):
        assert self.errors(self.take(self.referee.apply(Announced(self.time)))) == []

    @rule(ms=st.sampled_from([1, 50, 500, 600, 601, 1101]))
    def time_passes(self, ms):
        self.time += ms

    @rule()
    def clock_is_looked_at(self):
        late = self.referee.deadline_ms is not None and self.time > self.referee.deadline_ms
        events = self.take(self.referee.apply(Ticked(self.time)))
        assert bool(events) == late
        assert all(kind in ("late", "not_ready") for _, kind in self.errors(events))

    @rule(player=st.integers(0, 1))
    def a_player_is_ready(self, player):
        events = self.take(self.referee.apply(Received(self.time, Player(player), Ready("m1"))))
        assert all(kind == "not_ready" for _, kind in self.errors(events))

    @rule(player=st.integers(0, 1), pick=st.integers(0, 100))
    def a_player_moves(self, player, pick):
        act = self.asked[player]
        if act is not None:
            self.move(player, Move("m1", act.step, act.legal[pick % len(act.legal)]))

    @rule(player=st.integers(0, 1), step=st.integers(0, 6), action=st.sampled_from(["", "nonsense", "0", "1", "pass"]))
    def a_player_sends_any_move(self, player, step, action):
        self.move(player, Move("m1", step, action))

    def move(self, player, move):
        """Send a move, and see that nobody but its sender, or somebody who is late, gets an error for it."""
        late = self.referee.deadline_ms is not None and self.time > self.referee.deadline_ms
        open_to = self.referee.expects(Player(player), move)
        act = self.asked[player]
        answers = open_to and act is not None and act.step == move.step
        events = self.take(self.referee.apply(Received(self.time, Player(player), move)))
        for sinner, kind in self.errors(events):
            if late and open_to:
                assert kind == "late"
            else:
                assert sinner == player
                assert kind == ("illegal" if answers else "unexpected")
        if answers and not late and move.action in act.legal:
            assert self.errors(events) == []

    @rule(player=st.integers(0, 1))
    def a_player_sends_garbage(self, player):
        late = self.referee.deadline_ms is not None and self.time > self.referee.deadline_ms
        for sinner, kind in self.errors(self.take(self.referee.apply(Malformed(self.time, Player(player), "no")))):
            assert (sinner, kind) == (player, "malformed") or (late and kind == "late")

    @rule()
    def the_manager_restarts(self):
        """Goes on from the journal alone, as after a crash."""
        inputs = [event for event in self.journal if not isinstance(event, Derived)]
        self.referee, replayed = replay([self.created, *inputs[1:]], lambda _: self.game)
        assert replayed == self.journal
        self.take(self.referee.apply(Resumed(self.time)))

    @precondition(lambda self: self.referee.deadline_ms is not None)
    @rule(made=st.integers(0, 2))
    def the_rules_are_given_up(self, made):
        """After so many transitions that follow on a deadline, if there are so many: the next one takes too long."""
        self.time = self.referee.deadline_ms + 1
        self.take(self.referee.take(Ticked(self.time)))
        while (step := self.referee.wanted) is not None:
            if self.referee.made == made:
                self.take(self.referee.take(RulesStopped(self.time, "they took too long", made)))
                assert self.referee.ended == Ended("aborted", "they took too long", None)
            else:
                self.take(self.referee.go_on(make_step(self.game, step, ())))

    # --- what always holds --------------------------------------------------------------------------------------------

    @invariant()
    def errors_told_are_errors_on_record(self):
        recorded = [event.error for event in self.journal if isinstance(event, Recorded)]
        assert list(self.referee.errors) == recorded
        assert [error.role for error in recorded] == [
            self.game.players[event.player] for event in self.journal if isinstance(event, Recorded)
        ]

    @invariant()
    def a_clock_runs_or_the_match_is_over_or_messages_have_to_leave(self):
        assert self.referee.ended is not None or self.referee.deadline_ms is not None or self.take_no_more()

    def take_no_more(self):
        return bool(self.copy().apply(Announced(self.time)))

    def copy(self):
        inputs = [event for event in self.journal if not isinstance(event, Derived)]
        return replay([self.created, *inputs[1:]], lambda _: self.game)[0]

    def teardown(self):
        if not hasattr(self, "referee"):
            return
        # Time alone ends every match.
        for _ in range(1000):
            if self.referee.ended is not None:
                break
            self.take(self.referee.apply(Announced(self.time)))
            self.time = max(self.time, self.referee.deadline_ms or 0) + 1
            self.take(self.referee.apply(Ticked(self.time)))
        assert self.referee.ended is not None
        given_up = any(isinstance(event, RulesStopped) for event in self.journal)
        assert self.referee.ended.result == ("aborted" if given_up else "finished")
        self.take(self.referee.apply(Released(self.time)))
        if not given_up:
            self.check_course()
        self.check_replay()

    def check_course(self):
        """Follow the transitions with the game itself: what each player was told, and the utilities."""
        state = self.game.initial()
        told = [[] for _ in self.players]
        for event in self.journal:
            if not isinstance(event, Transition):
                continue
            if event.outcome is not None:
                (outcome,) = (o for o, _ in state.chance_outcomes() if state.outcome_text(o) == event.outcome)
                state = state.apply_outcome(outcome)
            else:
                joint = {
                    player: action
                    for player in state.actors()
                    for action in state.legal(player)
                    if str(action) == event.actions[self.game.players[player]]
                }
                state = state.apply(joint)
            for player in self.players:
                seen = [(label, json.loads(msgspec.json.encode(v))) for label, v in state.readable_observation(player)]
                action = event.actions.get(self.game.players[player])
                if seen or action is not None:
                    told[player].append((action, seen))
        assert state.is_terminal()
        assert self.referee.ended.utilities == tuple(state.utilities())
        assert self.journal[-1 - len(self.players)] == Released(self.time)
        for player in self.players:
            messages = [event.message for event in self.journal if isinstance(event, Sent) and event.player == player]
            numbered = [message for message in messages if not isinstance(message, Problem)]
            assert [message.number for message in numbered] == list(range(len(numbered)))
            assert isinstance(numbered[0], Start)
            assert [type(message) for message in numbered[-2:]] == [End, Reveal]
            observed = [
                (m.action, [(o.label, json.loads(msgspec.json.encode(o.value))) for o in m.observation])
                for m in numbered
                if isinstance(m, Observe)
            ]
            assert observed == told[player]
            before_the_end = "".join(encode(message) for message in numbered[1:-2])
            assert self.created.nonce not in before_the_end

    def check_replay(self):
        lines = [encode_event(event) for event in self.journal]
        events = [decode_event(line) for line in lines]
        assert first_difference(events, lambda _: self.game) is None
        # A journal that breaks off anywhere before the end is told, never taken for whole.
        last = next(place for place, event in enumerate(events) if isinstance(event, Ended))
        for length in {1, 2, last // 2 + 1, last}:
            assert first_difference(events[:length], lambda _: self.game) is not None
        # So is one that was changed.
        place = next((place for place, event in enumerate(events) if isinstance(event, Transition)), last)
        changed = [*events[:place], Transition({}, "another"), *events[place + 1 :]]
        assert first_difference(changed, lambda _: self.game).line == place + 1


RefereeMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestRefereeMachine = RefereeMachine.TestCase


def test_a_player_is_told_nothing_that_only_another_may_know():
    """Two histories that differ only in blue's card are told to red in the very same frames."""
    games = LibraryGames()
    game = games.load(games.find("kuhn_poker", {}))
    frames = {}
    for number in range(40):
        referee = Referee(game, created(game, seed=f"{number:x}"))
        events = [*referee.apply(Begun(0)), *referee.apply(Announced(0))]
        for player in (0, 1):
            events += referee.apply(Received(1, Player(player), Ready("m1")))
        events += referee.apply(Announced(1))
        deals = tuple(event.outcome for event in events if isinstance(event, Transition))
        told = [encode(e.message) for e in events if isinstance(e, Sent) and e.player == 0]
        frames.setdefault(deals, told[1:])  # `start` holds the hash of the seed
    own = {}
    for deals, told in frames.items():
        own.setdefault(tuple(told), set()).add(deals)
    # Six deals; red tells three of them apart, each with two cards of the other.
    assert sorted(len(deals) for deals in own.values()) == [2, 2, 2]
