# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay."""

import importlib

from ... import analysis
from ...expr import (
    Call,
    Clause,
    Constant,
    Constructor,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    Match,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    TupleWrapper,
    Var,
    const,
    var,
)
from ...functors import ExprFunctor, ExprMutator, ExprVisitor
from ...scopes import ScopeBuilder
from ...serialization import load_param_dict, save_param_dict
from ...values import Any, SourceName, Span
from ..._relay_opt import (
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    MatchPattern as Pattern,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
)
from ..absent import absent
from ..ir import TypeKind
from ..parser import fromtext, parse, parse_expr
from .expr import astext, bind
from . import op
from .op import *  # noqa: F403
from .op import annotation, image, nn, random, vision
from .ty import ShapeVar, scalar_type

_MODULES = (
    "adt",
    "build_module",
    "dataflow_pattern",
    "expr",
    "expr_functor",
    "function",
    "frontend",
    "prelude",
    "qnn",
    "testing",
    "transform",
    "ty",
)


def __getattr__(name: str):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name in ("build", "create_executor", "optimize"):
        return getattr(importlib.import_module(f"{__name__}.build_module"), name)
    raise absent("tvm.relay", name)
