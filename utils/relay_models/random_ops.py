"""Operators for random graphs: each function takes a scope and a picker of operands, appends one operation and returns
it, or returns None if the operands do not fit. Results are tensors of the graph's dtype, of at most LIMIT elements.

A picker has `tensor(rank=None)`, a value of that rank or None, and `random`, the source of choices.
"""
from math import prod

from .builder import Tensor, constant

LIMIT = 4096
UNARY = ("nn.relu", "tanh", "sigmoid", "negative", "abs", "ceil", "floor", "erf")
BINARY = ("add", "subtract", "multiply", "maximum", "minimum")
REDUCTIONS = ("sum", "mean", "max", "min")


def broadcast(left, right):
    """The shape of an elementwise operation of two shapes; None if they do not fit or the result is too large."""
    long, short = (left, right) if len(left) >= len(right) else (right, left)
    short = (1,) * (len(long) - len(short)) + short
    if any(a != b and 1 not in (a, b) for a, b in zip(long, short)):
        return None
    shape = tuple(max(a, b) for a, b in zip(long, short))
    return shape if prod(shape) <= LIMIT else None


def unary(scope, pick):
    return scope.like(pick.random.choose(UNARY), pick.tensor())


def clip(scope, pick):
    return scope.like("clip", pick.tensor(), a_min=-1.0, a_max=1.0 + pick.random.below(6))


def binary(scope, pick):
    left, right = pick.tensor(), pick.tensor()
    shape = broadcast(left.shape, right.shape)
    if shape is None:
        return None
    return scope.call(pick.random.choose(BINARY), [left, right], Tensor(shape, left.dtype))


def with_constant(scope, pick):
    data = pick.tensor()
    number = constant(pick.random.below(17) / 4 - 2, data.dtype)
    return scope.like(pick.random.choose(BINARY), data, number)


def softmax(scope, pick):
    data = pick.tensor()
    return scope.like("nn.softmax", data) if data.shape else None


def reduction(scope, pick):
    data = pick.tensor()
    if not data.shape:
        return None
    axis, keepdims = pick.random.below(len(data.shape)), pick.random.chance(1, 2)
    attrs = {"axis": [axis]} | ({"keepdims": True} if keepdims else {})
    shape = data.shape[:axis] + (1,) * keepdims + data.shape[axis + 1:]
    return scope.call(pick.random.choose(REDUCTIONS), [data], Tensor(shape, data.dtype), **attrs)


def reshape(scope, pick):
    """Flattens the axes from one on, or divides the last one."""
    data = pick.tensor()
    if not data.shape:
        return None
    axis = pick.random.below(len(data.shape))
    shape = data.shape[:axis] + (prod(data.shape[axis:]),)
    factor = 2 + pick.random.below(2)
    if len(shape) < 4 and shape[-1] % factor == 0:
        shape = shape[:-1] + (shape[-1] // factor, factor)
    return scope.call("reshape", [data], Tensor(shape, data.dtype), newshape=shape)


def transpose(scope, pick):
    data = pick.tensor()
    rank = len(data.shape)
    if rank < 2:
        return None
    turn = 1 + pick.random.below(rank - 1)
    axes = [(axis + turn) % rank for axis in range(rank)]
    return scope.call("transpose", [data], Tensor(tuple(data.shape[axis] for axis in axes), data.dtype), axes=axes)


def expand_dims(scope, pick):
    data = pick.tensor()
    if len(data.shape) > 3:
        return None
    axis = pick.random.below(len(data.shape) + 1)
    shape = data.shape[:axis] + (1,) + data.shape[axis:]
    return scope.call("expand_dims", [data], Tensor(shape, data.dtype), axis=axis)


def squeeze(scope, pick):
    data = pick.tensor()
    if 1 not in data.shape:
        return None
    axis = data.shape.index(1)
    shape = data.shape[:axis] + data.shape[axis + 1:]
    return scope.call("squeeze", [data], Tensor(shape, data.dtype), axis=[axis])


def strided_slice(scope, pick):
    """A prefix of an axis."""
    data = pick.tensor()
    if not data.shape or max(data.shape) < 2:
        return None
    axis = data.shape.index(max(data.shape))
    end = 1 + pick.random.below(data.shape[axis] - 1)
    shape = data.shape[:axis] + (end,) + data.shape[axis + 1:]
    return scope.call("strided_slice", [data], Tensor(shape, data.dtype), begin=[0], end=[end], strides=[1],
                      axes=[axis])


def itself_or_other(data, pick):
    """Another value of the same rank, or the same one again."""
    return data if pick.random.chance(1, 2) else pick.tensor(len(data.shape))


def dense(scope, pick):
    """A value of rank 2 with itself or another one with as many columns."""
    data = pick.tensor(2)
    if data is None:
        return None
    weight = itself_or_other(data, pick)
    shape = (data.shape[0], weight.shape[0])
    if weight.shape[1] != data.shape[1] or prod(shape) > LIMIT:
        return None
    return scope.call("nn.dense", [data, weight], Tensor(shape, data.dtype), units=shape[1])


def batch_matmul(scope, pick):
    data = pick.tensor(3)
    if data is None or prod(data.shape[:2]) * data.shape[1] > LIMIT:
        return None
    type = Tensor((*data.shape[:2], data.shape[1]), data.dtype)
    return scope.call("nn.batch_matmul", [data, data], type, transpose_b=True)


def conv2d(scope, pick):
    """An image with itself or another one as kernel, padded by one."""
    data = pick.tensor(4)
    if data is None:
        return None
    weight = itself_or_other(data, pick)
    kernel = weight.shape[2:]
    size = [extent + 3 - window for extent, window in zip(data.shape[2:], kernel)]
    shape = (data.shape[0], weight.shape[0], *size)
    if weight.shape[1] != data.shape[1] or min(size) < 1 or prod(shape) > LIMIT:
        return None
    return scope.call("nn.conv2d", [data, weight], Tensor(shape, data.dtype), padding=[1] * 4,
                      channels=weight.shape[0], kernel_size=kernel)


def max_pool2d(scope, pick):
    data = pick.tensor(4)
    if data is None or min(data.shape[2:]) < 2:
        return None
    shape = (*data.shape[:2], *(extent - 1 for extent in data.shape[2:]))
    return scope.call("nn.max_pool2d", [data], Tensor(shape, data.dtype), pool_size=[2, 2], padding=[0] * 4)


# An operator that is listed more often is chosen more often.
OPERATORS = (unary, unary, unary, binary, binary, binary, with_constant, with_constant, clip, softmax, reduction,
             reshape, transpose, expand_dims, squeeze, strided_slice, dense, batch_matmul, conv2d, max_pool2d)
