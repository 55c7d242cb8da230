# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Readers of Relay text."""

from ..reading import parse as _parse
from ..reading import parse_expr

SpanCheck = None


def parse(source: str, source_name: str = "from_string", init_module=None, init_meta_table=None):
    """Reads a module."""
    return _parse(source, source_name)


def fromtext(source: str, source_name: str = "from_string"):
    """Reads a module that has its header."""
    return _parse(source, source_name)
