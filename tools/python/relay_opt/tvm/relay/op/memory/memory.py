# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.memory.memory: allocation, and tuples by their leaves."""

from __future__ import annotations

from ....._relay_opt import TupleType, Type
from ..declare import Any, Call, Constant, Expr, Tuple, TupleGetItem, make_call, public_functions
from ..devices import virtual_device


def alloc_storage(size: Expr, shape: Expr, alignment: Expr, device: Any, dtype_hint: Any = "float32") -> Call:
    """Allocates memory of a size and an alignment on a device."""
    attributes = {"virtual_device": virtual_device(device), "dtype": dtype_hint}
    return make_call("memory.alloc_storage", (size, shape, alignment), attributes)


def alloc_tensor(storage: Expr, offset: Expr, shape: Expr, dtype: Any = "float32", assert_shape: Any = None) -> Call:
    """Places a tensor in allocated memory. A shape that is not constant needs assert_shape."""
    attributes = {"dtype": dtype, "assert_shape": assert_shape, "const_shape": None}
    if assert_shape is None:
        if not isinstance(shape, Constant):
            raise ValueError("the shape must be a constant, or assert_shape must be given")
        attributes.update(const_shape=shape, assert_shape=())
    return make_call("memory.alloc_tensor", (storage, offset, shape), attributes)


def flatten_tuple_type(ty: Type) -> list[Type]:
    """Returns the leaves of a type, from left to right."""
    leaves = []
    pending = [ty]
    while pending:
        current = pending.pop()
        if isinstance(current, TupleType):
            pending.extend(reversed(current.fields))
        else:
            leaves.append(current)
    return leaves


def from_tuple_type(ty: Type, expr: Expr) -> list[Expr]:
    """Returns the projections of expr to the leaves of its type ty."""
    leaves = []
    pending = [(ty, expr)]
    while pending:
        current, value = pending.pop()
        if isinstance(current, TupleType):
            fields = [(field, TupleGetItem(value, i)) for i, field in enumerate(current.fields)]
            pending.extend(reversed(fields))
        else:
            leaves.append(value)
    return leaves


def to_tuple_type(ty: Type, exprs: Any) -> Expr:
    """Returns a value of type ty whose leaves are exprs."""
    leaves = iter(exprs)
    results: list[Expr] = []
    pending: list[Any] = [ty]
    while pending:
        current = pending.pop()
        if isinstance(current, int):  # the number of fields, which are computed
            fields = results[len(results) - current :]
            del results[len(results) - current :]
            results.append(Tuple(fields))
        elif isinstance(current, TupleType):
            fields = list(current.fields)
            pending.append(len(fields))
            pending.extend(reversed(fields))
        else:
            results.append(next(leaves))
    return results[0]


__all__ = public_functions(globals())
