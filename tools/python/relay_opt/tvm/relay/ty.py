# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.ty."""

from ..._relay_opt import (
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
)
from ...values import Any
from ..ir import TypeKind


def ShapeVar(name: str) -> TypeVar:
    """Creates a variable for a shape."""
    return TypeVar(name, TypeKind.ShapeVar)


def scalar_type(dtype: str) -> TensorType:
    """Returns the type of scalars."""
    return TensorType((), dtype)
