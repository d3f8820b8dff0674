"""The function that writes each kind of typed expression."""

from __future__ import annotations

from ggp.language import typed
from ggp.rules_compiler.emit import arithmetic, boards, comprehensions, functions, quantifiers, reach, reading, sets
from ggp.rules_compiler.emit.module import Compilers

COMPILERS: Compilers = {
    typed.Aggregate: quantifiers.write_aggregate,
    typed.AtMost: sets.write_at_most,
    typed.Binary: arithmetic.write_binary,
    typed.Call: functions.write_call,
    typed.CellAt: boards.write_cell_at,
    typed.CellCoordinate: boards.write_cell_coordinate,
    typed.CellStep: boards.write_cell_step,
    typed.Comprehension: comprehensions.write_comprehension,
    typed.Constant: reading.write_constant,
    typed.Guard: arithmetic.write_guard,
    typed.Hash: arithmetic.write_hash,
    typed.If: arithmetic.write_if,
    typed.Index: reading.write_index,
    typed.Local: reading.write_local,
    typed.Member: sets.write_member,
    typed.MoveRead: reading.write_move_read,
    typed.Quantifier: quantifiers.write_quantifier,
    typed.Reach: reach.write_reach,
    typed.SetFold: sets.write_set_fold,
    typed.SetLiteral: sets.write_set_literal,
    typed.SetOperation: sets.write_set_operation,
    typed.SetStep: boards.write_set_step,
    typed.StateRead: reading.write_state_read,
    typed.Subset: sets.write_subset,
    typed.TableRead: reading.write_table_read,
    typed.Unary: arithmetic.write_unary,
    typed.Unwrap: arithmetic.write_unwrap,
    typed.Wrap: arithmetic.write_wrap,
}
