"""One call for what a loop in Python does most: a transition, who acts then, and their legal actions.

Called through `ctypes`, a native function costs more than most of them take, and a transition needs three. So there is
one function of Python's stable C interface, the same for all games, that calls them and makes the objects. What it uses
of a game is handed to it as its `self`.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from llvmlite import binding

from ggp.codegen.machine_code import target_machine
from ggp.native.interface import GameShape, NativeFunctions

METH_FASTCALL = 0x80
INTERFACE = (
    *("PyBytes_AsString", "PyBytes_FromStringAndSize", "PyList_GetItem", "PyLong_FromLongLong", "PyMem_Free"),
    *("PyMem_Malloc", "PyObject_GetItem", "PyTuple_New", "PyTuple_SetItem", "Py_DecRef", "Py_IncRef"),
)
CODE = """
declare ptr @PyBytes_AsString(ptr)
declare ptr @PyBytes_FromStringAndSize(ptr, i64)
declare ptr @PyList_GetItem(ptr, i64)
declare ptr @PyLong_FromLongLong(i64)
declare void @PyMem_Free(ptr)
declare ptr @PyMem_Malloc(i64)
declare ptr @PyObject_GetItem(ptr, ptr)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare void @Py_DecRef(ptr)
declare void @Py_IncRef(ptr)

%Game = type { ptr, ptr, ptr, i64, i64, i64, ptr, ptr, i64, ptr }

; (old row, joint row) -> (new row, who acts, legal actions of each player; empty if nobody acts or the rules fail)
define ptr @transition(ptr %self, ptr %arguments, i64 %count) {
  %game_at = call ptr @PyBytes_AsString(ptr %self)
  %game = load %Game, ptr %game_at
  %step = extractvalue %Game %game, 0
  %actors = extractvalue %Game %game, 1
  %state_bytes = extractvalue %Game %game, 3
  %old_row = load ptr, ptr %arguments
  %joint_at = getelementptr ptr, ptr %arguments, i64 1
  %joint_row = load ptr, ptr %joint_at
  %old = call ptr @PyBytes_AsString(ptr %old_row)
  %joint = call ptr @PyBytes_AsString(ptr %joint_row)
  %row = call ptr @PyBytes_FromStringAndSize(ptr null, i64 %state_bytes)
  %new = call ptr @PyBytes_AsString(ptr %row)
  call void %step(ptr %old, ptr %new, ptr %joint)
  %acting = call i64 %actors(ptr %new)
  %mask = call ptr @PyLong_FromLongLong(i64 %acting)
  %legal = call ptr @legal_actions(ptr %game_at, ptr %new, i64 %acting)
  %made = call ptr @PyTuple_New(i64 3)
  call i32 @PyTuple_SetItem(ptr %made, i64 0, ptr %row)
  call i32 @PyTuple_SetItem(ptr %made, i64 1, ptr %mask)
  call i32 @PyTuple_SetItem(ptr %made, i64 2, ptr %legal)
  ret ptr %made
}

define internal ptr @legal_actions(ptr %game_at, ptr %state, i64 %acting) {
start:
  %game = load %Game, ptr %game_at
  %legal = extractvalue %Game %game, 2
  %all_players = extractvalue %Game %game, 4
  %actions_bytes = extractvalue %Game %game, 5
  %players_act = icmp sgt i64 %acting, 0
  %players = select i1 %players_act, i64 %all_players, i64 0
  %by_player = call ptr @PyTuple_New(i64 %players)
  %numbers = call ptr @PyMem_Malloc(i64 %actions_bytes)
  br label %next_player
next_player:
  %player = phi i64 [0, %start], [%after, %listed]
  %more_players = icmp slt i64 %player, %players
  br i1 %more_players, label %one_player, label %done
one_player:
  %shifted = lshr i64 %acting, %player
  %acts = trunc i64 %shifted to i1
  br i1 %acts, label %list, label %nothing
list:
  %found = call i64 %legal(ptr %state, i64 %player, ptr %numbers)
  %some = icmp sgt i64 %found, 0
  br i1 %some, label %nothing, label %failed
nothing:
  %length = phi i64 [0, %one_player], [%found, %list]
  %actions = call ptr @PyTuple_New(i64 %length)
  call i32 @PyTuple_SetItem(ptr %by_player, i64 %player, ptr %actions)
  br label %next_action
next_action:
  %place = phi i64 [0, %nothing], [%after_place, %one_action]
  %more = icmp slt i64 %place, %length
  br i1 %more, label %one_action, label %listed
one_action:
  %number_at = getelementptr i64, ptr %numbers, i64 %place
  %number = load i64, ptr %number_at
  %action = call ptr @action_of(ptr %game_at, i64 %number)
  call i32 @PyTuple_SetItem(ptr %actions, i64 %place, ptr %action)
  %after_place = add i64 %place, 1
  br label %next_action
listed:
  %after = add i64 %player, 1
  br label %next_player
failed:
  call void @Py_DecRef(ptr %by_player)
  %none = call ptr @PyTuple_New(i64 0)
  br label %done
done:
  %result = phi ptr [%by_player, %next_player], [%none, %failed]
  call void @PyMem_Free(ptr %numbers)
  ret ptr %result
}

define internal ptr @action_of(ptr %game_at, i64 %number) {
  %game = load %Game, ptr %game_at
  %table = extractvalue %Game %game, 6
  %none = extractvalue %Game %game, 7
  %table_length = extractvalue %Game %game, 8
  %mapping = extractvalue %Game %game, 9
  %in_table = icmp slt i64 %number, %table_length
  br i1 %in_table, label %look, label %ask
look:
  %found = call ptr @PyList_GetItem(ptr %table, i64 %number)
  %missing = icmp eq ptr %found, %none
  br i1 %missing, label %ask, label %keep
keep:
  call void @Py_IncRef(ptr %found)
  ret ptr %found
ask:
  %key = call ptr @PyLong_FromLongLong(i64 %number)
  %made = call ptr @PyObject_GetItem(ptr %mapping, ptr %key)
  call void @Py_DecRef(ptr %key)
  ret ptr %made
}
"""


class MethodDefinition(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@cache
def _compiled() -> tuple[MethodDefinition, binding.ExecutionEngine]:
    for name in INTERFACE:
        binding.add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value)
    module = binding.parse_assembly(CODE)
    module.verify()
    # it does little but call functions: better code is no faster
    engine = binding.create_mcjit_compiler(module, target_machine(opt=0))
    engine.finalize_object()
    address = engine.get_function_address("transition")
    return MethodDefinition(b"transition", address, METH_FASTCALL, None), engine


def transition_function(
    functions: NativeFunctions, shape: GameShape, table: Sequence[Any], actions: Mapping[int, Any]
) -> Callable[[bytes, bytes], tuple[bytes, int, tuple[tuple[Any, ...], ...]]]:
    """Return a function from the rows of a state and of a joint action to what comes of the transition.

    That is the row of the next state, who acts there, as `actors` returns it, and, if players act, a tuple of the legal
    actions of each player; an empty one where listing them is a fault, or where one who acts has none.

    Args:
        functions: of the game; whoever keeps what is returned has to keep them alive, and the actions.
        shape: of the game.
        table: the first actions by number, None for those not made yet.
        actions: gives an action by its number.
    """
    context = struct.pack(
        "10q",
        *(functions.step, functions.actors, functions.legal),
        *(8 * shape.state_words, shape.players, 8 * shape.max_actions),
        *(id(table), id(None), len(table), id(actions)),
    )
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Callable[..., Any] = make(ctypes.addressof(_compiled()[0]), context, None)
    return made
