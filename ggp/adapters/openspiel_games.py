"""Games of OpenSpiel as games of ours: `ggp.load("openspiel:leduc_poker(players=3)")`, at the speed of Python.

Actions and players keep OpenSpiel's numbers. A state is the history of what was chosen and drawn, so states that
differ only in how play got there stay apart. In games of perfect information everybody is told all actions; in
others a player is told its information-state string whenever that has changed, or its observation string where a game
has no such strings.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from struct import Struct
from threading import Lock

import pyspiel

from ggp.encoding.features import Feature, SeenFeatures, placed
from ggp.encoding.readable import Readable
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.game.python_machine import PythonBackend, drawn
from ggp.language.library import OPENSPIEL
from ggp.native.interface import PHASE_WORD, GameShape
from ggp.scene.scene import Entry, Item, Row, Scene

DRAW, PLAY, END = range(3)
"""The phases."""
COUNT, ENTRIES = 2, 3
"""Words of a state: how long its history is; the first of those that hold it."""
KEPT_STATES = 1 << 14
"""OpenSpiel's states that are kept; others are made again from their histories."""
KEPT_TEXTS = 1 << 20
"""Strings that players were told, kept to be shown; of others, their hashes are shown."""
SAMPLED = 2000
"""Transitions of random games after which the names of actions are taken as known."""
HASH = Struct("<qq")
CHANCE_LABEL, TOLD_LABEL = "chance", "knows"
INFORMATION = (pyspiel.GameType.Information.PERFECT_INFORMATION, pyspiel.GameType.Information.ONE_SHOT)


def load(name: str, /, **parameters: str | int | bool) -> Game:
    """Return a game of OpenSpiel.

    Args:
        name: as OpenSpiel writes it, behind `openspiel:`, with parameters in brackets or without.
        parameters: more of them, by name.

    Raises:
        GgpError: OpenSpiel has no such game or parameters, or the game draws where it does not say so, or asks
            distributions of players instead of players.
    """
    return Game(OpenSpielBackend(name.removeprefix(OPENSPIEL).strip(), tuple(parameters.items())))


class OpenSpielBackend(PythonBackend):
    """A game of OpenSpiel behind the seam. Equal to another of the same name and parameters.

    Attributes:
        theirs: the game.
    """

    simultaneous: bool
    has_views: bool

    def __init__(self, text: str, more: Sequence[tuple[str, object]] = ()) -> None:
        """Load it by OpenSpiel's text and more parameters; see `load` for the errors."""
        try:
            given = {"name": "", **pyspiel.game_parameters_from_string(text), **dict(more)}
            self.parameters = {key: _parameter_text(given[key]) for key in sorted(given) if key != "name"}
            text = f"{given['name']}({','.join(f'{key}={value}' for key, value in self.parameters.items())})"
            self.theirs = pyspiel.load_game(text)
        except pyspiel.SpielError as error:
            told = str(error).splitlines()[0].removesuffix(" Available games are:")
            raise GgpError(f"OpenSpiel cannot load `{text}`: {told}") from error
        kind = self.theirs.get_type()
        if kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC or kind.dynamics == kind.Dynamics.MEAN_FIELD:
            raise GgpError(f"`{text}` cannot be played here: it does not say what chance draws, or has a mean field")
        self._text = text
        self.name, self.title = OPENSPIEL + kind.short_name, kind.long_name
        players = self.theirs.num_players()
        self.players = tuple(f"player{number}" for number in range(players))
        self.utility_bounds = ((self.theirs.min_utility(), self.theirs.max_utility()),) * players
        self.utility_sum: float | None = self.theirs.utility_sum()
        self.teams = tuple(range(players)) if kind.utility != kind.Utility.IDENTICAL else (0,) * players
        self.perfect_information = kind.information in INFORMATION
        self.has_views = not self.perfect_information
        self.revealed_actions = [[self.perfect_information] * players] * 2
        self.simultaneous = kind.dynamics == kind.Dynamics.SIMULTANEOUS
        self.chance = kind.chance_mode != kind.ChanceMode.DETERMINISTIC
        self.traits = (f"{players} players", "of OpenSpiel")
        self._recall = kind.provides_information_state_string
        # some count the deals of two players, whatever their number: leduc_poker(players=3) takes one more than it
        # says; others one draw after each choice of players who act at once, where coop_box_pushing has three
        told = self.theirs.max_history_length()
        self._longest = told * (2 if self.simultaneous and self.chance else 1) + players
        numbers = max(self.theirs.num_distinct_actions(), self.theirs.max_chance_outcomes())
        self._code, size = ("B", 1) if numbers <= 1 << 8 else ("H", 2) if numbers <= 1 << 16 else ("I", 4)
        self._in_word = 8 // size
        words = ENTRIES + -(-self._longest // self._in_word)
        outcomes, actions = max(1, self.theirs.max_chance_outcomes()), max(1, self.theirs.num_distinct_actions())
        self.shape = GameShape(players, words, actions, outcomes, max(2 * players, 3))
        self._kept: dict[tuple[int, ...], pyspiel.State] = {}
        self._texts: dict[tuple[int, ...], str] = {}
        self._lock = Lock()
        self._failure = ""
        self.codec = self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OpenSpielBackend) and (self.name, self.parameters) == (other.name, other.parameters)

    def __hash__(self) -> int:
        return hash((self.name, *self.parameters.items()))

    def __reduce__(self) -> tuple[Callable[..., OpenSpielBackend], tuple[str]]:
        return OpenSpielBackend, (self._text,)

    # --- states -------------------------------------------------------------------------------------------------------

    def _entries(self, state: Sequence[int]) -> array[int]:
        """Return the history that a state is."""
        found = array(self._code, array("q", state[ENTRIES : self._end(state)]).tobytes())
        return found[: state[COUNT]]

    def _end(self, state: Sequence[int]) -> int:
        """Return where the words of a state's history end."""
        return ENTRIES + -(-state[COUNT] // self._in_word)

    def _row(self, theirs: pyspiel.State, entries: array[int]) -> list[int]:
        """Return the state of a history, and keep OpenSpiel's."""
        if len(entries) > self._longest:
            raise GgpError(
                f"a play is longer than the {self._longest} transitions for which there is room by what OpenSpiel says"
            )
        words = array("q", entries.tobytes() + bytes(-len(entries) * entries.itemsize % 8))
        row = [_phase(theirs), 0, len(entries), *words]
        self._keep(tuple(row), theirs)
        return row + [0] * (self.shape.state_words - len(row))

    def _keep(self, key: tuple[int, ...], theirs: pyspiel.State) -> None:
        with self._lock:
            self._kept[key] = theirs
            if len(self._kept) > KEPT_STATES:
                del self._kept[next(iter(self._kept))]

    def state_of(self, words: Sequence[int]) -> pyspiel.State:
        """Return OpenSpiel's state, which must not be changed.

        Raises:
            ValueError: no play leads to such a state; OpenSpiel itself may crash by an action that is not legal.
        """
        key = tuple(words[: self._end(words)])
        found = self._kept.get(key)
        if found is None:
            found, left = self.theirs.new_initial_state(), list(self._entries(words))
            while left and not found.is_terminal():
                players = (
                    range(self.theirs.num_players()) if found.is_simultaneous_node() else (found.current_player(),)
                )
                chosen, left = left[: len(players)], left[len(players) :]
                legal = [found.legal_actions(player) for player in players]
                given = zip(chosen, legal, strict=False)
                if len(chosen) < len(legal) or any(among and action not in among for action, among in given):
                    raise ValueError(f"no play goes on by {chosen} after {found.history()}")
                _apply(found, chosen)
            if left or _phase(found) != words[PHASE_WORD]:
                raise ValueError(f"no play is in phase {words[PHASE_WORD]} after {found.history()}")
            self._keep(key, found)
        return found

    def init(self) -> list[int]:
        """Return the initial state."""
        return self._row(self.theirs.new_initial_state(), array(self._code))

    def actors(self, state: Sequence[int]) -> int:
        """Return who acts."""
        if state[PHASE_WORD] != PLAY:
            return 0 if state[PHASE_WORD] == DRAW else -1
        theirs = self.state_of(state)
        if not theirs.is_simultaneous_node():
            return 1 << int(theirs.current_player())
        return sum(1 << player for player in range(len(self.players)) if theirs.legal_actions(player))

    def legal(self, state: Sequence[int], player: int) -> list[int]:
        """Return what a player may do."""
        if state[PHASE_WORD] != PLAY:
            return []
        return list(self.state_of(state).legal_actions(player))

    def outcomes(self, state: Sequence[int]) -> list[tuple[int, float]]:
        """Return what chance may draw."""
        return _outcomes(self.state_of(state))

    def step(self, old: Sequence[int], joint: Sequence[int]) -> list[int]:
        """Return the next state."""
        theirs = self.state_of(old).clone()
        if theirs.is_simultaneous_node():
            chosen = list(joint[:-1])
        else:
            chosen = [joint[-1] if theirs.is_chance_node() else joint[theirs.current_player()]]
        _apply(theirs, chosen)
        return self._row(theirs, self._entries(old) + array(self._code, chosen))

    def observe(self, old: Sequence[int], new: Sequence[int], joint: Sequence[int], player: int) -> list[int]:
        """Return what a player is told: headings, each followed by its words."""
        if not self.perfect_information:
            told = self._told(self.state_of(new), player)
            if told == (self._told(self.state_of(old), player) if old[COUNT] else ""):
                return []
            words = HASH.unpack(blake2b(told.encode(), digest_size=HASH.size).digest())
            self._texts[words] = told
            if len(self._texts) > KEPT_TEXTS:
                del self._texts[next(iter(self._texts))]
            return [1 + len(self.players), *words]
        if old[PHASE_WORD] == DRAW:
            return [0, joint[-1]]
        acting = self.actors(old)
        return list(chain(*((1 + p, joint[p]) for p in range(len(self.players)) if acting >> p & 1)))

    def _told(self, theirs: pyspiel.State, player: int) -> str:
        return str(theirs.information_state_string(player) if self._recall else theirs.observation_string(player))

    def utility(self, state: Sequence[int]) -> list[float]:
        """Return the utilities at the end."""
        return list(self.state_of(state).returns())

    def playout(self, state: Sequence[int], uniform: Callable[[], float], limit: int) -> tuple[int, Sequence[float]]:
        """Play on at random with OpenSpiel's state alone: ten times as fast as by rows."""
        theirs = self.state_of(state).clone()
        for made in range(limit + 1):
            if theirs.is_terminal():
                return made, theirs.returns()
            if theirs.is_chance_node():
                theirs.apply_action(drawn(_outcomes(theirs), uniform()))
            elif theirs.is_simultaneous_node():
                choices = [theirs.legal_actions(player) for player in range(len(self.players))]
                theirs.apply_actions([legal[int(uniform() * len(legal))] if legal else 0 for legal in choices])
            else:
                legal = theirs.legal_actions()
                if not legal:
                    return -3, ()
                theirs.apply_action(legal[int(uniform() * len(legal))])
        return -1, ()

    # --- texts --------------------------------------------------------------------------------------------------------

    @cached_property
    def _names(self) -> tuple[dict[int, str], dict[int, str]]:
        """Names of actions and of outcomes, where some random games give each a single one."""
        rng, found = random.Random(1), (dict[tuple[int, int], str](), dict[tuple[int, int], str]())
        unique = [True, True]
        theirs = self.theirs.new_initial_state()
        for _ in range(SAMPLED):
            if theirs.is_terminal():
                theirs = self.theirs.new_initial_state()
            at_once = theirs.is_simultaneous_node()
            actors = range(len(self.players)) if at_once else [theirs.current_player()]
            chosen = []
            for actor in actors:
                drawn = int(actor == pyspiel.PlayerId.CHANCE)
                numbers = theirs.legal_actions(actor) if at_once else theirs.legal_actions()
                for number in numbers:
                    name = theirs.action_to_string(actor, number).strip()
                    unique[drawn] &= found[drawn].setdefault((actor, number), name) == name
                chosen.append(rng.choice(numbers or [0]))
            _apply(theirs, chosen)
        return _single(found[0], unique[0]), _single(found[1], unique[1])

    def phase_name(self, phase: int) -> str | None:
        """Return the name of a phase."""
        return ("draw", "play", None)[phase]

    def action_text(self, action: int) -> str:
        """Return OpenSpiel's name of an action; its number where the name depends on the state, as in chess."""
        if not 0 <= action < self.action_count:
            raise KeyError(action)
        return self._names[0].get(action, str(action))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {self.action_text(action): action for action in range(self.action_count)}

    def parse_action(self, text: str, phase: int) -> list[int]:
        """Return the action of a text."""
        return self.actions_called(text) if phase == PLAY else []

    def actions_called(self, text: str) -> list[int]:
        """Return the action of a text."""
        return [self._numbers[text]] if text in self._numbers else []

    def outcome_text(self, outcome: int, phase: int) -> str:  # noqa: ARG002
        """Return OpenSpiel's name of an outcome, or its number."""
        return self._names[1].get(outcome, str(outcome))

    def parse_outcome(self, text: str, phase: int) -> int | None:  # noqa: ARG002
        """Return the outcome of a text."""
        return self._outcomes.get(text)

    @cached_property
    def _outcomes(self) -> dict[str, int]:
        return {self.outcome_text(outcome, DRAW): outcome for outcome in range(self.shape.max_outcomes)}

    def choice_labels(self, phase: int) -> frozenset[str]:
        """Return the labels under which actions and draws are told."""
        if not self.perfect_information:
            return frozenset()
        return frozenset(self.players if phase == PLAY else (CHANCE_LABEL,))

    def readable_observation(self, words: Sequence[int]) -> list[tuple[str, Readable]]:
        """Return what words say: actions by player, an outcome, or the string that a player is told."""
        if words and words[0] > len(self.players):
            key = tuple(words[1:])
            return [(TOLD_LABEL, self._texts.get(key, "#" + HASH.pack(*key).hex()))]
        pairs = zip(words[::2], words[1::2], strict=True)
        return [
            (self.players[heading - 1], self.action_text(number))
            if heading
            else (CHANCE_LABEL, self.outcome_text(number, DRAW))
            for heading, number in pairs
        ]

    def observation_words(self, observation: Sequence[tuple[str, Readable]]) -> list[tuple[int, ...]]:
        """Return the words that say this."""
        words: list[int] = []
        for label, value in observation:
            text = str(value)
            if label == TOLD_LABEL:
                known = text.startswith("#") and len(text) == 1 + 2 * HASH.size
                hashed = bytes.fromhex(text[1:]) if known else blake2b(text.encode(), digest_size=HASH.size).digest()
                words += 1 + len(self.players), *HASH.unpack(hashed)
            elif label == CHANCE_LABEL:
                words += 0, self._outcomes[text]
            else:
                words += 1 + self.players.index(label), self._numbers[text]
        return [tuple(words)]

    def word_ranges(self) -> list[tuple[int, int]]:
        """Return those of the phase, the fault, the length of the history and what it is packed into."""
        packed = self.shape.state_words - ENTRIES
        return [(DRAW, END), (0, 1), (0, self._longest), *[(-(1 << 63), (1 << 63) - 1)] * packed]

    def state_features(self) -> tuple[Feature, ...]:
        """Return the phase and the bits of the history: OpenSpiel's tensors are OpenSpiel's."""
        bits = 64 * (self.shape.state_words - ENTRIES)
        features = [Feature("phase", "one_hot", 0, 0, 3), Feature("history", "bits", ENTRIES, 0, bits)]
        return placed(iter(features), 0)

    def observation_features(self) -> tuple[SeenFeatures, ...]:
        """Return what is told in binary; of a string, its hash."""
        if not self.perfect_information:
            return (SeenFeatures(TOLD_LABEL, 1 + len(self.players), 2, 0, (Feature("hash", "bits", 0, 0, 128, 1),)),)
        digits = max(self.action_count, self.shape.max_outcomes).bit_length()
        found = []
        for place, label in enumerate((CHANCE_LABEL, *self.players)):
            at = place * (1 + digits)
            found.append(SeenFeatures(label, place, 1, at, (Feature(label, "binary", 0, 0, digits, at + 1),)))
        return tuple(found)

    def values(self, words: Sequence[int]) -> Mapping[str, object]:
        """Return OpenSpiel's text of a state."""
        return {"state": str(self.state_of(words))}

    def scene(self, words: Sequence[int], player: int | None = None) -> Scene:
        """Return OpenSpiel's text, of the state or of what a player is told, line by line."""
        theirs = self.state_of(words)
        text = str(theirs) if player is None else self._told(theirs, player)
        return Scene((), (), tuple(Entry("line", "", line, (Row((Item(line),)),)) for line in text.splitlines()))

    # --- faults -------------------------------------------------------------------------------------------------------

    def failing(self, error: Exception) -> int:
        """Note what failed."""
        self._failure = f"{type(error).__name__}: {error}"
        return 1

    def fault_texts(self) -> tuple[str, ...]:
        """Return the only fault: OpenSpiel's."""
        return ("OpenSpiel failed",)

    def fault(self, number: int) -> GgpError:  # noqa: ARG002
        """Return what failed last."""
        return GgpError(f"OpenSpiel failed in {self.name}: {self._failure}")

    def dead_end(self, words: Sequence[int], player: int) -> GgpError:
        """Return the error of a player who has to act and cannot."""
        return GgpError(f"{self.players[player]} has no legal action in {self.name}:\n{self.state_of(words)}")


def _outcomes(theirs: pyspiel.State) -> list[tuple[int, float]]:
    return sorted((outcome, share) for outcome, share in theirs.chance_outcomes() if share > 0)


def _phase(theirs: pyspiel.State) -> int:
    return END if theirs.is_terminal() else DRAW if theirs.is_chance_node() else PLAY


def _apply(theirs: pyspiel.State, chosen: Sequence[int]) -> None:
    """Make a transition."""
    if theirs.is_simultaneous_node():
        theirs.apply_actions(list(chosen))
    else:
        theirs.apply_action(chosen[0])


def _parameter_text(value: object) -> str:
    """Return a parameter as OpenSpiel reads it."""
    return pyspiel.game_parameters_to_string(value) if isinstance(value, dict) else str(value)


def _single(found: Mapping[tuple[int, int], str], unique: bool) -> dict[int, str]:
    """Return the names by number, of all players together; nothing where they do not tell numbers apart."""
    names: dict[int, dict[str, None]] = {}
    for (_, number), name in sorted(found.items()):
        names.setdefault(number, {})[name] = None
    texts = {number: "/".join(each) for number, each in names.items()}
    known = unique and len(set(texts.values())) == len(texts) and not any(text.isdecimal() for text in texts.values())
    return texts if known else {}
