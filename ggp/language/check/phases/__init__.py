"""Checks of phases: what is chosen or drawn, updates, what players see, and what comes next."""
