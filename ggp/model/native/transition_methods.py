"""The compiled methods of `State` that draw an outcome or lead to another state."""

from __future__ import annotations

from llvmlite import ir

from ggp.model.native.advance import BIT, MAX_ON_STACK, NULL, POINTER, WORD
from ggp.model.native.method_writer import OfOneArgument

BITS, GETRANDBITS = 64, "getrandbits"
"""What a generator of Python's is asked for."""


class Transition(OfOneArgument):
    """Writes a method that makes a transition."""

    def empty_joint(self) -> ir.Value:
        """Return a joint action in which nobody acts."""
        length = self.shape.players + 1
        joint = self.on_stack(WORD, length)
        for place in range(length):
            self.builder.store(WORD(0), self.builder.gep(joint, [WORD(place)]))
        return joint

    def return_next(self, joint: ir.Value) -> None:
        """Return the state that a joint action leads to."""
        build, state = self.builder, self.function.args[0]
        joint_words = build.bitcast(joint, POINTER)
        before = build.load(self.field(state, "_row"))
        row, acts, known = self.transition(self.call("PyBytes_AsString", before), joint_words)
        # a fault, or a dead end: `State` makes the transition again and tells
        failed = self.is_none(known)
        with build.if_then(failed):
            for held in (row, acts, known):
                self.call("Py_DecRef", held)
        self.plainly_if(failed)
        new = self.call("PyType_GenericAlloc", build.inttoptr(WORD(id(self.owner)), POINTER), WORD(0))
        game = build.load(self.field(state, "game"))
        for kept in (before, game):
            self.call("Py_IncRef", kept)
        values = {
            "game": game,
            "_row": row,
            "_acting": acts,
            "_known": known,
            "_joint": self.call("PyBytes_FromStringAndSize", joint_words, WORD(8 * (self.shape.players + 1))),
            "_before": before,
            "_drawn": self.none(),
        }
        for name, value in values.items():
            build.store(value, self.field(new, name))
        build.ret(new)


class SampleOutcome(OfOneArgument):
    """Writes `sample_outcome(rng)` for Python's generators."""

    def write(self) -> None:
        """Write the drawing of an outcome."""
        build, state = self.builder, self.function.args[0]
        rng = self.only_argument_of_chance()
        kind = self.call("PyObject_Type", rng)
        self.call("Py_DecRef", kind)
        self.plainly_if(build.icmp_unsigned("==", build.ptrtoint(kind, WORD), WORD(id(list))))
        arguments = self.on_stack(POINTER, 2)
        build.store(rng, arguments)
        build.store(build.inttoptr(WORD(id(BITS)), POINTER), build.gep(arguments, [WORD(1)]))
        method = build.inttoptr(WORD(id(GETRANDBITS)), POINTER)
        drawn = self.call("PyObject_VectorcallMethod", method, arguments, WORD(2), NULL)
        self.clear_and_plainly_if(self.is_null(drawn))
        word = self.on_stack(WORD)
        build.store(self.call("PyLong_AsUnsignedLongLong", drawn), word)
        self.call("Py_DecRef", drawn)
        with build.if_then(build.icmp_signed("==", build.load(word), WORD(0))):
            build.store(WORD(1), word)
        row = self.call("PyBytes_AsString", build.load(self.field(state, "_row")))
        outcome = self.native(self.uses.functions.sample_chance, WORD, row, build.bitcast(word, POINTER))
        self.plainly_if(build.icmp_signed("<", outcome, WORD(0)))  # a fault: `State` tells
        found = self.call("PyLong_FromLongLong", outcome)
        place = self.field(state, "_drawn")
        before = build.load(place)
        self.call("Py_IncRef", found)
        build.store(found, place)
        self.call("Py_DecRef", before)
        build.ret(found)


class ApplyOutcome(Transition):
    """Writes `apply_outcome(outcome)`."""

    def write(self) -> None:
        """Write the transition by an outcome that is possible."""
        build, state = self.builder, self.function.args[0]
        given = self.only_argument_of_chance()
        outcome = self.call("PyLong_AsLongLong", given)
        self.clear_and_plainly_if(build.icmp_signed("<", outcome, WORD(0)))
        drawn = build.load(self.field(state, "_drawn"))
        possible = self.on_stack(BIT)
        build.store(BIT(0), possible)
        with build.if_then(build.not_(self.is_none(drawn))):
            number = self.call("PyLong_AsLongLong", drawn)
            build.store(build.icmp_signed("==", number, outcome), possible)
        if self.shape.max_outcomes <= MAX_ON_STACK:
            with build.if_then(build.not_(build.load(possible))):
                self.look_for(outcome, possible)
        self.plainly_if(build.not_(build.load(possible)))
        joint = self.empty_joint()
        build.store(outcome, build.gep(joint, [WORD(self.shape.players)]))
        self.return_next(joint)

    def look_for(self, outcome: ir.Value, possible: ir.Value) -> None:
        """Write whether an outcome is among those of positive probability."""
        build, shape = self.builder, self.shape
        outcomes = self.on_stack(WORD, shape.max_outcomes)
        probabilities = self.on_stack(WORD, shape.max_outcomes)
        row = self.call("PyBytes_AsString", build.load(self.field(self.function.args[0], "_row")))
        buffers = [build.bitcast(buffer, POINTER) for buffer in (outcomes, probabilities)]
        place, count = self.on_stack(WORD), self.on_stack(WORD)
        build.store(self.native(self.uses.functions.chance, WORD, row, *buffers), count)
        build.store(WORD(0), place)

        def compare(at: ir.Value) -> None:
            same = build.icmp_signed("==", build.load(build.gep(outcomes, [at])), outcome)
            build.store(build.or_(build.load(possible), same), possible)
            build.store(build.add(at, WORD(1)), place)

        self.while_less(place, count, compare)


class Apply(Transition):
    """Writes `apply(joint)` for an action of the only one who acts, or the actions of all players, if all act."""

    def write(self) -> None:
        """Write the transition by legal actions."""
        build = self.builder
        chosen, known, acting = self.only_argument(), self.known(), self.acting()
        joint = self.empty_joint()
        alone = build.icmp_signed("==", build.and_(acting, build.sub(acting, WORD(1))), WORD(0))
        with build.if_else(alone) as (one, several):
            with one:
                player = build.cttz(acting, BIT(1))
                self.write_choice(chosen, build.load(self.item(known, player)), build.gep(joint, [player]))
            with several:
                self.write_choices(acting, chosen, known, joint)
        self.return_next(joint)

    def write_choices(self, acting: ir.Value, chosen: ir.Value, known: ir.Value, joint: ir.Value) -> None:
        """Write the numbers of all players' actions."""
        build, players = self.builder, self.shape.players
        self.plainly_if(build.icmp_signed("!=", acting, WORD((1 << players) - 1)))
        self.clear_and_plainly_if(build.icmp_signed("!=", self.call("PyObject_Size", chosen), WORD(players)))
        for player in range(players):
            # Python keeps small numbers for good
            key = build.inttoptr(WORD(id(player)), POINTER)
            choice = self.call("PyObject_GetItem", chosen, key)
            self.clear_and_plainly_if(self.is_null(choice))
            legal = build.load(self.item(known, WORD(player)))
            # whoever was asked for it keeps it; a choice made only now is an object of its own
            self.write_choice(choice, legal, build.gep(joint, [WORD(player)]), owned=True)

    def write_choice(self, choice: ir.Value, legal: ir.Value, place: ir.Value, owned: bool = False) -> None:
        """Write the number of an action to `place`, if it is one of the legal ones, which are in order."""
        build = self.builder
        number = self.call("PyLong_AsLongLong", choice)
        if owned:
            self.call("Py_DecRef", choice)
        low, high = self.on_stack(WORD), self.on_stack(WORD)
        build.store(WORD(0), low)
        length = self.call("PyTuple_Size", legal)
        build.store(length, high)

        def halve(first: ir.Value) -> None:
            middle = build.lshr(build.add(first, build.load(high)), WORD(1))
            there = self.call("PyLong_AsLongLong", build.load(self.item(legal, middle)))
            with build.if_else(build.icmp_signed("<", there, number)) as (below, above):
                with below:
                    build.store(build.add(middle, WORD(1)), low)
                with above:
                    build.store(middle, high)

        self.while_less(low, high, halve)
        at = build.load(low)
        self.clear_and_plainly_if(build.icmp_signed(">=", at, length))
        there = self.call("PyLong_AsLongLong", build.load(self.item(legal, at)))
        self.clear_and_plainly_if(build.icmp_signed("!=", there, number))
        build.store(number, place)
