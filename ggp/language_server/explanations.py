"""One-line explanations of the language's words and built-in functions, shown on hover."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.language.check.expressions.built_ins import BUILT_INS
from ggp.language.check.expressions.sequences import SEQUENCE_FIELDS
from ggp.language.pieces import BOARD_STYLES, COLOURS, SHAPES

WORD_HELP: Mapping[str, str] = {
    **{word: BUILT_INS[word].help for word in ("count", "max", "min", "sum")},
    "all": "`all x in S: c`: whether c holds for every x; true if S is empty. "
    "Alone: the set of all values of the type expected here.",
    "and": "`a and b`: both; the right side is not evaluated if the left side is false.",
    "any": "`any x in S: c`: whether c holds for some x; false if S is empty.",
    "board": "`board cell = grid(width, height)`: the type of a board's cells, and the eight directions.",
    "by": "`raise by k in S`: what a kind of move is chosen with. "
    "In `reach from S through T by D`: the steps, a set of directions or each value's neighbours.",
    "chance": "`chance draws x in S, y in T weight w`: the outcomes of this phase, equally likely or by weight.",
    "chooses": "`p chooses x in S where c`: who acts, and what is legal. At the end of a line: kinds of moves follow.",
    "deals": "`chance deals x[p in player] in 5 of S`: draws, each from what those before it left.",
    "def": "`def f(x: T) = e`: a function of its arguments and the state. Recursion is not allowed.",
    "backs": '`backs "label" n`: so many cards, face down.',
    "cards": '`cards "label" hand`: values as cards, face up.',
    "dice": '`dice "label" shown`: numbers as dice.',
    "display": "`display`, `display grid BOARD STYLE`: how a state is drawn; the first line that fits a cell wins. "
    "`display for p`: what a player is shown.",
    "distance": "`distance from S through T by D`: for each value, the number of steps from S; "
    "the size of the type if it cannot be reached.",
    "div": "`a div b`: division of integers, rounded down. By zero: a fault.",
    "draws": "`chance draws x in S, y in T weight w`: what chance draws.",
    "each": "`each p chooses x in S`: all players at once; `each p in A chooses`: those in A. "
    "`sees each p: v`: every player p is told v.",
    "else": "`if c then a else b`; in `next`: `next A if c else B`; in a table, `{i: v, else w}`: all others.",
    "end": "`next end`: the game is over.",
    "estimate": "`estimate[p] = e`: an estimate of p's payoff in a non-terminal state, for search.",
    "for": "`x[i] := v for i in S if c`: an update for each i. `{f(x) for x in S if c}`: the set of these values.",
    "from": '`reach from S`: where a search begins. `table t[i]: T from "file"`: values from a file beside the rules.',
    "game": '`game name "title"`: the first statement of a rules file.',
    "grid": "`board cell = grid(width, height)`; `display grid cell`, `display grid cell checkered`.",
    "history": "`history h[n] = a, b`: a and b in the last n states in which players chose, for `repeats(h)`.",
    "if": "`if c then a else b`: only the branch taken is evaluated. Behind an update or `sees`: only where c holds.",
    "in": "`x in S`: membership, also `x not in S` and `x in 1..3`; or what a choice, draw or name is taken from.",
    "is": "`x is none`, `x is some`: whether a value that may be missing is.",
    "let": "`let x = e`, `let x[p] = e`: a name for a value; within a phase it may use what is chosen or drawn there. "
    "`let x = e: f` in an expression: f, in which `x` stands for e.",
    "label": "`c: disc label n`: a value written on what is drawn.",
    "line": '`line "label" value`: a value below the board.',
    "lines": "`lines by D`: the cells of the board are points, joined by lines to where these steps lead.",
    "mod": "`a mod b`: the remainder of `a div b`; has the sign of b. By zero: a fault.",
    "next": "`next A if c else B`: the phase that follows; c reads the state after the updates. Also in `on KIND:`.",
    "no": "`no x in S: c`: whether c holds for no x; true if S is empty. Alone: the truth value false.",
    "none": "The missing value of a type `T or none`.",
    "not": "`not c`, `x not in S`.",
    "nothing": "`sees nothing`: nobody is told anything of this phase.",
    "of": "`set of T`. `type card = rank of suit`: all pairs; `card(r, s)` makes one, `c.rank` and `c.suit` read it.",
    "old": "`old x`: in `next`, the value that x had before the updates.",
    "on": "`on KIND: ...`: only where this kind of move was chosen.",
    "or": "`a or b`: at least one; the right side is left out where the left one is true. As a type: `T or none`.",
    "param": "`param n: 2..20 = 13  # comment`: a parameter, its values and its default.",
    "payoff": "`payoff[p] = e`: player p's utility when the game is over. `payoff sum = 0` states what all add up to.",
    "pile": '`pile "label" n`: a pile of so many cards.',
    "pits": '`pits "label" seeds`: numbers as pits with seeds.',
    "phase": "`phase NAME`: a step of play: who acts, what changes, who sees what, what is next. The first begins.",
    "players": "`players first, second`: the players, in order; their type is `player`. `players seat[n]`: n players.",
    "reach": "`reach from S through T by D`: all that can be reached from S by steps onto members of T, S included.",
    "score": '`score "label" points`: numbers of the players.',
    "sequence": "`sequence of T, at most n`: items in order, at most n of them; `s.top` is the last one.",
    "sees": "`sees WHO: values if c`: what players are told, from the state before the phase and what was chosen. "
    "A phase without `sees` tells everybody all choices and draws.",
    "set": "`set of T`: any selection of T's values.",
    "some": "`x is some`: the value is not missing.",
    "state": "`state`: the variables of the world state, each with its type and initial value.",
    "table": '`table t[i: T]: U = e`, `= [..]`, `= {i: v, ..}`, `from "file"`: a constant array.',
    "the": "`the x in S: c`: the first x for which c holds; a fault if there is none.",
    "then": "`if c then a else b`.",
    "through": "`reach from S through T by D`: the values that may be entered.",
    "track": '`track "label" place`: a number on a track from the lowest to the highest value.',
    "type": "`type NAME = 1..n`, `type NAME = {a, b}`: a name for a type.",
    "weight": "`chance draws x in S weight w`: probability in proportion to w.",
    "where": "`chooses x in S where c`, `fold where c`: only these choices are legal.",
    "yes": "The truth value true.",
}
BUILT_IN_HELP: Mapping[str, str] = {
    "bool": "`bool`: the truth values, `yes` and `no`.",
    "move": "`move`, `move[p]`: the whole action of the player who acts; only in `sees`.",
}
ATTRIBUTE_HELP: Mapping[str, str] = {
    **SEQUENCE_FIELDS,
    "number": "`p.number`: the number of a player, or of a member of an enumeration, from 1, in order of declaration.",
    "x": "`c.x`: the column of a cell, from 1, counted from the west.",
    "y": "`c.y`: the row of a cell, from 1, counted from the south.",
}
EXPRESSION_WORDS = (
    "all", "and", "any", "count", "distance", "div", "else", "for", "from", "if", "in", "is", "max", "min", "mod", "no",
    "none", "not", "old", "or", "reach", "some", "sum", "the", "then", "through", "by", "weight", "where", "yes",
)  # fmt: skip
"""Words that can stand within an expression or behind one."""
_LAYERS = {"piece": "what stands on a cell", "mark": "a mark on a cell", "ground": "what covers a cell"}
DISPLAY_HELP = (
    {name: f"`{name}`: a shape for `display`, {_LAYERS[shape.layer]}." for name, shape in SHAPES.items()}
    | {name: f"`{name}`: a colour for `display`." for name in COLOURS}
    | {name: f"`display grid cell {name}`: how a board is drawn." for name in BOARD_STYLES}
)
