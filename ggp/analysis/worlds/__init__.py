"""Exact methods over all world states of a game that hides nothing: values, strategies, exploitability."""
