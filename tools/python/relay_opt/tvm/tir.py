# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The integer expressions of shapes."""

from .._relay_opt import DimExpr
from ..values import Any, IntImm
from .absent import absent

PrimExpr = DimExpr


def Var(name: str, dtype: str = "int32", span=None) -> DimExpr:
    """Creates a variable for dimensions."""
    return DimExpr.var(name, dtype)


def SizeVar(name: str, dtype: str = "int32", span=None) -> DimExpr:
    """Creates a variable for dimensions that is not negative."""
    return DimExpr.var(name, dtype, True)


def __getattr__(name: str):
    raise absent("tvm.tir", name)
