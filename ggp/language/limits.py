"""Every limit of the rules language in one place: what keeps a hostile rules file from taking time or memory.

Each is far above what the largest library game needs; a file that meets one gets an error that names the limit.
"""

from __future__ import annotations

MAX_TEXT = 1_000_000
"""Characters of a rules file."""
MAX_DIAGNOSTICS = 50
"""Diagnostics of one run; the rest is left out with a word that there is more."""
MAX_DEPTH = 60
"""Nested operators, `if`s, brackets and quantifiers of one expression."""
MAX_TOTAL_DEPTH = 150
"""The same, counted through the functions that an expression calls."""
MAX_NAMES = 2_000
"""Declarations of one file."""
MAX_PHASES = 200
MAX_STATEMENTS = 500
"""Statements of one phase."""
MAX_PLAYERS = 16
MAX_MEMBERS = 1_000
"""Members of an enumeration."""
MAX_BOARD_SIDE = 1_000
MAX_SET = 65_536
"""Values of a type that sets, indices, choices and quantifiers range over."""
MAX_ARRAY = 262_144
"""Elements of one array or table."""
MAX_STATE_WORDS = 131_072
"""64-bit words of a world state: 1 MiB."""
MAX_INTEGER = 2**53
"""Largest absolute value that an integer expression may reach."""
MAX_ACTIONS = 2**31 - 1
"""Actions of the whole game; chance outcomes of one phase."""
MAX_EVALUATION = 2_000_000
"""Steps of evaluation of everything that depends on the parameters alone."""
MAX_BINDINGS = 10_000_000
"""Combinations of values that one nest of quantifiers may run through."""
