# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.ir.instrument."""

from ...instruments import PassInstrument, PassTimingInstrument, PrintAfterAll, PrintBeforeAll, pass_instrument

__all__ = ["PassInstrument", "PassTimingInstrument", "PrintAfterAll", "PrintBeforeAll", "pass_instrument"]
