# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models and helpers of TVM's tests."""

from ....comparison import assert_structural_equal as assert_alpha_equal  # its old name
from . import resnet
from .init import create_workload


def run_infer_type(expr):
    """Returns expr, typed."""
    from .... import _relay_opt as _ext
    from ....module import from_expr

    mod = _ext.Pass("infer-type")(from_expr(expr))
    main = mod["main"]
    from ....expr import Function

    return main if isinstance(expr, Function) else main.body


def run_opt_pass(expr, opt_pass, import_prelude: bool = False):
    """Returns expr after a pass."""
    from ....expr import Function
    from ....module import from_expr

    main = opt_pass(from_expr(expr))["main"]
    return main if isinstance(expr, Function) else main.body
