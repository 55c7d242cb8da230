# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.nn."""

from . import nn, utils
from .nn import *  # noqa: F403
from .utils import get_pad_tuple1d, get_pad_tuple2d, get_pad_tuple3d
