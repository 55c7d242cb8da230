# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Targets, by the text that the tools take."""

from __future__ import annotations

import threading
from typing import NamedTuple

from .._relay_opt import PassContext
from ..instruments import without_context_hooks
from .absent import absent

_entered = threading.local()


class TargetKind(NamedTuple):
    """The kind of a target: `llvm`, `cuda`, …"""

    name: str


def _get_entered() -> list:
    """Returns the targets that the thread has entered, each with the context that has it."""
    if not hasattr(_entered, "pairs"):
        _entered.pairs = []
    return _entered.pairs


class Target(str):
    """A target: its name, and options as `llvm -mcpu=skylake`.

    In a `with` block, passes run for the target, in contexts that the block
    creates and in the one around it.
    """

    def __new__(cls, target, host=None):
        words = str(target).split()
        options = [word.lstrip("-") for word in words[1:]]
        return super().__new__(cls, ",".join(words[:1] + options))

    @property
    def kind(self) -> TargetKind:
        return TargetKind(self.split(",")[0])

    @staticmethod
    def current(allow_none: bool = True) -> Target | None:
        """Returns the target of the innermost `with` block."""
        if _get_entered():
            return _get_entered()[-1][0]
        if allow_none:
            return None
        raise ValueError("there is no current target")

    def __enter__(self) -> Target:
        outer = PassContext.current()
        context = PassContext(
            opt_level=outer.opt_level,
            required_pass=outer.required_pass,
            disabled_pass=outer.disabled_pass,
            instruments=[without_context_hooks(i) for i in outer.instruments],
            config=outer.config,
            target=self,
        )
        context.__enter__()
        _get_entered().append((self, context))
        PassContext._set_ambient_target(self)
        return self

    def __exit__(self, *arguments) -> None:
        _, context = _get_entered().pop()
        PassContext._set_ambient_target(Target.current())
        context.__exit__(*arguments)


def __getattr__(name: str):
    raise absent("tvm.target", name)
