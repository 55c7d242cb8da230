# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays and devices."""

from ..absent import absent
from . import nd
from .nd import NDArray, cpu, device


def __getattr__(name: str):
    raise absent("tvm.runtime", name)
