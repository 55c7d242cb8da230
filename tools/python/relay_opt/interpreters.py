# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refuses subinterpreters.

Callbacks of the extension module take the lock of the main interpreter, for
which a subinterpreter would wait forever. Importing this module raises
ImportError in a subinterpreter.
"""

from __future__ import annotations

import importlib
import sys


def _current_id() -> int:
    """Returns the number of the running interpreter: 0 for the main one, or if Python does not tell."""
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    try:
        current = importlib.import_module(name).get_current()
    except ImportError:
        return 0
    return int(current[0] if isinstance(current, tuple) else current)


if _current_id() != 0:
    raise ImportError("relay_opt works in the main interpreter of a process only; use threads or processes")
