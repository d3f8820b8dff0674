"""All limits of the rules language: they bound the time and memory that any rules file can take.

Each is far above what the largest library game needs; a file that meets one gets an error that names the limit.
"""

from __future__ import annotations

MAX_TEXT = 300_000
"""Characters of a rules file; long tables stand in files of their own."""
MAX_TABLE_TEXT = 4_000_000
"""Characters of a file with the values of a table."""
MAX_DIAGNOSTICS = 50
"""Diagnostics of one run; the rest is left out with a word that there is more."""
MAX_SUGGESTED = 2_000
"""Names among which one is looked for that was perhaps meant."""
MAX_DEPTH = 60
"""Nested operators, `if`s, brackets and quantifiers of one expression."""
MAX_TOTAL_DEPTH = 150
"""The same, counted through the functions that an expression calls."""
MAX_NODES = 2_000
"""Operators, names and numbers of one expression, those that the checks write for the author included."""
MAX_NAMES = 10_000
"""Declarations of one file, variables, kinds of moves and members of enumerations included."""
MAX_BINDERS = 16
"""Variables of one quantifier, parts of one choice or draw, arguments of one function, indices of one array."""
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
MAX_STATE_WORDS = 16_384
"""64-bit words of a world state: 128 KiB."""
MAX_HISTORY = 10_000
"""States whose hashes a history keeps."""
MAX_INTEGER = 2**53
"""Largest absolute value that an integer expression may reach."""
MAX_LEGAL_ACTIONS = 2**20
"""Legal actions that one player may have at one time."""
MAX_OUTCOMES = 2**20
"""Chance outcomes at one time; draws that are made one after the other, each."""
MAX_PART_OUTCOMES = 64
"""Chance outcomes of each part of a phase with more draws than that, unless a single draw has more."""
MAX_DRAWS = 64
"""Draws of one phase, each value of an index and each member of a subset counted."""
MAX_ACTIONS = 2**31 - 1
"""Actions that one player may have in a phase, by the sizes of their types; chance outcomes of one phase."""
MAX_EVALUATION = 4_000_000
"""Steps of evaluation of everything that depends on the parameters alone; a set or an array counts its elements."""
MAX_TABLES = 2_000_000
"""Elements of all tables together, members of sets included."""
MAX_LISTED = 1_024
"""Elements of an array that a hash depends on, or of a row that `sees` tells."""
MAX_INSTANCES = 500
"""Definitions checked again for arrays that are handed to them, each for each combination of arrays."""
MAX_COMPARED = 100
"""Updates of one variable in one phase that are compared, each with each, for whether they can meet."""
MAX_BINDINGS = 10_000_000
"""Combinations of values that one nest of quantifiers may run through."""
MAX_WORK = 100_000_000
"""Combinations of values that one transition of a phase may run through, the listing of what is legal included."""
