# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instruments: objects that a PassContext notifies of passes.

An instrument may define enter_pass_ctx(), exit_pass_ctx(), should_run(mod,
info), run_before_pass(mod, info) and run_after_pass(mod, info).
"""

from __future__ import annotations

import functools
import time
from typing import Any

from ._relay_opt import IRModule, PassInfo

_HOOKS = ("enter_pass_ctx", "exit_pass_ctx", "should_run", "run_before_pass", "run_after_pass")


class PassInstrument:
    """The base of instruments. Methods that a class does not define do nothing."""

    def enter_pass_ctx(self) -> None: ...

    def exit_pass_ctx(self) -> None: ...

    def should_run(self, mod: IRModule, info: PassInfo) -> bool:
        return True

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None: ...

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None: ...

    def __getattribute__(self, name: str) -> Any:
        value = super().__getattribute__(name)
        # The extension module does not call what does nothing.
        if name in _HOOKS and getattr(value, "__func__", None) is PassInstrument.__dict__[name]:
            return None
        return value


def _wrap(cls: type) -> type:
    class PyPassInstrument(PassInstrument):
        def __init__(self, *args: Any, **kwargs: Any):
            self._inst = cls(*args, **kwargs)

        def __getattribute__(self, name: str) -> Any:
            # A hook of a class derived from this one replaces that of cls.
            if name in _HOOKS and getattr(type(self), name) is PassInstrument.__dict__[name]:
                return getattr(self._inst, name, None)
            return super().__getattribute__(name)

        def __getattr__(self, name: str) -> Any:
            if name == "_inst":
                raise AttributeError(name)
            return getattr(self._inst, name)

    functools.update_wrapper(PyPassInstrument.__init__, cls.__init__)  # type: ignore[misc]
    PyPassInstrument.__name__ = cls.__name__
    PyPassInstrument.__qualname__ = cls.__qualname__
    PyPassInstrument.__doc__ = cls.__doc__
    PyPassInstrument.__module__ = cls.__module__
    return PyPassInstrument


def pass_instrument(pi_cls: Any = None) -> Any:
    """Makes a class of instruments of a class that defines some of the hooks."""

    def create(cls: Any) -> type:
        if not isinstance(cls, type):
            raise TypeError("pi_cls must be a class")
        return _wrap(cls)

    return create if pi_cls is None else create(pi_cls)


class _WithoutContextHooks(PassInstrument):
    """Forwards what passes do, but not that contexts begin and end."""

    def __init__(self, inner: Any):
        self._inner = inner

    @property
    def name(self) -> str:
        return getattr(self._inner, "name", type(self._inner).__name__)

    def __getattribute__(self, name: str) -> Any:
        if name in _HOOKS and not name.endswith("_ctx"):
            return getattr(self._inner, name, None)
        return super().__getattribute__(name)


def without_context_hooks(instrument: Any) -> PassInstrument:
    """Returns an instrument that calls the hooks of another one, except enter_pass_ctx() and exit_pass_ctx()."""
    return _WithoutContextHooks(instrument)


class _Profile:
    """The time of one run of a pass and of the runs in it, in nanoseconds."""

    def __init__(self, name: str):
        self.name = name
        self.begin = time.perf_counter_ns()
        self.time = 0
        self.children: list[_Profile] = []


class PassTimingInstrument(PassInstrument):
    """Measures the passes of a context; render() shows the times as a tree."""

    _current: PassTimingInstrument | None = None

    def __init__(self) -> None:
        self._stack: list[_Profile] = []
        self._root = _Profile("root")

    @property
    def name(self) -> str:
        return "PassTimingInstrument"

    def enter_pass_ctx(self) -> None:
        self._root = _Profile("root")
        self._stack = [self._root]
        PassTimingInstrument._current = self

    def exit_pass_ctx(self) -> None:
        self._root = _Profile("root")
        self._stack = []

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        profile = _Profile(info.name)
        self._stack[-1].children.append(profile)
        self._stack.append(profile)

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        profile = self._stack.pop()
        profile.time = time.perf_counter_ns() - profile.begin

    @staticmethod
    def render() -> str:
        """Returns the times of the current context, a line a pass: total, itself, share of all, share of its parent."""
        self = PassTimingInstrument._current
        if self is None:
            return ""
        total = sum(child.time for child in self._root.children)
        lines: list[str] = []
        work = [(child, 0, total) for child in reversed(self._root.children)]
        while work:
            profile, depth, parent = work.pop()
            own = profile.time - sum(child.time for child in profile.children)
            lines.append(
                "\t" * depth
                + f"{profile.name}: {profile.time // 1000}us [{own // 1000}us] "
                + f"({_share(profile.time, total)}; {_share(profile.time, parent)})\n"
            )
            work += [(child, depth + 1, profile.time) for child in reversed(profile.children)]
        return "".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole if whole else 0:.2f}%"


class PrintBeforeAll(PassInstrument):
    """Prints the module before each pass."""

    def run_before_pass(self, mod: IRModule, info: PassInfo) -> None:
        print("Before Running Pass:", info.name)
        print(mod)


class PrintAfterAll(PassInstrument):
    """Prints the module after each pass."""

    def run_after_pass(self, mod: IRModule, info: PassInfo) -> None:
        print("After Running Pass:", info.name)
        print(mod)
