# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.dyn: the operators `dyn.*` have no functions of their own.

The functions of the operators without `dyn.` call them when an argument is an
expression.
"""

from . import image, nn
