"""Random expressions that can be faults, or fold to less than is written: what implementations easily differ in.

Each file has its own rate of such forms, so that most plays of most files get past their first transition.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.support.random_expressions import ExpressionWriter, Names

T = TypeVar("T")


class FaultyWriter(ExpressionWriter):
    """Writes random expressions, some of them risky and some of them with parts that make no difference."""

    def __init__(self, pick: Callable[[Sequence[T]], T]) -> None:
        super().__init__(pick)
        self.risk = pick([0, 1, 3, 8])
        """Percent of the expressions that can be a fault."""
        self.idle = pick([0, 4, 12])
        """Percent of the expressions of which a part makes no difference."""

    # --- numbers ------------------------------------------------------------------------------------------------------

    def integer(self, names: Names, depth: int) -> str:
        if depth > 0 and self.likely(self.risk):
            return self.risky_integer(names, depth - 1)
        if depth > 0 and self.likely(self.idle):
            return self.idle_integer(names, depth - 1)
        return super().integer(names, depth)

    def risky_integer(self, names: Names, depth: int) -> str:
        divisors = [*names.of("int"), *names.of("digit"), f"({self.clock} mod 3)", self.divisor(names, depth)]
        scalar = self.pick(self.scalars)
        forms = [
            lambda: f"({self.integer(names, depth)} {self.pick(['div', 'mod'])} {self.pick(divisors)})",
            lambda: f"({self.real_option('digit', names, depth)} + {self.integer(names, depth)})",
            lambda: f"({self.real_option('cell', names, depth)}).{self.pick(['x', 'y'])}",
            lambda: f"{self.pick(['min', 'max'])}({self.set_of('digit', names, depth)})",
            lambda: self.extreme_of_some(scalar, names, depth),
            lambda: f"rank[{self.scalar('color', names, depth)}] div rank[{self.scalar('color', names, depth)}]",
            lambda: f"near[max(-1, min(3, {self.integer(names, depth)}))]",
            lambda: f"near[{self.clock} mod 4 - {self.pick([0, 1, 2])}]",
        ]
        return self.pick(forms)()

    def extreme_of_some(self, scalar: str, names: Names, depth: int) -> str:
        name = self.fresh("x")
        inner = names.plus(scalar, name)
        domain = self.pick([scalar, self.set_of(scalar, names, depth)])
        kind = self.pick(["min", "max"])
        return f"({kind} {name} in {domain} if {self.boolean(inner, depth)}: {self.integer(inner, depth)})"

    def idle_integer(self, names: Names, depth: int) -> str:
        one = self.integer(names, depth)
        forms = [
            lambda: f"(0 * {one})",
            lambda: f"({one} - {one})",
            lambda: f"(0 + {one} * 1)",
            lambda: f"{self.pick(['min', 'max'])}({one}, {one})",
            lambda: f"(if {self.boolean(names, depth)} then {one} else {one})",
            lambda: f"(if {self.pick(['yes', 'no'])} then {one} else {self.integer(names, depth)})",
            lambda: f"(sum {self.nowhere(names, depth)}: {one})",
            lambda: f"(count {self.nowhere(names, depth)}: {self.boolean(names, depth)})",
            lambda: f"({one} mod 1)",
        ]
        return self.pick(forms)()

    def nowhere(self, names: Names, depth: int) -> str:
        """Write a binder that, mostly, has no values."""
        scalar = self.pick(self.scalars)
        domain = self.pick(
            [
                "1..0",
                f"1..{self.integer(names, 0)} - 3",
                f"({self.set_of(scalar, names, depth)} & {self.set_of(scalar, names, 0)})",
            ]
        )
        return f"{self.fresh('x')} in {domain}"

    def real(self, names: Names, depth: int) -> str:
        """Write a real expression, which may be infinite and never undefined."""
        one, other = self.integer(names, depth), self.integer(names, 0)
        forms = [
            f"{one} / 3",
            f"tanh({one} / 5)",
            f"sqrt({one})",
            f"log({one})",
            f"exp({one})",
            f"exp(200 * {one}) - exp(100 * {other})",
            f"({one} / 2) ^ {other}",
            f"({one} / {other} + 0.5)",
            f"sign({one} / 2)",
            f"({one} / 3 - {one} / 3)",
            f"(if {self.boolean(names, depth)} then {one} else {other} / 2)",
            f"abs({one} / 7) * -0.5",
        ]
        binder, inner = self.binder(names, depth)
        forms += [f"(sum {binder}: {self.integer(inner, 0)} / 2)", f"max({other} / 2, {one})"]
        return self.pick(forms)

    # --- truth --------------------------------------------------------------------------------------------------------

    def boolean(self, names: Names, depth: int) -> str:
        if depth > 0 and self.likely(self.idle):
            return self.idle_boolean(names, depth - 1)
        if depth > 0 and self.likely(4):
            comparison = self.pick(["==", "!=", "<", ">="])
            return f"({self.real(names, depth - 1)} {comparison} {self.real(names, depth - 1)})"
        return super().boolean(names, depth)

    def idle_boolean(self, names: Names, depth: int) -> str:
        one = self.boolean(names, depth)
        scalar = self.pick(self.scalars)
        members = self.set_of(scalar, names, depth)
        forms = [
            lambda: f"({one} or yes)",
            lambda: f"({one} and no)",
            lambda: f"(yes {self.pick(['and', 'or'])} {one})",
            lambda: f"({one} {self.pick(['and', 'or', '==', '!='])} {one})",
            lambda: f"(not (not {one}))",
            lambda: f"(if {one} then yes else {self.pick(['yes', 'no'])})",
            lambda: f"({self.pick(['all', 'any', 'no'])} {self.nowhere(names, depth)}: {one})",
            lambda: f"({members} <= ({members} + {self.set_of(scalar, names, depth)}))",
            lambda: f"({self.scalar(scalar, names, depth)} in ({members} - {members}))",
        ]
        return self.pick(forms)()

    # --- values and sets ----------------------------------------------------------------------------------------------

    def scalar(self, scalar: str, names: Names, depth: int) -> str:
        if depth > 0 and scalar != "direction":
            if self.likely(self.risk):
                return self.real_option(scalar, names, depth - 1)
            if self.likely(self.idle):
                one = self.scalar(scalar, names, depth - 1)
                return f"(if {self.boolean(names, depth - 1)} then {one} else {one})"
        return super().scalar(scalar, names, depth)

    def clamped(self, text: str, low: int, high: int) -> str:
        if self.likely(self.risk):
            return self.pick(
                [f"({text})", f"max({low}, min({high + 1}, {text}))", f"max({low - 1}, min({high}, {text}))"]
            )
        return super().clamped(text, low, high)

    def set_of(self, element: str, names: Names, depth: int) -> str:
        if depth > 0 and self.likely(self.idle):
            return self.idle_set(element, names, depth - 1)
        if depth > 1 and self.likely(self.risk):
            return self.set_of_members(element, names, depth - 1)
        return super().set_of(element, names, depth)

    def idle_set(self, element: str, names: Names, depth: int) -> str:
        one = self.set_of(element, names, depth)
        forms = [
            lambda: f"({one} - {one})",
            lambda: f"({one} & {one})",
            lambda: f"({one} - all)",
            lambda: f"({one} + all)",
            lambda: f"(if {self.boolean(names, depth)} then {one} else {one})",
            lambda: f"(if {self.boolean(names, depth)} then {{}} else {one})",
            lambda: f"{{{self.literal(element)} for {self.nowhere(names, depth)}}}",
        ]
        return self.pick(forms)()

    def set_of_members(self, element: str, names: Names, depth: int) -> str:
        """Write the members of sets that depend on another value."""
        outer, name, scalar = self.fresh("x"), self.fresh("x"), self.pick(self.scalars)
        inner = names.plus(scalar, outer)
        members = self.set_of(element, inner, depth)
        if self.likely(50):
            members = f"(if {self.boolean(inner, depth)} then {members} else {{}})"
        domain = self.pick([scalar, self.set_of(scalar, names, depth)])
        if len(names.of("digit")) > 6 or self.high - self.low > 20 or self.board[0] * self.board[1] > 20:
            domain = f"{{{self.literal(scalar)}, {self.literal(scalar)}}}"
        return f"{{{name} for {outer} in {domain}, {name} in {members}{self.condition(inner, depth)}}}"
