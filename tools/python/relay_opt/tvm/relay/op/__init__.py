# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op: the functions of operators, with TVM's names and parameters."""

import importlib
from typing import Any

from ...absent import absent
from . import algorithm, annotation, dyn, image, memory, nn, op, random, reduce, tensor, transform, vision, vm
from .algorithm import *  # noqa: F403
from .op import Op, debug, get
from .reduce import *  # noqa: F403
from .tensor import *  # noqa: F403
from .transform import *  # noqa: F403

__all__ = [
    *algorithm.__all__,
    *reduce.__all__,
    *tensor.__all__,
    *transform.__all__,
    "annotation",
    "image",
    "nn",
    "random",
    "vision",
]


def __getattr__(name: str) -> Any:
    if name == "contrib":
        return importlib.import_module(f"{__name__}.contrib")
    if name in op.HOOKS:
        return op.hook(name)
    raise absent("tvm.relay.op", name)
