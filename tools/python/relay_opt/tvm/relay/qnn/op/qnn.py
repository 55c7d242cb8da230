# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.qnn.op.qnn: operators on quantized tensors."""

from __future__ import annotations

from ...op.declare import Any, Call, const, Expr, make_call, operator, public_functions, Tuple, TupleWrapper
from ...op.transform import reshape
from ...op.nn.utils import get_pad_tuple2d


@operator("qnn.abs", 5)
def abs(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes absolute value."""


@operator("qnn.add", 8)
def add(
    lhs: Expr,
    rhs: Expr,
    lhs_scale: Expr,
    lhs_zero_point: Expr,
    rhs_scale: Expr,
    rhs_zero_point: Expr,
    output_scale: Expr,
    output_zero_point: Expr,
    lhs_axis: int = -1,
    rhs_axis: int = -1,
) -> Call:
    """Computes lhs + rhs."""


@operator("qnn.avg_pool2d", 5)
def avg_pool2d(
    data: Expr,
    input_scale: Expr,
    input_zero_point: Expr,
    output_scale: Expr,
    output_zero_point: Expr,
    pool_size: Any,
    strides: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    layout: str = "NHWC",
    out_layout: str = "",
) -> Call:
    """Computes mean of windows."""


@operator("qnn.batch_matmul", 6, fixed={"transpose_b": True})
def batch_matmul(
    x: Expr, y: Expr, x_zero_point: Expr, y_zero_point: Expr, x_scale: Expr, y_scale: Expr, out_dtype: Any = "int32"
) -> Call:
    """Computes products of matrices, a pair an entry of the batch."""


@operator("qnn.contrib_dense_pack", 6, rename={"kernel_layout": "weight_layout"})
def contrib_dense_pack(
    data: Expr,
    weight: Expr,
    input_zero_point: Expr,
    kernel_zero_point: Expr,
    input_scale: Expr,
    kernel_scale: Expr,
    kernel_layout: str = "NC",
    units: Any = None,
    out_dtype: Any = "int32",
) -> Call:
    """Computes qnn.dense of a weight in blocks: [N / n, C / c, n, c]."""


@operator("qnn.conv2d", 6, padding=get_pad_tuple2d)
def conv2d(
    data: Expr,
    kernel: Expr,
    input_zero_point: Expr,
    kernel_zero_point: Expr,
    input_scale: Expr,
    kernel_scale: Expr,
    kernel_size: Any,
    channels: Any,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: Any = "int32",
) -> Call:
    """Computes convolution in two dimensions."""


@operator("qnn.conv2d_transpose", 6, padding=get_pad_tuple2d)
def conv2d_transpose(
    data: Expr,
    weight: Expr,
    input_zero_point: Expr,
    kernel_zero_point: Expr,
    input_scale: Expr,
    kernel_scale: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "IOHW",
    out_layout: str = "",
    output_padding: Any = (0, 0),
    out_dtype: Any = "int32",
) -> Call:
    """Computes transposed convolution in two dimensions."""


@operator("qnn.dense", 6)
def dense(
    data: Expr,
    weight: Expr,
    input_zero_point: Expr,
    kernel_zero_point: Expr,
    input_scale: Expr,
    kernel_scale: Expr,
    units: Any,
    out_dtype: Any = "int32",
) -> Call:
    """Computes data * transpose(weight)."""


@operator("qnn.dequantize", 3)
def dequantize(
    data: Expr, input_scale: Expr, input_zero_point: Expr, axis: int = -1, out_dtype: Any = "float32"
) -> Call:
    """Computes input_scale * (data - input_zero_point)."""


@operator("qnn.erf", 5)
def erf(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes error function."""


@operator("qnn.exp", 5)
def exp(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes e to the power of data."""


@operator("qnn.hardswish", 5)
def hardswish(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes data * clip(data + 3, 0, 6) / 6."""


@operator("qnn.leaky_relu", "x input_scale input_zero_point output_scale output_zero_point")
def leaky_relu(
    x: Expr, alpha: Any, input_scale: Expr, input_zero_point: Expr, output_scale: Expr, output_zero_point: Expr
) -> Call:
    """Computes data, times alpha where negative."""


@operator("qnn.log", 5)
def log(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes natural logarithm."""


@operator("qnn.mul", 8)
def mul(
    lhs: Expr,
    rhs: Expr,
    lhs_scale: Expr,
    lhs_zero_point: Expr,
    rhs_scale: Expr,
    rhs_zero_point: Expr,
    output_scale: Expr,
    output_zero_point: Expr,
    lhs_axis: int = -1,
    rhs_axis: int = -1,
) -> Call:
    """Computes lhs * rhs."""


@operator("qnn.quantize", 3)
def quantize(data: Expr, output_scale: Expr, output_zero_point: Expr, axis: int = -1, out_dtype: Any = "int8") -> Call:
    """Computes data / output_scale + output_zero_point, rounded and cut to out_dtype."""


@operator("qnn.requantize", 5)
def requantize(
    data: Expr,
    input_scale: Expr,
    input_zero_point: Expr,
    output_scale: Expr,
    output_zero_point: Expr,
    axis: int = -1,
    rounding: str = "None",
    compute_dtype: Any = "None",
    out_dtype: Any = "int8",
) -> Call:
    """Computes data of one scale and zero point in another."""


@operator("qnn.rsqrt", 5)
def rsqrt(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes 1 / sqrt(data)."""


@operator("qnn.sigmoid", 5)
def sigmoid(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes 1 / (1 + exp(-data))."""


@operator("qnn.softmax", 5)
def softmax(
    x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr, axis: int = -1
) -> Call:
    """Computes nn.softmax of int8."""


@operator("qnn.sqrt", 5)
def sqrt(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes square root."""


@operator("qnn.subtract", 8)
def subtract(
    lhs: Expr,
    rhs: Expr,
    lhs_scale: Expr,
    lhs_zero_point: Expr,
    rhs_scale: Expr,
    rhs_zero_point: Expr,
    output_scale: Expr,
    output_zero_point: Expr,
    lhs_axis: int = -1,
    rhs_axis: int = -1,
) -> Call:
    """Computes lhs - rhs."""


@operator("qnn.tanh", 5)
def tanh(x: Expr, scale: Expr, zero_point: Expr, output_scale: Expr, output_zero_point: Expr) -> Call:
    """Computes hyperbolic tangent."""


SQNN_DTYPE_TO_CODE = {"disable": 0, "int8": 1, "uint8": 2, "int32": 3}


def _fields(value: Any) -> Expr:
    if isinstance(value, TupleWrapper):
        return value.tuple_value
    return Tuple(list(value)) if isinstance(value, (list, tuple)) else value


def concatenate(
    data: Any, input_scales: Any, input_zero_points: Any, output_scale: Expr, output_zero_point: Expr, axis: int
) -> Call:
    """Concatenates quantized tensors along an axis, each with its scale and zero point."""
    if not isinstance(axis, int):
        raise ValueError("For now, we only support integer axis")
    operands = (_fields(data), _fields(input_scales), _fields(input_zero_points), output_scale, output_zero_point)
    return make_call("qnn.concatenate", operands, {"axis": axis})


def _simulated(
    name: str, data: Expr, dtype: Any, scale: Expr, zero_point: Expr, attributes: dict[str, Any]
) -> Call:
    if isinstance(dtype, str):
        dtype = const(SQNN_DTYPE_TO_CODE[dtype], dtype="int32")
    operands = (data, dtype, reshape(scale, [-1]), reshape(zero_point, [-1]))
    return make_call(name, operands, attributes)


def simulated_quantize(
    data: Expr, output_scale: Expr, output_zero_point: Expr, axis: int = -1, out_dtype: Any = "int8"
) -> Call:
    """Quantizes in floating point, to a type that may be an expression."""
    return _simulated("qnn.simulated_quantize", data, out_dtype, output_scale, output_zero_point, {"axis": axis})


def simulated_dequantize(
    data: Expr, input_scale: Expr, input_zero_point: Expr, axis: int = -1, in_dtype: Any = "int8"
) -> Call:
    """Dequantizes what `simulated_quantize` has quantized."""
    attributes = {"out_dtype": "", "axis": axis}
    return _simulated("qnn.simulated_dequantize", data, in_dtype, input_scale, input_zero_point, attributes)


__all__ = public_functions(globals())
