"""Messages for statements that cannot be parsed: what was expected, what was found, and a hint."""

from __future__ import annotations

import re
from collections.abc import Collection

from lark import Token

from ggp.language.diagnostics import Diagnostics, suggestions
from ggp.language.pieces import LINE_KINDS
from ggp.language.text.keywords import COMPARATORS, FILE_WORDS, FOREIGN, FOREIGN_FIRST, PHASE_WORDS, wanted
from ggp.language.text.lines import Statement, span_of

_STATEMENTS = {
    "file_statement": FILE_WORDS,
    "phase_statement": PHASE_WORDS,
    "state_statement": frozenset[str](),
    "kind_statement": frozenset[str](),
    "on_statement": frozenset(["sees", "let", "next"]),
    "display_statement": frozenset([*LINE_KINDS, "lines"]),
}
_FORMS = {
    "state_statement": "a variable is declared as `name: type = value`",
    "kind_statement": "a kind of move is declared as `name`, `name by x in S` or `name where condition`",
    "display_statement": 'write `where: shape of player`, `where: "text" colour` or `line "label" value`',
    "on_statement": "write an update, `x := value`, or `let`, `sees`, `next`",
}
_KINDS_BELOW = "a choice is `name in S`; kinds of moves, `name by x in S`, stand below `chooses`, one on each line"
_NEED_ELSE = "every `if c then a` has an `else`: `if c then a else b`"
_NAMED = {"state_statement": "COLON", "phase_statement": "ASSIGN", "on_statement": "ASSIGN"}
"""What follows the name of a variable that is declared or changed; with indices, a bracket."""
_NEVER_FIRST = frozenset([
    "ELSE", "THEN", "AND", "OR", "PLUS", "MINUS", "STAR", "SLASH", "IN", "COMMA", "COLON", "WHERE", "WEIGHT", "FOR",
    "IF",
])  # fmt: skip
_QUANTIFIERS = ("any", "all", "count", "sum", "min", "max")


def report_unexpected(found: Diagnostics, statement: Statement, position: int, accepted: Collection[str]) -> None:
    """Report that the token at `position` (one past the last: the end) cannot stand where it does.

    Args:
        found: receives the one error.
        statement: the statement that could not be read.
        position: index of the token at which reading stopped.
        accepted: the terminals that could have stood there.
    """
    tokens = statement.tokens
    if position < len(tokens) and str(tokens[position]) in found.words_as_names:
        return
    if position == len(tokens):
        hint = _NEED_ELSE if "ELSE" in accepted and any(other == "then" for other in tokens) else None
        if "IN" in accepted and tokens[-2] == "chooses":
            hint = _KINDS_BELOW
        if hint is None and tokens[0] == "next" and "ELSE" in accepted:
            hint = "say what comes otherwise: `next a if condition else b`"
        if statement.kind == "state_statement":
            hint = hint or "every variable has a value at the beginning: `name: type = value`"
        if tokens[0] == "sees":
            hint = f"say who is told: `sees all: {tokens[-1]}`"
        if tokens[0] == "type" and tokens[-1] == "}":
            hint = "list the members, names without quotes: `{hearts, spades}`"
        if tokens[0] == "param":
            hint = "a parameter has a value if none is given: `param NAME: TYPE = VALUE`"
        hint = hint or FOREIGN_FIRST.get(str(tokens[0]))
        if hint is None and "ASSIGN" in accepted and any(other == "." for other in tokens):
            hint = "a variable is changed by `:=`, such as `s := s + [x]` of a sequence or `s := s + {x}` of a set"
        found.error(span_of(tokens[-1]).after(), f"expected {wanted(accepted)}, but the statement ends here", hint)
        return
    token = tokens[position]
    place = span_of(token)
    if position == 0:
        _report_first(found, statement, token)
        return
    is_name = tokens[0].type == "NAME" or not str(tokens[0]).isalpha()
    if position == 1 and token.type in ("ASSIGN", "LSQB") and not is_name and any(one == ":=" for one in tokens):
        _report_word(found, tokens[0])
        return
    hint = _hint(statement, position, accepted)
    is_word = str(token).isalpha() and token.type != "NAME"
    if is_word and not (token == "each" and hint) and set(accepted) == {"NAME"} and tokens[position - 1] != ".":
        _report_word(found, token)
    elif "$END" in accepted and len(accepted) == 1:
        found.error(place, f"unexpected `{token}` after the end of the statement", hint)
    else:
        found.error(place, f"expected {wanted(accepted)}, found `{token}`", hint)


def _report_word(found: Diagnostics, token: Token) -> None:
    if str(token) in found.words_as_names:
        return
    found.words_as_names.add(str(token))
    found.error(
        span_of(token),
        f"`{token}` is a word of the language and cannot be a name",
        f"choose another name, such as `{token}_` or a longer one",
    )


def _report_first(found: Diagnostics, statement: Statement, token: Token) -> None:
    place = span_of(token)
    following = statement.tokens[1].type if len(statement.tokens) > 1 else ""
    if token in ("payoff", "estimate") and statement.kind == "phase_statement":
        advice = f"`{token}[p] = ...` stands at the left margin, and reads variables that phases change"
        found.error(place, f"no statement begins with `{token}` here", advice)
        return
    if str(token).isalpha() and statement.kind in _NAMED and following in (_NAMED[statement.kind], "LSQB"):
        _report_word(found, token)
        return
    if token.type in _NEVER_FIRST:
        advice = "to continue the statement above, indent this line deeper than it"
        if token.type == "SLASH" and following in ("SLASH", "STAR"):
            advice = "a comment begins with `#`"
        written = [str(other) for other in statement.tokens]
        if token.type in ("IF", "ELSE") and "next" in written:
            advice = "write what comes next in one line: `next a if condition else b`"
        elif token.type == "IF" and "end" in written:
            advice = "write `next end if condition else PHASE`"
        elif token.type in ("IF", "FOR") and "sees" in written:
            advice = "the condition stands behind it: `sees all: x if condition`"
        elif token.type in ("IF", "ELSE", "FOR") and {":=", "="} & set(written):
            advice = "what an update depends on stands behind it: `x := value for i in S if condition`"
        found.error(place, f"no statement begins with `{token}`", advice)
        return
    if token == "end" and statement.kind == "phase_statement":
        found.error(place, "no statement begins with `end` here", "write `next end if condition else PHASE`")
        return
    words = _STATEMENTS[statement.kind]
    hint = FOREIGN_FIRST.get(str(token)) or suggestions(token, words) or _FORMS.get(statement.kind)
    if statement.kind == "file_statement" and any(other == ":=" for other in statement.tokens):
        hint = hint or "an update stands in a phase, indented like its other statements"
    if hint is None and str(token) in FILE_WORDS | PHASE_WORDS:
        where = "in a phase" if str(token) in PHASE_WORDS else "at the left margin, outside of phases"
        hint = f"`{token}` stands {where}"
    if hint is None and statement.kind == "file_statement":
        hint = "statements of the file begin with " + ", ".join(f"`{word}`" for word in sorted(words))
    found.error(place, f"no statement begins with `{token}` here", hint)


def _called_quantifier(words: list[str]) -> str | None:
    """Return `sum` if the innermost open bracket reads `sum(x in ...`."""
    before = [words[place - 1] for place, word in enumerate(words) if word == "(" and place]
    return before[-1] if before and before[-1] in ("count", "sum", "min", "max") and "in" in words else None


def _of_python(tokens: list[Token], position: int, accepted: Collection[str]) -> str | None:
    """Return a hint for a form of other languages: comprehensions, conditional values, arguments without types."""
    token, before, words = tokens[position], tokens[position - 1], [str(other) for other in tokens[:position]]
    opened: list[int] = []
    for place, word in enumerate(words):
        if word in ("(", "[", "{"):
            opened.append(place)
        elif word in (")", "]", "}") and opened:
            opened.pop()
    called = words[opened[-1] - 1] if opened and opened[-1] > 0 and words[opened[-1]] == "(" else ""
    if token == ">" and before == "<":
        return "write `!=`"
    if token == "=" and before == "key":
        return FOREIGN["argmax"]
    if words[0] == "def" and before == ")" and token in (":", "-") and len(accepted) == 1:
        return FOREIGN_FIRST["return"]
    if words == ["players"]:
        return "write `players first, second`, or `players guest[3]`"
    if words[0] == "board" and ":" not in words:
        return "write `board cell = grid(COLUMNS, ROWS)`"
    if token == ":" and "RSQB" in accepted and "IN" not in accepted and opened and words[opened[-1]] == "[":
        return "the items 2 to 4 of a sequence are `s[2..4]`"
    if words[0] == "on" and position == 2:
        return f"what follows the kind of move begins with a colon: `on {before}:`"
    if token.type == before.type == "STAR":
        return "write `a ^ b`"
    if token.type == "COMMA" and opened and words[opened[-1] - 1 : opened[-1] + 1] == ["[", "("]:
        return "several indices stand side by side: `a[i, j]`"
    if token.type == "COMMA" and "RPAR" in accepted and words[opened[-1] - 1] in ("{", ",") and before.type == "NAME":
        return "elements with two indices are written `{a: {b: x, c: y}}`" if "{" in words else None
    if token.type == "COMMA" and "RPAR" in accepted and words[0] == "payoff" and opened == [words.index("=") + 1]:
        return "the payoff is one number, that of player p: `if p == row then 1 else -1`"
    if token.type == "COMMA" and "RPAR" in accepted and tokens[opened[-1] - 1].type not in ("NAME", "RSQB"):
        return "a set is written `{a, b}`, a cell `cell(x, y)`"
    if token.type == "COMMA" and ("ASSIGN" in accepted or (":=" in words and "$END" in accepted)):
        return "each update stands on a line of its own; all happen at once"
    if token.type == "IN" and opened and len(opened) == 1 and words[opened[0]] == "[" and "COLON" in accepted:
        if words[0] == "let":
            return f"the type of an index follows a colon: `let {words[1]}[{before}: S] = ...`"
        return f"the type of an index stands alone, `a[1..3]: T = x`, or behind its name: `a[{before}: 1..3]: T = x`"
    if token.type in ("INTEGER", "NAME") and before in ("rand", "random", "roll"):
        return "chance draws in a phase of its own: `chance draws d in 1..6`"
    if token.type == "FOR" and opened and words[opened[-1]] == "[":
        return "the set of the values is `{f(x) for x in s}`; a sequence grows by one item, `s + [x]`"
    if token.type in ("FOR", "WHERE") and called in _QUANTIFIERS:
        return f"write `{called} x in S: ...`"
    if token == "set" and before == "of":
        return "there are no sets of sets: an array has a set for each index, as in `held[player]: set of cell = {}`"
    if token == "[" and before == "]":
        return "several indices stand side by side: `a[i, j]`"
    if words == ["all"] and "CHOOSES" in accepted:
        return f"all players choose at once by `each {token} chooses ...`"
    if token.type == "LPAR" and before in _QUANTIFIERS:
        return f"write `{before} x in S: ...`"
    if token in ("where", "with", "such", "when") and "COLON" in accepted and {*_QUANTIFIERS, "no"} & set(words):
        return "the condition follows a colon: `count x in S: condition`"
    if token.type == "FOR" and position + 1 < len(tokens) and tokens[position + 1] in ("all", "any", "each"):
        return "write `all x in S: condition`, or `any`"
    if (
        token.type in ("ELSE", "IF")
        and "$END" in accepted
        and ("if" in words or (token.type == "IF" and words[0] in ("let", "def", "payoff")))
    ):
        return "write `if condition then a else b`"
    if token.type in ("RPAR", "COMMA") and words[0] == "def" and "COLON" in accepted:
        return f"each argument has a type: `{before}: player`"
    if token.type == "COLON" and words == ["sees"]:
        return "say who is told: `sees all: ...`, `sees p: ...`"
    return None


def _run_together(word: str) -> str | None:
    """Return a hint for two words without a blank, such as `nextif`."""
    words = {*FILE_WORDS, *PHASE_WORDS, "if", "in", "chooses", "choose", "draws", "end", "else", "not", "or", "for"}
    for split in range(2, len(word) - 1):
        first, second = word[:split], word[split:]
        if {first, second} <= words:
            return f"write `{'chooses x' if first.startswith('choose') else first} {second} ...`"
    return None


def _hint(statement: Statement, position: int, accepted: Collection[str]) -> str | None:
    tokens = statement.tokens
    token, before = tokens[position], tokens[position - 1]
    if tokens[0] == "table" and position == 2 and token in (":", "="):
        return f"a table has indices; a single value has a name by `let {before} = ...`"
    if tokens[0] == "table" and token == "=" and "COLON" in accepted:
        return f"the type of its values comes before `=`: `{''.join(map(str, tokens[1:3]))}...]: T = ...`"
    if statement.kind == "display_statement" and tokens[0] == "grid" and position == 1:
        return f"the board is named in the first line: `display grid {token}`"
    for word in (token, before):
        known = FOREIGN.get(str(word)) or (_run_together(str(word)) if word.type == "NAME" else None)
        if known is not None:
            return known
    if (python := _of_python(tokens, position, accepted)) is not None:
        return python
    if token == "set" and position + 1 < len(tokens) and tokens[position + 1] == "(":
        return "the empty set is `{}`"
    if token == "sees" and position == 1:
        return f"who is told stands behind the word: `sees {before}: ...`"
    if before == "." and token in ("count", "sum", "min", "max"):
        return f"write `{token}(S)` for that of a set, or `{token} x in S: ...`"
    if "only" in (token, before) and tokens[0] == "sees":
        return "whoever is not named is not told: leave out `only`"
    if before.type == "INTEGER" and (pair := re.fullmatch(r"_of_(\w+)", token)):
        return f"a pair that begins with a number is made of its parts by its type's name: `card({before}, {pair[1]})`"
    if token.type == "LPAR" and "." in [str(other) for other in tokens[max(0, position - 2) : position]]:
        return f"values have no methods: write `f(x)` or an operator instead of `x.{before}(...)`"
    if "let" in tokens[1:position] and "COLON" in accepted:
        at = max(place for place, other in enumerate(tokens[:position]) if other == "let")
        return f"a colon stands between a value and what is made of it: `let {tokens[at + 1]} = value: ...`"
    if token.type == "LSQB" and position > 2 and tokens[position - 2] == "let":
        return f"a `let` in an expression has no index: write `def {before}(...) = ...` above"
    if str(token) in FILE_WORDS | PHASE_WORDS and token.line != before.line:
        return "a line indented deeper than the statement above continues it"
    following = tokens[position + 1] if position + 1 < len(tokens) else None
    words = [str(other) for other in tokens[:position]]
    declared = words[words.index(":") :] if statement.kind == "state_statement" and ":" in words else []
    if "=" not in declared and "[" in declared + [token] * bool(declared):
        return f"an array has its indices behind its name: `{tokens[0]}[...]: T = value`"
    wanted_set = token == "set" and following == "of" and before == "in"
    if wanted_set or (token == "of" and ".." in words and "in" in words):
        subset = words[max(place for place, word in enumerate(words) if word == "in") - 1]
        start = position + (2 if wanted_set else 1)
        members = "".join(map(str, tokens[start : start + 1])) or "T"
        kept = f"`{subset}[x in {members}] in bool`"
        return f"for any subset choose for each member: {kept}; `2 of {members}` are those of two"
    if before == "after" and words[0] == "next":
        return "`next` reads the state as the updates leave it: leave out `after`"
    if token == "on" and words == ["next"]:
        return f"what comes after a kind of move stands below it: `on {following or 'KIND'}:`, and there `next PHASE`"
    if words[0] == "next" and ("when" in (before, token) or token == "while"):
        return "write `next a if condition else b`"
    if token == "each" and before == "for" and ":=" in words:
        return "an update is written without `each`: `x[p] := value for p in S`"
    if token == "if" and words == ["next"]:
        return "what comes stands first: `next a if condition else b`"
    if "ASSIGN" in accepted and token.type in ("PLUS", "MINUS") and following == token:
        return f"write `{''.join(words)} := {''.join(words)} {token} 1`"
    if "ASSIGN" in accepted and token.type in ("PLUS", "MINUS", "STAR", "SLASH") and following == "=":
        name = "".join(f"{part} " if part == "," else str(part) for part in tokens[:position])
        return f"write `{name} := {name} {token} ...`"
    if token == "by" and "COLON" in accepted and ("max" in words or "min" in words):
        return FOREIGN["argmax"]
    if token == "where" and tokens[0] == "chance":
        return "what cannot be drawn has weight 0: `weight if condition then 1 else 0`"
    if tokens[0] == "table" and token.type == before.type == "NAME" and "{" in words:
        return "with two indices there is a row for each value of the first: `[[1, 2], [0, 1]]`"
    if token == "from" and "IN" in accepted:
        return "write `in`"
    if token == "of" and statement.kind == "state_statement" and "[" in tokens:
        return f"an array has its indices behind its name: `{tokens[0]}[...]: T = value`"
    if statement.kind == "kind_statement" and token.type == "IN" and position == 1:
        return (
            f"what is chosen stands behind `chooses`: `chooses {before} in S, ...`; lines below it are kinds of moves"
        )
    if token.type == "FOR" and "ASSIGN" in [other.type for other in tokens[:position]] and "if" in words:
        return "`for` comes before `if`: `x[p] := value for p in S if condition`"
    if statement.kind == "kind_statement" and token.type == "NAME" and position == 1:
        return f"what is chosen follows `by`: `{before} by {token} in S`"
    if token == "players" and before == "of":
        return "the type of the players is `player`"
    if token == "next" and (following == "(" or before == "."):
        return "`after(p)` is the next player in turn"
    if token.type == before.type == "SLASH":
        return "write `div` for a quotient rounded down; a comment begins with `#`"
    if token.type == "COMMA" and tokens[0].type == "SEES" and "COLON" in accepted:
        return "write `{a, b}` for several players"
    if words[0] == "chance" and position == 2 and token.type == "INTEGER":
        drawn = "d in S" if following == ".." else f"h in {token} of S"
        return f"a name for what is drawn comes first: `chance {before} {drawn}`"
    if words[0] == "chance" and position == 3 and token.type == "COMMA":
        return f"each draw has its values: `chance {words[1]} {before} in S, {following} in S`"
    if position == 1 and words[0] in ("payoff", "estimate") and (token == "=" or token.type == "NAME"):
        return f"write `{words[0]}[p] = ...`, in which `p` stands for each player"
    if token == "{" and before in ("count", "sum", "min", "max"):
        return f"that of a set is written `{before}({{...}})`"
    if position > 1 and words[-2] in ("count", "sum", "min", "max") and before.type == "NAME" and token.type != "IN":
        return f"write `{words[-2]}(...)` for that of a set, or `{words[-2]} x in S: ...`"
    if "chooses" in words and (
        (token == "or" and "WHERE" in accepted)
        or (token.type in ("NAME", "OR", "COMMA") and "IN" in accepted and words[-2] in ("chooses", ","))
    ):
        return _KINDS_BELOW
    brackets = [place for place, word in enumerate(words) if word == "["]
    if (
        token.type in ("RSQB", "COMMA", "COLON")
        and "IN" in accepted
        and ("chooses" in words or "draws" in words)
        and words[-2] in ("[", ",")
        and brackets
    ):
        name = next(one for one in (before[0], "i", "j") if one not in words)
        example = f"{before} in S" if token.type == "COLON" else f"{name} in {before}"
        return f"name what stands for each of them, as in `{words[brackets[-1] - 1]}[{example}]`"
    if token.type == "COMMA" and statement.kind == "display_statement" and words[0] in LINE_KINDS:
        return f"a `{words[0]}` shows one value; write another `{words[0]}` below it"
    if token.type == "COLON" and before.type != "RBRACE" and (called := _called_quantifier(words)):
        return f"the bracket comes first: `({called} x in S: ...)`"
    if "ELSE" in accepted and "then" in words:
        return _NEED_ELSE
    if token == "and" and "WHERE" in accepted:
        return "several parts are separated by commas: `x in A, y in B`"
    if token.type in ("IF", "NAME") and "WHERE" in accepted and "chooses" in words:
        return "a condition on what may be chosen is written `where condition`, at the end"
    if token.type == "COMMA" and "where" in words and ("chooses" in words or statement.kind == "kind_statement"):
        return "the condition comes last: `x in A, y in B where condition`"
    if token.type == "COMMA" and "RBRACE" in accepted and "for" in words and "if" in words:
        return "the condition comes last: `{f(x, y) for x in A, y in B if c}`"
    if token == "to" and words[0] == "sees":
        who = f"each {following}" if following is not None and len(following) == 1 else following or "all"
        return f"who is told comes first: `sees {who}: {''.join(words[1:])}`"
    if token.type == "FOR" and words[0] == "sees":
        return "tell a set of values: `{x for p in S}`"
    if token.type == "RPAR" and words[0] == "def" and before.type == "LPAR":
        return f"a definition without arguments is written `let {words[1]} = ...`"
    if statement.kind == "display_statement" and words[0] in LINE_KINDS:
        return f'a text comes first: `{words[0]} "label" value`'
    if before == "is":
        return "write `x is some` for what is not none, `==` to compare"
    if token == "=" and words[0] == "def":
        return f"a definition without arguments is written `let {words[1]} = ...`"
    if before == "(" and token == ")":
        return "what has no arguments is named without brackets"
    equals = token == "=" or (token == "==" and "ASSIGN" in accepted)
    if (equals or (token.type == "NAME" and position == 1)) and statement.kind == "state_statement":
        return _FORMS[statement.kind]
    if equals and "ASSIGN" in accepted:
        return "write `:=` to change a variable, `let` before it to name a value"
    if equals and words[0] == "param":
        return "list the members, names without quotes: `{hearts, spades}`"
    if equals:
        return "write `==` to compare"
    if token.type == "ASSIGN" and ":=" in words:
        return "each update stands on a line of its own; all happen at once"
    if token.type == "ASSIGN":
        return "`:=` changes a variable in a phase; everywhere else write `=`"
    if token.type in COMPARATORS and any(earlier.type in COMPARATORS for earlier in tokens[:position]):
        return "join two comparisons with `and`"
    if token.type == before.type == "AMPERSAND":
        return "write `and`"
    if token.type in ("ELSE", "COLON") and "THEN" in accepted:
        return "a condition is followed by `then`: `if c then a else b`"
    if token.type == "INTEGER" and before.type == "INTEGER":
        return "a decimal point is followed by digits, a range written `1..3`"
    first = str(tokens[0])
    if position == 1 and first in FOREIGN_FIRST:
        return FOREIGN_FIRST[first]
    if token.type == "NAME" and statement.kind == "phase_statement" and position == 1:
        return suggestions(first, PHASE_WORDS) or suggestions(token, ["chooses"])
    return suggestions(str(token), [name.lower() for name in accepted if name.isalpha() and len(name) > 2])
