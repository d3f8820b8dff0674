"""The tree builder answers the grammar: a node or a method for each rule, and none that the parser never needs."""

from ggp.language.text.grammar import grammar
from ggp.language.text.statement_builder import TreeBuilder

PASSED_ON = {
    *("among", "at_most", "by_choices", "file_statement", "filter", "for_player", "index_name", "indexed_by", "label"),
    *(
        "on_grid",
        "on_side",
        "on_statement",
        "phase_statement",
        "styled",
        "tail_for",
        "tail_if",
        "tail_where",
        "weight",
        "where",
    ),
}
"""Rules that only lead to another one: they stand for their only part."""


def test_each_rule_of_the_grammar_has_a_node_or_a_method_and_each_of_these_a_rule() -> None:
    # A rule that the grammar marks with `?` gives way to its only child: what is left of it are its aliases.
    rules = {rule.alias or rule.origin.name for rule in grammar().rules if rule.alias or not rule.options.expand1}
    written_by_lark = {name for name in rules if name.startswith("__")}
    methods = {name[1:] for name in dir(TreeBuilder) if name.startswith("_") and not name.startswith("__")}
    assert methods <= rules
    assert rules - written_by_lark - {"stray"} - methods - set(TreeBuilder.nodes) == PASSED_ON
    assert set(TreeBuilder.nodes) - rules == {"chooser", "enumeration_type", "keyed"}  # of rules with other names
