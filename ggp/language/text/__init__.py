"""Text of a rules file to syntax tree, and back: source, lines, grammar, parser, formatter."""
