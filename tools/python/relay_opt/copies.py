# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of modules and expressions: `copy.copy`, `copy.deepcopy` and `pickle`.

Importing this module gives the classes of the extension module the method
`__reduce__`. As in TVM, a copy is a new object that TVM's JSON describes;
what two objects share is not shared between their copies, unless the copied
object contains both.
"""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Array, Attrs, Expr, GlobalVar, IRModule, Op, Type, TypeVar, Var
from .serialization import load_json, save_json


# pickle finds functions of Python by their names, but not those of the extension module.


def _load_type(text: str) -> Type:
    return load_json(text).type_annotation


def _make_op(name: str) -> Expr:
    return Op.get(name)


def _make_global_var(name: str) -> GlobalVar:
    return _ext.global_var(name)


def _make_attrs(type_key: str, values: dict[str, Any]) -> Attrs:
    return _ext.make_attrs(type_key, values)


def _make_array(shape: Any, dtype: str, data: bytes) -> Array:
    return Array.from_bytes(shape, dtype, data)


def _reduce_array(self: Array) -> tuple:
    return _make_array, (self.shape, self.dtype, self.tobytes())


def _reduce_attrs(self: Attrs) -> tuple:
    return _make_attrs, (self.type_key, {key: self[key] for key in self.keys()})


def _reduce_node(self: Any) -> tuple:
    return load_json, (save_json(self),)


def _reduce_type(self: Type) -> tuple:
    return _load_type, (save_json(Var("", self, None)),)


setattr(IRModule, "__reduce__", _reduce_node)
setattr(Expr, "__reduce__", _reduce_node)
setattr(Op, "__reduce__", lambda self: (_make_op, (self.name,)))
setattr(GlobalVar, "__reduce__", lambda self: (_make_global_var, (self.name_hint,)))
setattr(Type, "__reduce__", _reduce_type)
setattr(TypeVar, "__reduce__", lambda self: (TypeVar, (self.name_hint,)))
setattr(Attrs, "__reduce__", _reduce_attrs)
setattr(Array, "__reduce__", _reduce_array)
