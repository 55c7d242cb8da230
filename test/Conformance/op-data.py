"""Data for op-values.py's operands that must fit the other operands: rows of sparse matrices, permutations, shapes,
boxes. OPERANDS is the table; operands that it lacks get numbers of their data type, or small ones.
"""
import re

import numpy as np


class Undefined(Exception):
    """No data of the operand's type has a defined result in the reference; the call is skipped."""


class Operand:
    """An operand with its data: `sizes` has the shapes of the call's operands by name, fields of a tuple in order."""

    def __init__(self, rng, shape, dtype, sizes, attrs, field):
        self.rng, self.shape, self.dtype, self.sizes, self.attrs, self.field = rng, shape, dtype, sizes, attrs, field

    def integers(self, low, high):
        """From low to high, inclusive."""
        return self.rng.integers(low, max(high, low), self.shape, endpoint=True)

    def uniform(self, low, high):
        return self.rng.uniform(low, high, self.shape)

    def first(self, name):
        return self.sizes[name][0]

    def fill(self, values):
        """The values in order, repeated."""
        return np.resize(np.asarray(values), self.shape) if len(values) else np.zeros(self.shape)

    def least_size(self, name="data"):
        return min(self.first(name), default=1)


# ---- integers -----------------------------------------------------------------------------------------------------------

def divisors(o):
    if o.dtype.startswith(("float", "bool")):
        return None
    values = o.integers(1, 7)
    return values if o.dtype.startswith("u") else np.where(o.rng.random(o.shape) < 0.5, -values, values)


def shifts(o):
    return o.integers(0, int(re.search(r"\d+$", o.dtype)[0]) - 1) if "int" in o.dtype else None


def multiplied(o):
    """For powers of two, TVM adds half in int32, which wraps around for large numbers, and shifts by 0 to 31 bits."""
    multiplier, shift = int(o.attrs["multiplier"]), int(o.attrs["shift"])
    if multiplier > 0 and multiplier & (multiplier - 1) == 0:
        bits = 32 - multiplier.bit_length() - shift
        if bits == 0 or bits > 31:
            raise Undefined(f"a shift by {bits} bits")
    return o.integers(-2**20, 2**20) if o.dtype == "int32" else None


def places(name):
    """Positions on any axis of an operand."""
    return lambda o: o.integers(0, o.least_size(name) - 1)


def places_on_each_axis(o):
    """[m, ...]: row i has positions on axis i of the data."""
    sizes = o.first("data")[int(o.attrs.get("batch_dims", 0)):][:o.shape[0]] if o.shape else []
    return np.stack([o.rng.integers(0, max(size, 1), o.shape[1:]) for size in sizes]) if len(sizes) == (o.shape or [0])[0] and sizes else o.integers(0, 0)


def permutation(o):
    """TVM writes only the first elements of a result of rank 2."""
    if len(o.shape) != 1:
        raise Undefined("not a vector")
    return o.rng.permutation(o.shape[0])


def broadcast_shape(o):
    sizes = [1 if o.rng.random() < 0.5 else 2] * (o.shape[0] - len(o.first("data"))) + [s if s != 1 else int(o.rng.integers(1, 4)) for s in o.first("data")]
    return o.fill(sizes)


def new_shape(o):
    count = int(np.prod(o.first("data")))
    if o.shape == [0] and count != 1:
        raise Undefined(f"{count} elements in a scalar")
    factor = int(o.rng.choice([f for f in range(1, count + 1) if count % f == 0] or [1]))
    return o.fill([factor, -1] + [1] * max(o.shape[0] - 2, 0)) if o.shape[0] > 1 else o.fill([-1])


def axes_of_one(o):
    """Different axes of size 1: TVM drops elements of others, and of axes that are named twice."""
    axes, count = [i for i, size in enumerate(o.first("data")) if size == 1], int(np.prod(o.shape))
    if count > len(axes):
        raise Undefined(f"{len(axes)} axes of size 1 for {count}")
    return o.rng.permutation(np.asarray(axes, "int64"))[:count].reshape(o.shape)


def sequence_lengths(o):
    """TVM reads before the data for longer sequences."""
    shape, axis = o.first("data"), int(o.attrs.get("seq_axis", "1"))
    return o.integers(0, min(2, shape[axis]) if -len(shape) <= axis < len(shape) else 0)


def count_on_axis(o):
    """At most as many as the axis has: TVM's dyn.topk reads after the data."""
    size = o.first("data")[int(o.attrs.get("axis", "-1"))]
    if not size:
        raise Undefined("an axis without elements")
    return o.integers(1, min(3, size))


def slice_part(part):
    """`begin`, `end` or `strides` of dyn.strided_slice. With sizes as ends, TVM reads after the data if they exceed
    it, or with strides."""
    def make(o):
        has_sizes = o.attrs.get("slice_mode", '"end"') != '"end"'
        if part == "strides":
            return o.integers(1, 1 if has_sizes else 2)
        sizes = np.resize(o.first("data"), o.shape) if o.first("data") else np.zeros(o.shape)
        if part == "begin":
            return np.minimum(o.integers(0, 1), np.maximum(sizes - 1, 0))
        return np.minimum(o.integers(1, 3), np.maximum(sizes - 1, np.minimum(sizes, 1))) if has_sizes else o.integers(2, 4)
    return make


# ---- sparse matrices ----------------------------------------------------------------------------------------------------

def row_starts(data):
    """[rows + 1]: ascending from 0 to the number of elements, or blocks."""
    def make(o):
        count = o.first(data)[0]
        inner = np.sort(o.rng.integers(0, count + 1, max(o.shape[0] - 2, 0)))
        return np.concatenate([[0], inner, [count]])[:o.shape[0]]
    return make


def columns(dense, axis, block=None):
    """Columns of a sparse matrix that is as wide as an axis of the dense operand, all different, even between rows."""
    def make(o):
        wide = o.first(dense)[axis(o) if callable(axis) else axis]
        wide //= o.first(block)[2] if block and len(o.first(block)) == 3 else 1
        if o.shape[0] <= wide:
            return np.sort(o.rng.permutation(wide)[:o.shape[0]])
        return o.integers(0, wide - 1)
    return make


def channel_axis(o):
    return -1 if o.attrs.get("layout", '"NHWC"') == '"NHWC"' else 1


def sorted_places(limit):
    """[elements, axes] or [elements]: positions in a tensor whose axes have `limit` elements, sorted and unique."""
    def make(o):
        axes = o.shape[1] if len(o.shape) == 2 else 1
        count = o.shape[0] if o.shape else 1
        flat = np.sort(o.rng.choice(limit ** axes, min(count, limit ** axes), replace=False))
        flat = np.resize(flat, count)
        digits = np.stack([flat // limit ** (axes - 1 - i) % limit for i in range(axes)], axis=1)
        return digits.reshape(o.shape)
    return make


def exact_in_float32(o):
    """Integers that float32 represents, in which TVM interpolates int32."""
    return o.integers(-9 if o.dtype.startswith("i") else 0, 99) if re.fullmatch(r"u?int(32|64)", o.dtype) else None


# ---- windows ------------------------------------------------------------------------------------------------------------

def numbers(o, name, default):
    return [int(number) for number in re.findall(r"-?\d+", o.attrs.get(name, default))]


def pooled_sizes(o):
    """The height and width of the result of the pool, by axis."""
    pool, strides, dilation = (numbers(o, name, "[1, 1]") * 2 for name in ("pool_size", "strides", "dilation"))
    padding = numbers(o, "padding", "[0, 0]")
    padding = padding * 4 if len(padding) == 1 else padding * 2 if len(padding) == 2 else padding
    letters = [c for c in o.attrs.get("layout", '"NCHW"') if c.isalpha()]
    sizes = {}
    for i, axis in enumerate(map(letters.index, "HW")):
        room = o.first("data")[axis] + padding[i] + padding[i + 2] - dilation[i] * (pool[i] - 1) - 1
        sizes[axis] = (-(-room // strides[i]) if o.attrs.get("ceil_mode") == "True" else room // strides[i]) + 1
    return sizes


def gradient_of_pool(o):
    """TVM reads outside of a gradient that is smaller than the result of the pool, and ignores parts of a larger one."""
    for axis, size in pooled_sizes(o).items():
        if axis >= len(o.shape) or o.shape[axis] != size:
            raise Undefined(f"the pool's result has {size} elements on axis {axis}")


def data_of_max_pool(o):
    """Whether NaN before padding, or in a dilated window, is the maximum depends on TVM's layout and size of windows."""
    is_plain = not any(numbers(o, "padding", "[0]")) and set(numbers(o, "dilation", "[1]")) <= {1}
    return None if is_plain and o.attrs.get("ceil_mode") != "True" else comparable(o)


# ---- floats -------------------------------------------------------------------------------------------------------------

def ascending(o):
    values = o.integers(-9, 9) if "int" in o.dtype and not o.dtype.startswith("u") else o.integers(0, 19) if "int" in o.dtype else o.rng.standard_normal(o.shape) * 2
    return np.sort(values)


def comparable(o):
    """Without NaN, which makes the order undefined."""
    if not o.dtype.startswith("float"):
        return None
    values = o.rng.standard_normal(o.shape)
    return np.where(o.rng.random(o.shape) < 0.1, o.rng.choice([np.inf, -np.inf, 0.0], o.shape), values)


def finite(o):
    """TVM multiplies NaN and infinities by zeros of the matrices only if it does not unroll the loops."""
    return o.rng.standard_normal(o.shape) * 2 if o.dtype.startswith("float") else None


def image_of_regions(o):
    """In TVM, samples outside of the image, or at its border in NHWC, have other products of NaN and infinities."""
    return finite(o) if o.attrs.get("mode") == '"max"' or o.attrs.get("layout") == '"NHWC"' else None


def unit(o):
    return o.uniform(0.05, 0.95)


def moderate(o):
    return o.rng.standard_normal(o.shape)


def boxes(lead, most=1.0):
    """[..., lead + 4]: an id and a score precede a box; the corners are in order."""
    def make(o):
        values = o.uniform(0, 1)
        if o.shape[-1] >= lead + 4:
            low, size = o.rng.uniform(0, 0.6 * most, o.shape[:-1] + [2]), o.rng.uniform(0.1 * most, 0.4 * most, o.shape[:-1] + [2])
            values[..., lead:lead + 2], values[..., lead + 2:lead + 4] = low, low + size
        if lead == 2:
            values[..., 0] = o.rng.integers(0, 2, o.shape[:-1])
        return values
    return make


def boxes_of_suppression(o):
    return boxes(int(o.attrs.get("coord_start", 2)))(o)


def regions(o):
    """[n, 5]: a batch, and the corners of a box."""
    result = boxes(1, 14.0)(o)
    if o.shape[-1:] == [5]:
        result[..., 0] = o.rng.integers(0, max(o.first("data")[0], 1), o.shape[:-1])
    return result


OPERANDS = [(re.compile(operators), re.compile(names), make) for operators, names, make in (
    ("divide|floor_divide|trunc_divide|mod|floor_mod|trunc_mod", "rhs", divisors),
    ("left_shift|right_shift", "rhs", shifts),
    ("fixed_point_multiply", "data", multiplied),
    ("adv_index", "inputs", lambda o: o.integers(0, o.first("inputs")[o.field - 1] - 1 if o.field <= len(o.first("inputs")) else 0) if o.field else None),
    ("arange", "start", lambda o: o.integers(0, 2)),
    ("arange", "end", lambda o: o.integers(3, 9)),
    ("arange", "step", lambda o: o.integers(1, 2)),
    ("dyn.broadcast_to", "shape", broadcast_shape),
    ("dyn.reshape", "newshape", new_shape),
    ("dyn.squeeze", "axes|axis", axes_of_one),
    ("dyn.image.resize2d", "size", lambda o: o.integers(1, 9)),
    ("dyn.image.resize2d", "roi", lambda o: o.fill([0.1, 0.0, 0.9, 0.8])),
    ("(dyn.)?nn.upsampling(3d)?", "data", exact_in_float32),
    ("nn.(avg|max)_pool2d_grad", "grad", gradient_of_pool),
    ("nn.max_pool[123]d", "data", data_of_max_pool),
    ("dyn.nn.upsampling(3d)?", "scale_.", lambda o: o.integers(1, 3)),
    ("dyn.one_hot", "depth", lambda o: o.integers(1, 4)),
    ("(dyn.)?(full|ones|zeros|tile)", "shape|reps", lambda o: o.integers(1, 3)),
    ("(dyn.)?topk", "k", count_on_axis),
    ("(dyn.)?topk|sort|argsort", "data", comparable),
    ("reverse_sequence", "seq_lengths", sequence_lengths),
    ("dyn.strided_slice", "begin", slice_part("begin")),
    ("dyn.strided_slice", "end", slice_part("end")),
    ("dyn.strided_slice", "strides", slice_part("strides")),
    ("strided_set", "begin", lambda o: o.integers(0, 0)),
    ("strided_set", "end", lambda o: o.integers(1, 1)),
    ("strided_set", "strides", lambda o: o.integers(1, 2)),
    ("invert_permutation", "data", permutation),
    ("gather|take|scatter_elements", "indices", places("data")),
    ("gather_nd|scatter_nd", "indices", places_on_each_axis),
    ("unravel_index", "shape", lambda o: o.integers(2, 4)),
    ("unravel_index", "data|indices", lambda o: o.integers(0, 3)),
    ("searchsorted", "sorted_sequence", ascending),
    ("trilu", "k", lambda o: o.integers(-2 if o.dtype.startswith("i") else 0, 2)),
    ("(dyn.)?sparse_to_dense", "sparse_indices", sorted_places(3)),
    ("dyn.sparse_to_dense", "output_shape", lambda o: o.integers(3, 4)),
    ("sparse_fill_empty_rows", "sparse_indices", sorted_places(4)),
    ("sparse_fill_empty_rows", "dense_shape", lambda o: o.integers(4, 6)),
    ("sparse_reshape", "sparse_indices", sorted_places(2)),
    ("sparse_reshape", "prev_shape", lambda o: o.integers(0, 0) + 2 + 2 * (np.arange(o.shape[0]) == 0) if o.shape else o.integers(4, 4)),
    ("sparse_reshape", "new_shape", lambda o: o.fill([2, -1] + [1] * max(o.shape[0] - 2, 0)) if o.shape and o.shape[0] > 1 else o.fill([-1])),
    ("nn.sparse_add|nn.sparse_dense|nn.sparse_conv2d", ".*indptr", row_starts("sparse_data")),
    ("nn.internal.sparse_dense_padded", ".*indptr", row_starts("weight_data")),
    ("nn.internal.sparse_dense_padded", ".*indices", columns("data", -1, "weight_data")),
    ("nn.sparse_transpose", ".*indptr", row_starts("sparse_data")),
    ("nn.sparse_transpose", ".*indices", lambda o: o.integers(0, o.first("sparse_indptr")[0] - 2)),
    ("nn.sparse_add", ".*indices", columns("dense_data", -1)),
    ("nn.sparse_dense", ".*indices", columns("dense_data", lambda o: 0 if o.attrs.get("sparse_lhs") == "True" else -1, "sparse_data")),
    ("nn.sparse_conv2d", ".*indices", columns("dense_data", channel_axis, "sparse_data")),
    (r"nn.contrib_conv\dd_winograd_weight_transform", "weight", finite),
    ("nn.nll_loss", "targets", lambda o: o.integers(0, o.first("weights")[0] - 1)),
    ("nn.cross_entropy", "x|predictions", unit),
    ("nn.deformable_conv2d", "offset", moderate),
    ("image.crop_and_resize", "boxes", lambda o: np.sort(o.uniform(0, 1)) if o.shape[-1:] == [4] else o.uniform(0, 1)),
    ("image.crop_and_resize", "box_indices", lambda o: o.integers(0, o.first("data")[0] - 1)),
    ("vision.roi_.*", "rois", regions),
    ("vision.roi_align", "data", image_of_regions),
    ("vision.non_max_suppression", "data", boxes_of_suppression),
    ("vision.non_max_suppression", "valid_count", lambda o: o.integers(1, o.first("data")[1])),
    ("vision.non_max_suppression", "indices", lambda o: np.broadcast_to(np.arange(o.shape[-1] if o.shape else 1), o.shape)),
    ("vision.*", "iou_threshold", lambda o: o.uniform(0.2, 0.6)),
    ("vision.*", "score_threshold", lambda o: o.uniform(0.1, 0.4)),
    ("vision.*", "max_output_.*", lambda o: o.integers(1, 5)),
    ("vision.get_valid_counts", "data", unit),
    ("vision.(all_class|regular).*", "boxes", boxes(0)),
    ("vision.(all_class|regular).*", "scores", unit),
    ("vision.multibox_transform_loc", "cls_prob", unit),
    ("vision.multibox_transform_loc", "anchor", boxes(0)),
    ("vision.multibox_transform_loc", "loc_pred", moderate),
    ("vision.proposal", "cls_prob", unit),
    ("vision.proposal", "bbox_pred", lambda o: 0.2 * moderate(o)),
    ("vision.proposal", "im_info", lambda o: o.fill([64, 80, 1])),
    ("qnn.simulated_quantize", "out_dtype", lambda o: o.rng.choice([0, 1, 2, 3], o.shape)),
    ("qnn.simulated_dequantize", "in_dtype", lambda o: o.rng.choice([0, 1, 2, 3], o.shape)),
    ("qnn.conv2d.*", "input_zero_point", lambda o: o.integers(0, 9)),
    ("qnn.*", ".*scales?", lambda o: o.uniform(0.02, 0.9)),
    ("qnn.*", ".*zero_points?", lambda o: o.integers(-9 if o.dtype.startswith("i") else 0, 9)),
    ("image.affine_grid|vision.multibox_prior", "data", moderate),
)]


def make(op, name, operand):
    """The data, or None if the type is sufficient."""
    for operators, names, maker in OPERANDS:
        if operators.fullmatch(op) and names.fullmatch(name):
            data = maker(operand)
            return None if data is None else np.asarray(data).astype(operand.dtype)
    return None
