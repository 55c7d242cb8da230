# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values that expressions hold: integers with a type, spans, arrays."""

from __future__ import annotations

import typing
from typing import NamedTuple

from ._relay_opt import Array, DimExpr, set_int_imm


class IntImm(int):
    """An integer with a data type: a dimension, or an element of an attribute."""

    dtype: str

    def __new__(cls, dtype: str, value: int, span: typing.Any = None) -> IntImm:
        self = super().__new__(cls, value)
        self.dtype = dtype
        return self

    @property
    def value(self) -> int:
        return int(self)

    def __reduce__(self):
        return IntImm, (self.dtype, int(self))


set_int_imm(IntImm)


class _AnyMeta(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, DimExpr) and value.is_any


class Any(metaclass=_AnyMeta):
    """A dimension that is not known, `?`: creates and recognizes a DimExpr."""

    def __new__(cls):
        return DimExpr.any()


class SourceName(NamedTuple):
    name: str


class Span:
    """Where an expression comes from: a layer, or a place in a text."""

    def __init__(self, source: str, line: int = 0, column: int = 0):
        self.source_name = SourceName(source)
        self.line = self.end_line = line
        self.column = self.end_column = column

    def __repr__(self) -> str:
        return f"Span({self.source_name.name!r}, {self.line}, {self.column})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def numpy_dtype(name: str):
    """Returns numpy's data type for one of Relay's. bfloat16 needs ml_dtypes."""
    import numpy

    if name == "bfloat16":
        import ml_dtypes

        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(name)


def array_from_numpy(value: typing.Any, dtype: str | None = None) -> Array:
    """Copies a numpy array, or what numpy makes one of."""
    import numpy

    source = numpy.asarray(value)
    if dtype is not None:
        source = source.astype(numpy_dtype(dtype))
    source = numpy.ascontiguousarray(source).reshape(source.shape)
    return Array.from_bytes(source.shape, source.dtype.name, source.tobytes())


def array_to_numpy(array: Array):
    """Copies the data into a numpy array."""
    import numpy

    flat = numpy.frombuffer(array.tobytes(), dtype=numpy_dtype(array.dtype))
    return flat.reshape(array.shape).copy()
