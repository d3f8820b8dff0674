"""The typed tree: a game with its parameters bound, every name resolved, every type known.

Only the checker makes these nodes; the interpreter and the code generator read them. What can fail while a game is
played is spelled out as a node of its own (`Guard`, `Unwrap`), so that both fail at the same places for the same
reasons, and everything else is total.

Expressions that the checker could evaluate are `Constant`s. Values are numbered as `ggp.language.typed.types` says.
"""

from ggp.language.typed.expressions import *
from ggp.language.typed.game import *
from ggp.language.typed.symbols import *
