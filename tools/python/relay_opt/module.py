# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules: what the extension module leaves to Python."""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Expr, Function, GlobalVar, IRModule, Var

_NO_METADATA = """/* For debugging purposes the metadata section has been omitted.
 * If you would like to see the full metadata section you can set the
 * option to `True` when invoking `astext`.
 */
"""


def _name(key: Any) -> str:
    return key.name_hint if isinstance(key, GlobalVar) else str(key)


def free_vars(expr: Expr) -> list[Var]:
    """Returns the variables that expr uses and does not bind, in the order of their first use."""
    return _ext.free_vars(expr)


def from_expr(expr: Expr, functions: Any = None, type_defs: Any = None) -> IRModule:
    """Returns a module whose `main` is expr; the parameters of an expression that is no function are its free variables."""
    module = IRModule(functions, type_defs)
    if not isinstance(expr, Function):
        expr = Function(free_vars(expr), expr)
    name = "main"
    if expr.attrs is not None and "global_symbol" in expr.attrs:
        name = str(expr.attrs["global_symbol"])
    module._set(name, expr)
    return module


def fill(module: IRModule, functions: Any, type_definitions: Any, attrs: Any) -> None:
    """Adds what IRModule() was called with. Called by the extension module."""
    if type_definitions:
        raise NotImplementedError("a module gets type definitions from text, not from `type_definitions`")
    for key, function in (functions or {}).items():
        _setitem(module, key, function)
    if attrs:
        module._attrs = dict(attrs)


def _getitem(self: IRModule, key: Any) -> Function:
    function = self._lookup(_name(key))
    if function is None:
        raise ValueError(f"Cannot find global var \"{_name(key)}\" in the Module; the module has {self._names()}")
    return function


def _setitem(self: IRModule, key: Any, value: Function) -> None:
    if not isinstance(value, Expr):
        raise TypeError("a module holds functions")
    if not isinstance(value, Function):
        value = Function([], value)
    self._set(_name(key), value)


def _global_var(self: IRModule, name: str) -> GlobalVar:
    if not self._contains(name):
        raise ValueError(f"Cannot find global var \"{name}\" in the Module")
    return _ext.global_var(name)


def _update(self: IRModule, other: Any) -> None:
    functions = other if isinstance(other, dict) else {n: other[n] for n in other._names()}
    for key, function in functions.items():
        self[_name(key)] = function


def _astext(self: IRModule, show_meta_data: bool = True, annotate: Any = None) -> str:
    """Returns the module as text. With the metadata, it reads back."""
    if show_meta_data:
        return self._print(True, True, False, None)
    return '#[version = "0.0.5"]\n' + self._print(True, False, False, None) + "\n" + _NO_METADATA


def _text(self: IRModule) -> str:
    """Returns what TVM prints: a text that refers to metadata ends with an empty line."""
    text = self._print(True, False, False, None)
    return text + "\n" if "meta[" in text else text


def _functions(self: IRModule) -> dict[GlobalVar, Function]:
    return {_ext.global_var(name): self._lookup(name) for name in self._names()}


def _repr_html(self: IRModule) -> str | None:
    """Returns the module as a notebook shows it."""
    from .html import module_html

    return module_html(self)


IRModule.__getitem__ = _getitem
IRModule.__setitem__ = _setitem
IRModule.__delitem__ = lambda self, key: self._remove(_name(key))
IRModule.__contains__ = lambda self, key: self._contains(_name(key))
IRModule.__len__ = lambda self: len(self._names())
IRModule.functions = property(_functions)
IRModule.functions_items = lambda self: list(_functions(self).items())
IRModule.get_global_var = _global_var
IRModule.get_global_vars = lambda self: [_ext.global_var(name) for name in self._names()]
IRModule.update = _update
IRModule.update_func = lambda self, key, function: self.__setitem__(key, function)
IRModule.astext = _astext
IRModule.__str__ = _text
IRModule.__repr__ = IRModule.__str__
IRModule._repr_html_ = _repr_html
IRModule.from_expr = staticmethod(from_expr)
IRModule.attrs = property(lambda self: self._attrs or None)
IRModule.get_attr = lambda self, key: self._attrs.get(key)


def _with_attr(self: IRModule, key: Any, value: Any = None) -> IRModule:
    new = self._copy()
    entries = dict(new._attrs)
    entries.update(key if isinstance(key, dict) else {key: value})
    new._attrs = entries
    return new


IRModule.with_attr = _with_attr
IRModule.shallow_copy = lambda self: self._copy()
