# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decorator that turns a signature into the function of an operator.

A function under `operator` has no body: its first parameters are the operands
of the call, the others are the attributes of the same names. Functions that
compute operands or attributes, or that build several calls, have a body and
call `make_call`.
"""

from __future__ import annotations

from typing import Any, Callable, Sequence, TypeVar

from ....expr import Call, Constant, Expr, Tuple, TupleGetItem, TupleWrapper, const, make_call

__all__ = [
    "Any",
    "Call",
    "Constant",
    "Expr",
    "Sequence",
    "Tuple",
    "TupleGetItem",
    "TupleWrapper",
    "constant_list",
    "const",
    "int_list",
    "listed",
    "make_call",
    "operator",
    "public_functions",
    "tuple_of",
]

_F = TypeVar("_F", bound=Callable[..., Any])


def operator(
    name: str,
    operands: int | str,
    *,
    rename: dict[str, str] | None = None,
    fixed: dict[str, Any] | None = None,
    result: int = 0,
    **convert: Callable[[Any], Any],
) -> Callable[[_F], _F]:
    """Returns a decorator for the function that calls operator name.

    operands is the number of leading parameters that are operands, or the
    names of such parameters. rename maps parameters to attributes of other
    names, fixed holds attributes that have no parameter, and convert holds a
    function for each parameter whose argument is converted. A result of more
    than zero fields is a TupleWrapper.
    """

    def decorate(function: _F) -> _F:
        code = function.__code__
        parameters = code.co_varnames[: code.co_argcount]
        defaults = function.__defaults__ or ()
        default_values = dict(zip(parameters[len(parameters) - len(defaults) :], defaults))
        operand_names = parameters[:operands] if isinstance(operands, int) else operands.split()
        conversions = tuple(convert.items())
        renamed = tuple(rename.items()) if rename else ()

        def call(*args: Any, **keywords: Any) -> Call | TupleWrapper:
            function(*args, **keywords)  # raises TypeError if the arguments do not fit
            values = {**default_values, **dict(zip(parameters, args)), **keywords}
            for key, conversion in conversions:
                values[key] = conversion(values[key])
            arguments = [values.pop(key) for key in operand_names]
            if renamed:
                values.update({attribute: values.pop(key) for key, attribute in renamed})
            if fixed:
                values.update(fixed)
            value = make_call(name, arguments, values)
            return TupleWrapper(value, result) if result else value

        call.__name__ = function.__name__
        call.__qualname__ = function.__qualname__
        call.__module__ = function.__module__
        call.__doc__ = function.__doc__
        call.__wrapped__ = function  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return decorate


def listed(count: int) -> Callable[[Any], Any]:
    """Returns a conversion that repeats an integer count times and keeps other values."""
    return lambda value: (value,) * count if isinstance(value, int) else value


def constant_list(value: Any) -> Any:
    """Returns the numbers of a constant as a list, and other values as they are."""
    if not isinstance(value, Constant):
        return value
    constant: Any = value
    return constant.data.numpy().tolist()


def int_list(value: Any) -> Any:
    """Returns a shape as a list: an integer is one dimension. Expressions and None stay as they are."""
    if isinstance(value, int):
        return [value]
    return value if value is None or isinstance(value, Expr) else list(value)


def tuple_of(value: Any) -> Expr:
    """Returns a tuple expression as it is, and a Tuple of other sequences of expressions."""
    return value if isinstance(value, Expr) else Tuple(list(value))


def public_functions(namespace: dict[str, Any]) -> list[str]:
    """Returns the `__all__` of a module: its own functions whose names do not begin with an underscore."""
    module = namespace["__name__"]
    return [
        name
        for name, value in namespace.items()
        if not name.startswith("_") and callable(value) and getattr(value, "__module__", None) == module
    ]
