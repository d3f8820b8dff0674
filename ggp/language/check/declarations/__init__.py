"""Checks of what a file declares beside its phases: types, tables, variables, parameters, payoffs, displays."""
