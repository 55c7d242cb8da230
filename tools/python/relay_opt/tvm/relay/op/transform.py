# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.transform: operators that move elements."""

from __future__ import annotations

from .declare import (
    Any,
    Call,
    const,
    Constant,
    constant_list,
    Expr,
    int_list,
    make_call,
    operator,
    public_functions,
    Tuple,
    tuple_of,
    TupleWrapper,
)
from .reduce import max as _max
from .tensor import add, concatenate, greater_equal, less, ones, shape_of, zeros


@operator("argwhere", 1)
def argwhere(condition: Expr) -> Call:
    """Computes indices where condition is true, one per row."""


@operator("broadcast_to_like", 2)
def broadcast_to_like(data: Expr, broadcast_type: Expr) -> Call:
    """Computes data broadcast to the shape of broadcast_type."""


@operator("cast", 1)
def cast(data: Expr, dtype: Any) -> Call:
    """Converts to a data type."""


@operator("cast_like", 2)
def cast_like(data: Expr, dtype_like: Any) -> Call:
    """Converts to the data type of dtype_like."""


@operator("collapse_sum_like", 2)
def collapse_sum_like(data: Expr, collapse_type: Expr) -> Call:
    """Computes sum to the shape of collapse_type, which broadcasts to that of data."""


@operator("cumprod", 1, exclusive=bool)
def cumprod(data: Expr, axis: Any = None, dtype: Any = None, exclusive: Any = None) -> Call:
    """Computes products of the elements up to each place."""


@operator("cumsum", 1, exclusive=bool)
def cumsum(data: Expr, axis: Any = None, dtype: Any = None, exclusive: Any = None) -> Call:
    """Computes sums of the elements up to each place."""


@operator("dft", 2, result=2)
def dft(re_data: Expr, im_data: Expr, inverse: bool = False) -> TupleWrapper:
    """Computes discrete Fourier transform along the last axis: (real part, imaginary part)."""


@operator("full_like", 2)
def full_like(data: Expr, fill_value: Expr) -> Call:
    """Computes fill_value everywhere in the shape of data."""


@operator("gather", "data indices")
def gather(data: Expr, axis: Any, indices: Expr) -> Call:
    """Computes elements at the place of the result, but with the index on axis."""


@operator("gather_nd", 2)
def gather_nd(data: Expr, indices: Expr, batch_dims: int = 0, index_rank: Any = None) -> Call:
    """Computes slices of data at the indices along the first axis of indices."""


@operator("invert_permutation", 1)
def invert_permutation(data: Expr) -> Call:
    """Computes inverse permutation of data."""


@operator("layout_transform", 1)
def layout_transform(data: Expr, src_layout: Any, dst_layout: Any) -> Call:
    """Converts from src_layout to dst_layout."""


@operator("reinterpret", 1)
def reinterpret(data: Expr, dtype: Any) -> Call:
    """Computes the bits of data reinterpreted as dtype."""


@operator("repeat", 1)
def repeat(data: Expr, repeats: Any, axis: Any) -> Call:
    """Computes each element repeats times along an axis."""


@operator("reshape_like", 2)
def reshape_like(
    data: Expr, shape_like: Expr, lhs_begin: int = 0, lhs_end: Any = None, rhs_begin: int = 0, rhs_end: Any = None
) -> Call:
    """Computes the elements of data in the shape, or a part of it, of shape_like."""


@operator("reverse", 1)
def reverse(data: Expr, axis: Any) -> Call:
    """Computes elements in reverse order along an axis."""


@operator("contrib_reverse_reshape", 1, newshape=int_list)
def reverse_reshape(data: Expr, newshape: Any) -> Call:
    """Computes reshape that matches the shape and newshape from right to left."""


@operator("reverse_sequence", 2)
def reverse_sequence(data: Expr, seq_lengths: Expr, seq_axis: int = 1, batch_axis: int = 0) -> Call:
    """Computes the first seq_lengths[i] elements of each sequence i reversed."""


@operator("scatter_elements", 3)
def scatter_elements(data: Expr, indices: Expr, updates: Expr, axis: int = 0, reduction: str = "update") -> Call:
    """Computes data with updates at the positions that gather reads."""


@operator("scatter_nd", 3)
def scatter_nd(data: Expr, indices: Expr, updates: Expr, mode: str = "update") -> Call:
    """Computes data with updates at the positions that gather_nd reads."""


@operator("sequence_mask", 2)
def sequence_mask(data: Expr, valid_length: Expr, mask_value: float = 0, axis: int = 0) -> Call:
    """Computes data with mask_value beyond the valid length of each sequence."""


@operator("slice_like", 2)
def slice_like(data: Expr, shape_like: Expr, axes: Any = None) -> Call:
    """Computes data cut to the extents of shape_like, on axes or on all."""


@operator("sliding_window", 1)
def sliding_window(data: Expr, axis: Any, window_shape: Any, strides: Any) -> Call:
    """Computes windows over the axes from axis on, as further axes."""


@operator("sparse_reshape", 3, result=2)
def sparse_reshape(sparse_indices: Expr, prev_shape: Expr, new_shape: Expr) -> TupleWrapper:
    """Computes indices of sparse values in another shape, and that shape."""


@operator("take", 2)
def take(data: Expr, indices: Expr, axis: Any = None, batch_dims: int = 0, mode: str = "clip") -> Call:
    """Takes elements at indices along an axis, or of the flattened tensor."""


@operator("transpose", 1)
def transpose(data: Expr, axes: Any = None) -> Call:
    """Permutes the axes, or reverses their order if axes is None."""


@operator("unravel_index", 2)
def unravel_index(indices: Expr, shape: Expr) -> Call:
    """Computes coordinates, one row per axis, of flat indices into a tensor of the given shape."""


@operator("where", 3)
def where(condition: Expr, x: Expr, y: Expr) -> Call:
    """Selects x where condition is true, else y."""


def adv_index(inputs: Any) -> Call:
    """Indexes a tensor, the first of inputs, by the others."""
    return make_call("adv_index", (Tuple(list(inputs)),), {})


def arange(start: Expr, stop: Any = None, step: Any = None, dtype: Any = "float32") -> Call:
    """Counts from start to stop by step; one argument is the stop."""
    if stop is None:
        start, stop = const(0, dtype=dtype), start
    if step is None:
        step = const(1, dtype=dtype)
    # TVM keeps the operands as attributes too.
    return make_call("arange", (start, stop, step), {"start": start, "stop": stop, "step": step, "dtype": dtype})


def broadcast_to(data: Expr, shape: Any) -> Call:
    """Broadcasts to a shape. A shape that is not constant makes it `dyn.broadcast_to`."""
    shape = int_list(constant_list(shape))
    if isinstance(shape, Expr):
        return make_call("dyn.broadcast_to", (data, shape), {"shape": None})
    return make_call("broadcast_to", (data,), {"shape": shape})


def collapse_sum_to(data: Expr, shape: Any) -> Call:
    """Sums over the axes that broadcasting from a shape has added or enlarged."""
    dimensions = shape
    if isinstance(shape, (list, tuple)):
        shape = const(list(shape), "int32")
    elif isinstance(shape, Constant):
        dimensions = constant_list(shape)
    else:
        dimensions = None
    return make_call("collapse_sum_to", (data, shape), {"shape": dimensions})


def expand_dims(data: Expr, axis: Any, num_newaxis: int = 1) -> Call:
    """Inserts axes of size 1. An expression as axis makes it `dyn.expand_dims`."""
    if isinstance(axis, int):
        return make_call("expand_dims", (data,), {"axis": axis, "num_newaxis": num_newaxis})
    if isinstance(axis, Expr):
        return make_call("dyn.expand_dims", (data, axis), {"num_newaxis": num_newaxis})
    raise ValueError(f"Unknown type for axis: {type(axis)}")


def full(fill_value: Expr, shape: Any = (), dtype: Any = "") -> Call:
    """Creates a tensor of one value. A shape that is not constant makes it `dyn.full`."""
    shape = int_list(constant_list(shape))
    if isinstance(shape, Expr):
        return make_call("dyn.full", (fill_value, shape), {"shape": None, "dtype": dtype})
    return make_call("full", (fill_value,), {"shape": shape, "dtype": dtype})


def matrix_set_diag(data: Expr, diagonal: Expr, k: Any = 0, align: str = "RIGHT_LEFT") -> Call:
    """Replaces diagonals of matrices: diagonal k, or those from k[0] to k[1]."""
    first, last = (k[0], k[-1]) if isinstance(k, (list, tuple)) else (k, k)
    above, _, below = align.partition("_")
    attributes = {
        "k1": first,
        "k2": last,
        "super_diag_right_align": above == "RIGHT",
        "sub_diag_right_align": below == "RIGHT",
    }
    return make_call("matrix_set_diag", (data, diagonal), attributes)


def meshgrid(data: Any, indexing: str = "ij") -> TupleWrapper:
    """Computes grids of coordinates of vectors, one for each."""
    data = list(data)
    return TupleWrapper(make_call("meshgrid", (Tuple(data),), {"indexing": indexing}), len(data))


def one_hot(indices: Expr, on_value: Expr, off_value: Expr, depth: Any, axis: int, dtype: Any) -> Call:
    """Computes vectors with one element set. A depth that is not constant makes it `dyn.one_hot`."""
    depth = constant_list(depth)
    if isinstance(depth, Expr):
        attributes = {"depth": 0, "axis": axis, "dtype": dtype}
        return make_call("dyn.one_hot", (indices, on_value, off_value, depth), attributes)
    return make_call("one_hot", (indices, on_value, off_value), {"depth": depth, "axis": axis, "dtype": dtype})


def reshape(data: Expr, newshape: Any, allowzero: bool = False) -> Call:
    """Reshapes a tensor. A shape that is not constant makes it `dyn.reshape`."""
    newshape = constant_list(newshape)
    if isinstance(newshape, Expr):
        return make_call("dyn.reshape", (data, newshape), {"newshape": (), "allowzero": allowzero})
    if isinstance(newshape, int):
        newshape = [newshape]
    return make_call("reshape", (data,), {"newshape": [int(i) for i in newshape], "allowzero": allowzero})


def segment_sum(data: Expr, segment_ids: Expr, num_segments: Any = None) -> Call:
    """Sums the entries of data along the first axis whose segment is the same."""
    one = make_call("cast_like", (const([1]), segment_ids), {})
    if isinstance(num_segments, int):
        count: Expr = cast_like(const([num_segments]), segment_ids)
    elif num_segments is not None:
        count = cast_like(num_segments, segment_ids)
    else:
        count = add(reshape(_max(segment_ids, [0]), -1), one)
    entry = cast_like(strided_slice(shape_of(data), [1], [-1], slice_mode="size"), count)
    sums = zeros(concatenate([count, entry], 0), "float64")
    ids = tile(segment_ids, concatenate([reverse(entry, 0), one], 0))
    return scatter_elements(cast_like(sums, data), transpose(ids), data, 0, "add")


def sparse_fill_empty_rows(
    sparse_indices: Expr, sparse_values: Expr, dense_shape: Expr, default_value: Expr
) -> Tuple:
    """Computes sparse values with a default in each empty row, and the mask of empty rows."""
    operands = (sparse_indices, sparse_values, dense_shape, default_value)
    new = TupleWrapper(make_call("sparse_fill_empty_rows", operands, {}), 3)
    fields = [cast_like(new[0], sparse_indices), cast_like(new[1], sparse_values), cast(new[2], "bool")]
    return Tuple(fields)


def sparse_to_dense(
    sparse_indices: Expr, output_shape: Any, sparse_values: Expr, default_value: Any = 0
) -> Call:
    """Creates a tensor of values at indices. A shape that is an expression makes it `dyn.sparse_to_dense`."""
    if default_value == 0 and not isinstance(default_value, Expr):
        default_value = const(0)
    operands = (sparse_indices, sparse_values, default_value)
    if isinstance(output_shape, Expr):
        return make_call("dyn.sparse_to_dense", (*operands, output_shape), {})
    return make_call("sparse_to_dense", operands, {"output_shape": output_shape})


def split(data: Expr, indices_or_sections: Any, axis: int = 0) -> TupleWrapper:
    """Splits into equal parts, by their number, or at indices."""
    size = indices_or_sections if isinstance(indices_or_sections, int) else len(indices_or_sections) + 1
    call = make_call("split", (data,), {"indices_or_sections": indices_or_sections, "axis": axis})
    return TupleWrapper(call, size)


def squeeze(data: Expr, axis: Any = None) -> Call:
    """Removes axes of size 1: all, or those of axis. An expression as axis makes it `dyn.squeeze`."""
    axis = constant_list(axis)
    if isinstance(axis, Expr):
        return make_call("dyn.squeeze", (data, axis), {"axis": ()})
    if isinstance(axis, int):
        axis = [axis]
    return make_call("squeeze", (data,), {"axis": None if axis is None else [int(i) for i in axis]})


def stft(
    data: Expr,
    n_fft: int,
    hop_length: Any = None,
    win_length: Any = None,
    window: Any = None,
    normalized: bool = False,
    onesided: bool = True,
) -> Call:
    """Computes Fourier transforms of windows of a signal: [.., frequency, window, 2]."""
    attributes = {
        "n_fft": n_fft,
        "hop_length": n_fft // 4 if hop_length is None else hop_length,
        "win_length": n_fft if win_length is None else win_length,
        "normalized": normalized,
        "onesided": onesided,
    }
    if window is None:
        window = ones([n_fft], "int32")
    return make_call("stft", (data, window), attributes)


def strided_set(data: Expr, v: Expr, begin: Any, end: Any, strides: Any = None) -> Call:
    """Replaces a part of a tensor by v."""
    if strides is None:
        strides = const([1], "int32")
    bounds = [const(list(b)) if isinstance(b, (list, tuple)) else b for b in (begin, end, strides)]
    return make_call("strided_set", (data, v, *bounds), {})


def _slice_start(data: Expr, begin: Expr) -> Expr:
    """Returns the start of a slice as an index from 0 that is not beyond the end."""
    sizes = slice_like(cast_like(shape_of(data), begin), begin)
    is_negative = less(begin, cast_like(const(0), begin))
    start = where(is_negative, add(begin, sizes), begin)
    return where(greater_equal(start, sizes), sizes, start)


def strided_slice(
    data: Expr, begin: Any, end: Any, strides: Any = None, axes: Any = None, slice_mode: str = "end"
) -> Call:
    """Takes a part of a tensor. A bound that is not constant makes it `dyn.strided_slice`."""
    strides = [1] if strides is None else strides
    bounds = [begin, end, strides]
    if all(isinstance(b, (Constant, list, tuple, type(None))) for b in bounds):
        begin, end, strides = [constant_list(b) for b in bounds]
        attributes = {"begin": begin, "end": end, "strides": strides, "slice_mode": slice_mode, "axes": axes}
        return make_call("strided_slice", (data,), attributes)
    if axes is not None:
        raise ValueError("Axes argument for dynamic parameter slicing is not supported yet.")
    begin, end, strides = [const(list(b)) if isinstance(b, (list, tuple)) else b for b in bounds]
    return make_call("dyn.strided_slice", (data, _slice_start(data, begin), end, strides), {"slice_mode": slice_mode})


def tile(data: Expr, reps: Any) -> Call:
    """Repeats the whole tensor reps times along each axis. An expression as reps makes it `dyn.tile`."""
    reps = constant_list(reps)
    if isinstance(reps, Expr):
        return make_call("dyn.tile", (data, reps), {"reps": ()})
    return make_call("tile", (data,), {"reps": reps})


def trilu(data: Expr, k: Any, upper: bool = True) -> Call:
    """Selects the upper or lower triangle of matrices, from diagonal k on."""
    if not isinstance(k, Expr):
        k = const(k, dtype="int32")
    return make_call("trilu", (data, k), {"upper": upper})


def unique(data: Expr, is_sorted: bool = True, return_counts: bool = False) -> TupleWrapper:
    """Computes unique elements: (elements, indices, inverse indices, number), and counts if asked for."""
    call = make_call("unique", (data,), {"sorted": is_sorted, "return_counts": return_counts})
    return TupleWrapper(call, 5 if return_counts else 4)


__all__ = public_functions(globals())
