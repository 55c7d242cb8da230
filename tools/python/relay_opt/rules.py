# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rewrite rules: functions that replace the matches of a pattern, as passes."""

from __future__ import annotations

from typing import Any, Callable

from . import _relay_opt as _ext
from ._relay_opt import Expr, Function, PassInfo
from .passes import FunctionPass
from .patterns import DFPattern, as_pattern

__all__ = ["RewriteRule", "rewrite_rule"]


class RewriteRule(FunctionPass):
    """A pass that calls a function for each match of a pattern, until nothing changes; see rewrite_rule()."""

    def __init__(self, pattern: DFPattern | str, function: Callable[..., Expr | None], info: PassInfo, require_type: bool = False):
        super().__init__(self._run, info)
        self.pattern = as_pattern(pattern)
        self.require_type = require_type
        self._function = function
        self._names = _parameters(function, _ext.pattern_labels(self.pattern))

    def rewrite(self, expr: Expr, mod: Any = None) -> Expr:
        """Returns expr with the matches replaced. mod has the functions that expr calls, for type inference."""
        return _ext.pattern_rewrite([(self.pattern, self._replace, self.require_type, False)], expr, mod)

    def _replace(self, pre: Expr, post: Expr, bindings: Any) -> Expr:
        values = {"root": post, **bindings.named()}
        result = self._function(**{name: values.get(name) for name in self._names})
        return post if result is None else result

    def _run(self, func: Function, mod: Any, ctx: Any) -> Expr:
        return self.rewrite(func, mod)


def _parameters(function: Callable[..., Any], labels: list[str]) -> list[str]:
    """Returns the names of the parameters. Raises TypeError if the pattern binds no such name."""
    import inspect

    parameters = list(inspect.signature(function).parameters)
    for name in parameters:
        if name != "root" and name not in labels:
            known = ", ".join(sorted({"root", *labels}))
            raise TypeError(f"the pattern has no node named '{name}'; it has {known}")
    return parameters


def rewrite_rule(
    pattern: DFPattern | str, *, name: str | None = None, opt_level: int = 0, required: Any = None, require_type: bool = False
) -> Callable[[Callable[..., Expr | None]], RewriteRule]:
    """Makes a pass of a function that replaces the matches of a pattern, a text or a DFPattern.

    Each parameter of the function has the name of a node of the pattern and gets
    the expression that the node matched, or None if it matched nothing; `root`
    gets the whole match. Inputs of the match are rewritten already. The function
    returns the replacement, or None to keep the match. The rule is applied until
    nothing changes; the pass raises LimitError after 100 rounds. With
    require_type, types are inferred before each round.
    """
    compiled = as_pattern(pattern)

    def create(function: Callable[..., Expr | None]) -> RewriteRule:
        info = PassInfo(opt_level, name or str(getattr(function, "__name__", "rewrite_rule")), list(required or []))
        return RewriteRule(compiled, function, info, require_type)

    return create
