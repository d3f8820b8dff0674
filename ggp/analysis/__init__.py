"""Exact values, best responses, exploitability, and the statistics of matches."""
