# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters of test models."""

import math

from ...._relay_opt import Pass
from ....module import from_expr
from ... import nd


def _fill(name: str, shape, dtype: str, random):
    """Weights are uniform by Glorot's rule, the rest is that of an untrained normalization."""
    import numpy

    if name.endswith("weight"):
        area = math.prod(shape[2:])
        fans = shape[1] * area + shape[0] * area
        scale = math.sqrt(3.0 / (fans / 2.0))
        return random.uniform(-scale, scale, size=shape).astype(dtype)
    ones = name.endswith(("gamma", "moving_var", "var"))
    return numpy.full(shape, 1.0 if ones else 0.0, dtype)


def create_workload(net, initializer=None, seed: int = 0):
    """Returns the typed module of net, and arrays for all parameters but `data`."""
    import numpy

    random = numpy.random.RandomState(seed)
    mod = Pass("infer-type")(from_expr(net))
    params = {}
    for param in mod["main"].params:
        if param.name_hint == "data":
            continue
        type_ = param.checked_type
        params[param.name_hint] = nd.array(_fill(param.name_hint, type_.concrete_shape, type_.dtype, random))
    return mod, params
