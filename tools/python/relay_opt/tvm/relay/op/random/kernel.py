# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.random.kernel: random numbers of a key."""

from __future__ import annotations

from ..declare import Any, Call, const, Constant, Expr, make_call, operator, public_functions


@operator("random.multinomial", 2)
def multinomial(key: Expr, probs: Expr, num_samples: Any) -> Call:
    """Computes random indices with the probabilities probs: (key, indices)."""


@operator("random.threefry_generate", 1, rename={"shape": "out_shape"})
def threefry_generate(key: Expr, shape: Any) -> Call:
    """Computes random bits: (key, bits)."""


@operator("random.threefry_split", 1)
def threefry_split(key: Expr) -> Call:
    """Computes two keys for independent generators."""


def threefry_key(seed: int) -> Constant:
    """Creates a key for random numbers from a seed of at most 256 bits."""
    import numpy

    words = [int.from_bytes(seed.to_bytes(32, "little")[i : i + 8], "little") for i in range(0, 32, 8)]
    return const(numpy.array([*words, 0, 0, 0, 0, 1 << 63, 0], dtype="uint64"))


def _distribution(name: str, key: Expr, shape: Any, dtype: Any, parameters: tuple[Any, Any]) -> Call:
    operands = [p if isinstance(p, Expr) else const(p, dtype=dtype) for p in parameters]
    return make_call(name, (key, *operands), {"out_shape": shape, "out_dtype": dtype})


def normal(key: Expr, shape: Any, dtype: Any = "float32", mean: Any = 0.0, scale: Any = 1.0) -> Call:
    """Computes numbers of a normal distribution, and the next key."""
    return _distribution("random.normal", key, shape, dtype, (mean, scale))


def uniform(key: Expr, shape: Any, dtype: Any = "float32", low: Any = 0.0, high: Any = 1.0) -> Call:
    """Computes numbers of a uniform distribution, and the next key."""
    return _distribution("random.uniform", key, shape, dtype, (low, high))


__all__ = public_functions(globals())
