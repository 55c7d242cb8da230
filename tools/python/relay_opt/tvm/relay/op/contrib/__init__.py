# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.contrib: pattern tables by the name of their compiler."""

from typing import Any

from ....absent import absent
from .register import get_pattern_table, register_pattern_table


def __getattr__(name: str) -> Any:
    raise absent("tvm.relay.op.contrib", name)
