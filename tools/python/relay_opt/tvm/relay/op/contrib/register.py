# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.contrib.register: pattern tables for MergeComposite, by the name of their compiler."""

from __future__ import annotations

from typing import Any, Callable

_tables: dict[str, Any] = {}


def register_pattern_table(compiler: str, table: Callable[[], Any] | None = None) -> Any:
    """Registers the result of the function table for a compiler; without table, returns a decorator that does so."""

    def register(function: Callable[[], Any]) -> Callable[[], Any]:
        _tables[compiler] = function()
        return function

    return register if table is None else register(table)


def get_pattern_table(compiler: str) -> Any:
    """Returns the table that is registered for a compiler, or None."""
    return _tables.get(compiler)
