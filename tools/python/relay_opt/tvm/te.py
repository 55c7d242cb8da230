# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor expressions are no part of relay_opt; scripts that only import tvm.te run."""

from .absent import absent


def __getattr__(name: str):
    raise absent("tvm.te", name)
