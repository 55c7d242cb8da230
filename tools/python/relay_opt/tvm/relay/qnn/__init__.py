# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.qnn."""

from typing import Any

from ...absent import absent
from . import op
from .op import *  # noqa: F403


def __getattr__(name: str) -> Any:
    raise absent("tvm.relay.qnn", name)
