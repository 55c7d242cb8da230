# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules: what the extension module leaves to Python."""

from __future__ import annotations

from typing import Any

from . import _relay_opt as _ext
from ._relay_opt import Expr, Function, GlobalVar, IRModule, Var

_NO_METADATA = (
    "/* For debugging purposes the metadata section has been omitted.\n"
    " * If you would like to see the full metadata section you can set the \n"
    " * option to `True` when invoking `astext`. \n"
    " */\n"
)


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
    if "global_symbol" in expr.attrs:
        name = str(expr.attrs["global_symbol"])
    module._set(name, expr)
    return module


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
    """Sets the functions of other, a module or a dict, and adds its types."""
    if isinstance(other, IRModule):
        self._import_types(other)
        other = {name: other[name] for name in other._names()}
    for key, function in other.items():
        self[_name(key)] = function


def _astext(self: IRModule, show_meta_data: bool = True, annotate: Any = None) -> str:
    """Returns the module as text. With the metadata, it reads back."""
    if show_meta_data:
        return self._print(True, True, False, None)
    return '#[version = "0.0.5"]\n' + self._print(True, False, False, None) + "\n" + _NO_METADATA


def _get_type(self: IRModule, name: str) -> tuple:
    """Returns a data type and its constructors. Raises ValueError if the module has no such type."""
    for type_name, constructors in self._type_defs():
        if type_name == name:
            return (_ext.GlobalTypeVar(name), *constructors)
    raise ValueError(f"Cannot find global type var \"{name}\" in the Module")


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


def _get_constructor(self: IRModule, type_name: str, name: str) -> Any:
    """Returns the constructor of a type definition."""
    return next(c for c in _get_type(self, type_name)[1:] if c.name_hint == name)


def _match(self: IRModule, pattern: Any) -> list[Any]:
    """Returns the matches of a pattern, a text or a DFPattern, in all functions; see patterns.find()."""
    from .patterns import find

    return find(pattern, self)


# Type checkers know these members from lib/Python/Stub.pat.
setattr(IRModule, "__getitem__", _getitem)
setattr(IRModule, "__setitem__", _setitem)
setattr(IRModule, "__delitem__", lambda self, key: self._remove(_name(key)))
setattr(IRModule, "__contains__", lambda self, key: self._contains(_name(key)))
setattr(IRModule, "__len__", lambda self: len(self._names()))
setattr(IRModule, "same_as", lambda self, other: self is other)
setattr(IRModule, "functions", property(_functions))
setattr(IRModule, "functions_items", lambda self: list(_functions(self).items()))
setattr(IRModule, "get_global_var", _global_var)
setattr(IRModule, "get_global_vars", lambda self: [_ext.global_var(name) for name in self._names()])
setattr(IRModule, "get_type", _get_type)
setattr(IRModule, "get_constructor", _get_constructor)
setattr(IRModule, "update", _update)
setattr(IRModule, "update_func", lambda self, key, function: self.__setitem__(key, function))
setattr(IRModule, "astext", _astext)
setattr(IRModule, "__str__", _text)
setattr(IRModule, "__repr__", IRModule.__str__)
setattr(IRModule, "_repr_html_", _repr_html)
setattr(IRModule, "match", _match)
setattr(IRModule, "from_expr", staticmethod(from_expr))
setattr(IRModule, "attrs", property(lambda self: self._attrs or None))
setattr(IRModule, "get_attr", lambda self, key: self._attrs.get(key))


def _with_attr(self: IRModule, key: Any, value: Any = None) -> IRModule:
    new = self._copy()
    entries = dict(new._attrs)
    entries.update(key if isinstance(key, dict) else {key: value})
    new._attrs = entries
    return new


setattr(IRModule, "with_attr", _with_attr)
setattr(IRModule, "shallow_copy", lambda self: self._copy())
