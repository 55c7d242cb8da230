# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all of TVM's dialects share, as far as Relay needs it."""

from ..._relay_opt import (
    Attrs,
    Constructor,
    Expr as RelayExpr,
    FuncType,
    Function as BaseFunc,
    GlobalTypeVar,
    GlobalVar,
    IncompleteType,
    Op,
    RefType as RelayRefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
    make_attrs,
)
from ...comparison import assert_structural_equal, structural_equal, structural_hash
from ...module import IRModule
from ...serialization import load_json, save_json
from ...values import IntImm, SourceName, Span
from .. import tir
from ..absent import absent
from . import instrument, transform

Array = list
Map = dict
Node = RelayExpr
PrimExpr = tir.PrimExpr


class TypeKind:
    """The kinds of type variables."""

    Type = 0
    ShapeVar = 1
    BaseType = 2
    Shape = 3


def register_op_attr(op_name: str, attr_key: str, value=None, level: int = 10):
    """Raises: attributes of operators are hooks of relay-opt (docs/Hooks.md)."""
    raise NotImplementedError(
        f"attribute '{attr_key}' of '{op_name}' cannot be registered from Python; docs/Hooks.md says how a plugin or a "
        "file of facts does it"
    )


def make_node(type_key: str, **kwargs) -> Attrs:
    """Returns the attributes of a class, such as DictAttrs or relay.attrs.Conv2DAttrs, with these fields."""
    return make_attrs(type_key, kwargs)


def __getattr__(name: str):
    raise absent("tvm.ir", name)
