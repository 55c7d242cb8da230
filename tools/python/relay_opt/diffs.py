# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differences of two modules or expressions."""

from __future__ import annotations

import difflib
from typing import Any

from .comparison import difference
from .html import ELIDE, diff_html

__all__ = ["Diff", "diff"]


class Diff:
    """What differs: `reason` is the first structural difference, None if both are equal; `text` is a diff of lines.

    Large constants are shown by type, so that the text may be empty although the
    reason is not None. A Diff is true if there is a difference.
    """

    def __init__(self, before: Any, after: Any):
        self.reason = difference(before, after)
        self._before = _lines(before)
        self._after = _lines(after)

    @property
    def text(self) -> str:
        """A unified diff of the printed objects; empty if they are equal."""
        if self.reason is None:
            return ""
        return "\n".join(difflib.unified_diff(self._before, self._after, "before", "after", lineterm=""))

    def __bool__(self) -> bool:
        return self.reason is not None

    def __str__(self) -> str:
        return "no difference" if self.reason is None else f"{self.reason}\n{self.text}".rstrip()

    def __repr__(self) -> str:
        return f"Diff({self.reason!r})"

    def _repr_html_(self) -> str:
        return diff_html(self.reason, self.text.splitlines()[2:])


def _lines(source: Any) -> list[str]:
    printed = getattr(source, "_print", None)
    return (printed(False, False, False, ELIDE) if printed else str(source)).splitlines()


def diff(before: Any, after: Any) -> Diff:
    """Compares two modules or two expressions up to the names of variables."""
    return Diff(before, after)
