"""Texts and values of a game of rules, from the words in which they are kept."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ggp.encoding.features import Feature, SeenFeatures, features_in_sets, features_of, placed
from ggp.encoding.observation_words import observation_words
from ggp.encoding.readable import Readable, readable_observation
from ggp.encoding.state_layout import Layout, type_words
from ggp.game.actions import ActionPart
from ggp.interpreter.interpreter import WorldState
from ggp.language import typed
from ggp.language.typed.types import scalar_text
from ggp.native.interface import PHASE_WORD
from ggp.scene.scene import Scene
from ggp.static_analysis.possible_choices import possible_choices
from ggp.static_analysis.strides import part_types

if TYPE_CHECKING:
    from ggp.rules_compiler.rules_backend import RulesBackend

MAX_LISTED = 1 << 20
"""Of more action numbers all are taken to be possible."""


def possible_actions(rules: typed.Game, layout: Layout) -> Sequence[int]:
    """Return the numbers of the actions that the rules allow in some state, as far as they show; ascending."""
    count = action_count(layout)
    if count > MAX_LISTED:
        return range(count)
    found: set[int] = set()
    for choosers, numbered in zip(possible_choices(rules), layout.choice_blocks, strict=True):
        for choices, block in zip(itertools.chain(*choosers), itertools.chain(*numbered), strict=True):
            every = range(block.base, block.base + block.count)
            found.update(every if choices is None else map(block.encode, choices))
    return range(count) if len(found) in (0, count) else tuple(sorted(found))


def action_count(layout: Layout) -> int:
    """Return N: actions are numbered from 0 to N - 1."""
    choosers = itertools.chain.from_iterable(layout.choice_blocks)
    return max((block.base + block.count for block in itertools.chain.from_iterable(choosers)), default=1)


class RulesCodec:
    """Texts and values of a game of rules."""

    def __init__(self, backend: RulesBackend) -> None:
        self._backend = backend
        self._rules = backend.rules
        self._layout = backend.layout
        self._types: dict[int, Mapping[typed.Symbol, str]] = {}
        """By phase, see `part_types`; made when actions of the phase are first taken apart."""

    def phase_name(self, phase: int) -> str | None:
        """Return the name of a phase; None of the end."""
        return self._rules.phases[phase].name if phase < self._layout.end else None

    def action_text(self, action: int) -> str:
        """Return an action's text."""
        return self._layout.action_text(action)

    def parse_action(self, text: str, phase: int) -> tuple[int, ...]:
        """Return the actions of a phase that a text names."""
        return self._layout.parse_action(text, phase) if phase < self._layout.end else ()

    def action_parts(self, action: int, phase: int) -> tuple[ActionPart, ...]:
        """Return the components of an action of a phase."""
        for block in itertools.chain.from_iterable(self._layout.choice_blocks[phase]):
            if block.base <= action < block.base + block.count:
                types = self._part_types(phase)
                pairs = zip(block.components, block.decode(action), strict=True)
                return tuple(
                    ActionPart(part.symbol.name, types[part.symbol], scalar_text(part.type, code))
                    for part, code in pairs
                )
        raise KeyError(action)

    def _part_types(self, phase: int) -> Mapping[typed.Symbol, str]:
        if phase not in self._types:
            self._types[phase] = part_types(self._rules.phases[phase])
        return self._types[phase]

    def actions_called(self, text: str) -> frozenset[int]:
        """Return the actions of all phases that a text names."""
        return frozenset(
            action for phase in range(self._layout.end) for action in self._layout.parse_action(text, phase)
        )

    def outcome_text(self, outcome: int, phase: int) -> str:
        """Return the text of a chance outcome of a phase."""
        return self._layout.outcome_text(outcome, phase)

    def parse_outcome(self, text: str, phase: int) -> int | None:
        """Return the chance outcome of a phase that a text names."""
        block = self._layout.outcome_blocks[phase]
        return None if block is None else block.parse(text)

    def choice_labels(self, phase: int) -> frozenset[str]:
        """Return the labels under which observations of a phase's transitions tell what was chosen."""
        choosers = self._rules.phases[phase].choosers
        components = [part for chooser in choosers for kind in chooser.kinds for part in kind.components]
        names = (component.symbol.name for component in components)
        return frozenset({"move", *(part for name in names for part in (name, name.partition("[")[0]))})

    def readable_observation(self, words: Sequence[int]) -> list[tuple[str, Readable]]:
        """Return what the words of an observation say: labels of the rules, and values."""
        return readable_observation(self._layout, words)

    def observation_words(self, observation: Sequence[tuple[str, Readable]]) -> Sequence[Sequence[int]]:
        """Return all words of observations that say this."""
        return observation_words(self._layout, observation)

    @cached_property
    def action_count(self) -> int:
        """N: actions are numbered from 0 to N - 1."""
        return action_count(self._layout)

    @cached_property
    def possible_actions(self) -> Sequence[int]:
        """The numbers of the actions that the rules allow in some state, as far as they show; ascending."""
        return possible_actions(self._rules, self._layout)

    def number_parts(self) -> list[tuple[int | None, int, tuple[int, ...]]]:
        """Return how actions and chance outcomes are numbered: the values of their components are the parts."""
        choosers = itertools.chain.from_iterable(self._layout.choice_blocks)
        actions = {(None, block.base, block.sizes) for block in itertools.chain.from_iterable(choosers)}
        outcomes = [
            (phase, block.base, block.sizes) for phase, block in enumerate(self._layout.outcome_blocks) if block
        ]
        return [*actions, *outcomes]

    def word_ranges(self) -> list[tuple[int, int]]:
        """Return the lowest and the highest number that each word of a state can be."""
        return self._layout.word_ranges(len(self._backend.fault_texts()))

    def state_features(self) -> tuple[Feature, ...]:
        """Return how a state is written as a flat tensor: its phase, then its variables in order; no histories."""
        names = (*(phase.name for phase in self._rules.phases), "end")
        phase = Feature("phase", "one_hot", PHASE_WORD, 0, len(names), values=names)
        of_variables = (
            feature
            for variable in self._rules.variables
            if not variable.is_kept
            for feature in self._features_of(variable)
        )
        return placed(itertools.chain([phase], of_variables), 0)

    def _features_of(self, variable: typed.Variable) -> Iterator[Feature]:
        found = features_of(variable.name, variable.type, self._layout.offset[variable], (), 0)
        stored = self._layout.kept_as_sets.get(variable)
        return found if stored is None else features_in_sets(found, self._layout.offset[variable], stored.type)

    def observation_features(self) -> tuple[SeenFeatures, ...]:
        """Return how an observation is written as a flat tensor: for each label whether it was told, and its value."""
        found: list[SeenFeatures] = []
        at = 0
        for heading, told in sorted(self._layout.headings.items()):
            parts = features_of(told.label, told.type, 0, self._layout.texts, self.action_count)
            features = placed(parts, at + 1)
            found.append(SeenFeatures(told.label, heading, type_words(told.type), at, features))
            at += 1 + sum(feature.width for feature in features)
        return tuple(found)

    def values(self, words: Sequence[int]) -> dict[str, typed.Value]:
        """Return the value of each state variable, numbered as in `ggp.language.typed.types`."""
        return {variable.name: self._layout.variable_value(words, variable) for variable in self._rules.variables}

    @property
    def has_views(self) -> bool:
        """Whether the rules say how a state is drawn for a player."""
        return bool(self._rules.views)

    def scene(self, words: Sequence[int], player: int | None = None) -> Scene:
        """Return how the rules draw a state, for everybody or one player."""
        state = WorldState(self.phase_name(words[PHASE_WORD]), tuple(self.values(words).values()))
        return self._backend.scenes.scene(state, player)
