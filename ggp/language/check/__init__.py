"""Syntax tree to typed tree: every name resolved, every type known, every mistake reported."""
