# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.ir.transform."""

from ...passes import ModulePass, Pass, PassContext, PassInfo, Sequential, module_pass

__all__ = ["ModulePass", "Pass", "PassContext", "PassInfo", "PrintIR", "Sequential", "module_pass"]


def PrintIR(header: str = "", show_meta_data: bool = False) -> Pass:
    """Returns a pass that prints the module on standard error."""
    return Pass("print")
