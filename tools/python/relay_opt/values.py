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


def _is_frozen(array: typing.Any) -> bool:
    """Returns true if no numpy array can write to the memory of array."""
    import numpy

    while isinstance(array, numpy.ndarray):
        if array.flags.writeable:
            return False
        array = array.base
    return True


def _import_numpy(source: typing.Any, copy: bool | None) -> Array:
    """Imports a numpy array. DLPack does not know bfloat16 of ml_dtypes.

    numpy makes the copies: it raises MemoryError for an array that is too
    large, such as a broadcast one.
    """
    import numpy

    if copy or (copy is None and not source.flags.c_contiguous):
        source, copy = numpy.array(source, order="C"), None
    if source.dtype.name == "bfloat16":
        return Array._import(source.view("uint16"), "bfloat16", copy)
    if source.dtype.char == "g":
        raise ValueError("the data type longdouble of numpy is not one of Relay's; convert the array to float64 first")
    if source.dtype.kind not in "biuf":
        return Array.from_bytes(source.shape, source.dtype.name, source.tobytes())
    return Array._import(source.astype(source.dtype.newbyteorder("="), copy=False), None, copy)


def from_dlpack(source: typing.Any, copy: bool | None = None) -> Array:
    """Returns the data of an object with `__dlpack__`, such as an array of numpy or a tensor of torch.

    By default, memory on the CPU in row-major order is shared, and other memory
    is copied. Shared memory must not be written while the Array, or a constant
    with its data, exists. copy=True always copies; copy=False raises
    BufferError if a copy is needed.
    """
    if isinstance(source, Array):
        return source
    if hasattr(source, "__array_interface__"):
        import numpy

        return _import_numpy(numpy.asarray(source), copy)
    return Array._import(source, None, copy)


def array_from_numpy(value: typing.Any, dtype: str | None = None) -> Array:
    """Returns the data of a numpy array, or of what numpy makes an array of.

    The data is copied unless it is read-only and in row-major order.
    """
    import numpy

    source = numpy.asarray(value)
    if dtype is not None:
        source = source.astype(numpy_dtype(dtype), copy=False)
    return _import_numpy(source, None if _is_frozen(source) else True)


def array_view(array: Array):
    """Returns a read-only numpy array that shows the data. It keeps the data alive."""
    import numpy

    if array.dtype == "bfloat16":
        return numpy.asarray(array._view(True)).view(numpy_dtype("bfloat16"))
    return numpy.asarray(array._view(False))


def array_to_numpy(array: Array):
    """Copies the data into a numpy array."""
    return array_view(array).copy()


def array_protocol(array: Array, dtype: typing.Any = None, copy: bool | None = None):
    """The method `__array__`: a read-only view, unless a copy is requested or another type needs one."""
    view = array_view(array)
    if dtype is not None and view.dtype != dtype:
        if copy is False:
            raise ValueError("another data type needs a copy")
        return view.astype(dtype)
    return view.copy() if copy else view
