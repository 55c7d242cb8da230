"""Operators that move, choose and make elements, for mixed random graphs."""
from math import prod

from ..builder import Tensor, Tuple
from .body import DTYPES, FLOATS, INTEGERS, LIMIT, NUMBERS

INDICES = ("int32", "int64")


def ranked(m, dtypes=DTYPES, least=1, most=5, **options):
    """A static value of at least this rank, or None."""
    return m.pick(dtypes, where=lambda operand: least <= operand.rank <= most and operand.size > 0, **options)


def axis_of(m, data):
    return m.random.below(data.rank)


def replaced(shape, axis, *extents):
    return tuple(shape[:axis]) + extents + tuple(shape[axis + 1:])


def reshape(m):
    data = ranked(m)
    if not data:
        return
    axis = axis_of(m, data)
    shape = data.shape[:axis] + (prod(data.shape[axis:]),)
    factor = 2 + m.random.below(2)
    if len(shape) < 4 and shape[-1] % factor == 0:
        shape = shape[:-1] + (shape[-1] // factor, factor)
    written = list(shape)
    if m.random.chance(1, 3):
        written[m.random.below(len(written))] = -1
    name = "contrib_reverse_reshape" if m.random.chance(1, 8) else "reshape"
    m.move(name, data, shape, newshape=written)


def flatten(m):
    if data := ranked(m, least=2):
        m.move("nn.batch_flatten", data, (data.shape[0], prod(data.shape[1:])))


def transpose(m):
    if data := ranked(m, least=2):
        turn = 1 + m.random.below(data.rank - 1)
        axes = [(axis + turn) % data.rank for axis in range(data.rank)]
        m.move("transpose", data, [data.shape[axis] for axis in axes], axes=axes)


def expand_dims(m):
    data = m.pick()
    if data.rank < 4:
        axis = m.random.below(data.rank + 1)
        m.move("expand_dims", data, data.shape[:axis] + (1,) + data.shape[axis:], axis=axis)


def squeeze(m):
    data = m.pick(where=lambda operand: 1 in operand.shape)
    if data:
        axis = data.shape.index(1)
        m.move("squeeze", data, replaced(data.shape, axis), axis=[axis])


def concatenate(m):
    data = ranked(m)
    if data and data.size * 3 <= LIMIT:
        axis = axis_of(m, data)
        other = m.need(replaced(data.shape, axis, 1 + m.random.below(3)), data.dtype)
        parts = m.tuple(data, other)
        shape = replaced(data.shape, axis, data.shape[axis] + other.shape[axis])
        m.call("concatenate", [parts], shape, data.dtype, min(data.low, other.low), max(data.high, other.high),
               data.exact and other.exact, axis=axis)


def stack(m):
    data = m.pick()
    if data.rank < 4 and data.size * 2 <= LIMIT:
        other = m.need(data.shape, data.dtype)
        axis = m.random.below(data.rank + 1)
        m.call("stack", [m.tuple(data, other)], data.shape[:axis] + (2,) + data.shape[axis:], data.dtype,
               min(data.low, other.low), max(data.high, other.high), data.exact and other.exact, axis=axis)


def split(m):
    data = ranked(m)
    if not data:
        return
    axis = axis_of(m, data)
    extent = data.shape[axis]
    sections = next((count for count in (2, 3, 5) if extent % count == 0), None)
    if sections and m.random.chance(1, 2):
        extents = [extent // sections] * sections
    elif extent > 1:
        sections = [1 + m.random.below(extent - 1)]
        extents = [sections[0], extent - sections[0]]
    else:
        return
    shapes = [replaced(data.shape, axis, part) for part in extents]
    type = Tuple(tuple(Tensor(shape, data.dtype) for shape in shapes))
    m.fields(m.raw("split", [data], type, indices_or_sections=sections, axis=axis),
             [(shape, data.low, data.high, data.exact) for shape in shapes])


def repeat(m):
    data = ranked(m)
    if not data or data.size * 2 > LIMIT:
        return
    axis = axis_of(m, data)
    if m.random.chance(1, 2):
        m.move("repeat", data, replaced(data.shape, axis, 2 * data.shape[axis]), repeats=2, axis=axis)
    else:
        reps = [1] * data.rank
        reps[axis] = 2
        m.move("tile", data, replaced(data.shape, axis, 2 * data.shape[axis]), reps=reps)


def reverse(m):
    if data := ranked(m):
        m.move("reverse", data, data.shape, axis=axis_of(m, data))


def reverse_sequence(m):
    data = ranked(m, FLOATS + ("int32", "int64"), least=2)
    if data:
        lengths = m.need((data.shape[1],), "int32", 1, data.shape[0])
        m.move("reverse_sequence", data, data.shape, lengths, seq_axis=0, batch_axis=1)


def strided_slice(m):
    data = ranked(m)
    if not data:
        return
    axis = axis_of(m, data)
    extent = data.shape[axis]
    begin = m.random.below(extent)
    end = begin + 1 + m.random.below(extent - begin)
    stride = 1 + m.random.below(2)
    shape = replaced(data.shape, axis, -(-(end - begin) // stride))
    if m.random.chance(1, 5) and begin == 0 and end == extent:
        m.move("strided_slice", data, data.shape, begin=[-1], end=[-extent - 1], strides=[-1], axes=[axis])
        return
    m.move("strided_slice", data, shape, begin=[begin], end=[end], strides=[stride], axes=[axis])


def strided_set(m):
    data = ranked(m, NUMBERS, most=2)
    if data:
        part = tuple(1 + m.random.below(extent) for extent in data.shape)
        value = m.need(part, data.dtype)
        begin, end, strides = (m.constant((data.rank,), "int32", list(values))
                               for values in ([0] * data.rank, part, [1] * data.rank))
        m.move("strided_set", data, data.shape, value, begin, end, strides, low=value.low, high=value.high)


def slice_like(m):
    if data := ranked(m):
        shape = tuple(1 + m.random.below(extent) for extent in data.shape)
        m.move("slice_like", data, shape, m.need(shape, data.dtype), axes=None)


def take(m):
    data = ranked(m)
    if not data:
        return
    axis = axis_of(m, data)
    shape = m.extents(1 + m.random.below(2))[:2]
    if data.size // data.shape[axis] * prod(shape) > LIMIT:
        return
    indices = m.need(shape, m.random.choose(INDICES), 0, data.shape[axis] - 1, True)
    attrs = {} if m.random.chance(1, 2) else {"mode": m.random.choose(("wrap", "clip", "fast"))}
    m.move("take", data, replaced(data.shape, axis, *shape), indices, axis=axis, **attrs)


def gather(m):
    data = ranked(m, NUMBERS)
    if data:
        axis = axis_of(m, data)
        shape = replaced(data.shape, axis, 1 + m.random.below(3))
        m.move("gather", data, shape, m.need(shape, "int32", 0, data.shape[axis] - 1, True), axis=axis)


def gather_nd(m):
    data = ranked(m, NUMBERS)
    if data:
        count = 1 + m.random.below(min(2, data.rank))
        indices = m.need((count, 3), "int32", 0, min(data.shape[:count]) - 1, True)
        if 3 * prod(data.shape[count:]) <= LIMIT:
            m.move("gather_nd", data, (3,) + data.shape[count:], indices)


def scatter(m):
    """With a constant of distinct indices, since the order of updates is unspecified."""
    data = ranked(m, ("float32", "int32", "float64", "int64"))
    if data:
        axis = axis_of(m, data)
        shape = replaced(data.shape, axis, 1)
        index = m.random.below(data.shape[axis])
        indices = m.constant(shape, "int64", [index] * prod(shape))
        updates = m.need(shape, data.dtype)
        low, high = min(data.low, updates.low), max(data.high, updates.high)
        m.move("scatter_elements", data, data.shape, indices, updates, low=low, high=high, axis=axis)


def scatter_nd(m):
    data = ranked(m, ("float32", "int32", "float64", "int64"))
    if data:
        index = m.constant((1, 1), "int32", [m.random.below(data.shape[0])])
        updates = m.need((1,) + data.shape[1:], data.dtype)
        if m.random.chance(1, 2):
            m.call("scatter_nd", [data, index, updates], data.shape, data.dtype, -data.peak - updates.peak,
                   data.peak + updates.peak, data.dtype in INTEGERS, mode="add")
        else:
            m.move("scatter_nd", data, data.shape, index, updates, low=updates.low, high=updates.high, mode="update")


def make(m):
    shape, dtype = m.extents(), m.random.choose(DTYPES)
    name = m.random.choose(("zeros", "ones", "full"))
    if name == "full":
        m.call("full", [m.scalar(1, dtype)], shape, dtype, 1, 1, True, shape=shape, dtype=dtype)
    else:
        m.call(name, [], shape, dtype, 0, 1, True, shape=shape, dtype=dtype)


def arange(m):
    dtype = m.random.choose(("int32", "int64", "float32", "float64"))
    stop = 1 + m.random.below(8)
    operands = [m.scalar(number, dtype) for number in (0, stop, 1)]
    m.call("arange", operands, (stop,), dtype, 0, stop, True, dtype=dtype)


def broadcast(m):
    data = m.pick()
    shape = m.extents(1)[:1] + data.shape
    if len(shape) > 4 or prod(shape) > LIMIT:
        return
    if m.random.chance(1, 2):
        m.move("broadcast_to", data, shape, shape=shape, dtype="")
    else:
        m.move("broadcast_to_like", data, shape, m.need(shape, data.dtype))


def collapse(m):
    data = ranked(m, ("float32", "float64", "int32"))
    if data:
        axis = axis_of(m, data)
        shape = replaced(data.shape, axis, 1)
        peak = data.peak * data.size
        exact = data.dtype in INTEGERS
        if m.random.chance(1, 2):
            m.call("collapse_sum_to", [data, m.constant((data.rank,), "int32", list(shape))], shape, data.dtype, -peak,
                   peak, exact, shape=shape)
        else:
            m.call("collapse_sum_like", [data, m.need(shape, data.dtype)], shape, data.dtype, -peak, peak, exact)


def reshape_like(m):
    if data := ranked(m):
        shape = (data.size,)
        m.move("reshape_like", data, shape, m.need(shape, data.dtype))


def one_hot(m):
    data = m.pick(("int32",))
    depth = 2 + m.random.below(3)
    if data.rank < 4 and data.size * depth <= LIMIT:
        dtype = m.random.choose(("float32", "int32", "bool", "int8"))
        on, off = m.scalar(1, dtype), m.scalar(0, dtype)
        m.call("one_hot", [data, on, off], data.shape + (depth,), dtype, 0, 1, True, depth=depth, axis=-1, dtype=dtype)


def sequence_mask(m):
    data = ranked(m, ("float32", "float64", "int32"), least=2)
    if data:
        lengths = m.need((data.shape[1],), "int32", 0, data.shape[0])
        m.move("sequence_mask", data, data.shape, lengths, low=0, high=0)


def advanced_index(m):
    data = ranked(m, NUMBERS)
    if data:
        index = m.need((3,), "int64", 0, data.shape[0] - 1, True)
        if 3 * prod(data.shape[1:]) <= LIMIT:
            m.call("adv_index", [m.tuple(data, index)], (3,) + data.shape[1:], data.dtype, data.low, data.high,
                   data.exact)


def sort(m):
    data = ranked(m, ("float32", "float64", "int32", "int64"))
    if data:
        m.move("sort", data, data.shape, axis=axis_of(m, data), is_ascend=m.random.chance(1, 2))


def argsort(m):
    data = ranked(m, ("float32", "int32"), exact=True)
    if data:
        axis = axis_of(m, data)
        m.call("argsort", [data], data.shape, "int32", 0, data.shape[axis] - 1, axis=axis, dtype="int32")


def topk(m):
    data = ranked(m, ("float32", "int32"), exact=True)
    if data:
        count = 1 + m.random.below(data.shape[-1])
        shape = data.shape[:-1] + (count,)
        type = Tuple((Tensor(shape, data.dtype), Tensor(shape, "int32")))
        m.fields(m.raw("topk", [data], type, k=count, dtype="int32"),
                 [(shape, data.low, data.high, True), (shape, 0, data.shape[-1] - 1, True)])


def searchsorted(m):
    values = m.pick(("float32", "int32"), exact=True, where=lambda operand: operand.rank)
    if not values:
        return
    count = 4
    sequence = m.constant((count,), values.dtype, list(range(count)))
    m.call("searchsorted", [sequence, values], values.shape, "int32", 0, count, dtype="int32")


def meshgrid(m):
    first = m.need((2,), "float32")
    second = m.need((3,), "float32")
    shape = (2, 3)
    type = Tuple((Tensor(shape, "float32"),) * 2)
    m.fields(m.raw("meshgrid", [m.tuple(first, second)], type, indexing="ij"),
             [(shape, part.low, part.high, part.exact) for part in (first, second)])


def layout_transform(m):
    data = ranked(m, least=4, most=4)
    if data:
        n, c, h, w = data.shape
        if c % 2 == 0 and m.random.chance(1, 2):
            m.move("layout_transform", data, (n, c // 2, h, w, 2), src_layout="NCHW", dst_layout="NCHW2c")
        else:
            m.move("layout_transform", data, (n, h, w, c), src_layout="NCHW", dst_layout="NHWC")


def diagonal(m):
    data = ranked(m, NUMBERS, least=2, most=3)
    if not data:
        return
    if m.random.chance(1, 2):
        m.move("trilu", data, data.shape, m.scalar(0, "int32"), low=0, high=0, upper=m.random.chance(1, 2))
    else:
        value = m.need(data.shape[:-2] + (min(data.shape[-2:]),), data.dtype)
        m.move("matrix_set_diag", data, data.shape, value, low=value.low, high=value.high)


def unravel(m):
    shape = (2 + m.random.below(3), 3)
    indices = m.need((4,), "int32", 0, prod(shape) - 1)
    m.call("unravel_index", [indices, m.constant((2,), "int32", list(shape))], (2, 4), "int32", 0, max(shape) - 1)


def invert(m):
    count = 2 + m.random.below(4)
    turn = m.random.below(count)
    permutation = m.constant((count,), "int32", [(index + turn) % count for index in range(count)])
    m.call("invert_permutation", [permutation], (count,), "int32", 0, count - 1)


def einsum(m):
    data = ranked(m, ("float32", "float64"), least=2, most=2)
    if data:
        other = m.need((data.shape[1], 2), data.dtype)
        peak = data.peak * other.peak * data.shape[1]
        m.call("einsum", [m.tuple(data, other)], (data.shape[0], 2), data.dtype, -peak, peak, equation="ij,jk->ik")


def window(m):
    data = ranked(m, least=2, most=3)
    if data and data.shape[-1] > 1:
        size = data.shape[-1] - 1
        shape = data.shape[:-1] + (2, size)
        if prod(shape) <= LIMIT:
            m.move("sliding_window", data, shape, axis=data.rank - 1, window_shape=[size], strides=[1])


def shape_of(m):
    data = m.pick(dynamic=True)
    if data.rank:
        m.call("shape_of", [data], (data.rank,), "int32", 0, 1 << 20, dtype="int32")


def count_elements(m):
    m.call("ndarray_size", [m.pick(dynamic=True)], (), "int32", 0, 1 << 20, dtype="int32")


OPERATORS = (reshape, reshape, flatten, transpose, transpose, expand_dims, squeeze, concatenate, stack, split, repeat,
             reverse, reverse_sequence, strided_slice, strided_slice, strided_set, slice_like, take, take, gather,
             gather_nd, scatter, scatter_nd, make, make, arange, broadcast, broadcast, collapse, reshape_like, one_hot,
             sequence_mask, advanced_index, sort, argsort, topk, searchsorted, meshgrid, layout_transform, diagonal,
             unravel, invert, einsum, window, shape_of, count_elements)
