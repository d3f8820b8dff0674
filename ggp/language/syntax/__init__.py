"""The syntax tree: a rules file as written, every node with its place. Nothing is resolved or known to make sense yet.

Made by `ggp.language.text.parser`, read by the checker alone.
"""

from ggp.language.syntax.expressions import *
from ggp.language.syntax.statements import *
