"""The tree builder answers the grammar: a method for each rule, and none that the parser never calls."""

from ggp.language.text.grammar import grammar
from ggp.language.text.statement_builder import TreeBuilder


def test_each_rule_of_the_grammar_has_a_method_and_each_method_a_rule() -> None:
    # A rule that the grammar marks with `?` gives way to its only child: what is left of it are its aliases.
    rules = {rule.alias or rule.origin.name for rule in grammar().rules if rule.alias or not rule.options.expand1}
    written_by_lark = {name for name in rules if name.startswith("__")}
    methods = {name for name in dir(TreeBuilder) if not name.startswith("_")}
    assert methods == rules - written_by_lark - {"stray"}
