"""Exact values, equilibria, best responses."""
