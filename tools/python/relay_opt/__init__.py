# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""relay-opt: passes on Relay, the functional tensor IR of Apache TVM.

Modules are values: a pass returns a new module, and old modules and
expressions stay as they are. `relay_opt.tvm` has the same things under TVM's
names.
"""

from . import interpreters  # first: it keeps subinterpreters from loading the extension module
from . import copies, errors, expr
from ._relay_opt import (
    Attrs,
    FuncType,
    IRModule,
    Pass,
    PassContext,
    PassInfo,
    RefType,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeVar,
    __version__,
    pass_infos,
    post_order_visit,
)
from .errors import Error, ExprError, LimitError, ParseError, PassError, PipelineError, VerifyError
from .expr import *  # noqa: F403
from .module import free_vars, from_expr
from .passes import Sequential, function_pass, module_analysis, module_pass
from .pipelines import PassManager, PassRun
from .reading import parse, parse_expr, read
from .values import from_dlpack

__all__ = [
    "Attrs",
    "Error",
    "ExprError",
    "FuncType",
    "IRModule",
    "LimitError",
    "ParseError",
    "Pass",
    "PassContext",
    "PassError",
    "PassInfo",
    "PassManager",
    "PassRun",
    "PipelineError",
    "RefType",
    "Sequential",
    "TensorType",
    "TupleType",
    "Type",
    "TypeCall",
    "TypeVar",
    "VerifyError",
    "__version__",
    "diff",
    "errors",
    "explain_match",
    "free_vars",
    "from_dlpack",
    "from_expr",
    "function_pass",
    "module_analysis",
    "module_pass",
    "parse",
    "parse_expr",
    "pass_infos",
    "post_order_visit",
    "read",
    "rewrite_rule",
    "sweep",
]
__all__ += expr.__all__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .diffs import diff
    from .patterns import explain_match
    from .rules import rewrite_rule
    from .sweep import sweep

# The modules of functions that are imported at their first use.
_LATER = {"diff": "diffs", "explain_match": "patterns", "rewrite_rule": "rules", "sweep": "sweep"}


def __getattr__(name: str):
    """Imports a function of _LATER."""
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    module = importlib.import_module(f".{_LATER[name]}", __name__)
    return module if name == "sweep" else getattr(module, name)
