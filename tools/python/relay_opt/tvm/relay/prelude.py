# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The standard module of TVM is no part of relay_opt."""

from ..absent import absent


def __getattr__(name: str):
    raise absent("tvm.relay.prelude", name)
