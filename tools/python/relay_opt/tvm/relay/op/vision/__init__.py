# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.relay.op.vision."""

from . import multibox, nms, rcnn, yolo
from .multibox import *  # noqa: F403
from .nms import *  # noqa: F403
from .rcnn import *  # noqa: F403
from .yolo import *  # noqa: F403
