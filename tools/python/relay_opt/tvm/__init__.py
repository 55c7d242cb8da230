# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""TVM's Python interface to Relay, on relay-opt.

The names are those of TVM 0.18. What TVM has and this package does not raises
AttributeError, or ImportError, that names it.
"""

import importlib

from .. import __version__, errors
from ..errors import Error as TVMError
from ..module import IRModule
from .absent import absent
from .runtime import cpu, device, nd

_MODULES = ("contrib", "error", "instrument", "ir", "parser", "relay", "runtime", "target", "te", "testing", "tir", "transform")


def __getattr__(name: str):
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name == "DataType":
        return str
    raise absent("tvm", name)
