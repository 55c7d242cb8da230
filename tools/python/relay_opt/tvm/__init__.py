# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TVM's Python interface to Relay, on relay-opt.

The names are those of TVM 0.18. What TVM has and this package does not raises
AttributeError, or ImportError, that names it.
"""

import importlib
import os

from .. import __version__, _relay_opt, errors
from ..errors import Error as TVMError
from ..module import IRModule
from .absent import absent
from .runtime import cpu, device, nd

_MODULES = ("contrib", "error", "instrument", "ir", "parser", "relay", "runtime", "target", "te", "testing", "tir", "transform")


if "TVM_LOG_DEBUG" in os.environ:
    # Messages of the library name its own variable.
    try:
        _relay_opt.set_log_levels(os.environ["TVM_LOG_DEBUG"])
    except errors.PipelineError as error:
        raise ValueError(str(error).replace("RELAY_LOG_DEBUG", "TVM_LOG_DEBUG")) from None


def __getattr__(name: str):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name == "DataType":
        return str
    raise absent("tvm", name)
