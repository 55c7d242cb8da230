# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes: sequences, and passes written in Python."""

from __future__ import annotations

import functools
from typing import Any, Callable, overload

from ._relay_opt import CallbackPass, IRModule, Pass, PassContext, PassInfo, SequentialBase

__all__ = ["FunctionPass", "ModulePass", "Pass", "PassContext", "PassInfo", "Sequential", "function_pass", "module_analysis", "module_pass"]


def _describe(self: Pass) -> str:
    info = self.info
    kind = "Sequential" if isinstance(self, SequentialBase) else "Function" if self._is_function_pass else "Module"
    return f"Run {kind} pass: {info.name} at the optimization level {info.opt_level}"


def _describe_info(self: PassInfo) -> str:
    required = ", ".join(self.required)
    return f"The meta data of the pass - pass name: {self.name}, opt_level: {self.opt_level}, required passes: [{required}]"


def _describe_context(self: PassContext) -> str:
    import json

    instruments = ", ".join(getattr(i, "name", type(i).__name__) for i in self.instruments)
    lines = [
        f"opt_level: {self.opt_level}",
        f"required passes: {json.dumps(self.required_pass)}",
        f"disabled passes: {json.dumps(self.disabled_pass)}",
        f"instruments: [{instruments}]",
        f"config: {json.dumps(self.config, default=str)}",
        "trace stack: []",
    ]
    return "\n\t".join(["Pass context information: ", *lines])


for _name in ("__repr__", "__str__"):
    setattr(Pass, _name, _describe)
    setattr(PassContext, _name, _describe_context)
    setattr(PassInfo, _name, _describe_info)


class Sequential(SequentialBase):
    """Runs passes in order, those that the context's opt level and lists allow."""

    def __init__(self, passes: Any = None, opt_level: int = 0, name: str = "sequential", required: Any = None, traceable: bool = False):
        passes = list(passes or [])
        super().__init__(passes, opt_level, name, [str(r) for r in required or []])
        self.passes = passes

    def __repr__(self) -> str:
        names = " ".join(member.info.name for member in self.passes)
        return f"{_describe(self)}. The passes will be executed are: [{names} ]"

    __str__ = __repr__


class ModulePass(CallbackPass):
    """A pass that a function of Python runs on a module: function(mod, ctx) returns a module."""

    def __init__(self, function: Callable[..., IRModule], info: PassInfo):
        super().__init__(function, info.name, info.opt_level, list(info.required), False)


class FunctionPass(CallbackPass):
    """A pass that a function of Python runs on each function: function(func, mod, ctx) returns a function."""

    def __init__(self, function: Callable[..., Any], info: PassInfo):
        super().__init__(function, info.name, info.opt_level, list(info.required), True)


def _from_class(cls: type, base: type, method: str, info: PassInfo) -> type:
    """Returns a class of passes whose objects behave like those of cls."""

    class PyPass(base):  # type: ignore[misc, valid-type]
        def __init__(self, *args: Any, **kwargs: Any):
            inner = cls(*args, **kwargs)
            bound = getattr(inner, method)

            @functools.wraps(bound)
            def call(*arguments: Any) -> Any:
                return bound(*arguments)

            super().__init__(call, info)
            self._inst = inner

        def __getattr__(self, name: str) -> Any:
            if name == "_inst":
                raise AttributeError(name)
            return getattr(self._inst, name)

    functools.update_wrapper(PyPass.__init__, cls.__init__)  # type: ignore[misc]
    PyPass.__name__ = cls.__name__
    PyPass.__qualname__ = cls.__qualname__
    PyPass.__doc__ = cls.__doc__
    PyPass.__module__ = cls.__module__
    return PyPass


def _decorator(base: type, method: str, function: Any, opt_level: int | None, name: str | None, required: Any) -> Any:
    if opt_level is None:
        raise ValueError("Please provide opt_level for the pass.")
    if required is not None and not isinstance(required, (list, tuple)):
        raise TypeError("Required is expected to be the type of list/tuple.")
    names = list(required or [])

    def create(target: Any) -> Any:
        info = PassInfo(opt_level, name or target.__name__, names)
        if isinstance(target, type):
            return _from_class(target, base, method, info)
        if not callable(target):
            raise TypeError("a pass is a function or a class")
        return base(target, info)

    return create if function is None else create(function)


@overload
def module_pass(pass_func: None = None, opt_level: int | None = None, name: str | None = None, required: Any = None, traceable: bool = False) -> Callable[[Any], Any]: ...
@overload
def module_pass(pass_func: Any, opt_level: int | None = None, name: str | None = None, required: Any = None, traceable: bool = False) -> Any: ...
def module_pass(pass_func: Any = None, opt_level: int | None = None, name: str | None = None, required: Any = None, traceable: bool = False) -> Any:
    """Makes a module pass of a function, or of a class with transform_module(mod, ctx)."""
    return _decorator(ModulePass, "transform_module", pass_func, opt_level, name, required)


@overload
def function_pass(pass_func: None = None, opt_level: int | None = None, name: str | None = None, required: Any = None, traceable: bool = False) -> Callable[[Any], Any]: ...
@overload
def function_pass(pass_func: Any, opt_level: int | None = None, name: str | None = None, required: Any = None, traceable: bool = False) -> Any: ...
def function_pass(pass_func: Any = None, opt_level: int | None = None, name: str | None = None, required: Any = None, traceable: bool = False) -> Any:
    """Makes a function pass of a function, or of a class with transform_function(func, mod, ctx)."""
    return _decorator(FunctionPass, "transform_function", pass_func, opt_level, name, required)


def module_analysis(function: Callable[[IRModule], Any]) -> Callable[[IRModule], Any]:
    """Caches the results of a function of a module, for each module as long as it lives and does not change.

    A result must not be changed, and must not refer to the module, which would
    then live as long as the function.
    """
    import weakref

    results: weakref.WeakKeyDictionary[IRModule, tuple[int, Any]] = weakref.WeakKeyDictionary()

    @functools.wraps(function)
    def get(mod: IRModule) -> Any:
        version, result = results.get(mod, (None, None))
        if version == mod._version:
            return result
        result = function(mod)
        results[mod] = mod._version, result
        return result

    return get
