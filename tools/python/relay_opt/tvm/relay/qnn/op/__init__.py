# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.qnn.op."""

from typing import Any

from ....absent import absent
from ...op.op import hook
from . import qnn
from .qnn import *  # noqa: F403

__all__ = qnn.__all__


def __getattr__(name: str) -> Any:
    if name in ("register_qnn_canonicalize", "register_qnn_legalize"):
        return hook(name)
    raise absent("tvm.relay.qnn.op", name)
