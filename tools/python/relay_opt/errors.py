# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions of the package.

Each holds the diagnostics of the library: the first error's message, line and
column, its notes, and the text that the tools would print, with carets.
"""

from __future__ import annotations

from typing import Any


class Error(RuntimeError):
    """An error that the library has diagnosed."""

    message: str
    line: int
    column: int
    notes: list[str]
    diagnostics: list[dict[str, Any]]

    @classmethod
    def from_diagnostics(cls, message: str, diagnostics: list[dict[str, Any]], text: str, name: str) -> Error:
        """Called by the extension module."""
        first: dict[str, Any] = diagnostics[0] if diagnostics else {"message": message, "line": 0, "column": 0, "notes": []}
        parts = [cls._describe(first["message"], name)]
        parts += [f"note: {note}" for note in first["notes"]]
        self = cls("\n".join(parts))
        self.message = first["message"]
        self.line = first["line"]
        self.column = first["column"]
        self.notes = first["notes"]
        self.diagnostics = diagnostics
        if text and hasattr(self, "add_note"):  # Python 3.11
            self.add_note(text.rstrip("\n"))
        self._complete(name)
        return self

    @staticmethod
    def _describe(found: str, name: str) -> str:
        return found

    def _complete(self, name: str) -> None:
        pass


class ParseError(Error):
    """Text that is not valid; file is its name."""

    file: str

    def _complete(self, name: str) -> None:
        self.file = name


class VerifyError(Error):
    """A module that is not well typed or not valid."""


class PipelineError(Error, ValueError):
    """A pipeline, a pass option or a configuration that is not valid."""


class PassError(Error):
    """A pass that failed; pass_name is its name."""

    pass_name: str

    @staticmethod
    def _describe(found: str, name: str) -> str:
        return f"{name}: {found}"

    def _complete(self, name: str) -> None:
        self.pass_name = name


class LimitError(Error, MemoryError):
    """A limit on memory, steps or operations that was exceeded."""


class ExprError(Error, ValueError):
    """An expression that cannot be part of a module."""
