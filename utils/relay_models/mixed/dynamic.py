"""Operators whose results have dimensions that only a run tells, for mixed random graphs."""
from math import prod

from ..builder import Tensor, Tuple
from .body import DTYPES, LIMIT, NUMBERS
from .tensor import ranked


def unknown(count):
    return ("?",) * count


def extents_of(m, shape, dtype="int64"):
    """A shape as an operand: a constant, or the `shape_of` of a value that has it."""
    if m.random.chance(1, 3) and shape:
        data = m.need(shape, "float32")
        return m.call("shape_of", [data], (len(shape),), dtype, 0, 1 << 20, dtype=dtype)
    return m.constant((len(shape),), dtype, list(shape))


def reshape(m):
    if data := ranked(m):
        axis = m.random.below(data.rank)
        shape = data.shape[:axis] + (prod(data.shape[axis:]),)
        m.move("dyn.reshape", data, shape, extents_of(m, shape), dims=unknown(len(shape)), newshape=[])


def make(m):
    shape, dtype = m.extents(), m.random.choose(DTYPES)
    if not shape:
        return
    name = m.random.choose(("full", "zeros", "ones"))
    operands = [m.scalar(2, "float32")] if name == "full" else []
    dtype = "float32" if name == "full" else dtype
    m.call(f"dyn.{name}", [*operands, extents_of(m, shape)], shape, dtype, 0, 2 if name == "full" else 1, True,
           unknown(len(shape)), shape=None, dtype=dtype)


def broadcast(m):
    data = m.pick(NUMBERS)
    shape = m.extents(1) + data.shape
    if len(shape) <= 4 and prod(shape) <= LIMIT:
        m.move("dyn.broadcast_to", data, shape, extents_of(m, shape), dims=unknown(len(shape)), shape=None)


def tile(m):
    data = ranked(m, ("float32", "int32", "int64"))
    if data and 2 * data.size <= LIMIT:
        reps = m.constant((data.rank,), "int64", [2] + [1] * (data.rank - 1))
        m.move("dyn.tile", data, (2 * data.shape[0],) + data.shape[1:], reps, dims=unknown(data.rank), reps=[])


def topk(m):
    data = ranked(m, ("float32", "int32"), exact=True)
    if data:
        count = 1 + m.random.below(data.shape[-1])
        shape, dims = data.shape[:-1] + (count,), data.shape[:-1] + ("?",)
        type = Tuple((Tensor(dims, data.dtype), Tensor(dims, "int64")))
        m.fields(m.raw("dyn.topk", [data, m.scalar(count, "int64")], type, k=None, dtype="int64"),
                 [(shape, data.low, data.high, True), (shape, 0, data.shape[-1] - 1, True)])


def one_hot(m):
    data = m.pick(("int32",))
    if data.rank < 4 and 3 * data.size <= LIMIT:
        operands = [data, m.scalar(1, "float32"), m.scalar(0, "float32"), m.scalar(3, "int64")]
        m.call("dyn.one_hot", operands, data.shape + (3,), "float32", 0, 1, True, unknown(data.rank + 1), axis=-1,
               dtype="float32")


def strided_slice(m):
    data = ranked(m, NUMBERS)
    if data:
        end = tuple(1 + m.random.below(extent) for extent in data.shape)
        rank = data.rank
        bounds = [m.constant((rank,), "int64", list(values)) for values in ((0,) * rank, end, (1,) * rank)]
        m.move("dyn.strided_slice", data, end, *bounds, dims=unknown(rank), begin=None, end=None, strides=None,
               axes=None)


def pad(m):
    data = ranked(m, ("float32", "int32"))
    if data and prod(extent + 1 for extent in data.shape) <= LIMIT:
        widths = m.constant((data.rank, 2), "int64", [1, 0] * data.rank)
        m.move("dyn.nn.pad", data, tuple(extent + 1 for extent in data.shape), widths, m.scalar(0, data.dtype), low=0,
               high=0, dims=unknown(data.rank), pad_width=[])


def squeeze(m):
    data = m.pick(("float32", "int32"), where=lambda operand: 1 in operand.shape)
    if data:
        axis = data.shape.index(1)
        m.move("dyn.squeeze", data, data.shape[:axis] + data.shape[axis + 1:], m.constant((1,), "int64", [axis]),
               dims=unknown(data.rank - 1), axis=[])


def argwhere(m):
    data = ranked(m, ("bool", "int32", "float32"), exact=True)
    if data:
        m.call("argwhere", [data], (None, data.rank), "int32", 0, max(data.shape), dims=("?", data.rank))


def unique(m):
    data = m.pick(("int32", "int64"), 1)
    known, dims = (data.shape[0],), ("?",)
    types = [Tensor(dims, data.dtype), Tensor(known, "int32"), Tensor(known, "int32"), Tensor((1,), "int32")]
    value = m.raw("unique", [data], Tuple(tuple(types)), sorted=True, return_counts=False)
    # The first two fields have undefined elements after the valid ones.
    m.fields(value, [None, None, (known, 0, known[0] - 1, True), ((1,), 1, known[0], True)])


def arange(m):
    """A range with a bound from a value."""
    stop = m.need((), "int32", 1, 8, True)
    m.call("arange", [m.scalar(0, "int32"), stop, m.scalar(1, "int32")], (None,), "int32", 0, 8, True, ("?",),
           dtype="int32")


def gather(m):
    """Rows of a value, whose number is known only at run time."""
    data = ranked(m, NUMBERS, most=2)
    found = m.candidates(("int32",), 1, True, True, lambda operand: not operand.static)
    if data and found:
        indices = m.within(m.prefer(found), 0, data.shape[0] - 1)
        m.move("take", data, indices.shape + data.shape[1:], indices, dims=indices.type.shape + data.shape[1:], axis=0)


OPERATORS = (reshape, reshape, make, broadcast, tile, topk, one_hot, strided_slice, pad, squeeze, argwhere, unique,
             arange, gather)
