# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions: what the extension module leaves to Python.

Importing this module gives expressions Python's operators, texts and numpy
arrays. The classes are those of the extension module.
"""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import (
    Array,
    Call,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    MatchPattern,
    Op,
    RefCreate,
    RefRead,
    RefWrite,
    TensorType,
    Tuple,
    TupleGetItem,
    Var,
    make_call,
)
from .values import array_from_numpy, array_protocol, array_to_numpy, from_dlpack, numpy_dtype

__all__ = [
    "Array",
    "Call",
    "Clause",
    "Constant",
    "Constructor",
    "Expr",
    "Function",
    "GlobalVar",
    "If",
    "Let",
    "Match",
    "Op",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "RefCreate",
    "RefRead",
    "RefWrite",
    "Tuple",
    "TupleGetItem",
    "TupleWrapper",
    "Var",
    "const",
    "make_call",
    "var",
]


def var(name_hint: str, type_annotation: Any = None, shape: Any = None, dtype: Any = "float32", span: Any = None) -> Var:
    """Creates a variable of a type, or of a tensor type by shape and dtype."""
    if type_annotation is not None and shape is not None:
        raise ValueError("Can only specify either type_annotation or shape.")
    if shape is not None:
        type_annotation = TensorType(shape, dtype)
    elif isinstance(type_annotation, str):
        type_annotation = TensorType((), type_annotation)
    return Var(name_hint, type_annotation, span)


def const(value: Any, dtype: str | None = None, span: Any = None) -> Constant:
    """Creates a constant of a number, a list, an Array, or an object with `__dlpack__` such as a numpy array.

    An Array and a read-only numpy array share their data with the constant.

    Numbers are float32, int32 or bool unless dtype says otherwise, as in TVM.
    """
    if isinstance(value, Array):
        return Constant(value, span)
    import numpy

    if isinstance(value, (bool, int, float, list)):
        value = numpy.array(value, dtype=None if dtype is None else numpy_dtype(dtype))
        if dtype is None:
            narrow = {"float64": "float32", "int64": "int32"}.get(value.dtype.name)
            if narrow is not None:
                value = value.astype(narrow)
    elif hasattr(value, "__dlpack__") and not isinstance(value, numpy.ndarray):
        data = from_dlpack(value, copy=True)
        return Constant(data if dtype in (None, data.dtype) else array_from_numpy(data, dtype), span)
    elif hasattr(value, "numpy"):
        value = value.numpy()
    elif not isinstance(value, (numpy.ndarray, numpy.generic)):
        raise ValueError("value has to be scalar or NDArray")
    return Constant(array_from_numpy(value, dtype), span)


def _binary(name: str, swapped: bool = False):
    def operate(self: Expr, other: Any) -> Expr:
        if isinstance(other, (bool, int, float)):
            raise TypeError(f'convert "{other}" with `const` first')
        if not isinstance(other, Expr):
            return NotImplemented
        return make_call(name, (other, self) if swapped else (self, other), {})

    return operate


for _method, _name in {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
}.items():
    setattr(Expr, f"__{_method}__", _binary(_name))
    setattr(Expr, f"__r{_method}__", _binary(_name, swapped=True))
for _method, _name in {
    "lt": "less",
    "gt": "greater",
    "le": "less_equal",
    "ge": "greater_equal",
}.items():
    setattr(Expr, f"__{_method}__", _binary(_name))


def _floordiv(self: Expr, other: Any):
    if not isinstance(other, Expr):
        return NotImplemented
    return make_call("floor_divide", (self, other), {})


def _astype(self: Expr, dtype: Any) -> Expr:
    return make_call("cast", (self,), {"dtype": dtype})


def _text(self: Expr) -> str:
    """Returns what TVM prints: a text that refers to metadata ends with an empty line."""
    text = _ext.print_expr(self, True, False).rstrip("\n")
    return text + "\n" if "meta[" in text else text


def _astext(self: Expr, show_meta_data: bool = True, annotate: Any = None) -> str:
    """Returns the expression as text that reads back."""
    return _ext.print_expr(self, show_meta_data, True)


def _repr_html(self: Expr) -> str | None:
    """Returns the expression as a notebook shows it."""
    from .html import expr_html

    return expr_html(self)


def _call(self: Expr, *args: Any) -> Call:
    return Call(self, args, None, None)


# The members that an expression's repr() shows.
_MEMBERS: dict[type, tuple[str, ...]] = {
    Call: ("op", "args"),
    Function: ("params", "body"),
    If: ("cond", "true_branch", "false_branch"),
    Let: ("var", "value", "body"),
    Match: ("data",),
    RefCreate: ("value",),
    RefRead: ("ref",),
    RefWrite: ("ref", "value"),
    Tuple: ("fields",),
    TupleGetItem: ("tuple_value", "index"),
}


def _brief(value: Any) -> str:
    """Returns a member of an expression in a few words: expressions of several members without them."""
    if isinstance(value, list):
        return "[" + ", ".join(_brief(v) for v in value) + "]"
    if isinstance(value, Var):
        return f"%{value.name_hint}"
    return f"{type(value).__name__}(...)" if type(value) in _MEMBERS else repr(value)


def _repr(self: Expr) -> str:
    """Returns the class and the members. Takes time for one expression, not for those that it uses."""
    members = (_brief(getattr(self, name)) for name in _MEMBERS.get(type(self), ()))
    return f"{type(self).__name__}({', '.join(members)})"


def _constant_repr(self: Constant) -> str:
    array = self.data
    return f"Constant(shape={array.shape}, dtype={array.dtype!r})" if array.shape else f"Constant({array.numpy()})"


# Type checkers know these members from lib/Python/Stub.pat.
setattr(Expr, "__floordiv__", _floordiv)
setattr(Expr, "__neg__", lambda self: make_call("negative", (self,), {}))
setattr(Expr, "astype", _astype)
setattr(Expr, "astext", _astext)
setattr(Expr, "__str__", _text)
setattr(Expr, "__repr__", _repr)
setattr(Constant, "__repr__", _constant_repr)
setattr(Expr, "_repr_html_", _repr_html)
setattr(Expr, "__call__", _call)
setattr(Op, "__call__", lambda self, *args, attrs=None: Call(self, args, attrs, None))
setattr(Op, "__str__", lambda self: f"Op({self.name})")
setattr(Op, "__repr__", lambda self: f"Op({self.name})")
setattr(GlobalVar, "__repr__", lambda self: f"@{self.name_hint}")
setattr(GlobalVar, "__str__", lambda self: f"@{self.name_hint}")
setattr(Var, "__repr__", lambda self: (
    f"Var({self.name_hint}" + (f", ty={self.type_annotation})" if self.type_annotation is not None else ")")
))
setattr(Tuple, "__getitem__", lambda self, index: self.fields[index])
setattr(Tuple, "__len__", lambda self: len(self.fields))
setattr(Constant, "data", property(lambda self: self._data))
setattr(Array, "numpy", array_to_numpy)
setattr(Array, "asnumpy", array_to_numpy)
setattr(Array, "__array__", array_protocol)
setattr(Array, "__repr__", lambda self: f"Array(shape={self.shape}, dtype={self.dtype!r})")


class TupleWrapper:
    """A tuple of known size, whose fields are projections."""

    def __init__(self, tuple_value: Expr, size: int):
        self.tuple_value = tuple_value
        self.size = size

    def astuple(self) -> Expr:
        return self.tuple_value

    def astext(self) -> str:
        return self.tuple_value.astext()

    def __getitem__(self, index: int) -> TupleGetItem:
        if index >= self.size:
            raise IndexError("Tuplewrapper out of range")
        return TupleGetItem(self.tuple_value, index)

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"TupleWrapper({self.tuple_value!r}, {self.size})"


class _PatternMeta(type):
    """Lets isinstance() recognize a MatchPattern by its kind."""

    _kind: int

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, MatchPattern) and value.kind == cls._kind


class PatternWildcard(metaclass=_PatternMeta):
    """Matches anything in a `match`."""

    _kind = 0

    def __new__(cls) -> MatchPattern:  # type: ignore[misc]
        return _ext.match_wildcard()


class PatternVar(metaclass=_PatternMeta):
    """Matches anything and binds it to a variable."""

    _kind = 1

    def __new__(cls, var: Var) -> MatchPattern:  # type: ignore[misc]
        return _ext.match_var(var)


class PatternConstructor(metaclass=_PatternMeta):
    """Matches values of a constructor."""

    _kind = 2

    def __new__(cls, constructor: Constructor, patterns: Any = None) -> MatchPattern:  # type: ignore[misc]
        return _ext.match_constructor(constructor, [] if patterns is None else patterns)


class PatternTuple(metaclass=_PatternMeta):
    """Matches tuples."""

    _kind = 3

    def __new__(cls, patterns: Any = None) -> MatchPattern:  # type: ignore[misc]
        return _ext.match_tuple([] if patterns is None else patterns)


class Clause:
    """A case of a `match`: a pattern and a result."""

    def __init__(self, lhs: MatchPattern, rhs: Expr):
        self.lhs = lhs
        self.rhs = rhs


setattr(Match, "clauses", property(lambda self: [Clause(p, r) for p, r in zip(self.patterns, self.results)]))
