"""What a page has to know of a game besides its code: types, actions, observations, as data for `web/src/alone`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ggp.encoding.numbering import Block
from ggp.encoding.readable import index_values
from ggp.game.game import Game
from ggp.game.history import last_index, plain_label
from ggp.language import typed
from ggp.language.pieces import SHAPES
from ggp.language.typed.types import (
    ArrayType,
    BoolType,
    EnumType,
    IntType,
    OptionType,
    RealType,
    ScalarType,
    SequenceType,
    SetType,
    TextType,
    Type,
    codes,
    lowest,
    scalar_text,
    size,
    type_text,
)
from ggp.rules_compiler.rules_backend import rules_of
from ggp.static_analysis.payoffs import is_shared
from ggp.static_analysis.strides import part_types


class Types:
    """Numbers types in the order in which they are asked for.

    Attributes:
        facts: of each type, by its number.
    """

    def __init__(self) -> None:
        self.facts: list[dict[str, Any]] = []
        self._numbers: dict[Type, int] = {}

    def number(self, type_: Type) -> int:
        """Return the number of a type."""
        if type_ not in self._numbers:
            facts = self._facts(type_)
            self._numbers[type_] = len(self.facts)
            self.facts.append(facts)
        return self._numbers[type_]

    def _facts(self, type_: Type) -> dict[str, Any]:
        match type_:
            case OptionType(inner):
                return {"kind": "option", "inner": self.number(inner)}
            case SetType(element):
                return {"kind": "set", "inner": self.number(element)}
            case ArrayType(indices, element):
                numbers = [self.number(index) for index in indices]
                return {"kind": "array", "indices": numbers, "inner": self.number(element)}
            case SequenceType(element, most):
                return {"kind": "sequence", "inner": self.number(OptionType(element)), "most": most}
            case RealType():
                return {"kind": "real"}
            case TextType():
                return {"kind": "text"}
            case _ if isinstance(type_, ScalarType):
                return self._scalar(type_)
        return {"kind": "move"}

    def _scalar(self, type_: ScalarType) -> dict[str, Any]:
        facts = {"kind": "scalar", "name": type_text(type_), "low": lowest(type_), "size": size(type_)}
        if isinstance(type_, IntType):
            return facts
        is_players = isinstance(type_, EnumType) and type_.role == "player"
        of = "truth" if isinstance(type_, BoolType) else "player" if is_players else "name"
        return {**facts, "of": of, "texts": [scalar_text(type_, code) for code in codes(type_)]}


def game_facts(game: Game, types: Types) -> dict[str, Any]:
    """Return what is said of a game's players, phases, actions and observations.

    Raises:
        NoRules: the game was not made from a rules file.
    """
    backend = rules_of(game)
    rules, layout = backend.rules, backend.layout
    blocks: dict[Block, int] = {}

    def numbered(given: Iterable[Block]) -> list[int]:
        return [blocks.setdefault(block, len(blocks)) for block in given]

    phases = []
    names = {symbol: name for phase in rules.phases for symbol, name in part_types(phase).items()}
    for number, phase in enumerate(rules.phases):
        outcomes = layout.outcome_blocks[number]
        choices = [block for chooser in layout.choice_blocks[number] for block in chooser]
        phases.append(
            {
                "name": phase.name,
                "choices": numbered(choices),
                "draws": None if outcomes is None else numbered([outcomes])[0],
                "weighted": phase.chance is not None and phase.chance.weight is not None,
            }
        )
    indices = index_values(rules)
    headings = {
        heading: {
            "label": plain_label(told.label, indices, is_truth=isinstance(told.type, BoolType)),
            "index": last_index(told.label),
            "type": types.number(told.type),
        }
        for heading, told in layout.headings.items()
    }
    shape = backend.shape
    return {
        "rules": rules.name,
        "players": list(rules.players.members),
        "is_shared": is_shared(rules),
        "parameters": backend.parameters,
        "simultaneous": backend.simultaneous,
        "open": backend.perfect_information,
        "bounds": [list(bounds) for bounds in backend.utility_bounds],
        "sizes": {
            "words": shape.state_words,
            "actions": shape.max_actions,
            "outcomes": shape.max_outcomes,
            "observation": shape.max_observation_words,
        },
        "phases": phases,
        "blocks": [_block_facts(block, types, names) for block in blocks],
        "headings": headings,
        "texts": list(layout.texts),
        "shapes": {name: shape.layer for name, shape in SHAPES.items()},
    }


def _block_facts(block: Block, types: Types, names: Mapping[typed.Symbol, str]) -> dict[str, Any]:
    return {
        "word": block.word,
        "base": str(block.base),
        "types": [types.number(type_) for type_ in block.types],
        "components": [
            [part.symbol.name, types.number(part.type), names.get(part.symbol, type_text(part.type))]
            for part in block.components
        ],
        "places": [None if places is None else list(places) for places in block.places],
    }
