# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models and helpers of TVM's tests."""

from ....comparison import assert_structural_equal as assert_alpha_equal  # its old name
from ..transform import InferType, on_expr
from . import resnet
from .init import create_workload


def run_infer_type(expr):
    """Returns expr, typed."""
    return on_expr(expr, InferType())


def run_opt_pass(expr, opt_pass, import_prelude: bool = False):
    """Returns expr after a pass."""
    return on_expr(expr, opt_pass)
