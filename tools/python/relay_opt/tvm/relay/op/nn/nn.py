# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.nn.nn: neural network operators."""

from __future__ import annotations

from ..declare import (
    Any,
    Call,
    const,
    constant_list,
    Expr,
    listed,
    make_call,
    operator,
    public_functions,
    TupleGetItem,
    TupleWrapper,
)
from .utils import get_pad_tuple1d, get_pad_tuple2d, get_pad_tuple3d


@operator("nn.adaptive_avg_pool1d", 1, output_size=listed(1))
def adaptive_avg_pool1d(data: Expr, output_size: Any = None, layout: str = "NCW", out_layout: str = "") -> Call:
    """Computes mean of windows that give output_size."""


@operator("nn.adaptive_avg_pool2d", 1)
def adaptive_avg_pool2d(data: Expr, output_size: Any = None, layout: str = "NCHW", out_layout: str = "") -> Call:
    """Computes mean of windows that give output_size."""


@operator("nn.adaptive_avg_pool3d", 1)
def adaptive_avg_pool3d(data: Expr, output_size: Any = None, layout: str = "NCDHW", out_layout: str = "") -> Call:
    """Computes mean of windows that give output_size."""


@operator("nn.adaptive_max_pool1d", 1, output_size=listed(1))
def adaptive_max_pool1d(data: Expr, output_size: Any = None, layout: str = "NCW", out_layout: str = "") -> Call:
    """Computes maximum of windows that give output_size."""


@operator("nn.adaptive_max_pool2d", 1)
def adaptive_max_pool2d(data: Expr, output_size: Any = None, layout: str = "NCHW", out_layout: str = "") -> Call:
    """Computes maximum of windows that give output_size."""


@operator("nn.adaptive_max_pool3d", 1)
def adaptive_max_pool3d(data: Expr, output_size: Any = None, layout: str = "NCDHW", out_layout: str = "") -> Call:
    """Computes maximum of windows that give output_size."""


@operator("nn.avg_pool1d", 1, pool_size=listed(1), strides=listed(1), dilation=listed(1), padding=get_pad_tuple1d)
def avg_pool1d(
    data: Expr,
    pool_size: Any = (1,),
    strides: Any = (1,),
    dilation: Any = (1,),
    padding: Any = (0,),
    layout: str = "NCW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Call:
    """Computes mean of windows."""


@operator("nn.avg_pool2d", 1, pool_size=listed(2), strides=listed(2), dilation=listed(2), padding=get_pad_tuple2d)
def avg_pool2d(
    data: Expr,
    pool_size: Any = (1, 1),
    strides: Any = (1, 1),
    dilation: Any = (1, 1),
    padding: Any = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Call:
    """Computes mean of windows."""


@operator("nn.avg_pool2d_grad", 2, fixed={"dilation": ()})
def avg_pool2d_grad(
    out_grad: Expr,
    data: Expr,
    pool_size: Any = (1, 1),
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Call:
    """Computes gradient of nn.avg_pool2d."""


@operator("nn.avg_pool3d", 1, pool_size=listed(3), strides=listed(3), dilation=listed(3), padding=get_pad_tuple3d)
def avg_pool3d(
    data: Expr,
    pool_size: Any = (1, 1, 1),
    strides: Any = (1, 1, 1),
    dilation: Any = (1, 1, 1),
    padding: Any = (0, 0, 0),
    layout: str = "NCDHW",
    out_layout: str = "",
    ceil_mode: bool = False,
    count_include_pad: bool = False,
) -> Call:
    """Computes mean of windows."""


@operator("nn.batch_flatten", 1)
def batch_flatten(data: Expr) -> Call:
    """Flattens all axes but the first into one."""


@operator("nn.batch_matmul", 2)
def batch_matmul(
    tensor_a: Expr, tensor_b: Expr, out_dtype: Any = "", transpose_a: bool = False, transpose_b: bool = True
) -> Call:
    """Computes products of matrices, a pair an entry of the batch."""


@operator("nn.batch_norm", 5, result=3)
def batch_norm(
    data: Expr,
    gamma: Expr,
    beta: Expr,
    moving_mean: Expr,
    moving_var: Expr,
    axis: int = 1,
    epsilon: float = 1e-05,
    center: bool = True,
    scale: bool = True,
) -> TupleWrapper:
    """Computes normalization over the batch: (result, mean, variance)."""


@operator("nn.batch_to_space_nd", 1)
def batch_to_space_nd(data: Expr, block_shape: Any, crops: Any) -> Call:
    """Computes entries of the batch as blocks of space, then cropped."""


@operator("nn.bias_add", 2)
def bias_add(data: Expr, bias: Expr, axis: int = 1) -> Call:
    """Computes data + bias along an axis."""


@operator("nn.bitpack", 1)
def bitpack(
    data: Expr, bits: int = 1, pack_axis: int = 1, bit_axis: int = 2, pack_type: Any = "uint32", name: str = "BitPack"
) -> Call:
    """Computes the low bits of numbers, packed into words."""


@operator("nn.bitserial_conv2d", 2, padding=get_pad_tuple2d)
def bitserial_conv2d(
    data: Expr,
    weight: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    channels: Any = None,
    kernel_size: Any = (3, 3),
    activation_bits: int = 1,
    weight_bits: int = 1,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    pack_dtype: Any = "uint32",
    out_dtype: Any = "int16",
    unipolar: bool = True,
) -> Call:
    """Computes convolution of numbers of few bits."""


@operator("nn.bitserial_dense", 2)
def bitserial_dense(
    data: Expr,
    weight: Expr,
    units: Any = None,
    data_bits: int = 1,
    weight_bits: int = 1,
    pack_dtype: Any = "uint32",
    out_dtype: Any = "int16",
    unipolar: bool = True,
) -> Call:
    """Computes nn.dense of numbers of few bits."""


@operator("nn.contrib_conv2d_gemm_weight_transform", 1)
def contrib_conv2d_gemm_weight_transform(weights: Expr, tile_N: Any, tile_K: Any) -> Call:
    """Computes weight in tiles of a matrix."""


@operator("nn.contrib_conv2d_gemm_without_weight_transform", 2, padding=get_pad_tuple2d)
def contrib_conv2d_gemm_without_weight_transform(
    data: Expr,
    weight: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution as a product of matrices."""


@operator("nn.contrib_conv2d_NCHWc", 2, padding=get_pad_tuple2d)
def contrib_conv2d_nchwc(
    data: Expr,
    kernel: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW8c",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution in blocks of channels."""


@operator("nn.contrib_conv2d_winograd_nnpack_weight_transform", 1)
def contrib_conv2d_winograd_nnpack_weight_transform(
    weight: Expr, convolution_algorithm: Any, out_dtype: Any = ""
) -> Call:
    """Computes weight for NNPACK's form of Winograd's method."""


@operator("nn.contrib_conv2d_winograd_weight_transform", 1)
def contrib_conv2d_winograd_weight_transform(weight: Expr, tile_size: Any) -> Call:
    """Computes weight for Winograd's method in two dimensions."""


@operator("nn.contrib_conv2d_winograd_without_weight_transform", 2, padding=get_pad_tuple2d)
def contrib_conv2d_winograd_without_weight_transform(
    data: Expr,
    weight: Expr,
    tile_size: Any,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution by Winograd's method in two dimensions."""


@operator("nn.contrib_conv3d_winograd_weight_transform", 1)
def contrib_conv3d_winograd_weight_transform(weight: Expr, tile_size: Any) -> Call:
    """Computes weight for Winograd's method in three dimensions."""


@operator("nn.contrib_conv3d_winograd_without_weight_transform", 2, padding=get_pad_tuple3d)
def contrib_conv3d_winograd_without_weight_transform(
    data: Expr,
    weight: Expr,
    tile_size: Any,
    strides: Any = (1, 1, 1),
    padding: Any = (0, 0, 0),
    dilation: Any = (1, 1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCDHW",
    kernel_layout: str = "OIDHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution by Winograd's method in three dimensions."""


@operator("nn.contrib_dense_pack", 2)
def contrib_dense_pack(
    data: Expr, weight: Expr, weight_layout: str = "NC", units: Any = None, out_dtype: Any = ""
) -> Call:
    """Computes nn.dense of a weight in blocks: NC8n as [N / 8, C, 8]."""


@operator("nn.contrib_depthwise_conv2d_NCHWc", 2, padding=get_pad_tuple2d)
def contrib_depthwise_conv2d_nchwc(
    data: Expr,
    kernel: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW8c",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes depthwise convolution in blocks of channels."""


@operator("nn.conv1d", 2, strides=listed(1), padding=get_pad_tuple1d, dilation=listed(1), kernel_size=listed(1))
def conv1d(
    data: Expr,
    weight: Expr,
    strides: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCW",
    kernel_layout: str = "OIW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution in one dimension."""


@operator("nn.conv1d_transpose", 2)
def conv1d_transpose(
    data: Expr,
    weight: Expr,
    strides: Any = (1,),
    padding: Any = (0,),
    dilation: Any = (1,),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCW",
    kernel_layout: str = "IOW",
    out_layout: str = "",
    output_padding: Any = (0,),
    out_dtype: Any = "",
) -> Call:
    """Computes transposed convolution in one dimension."""


@operator("nn.conv2d", 2, strides=listed(2), padding=get_pad_tuple2d, dilation=listed(2), kernel_size=listed(2))
def conv2d(
    data: Expr,
    weight: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution in two dimensions."""


@operator(
    "nn.conv2d_backward_weight",
    2,
    rename={"grad_layout": "data_layout", "data_layout": "kernel_layout", "kernel_layout": "out_layout"},
    strides=listed(2),
    padding=get_pad_tuple2d,
    dilation=listed(2),
    kernel_size=listed(2),
)
def conv2d_backward_weight(
    grad: Expr,
    data: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    grad_layout: str = "NCHW",
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_dtype: Any = "",
) -> Call:
    """Computes gradient of a convolution for its weight."""


@operator("nn.conv2d_transpose", 2, padding=get_pad_tuple2d)
def conv2d_transpose(
    data: Expr,
    weight: Expr,
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
    out_dtype: Any = "",
) -> Call:
    """Computes transposed convolution in two dimensions."""


@operator("nn.conv3d", 2, strides=listed(3), padding=get_pad_tuple3d, dilation=listed(3), kernel_size=listed(3))
def conv3d(
    data: Expr,
    weight: Expr,
    strides: Any = (1, 1, 1),
    padding: Any = (0, 0, 0),
    dilation: Any = (1, 1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCDHW",
    kernel_layout: str = "OIDHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution in three dimensions."""


@operator(
    "nn.conv3d_transpose",
    2,
    strides=listed(3),
    padding=get_pad_tuple3d,
    dilation=listed(3),
    kernel_size=listed(3),
)
def conv3d_transpose(
    data: Expr,
    weight: Expr,
    strides: Any = (1, 1, 1),
    padding: Any = (0, 0, 0),
    dilation: Any = (1, 1, 1),
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCDHW",
    kernel_layout: str = "IODHW",
    out_layout: str = "",
    output_padding: Any = (0, 0, 0),
    out_dtype: Any = "",
) -> Call:
    """Computes transposed convolution in three dimensions."""


@operator("nn.correlation", 2, padding=listed(2))
def correlation(
    data1: Expr,
    data2: Expr,
    kernel_size: Any,
    max_displacement: Any,
    stride1: Any,
    stride2: Any,
    padding: Any,
    is_multiply: Any,
    layout: Any,
) -> Call:
    """Computes correlation of patches of two tensors."""


@operator("nn.cross_entropy", 2)
def cross_entropy(predictions: Expr, targets: Expr) -> Call:
    """Computes cross entropy of predictions x and targets y."""


@operator("nn.cross_entropy_with_logits", 2)
def cross_entropy_with_logits(predictions: Expr, targets: Expr) -> Call:
    """Computes cross entropy of unscaled predictions x and targets y."""


@operator("nn.deformable_conv2d", 3, padding=get_pad_tuple2d)
def deformable_conv2d(
    data: Expr,
    offset: Expr,
    weight: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilation: Any = (1, 1),
    deformable_groups: int = 1,
    groups: int = 1,
    channels: Any = None,
    kernel_size: Any = None,
    data_layout: str = "NCHW",
    kernel_layout: str = "OIHW",
    out_layout: str = "",
    out_dtype: Any = "",
) -> Call:
    """Computes convolution whose kernel reads at places moved by offset."""


@operator("nn.dense", 2)
def dense(data: Expr, weight: Expr, units: Any = None, out_dtype: Any = "") -> Call:
    """Computes data * transpose(weight)."""


@operator("nn.depth_to_space", 1)
def depth_to_space(data: Expr, block_size: Any, layout: str = "NCHW", mode: str = "DCR") -> Call:
    """Computes blocks of channels as blocks of space."""


@operator("nn.dilate", 1)
def dilate(data: Expr, strides: Any, dilation_value: float = 0.0) -> Call:
    """Computes data with dilation_value between its elements."""


@operator("nn.dropout", 1)
def dropout_raw(data: Expr, rate: float = 0.5) -> Call:
    """Computes dropout, with the mask."""


@operator("nn.fast_softmax", 1)
def fast_softmax(data: Expr, axis: int = -1) -> Call:
    """Computes approximation of nn.softmax."""


@operator("nn.fifo_buffer", 2)
def fifo_buffer(data: Expr, buffer: Expr, axis: Any) -> Call:
    """Computes buffer with data pushed in at the end of an axis."""


@operator("nn.adaptive_avg_pool1d", 1, fixed={"output_size": (1,)})
def global_avg_pool1d(data: Expr, layout: str = "NCW", out_layout: str = "") -> Call:
    """Computes mean of the whole width."""


@operator("nn.global_avg_pool2d", 1)
def global_avg_pool2d(data: Expr, layout: str = "NCHW", out_layout: str = "") -> Call:
    """Computes mean of each channel."""


@operator("nn.adaptive_avg_pool3d", 1, fixed={"output_size": (1, 1, 1)})
def global_avg_pool3d(data: Expr, layout: str = "NCDHW", out_layout: str = "") -> Call:
    """Computes mean of the whole volume."""


@operator("nn.adaptive_max_pool1d", 1, fixed={"output_size": (1,)})
def global_max_pool1d(data: Expr, layout: str = "NCW", out_layout: str = "") -> Call:
    """Computes maximum of the whole width."""


@operator("nn.global_max_pool2d", 1)
def global_max_pool2d(data: Expr, layout: str = "NCHW", out_layout: str = "") -> Call:
    """Computes maximum of each channel."""


@operator("nn.adaptive_max_pool3d", 1, fixed={"output_size": (1, 1, 1)})
def global_max_pool3d(data: Expr, layout: str = "NCDHW", out_layout: str = "") -> Call:
    """Computes maximum of the whole volume."""


@operator("nn.group_norm", 3)
def group_norm(
    data: Expr,
    gamma: Expr,
    beta: Expr,
    num_groups: Any,
    axis: int = 1,
    epsilon: float = 1e-05,
    center: bool = True,
    scale: bool = True,
) -> Call:
    """Computes normalization of groups of channels."""


@operator("nn.instance_norm", 3)
def instance_norm(
    data: Expr, gamma: Expr, beta: Expr, axis: int = 1, epsilon: float = 1e-05, center: bool = True, scale: bool = True
) -> Call:
    """Computes normalization of each channel of each entry."""


@operator("nn.l2_normalize", 1)
def l2_normalize(data: Expr, eps: Any, axis: Any = None) -> Call:
    """Computes data over its Euclidean norm along axes."""


@operator("nn.layer_norm", 3)
def layer_norm(
    data: Expr,
    gamma: Expr,
    beta: Expr,
    axis: int = -1,
    epsilon: float = 1e-05,
    center: bool = True,
    scale: bool = True,
) -> Call:
    """Computes normalization along an axis."""


@operator("nn.leaky_relu", 1)
def leaky_relu(data: Expr, alpha: float = 0.01) -> Call:
    """Computes data, times alpha where negative."""


@operator("nn.log_softmax", 1)
def log_softmax(data: Expr, axis: int = -1) -> Call:
    """Computes logarithm of nn.softmax."""


@operator("nn.lrn", 1)
def lrn(data: Expr, size: int = 5, axis: int = 1, bias: float = 2, alpha: float = 1e-05, beta: float = 0.75) -> Call:
    """Computes normalization by the neighbouring channels."""


@operator("nn.max_pool1d", 1, pool_size=listed(1), strides=listed(1), dilation=listed(1), padding=get_pad_tuple1d)
def max_pool1d(
    data: Expr,
    pool_size: Any = (1,),
    strides: Any = (1,),
    dilation: Any = (1,),
    padding: Any = (0,),
    layout: str = "NCW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Call:
    """Computes maximum of windows."""


@operator("nn.max_pool2d", 1, pool_size=listed(2), strides=listed(2), dilation=listed(2), padding=get_pad_tuple2d)
def max_pool2d(
    data: Expr,
    pool_size: Any = (1, 1),
    strides: Any = (1, 1),
    dilation: Any = (1, 1),
    padding: Any = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Call:
    """Computes maximum of windows."""


@operator("nn.max_pool2d_grad", 2, fixed={"dilation": ()})
def max_pool2d_grad(
    out_grad: Expr,
    data: Expr,
    pool_size: Any = (1, 1),
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    layout: str = "NCHW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Call:
    """Computes gradient of nn.max_pool2d."""


@operator("nn.max_pool3d", 1, pool_size=listed(3), strides=listed(3), dilation=listed(3), padding=get_pad_tuple3d)
def max_pool3d(
    data: Expr,
    pool_size: Any = (1, 1, 1),
    strides: Any = (1, 1, 1),
    dilation: Any = (1, 1, 1),
    padding: Any = (0, 0, 0),
    layout: str = "NCDHW",
    out_layout: str = "",
    ceil_mode: bool = False,
) -> Call:
    """Computes maximum of windows."""


@operator("nn.mirror_pad", 1)
def mirror_pad(data: Expr, pad_width: Any, mode: str = "SYMMETRIC") -> Call:
    """Computes data with its mirror image around it."""


@operator("nn.nll_loss", 3)
def nll_loss(
    predictions: Expr, targets: Expr, weights: Expr, reduction: str = "mean", ignore_index: int = -100
) -> Call:
    """Computes negative log likelihood of the targets."""


@operator("nn.prelu", 2)
def prelu(data: Expr, alpha: Expr, axis: int = 1) -> Call:
    """Computes data, times the alpha of its channel where negative."""


@operator("nn.relu", 1)
def relu(data: Expr) -> Call:
    """Computes max(data, 0)."""


@operator("nn.softmax", 1)
def softmax(data: Expr, axis: int = -1) -> Call:
    """Computes exp(data) / sum of exp(data) along an axis."""


@operator("nn.space_to_batch_nd", 1)
def space_to_batch_nd(data: Expr, block_shape: Any, paddings: Any, pad_value: float = 0) -> Call:
    """Computes blocks of padded space as entries of the batch."""


@operator("nn.space_to_depth", 1, fixed={"mode": ""})
def space_to_depth(data: Expr, block_size: Any, layout: str = "NCHW") -> Call:
    """Computes blocks of space as blocks of channels."""


def dropout(data: Expr, rate: float = 0.5) -> TupleGetItem:
    """Computes dropout, without the mask."""
    return TupleGetItem(dropout_raw(data, rate), 0)


def matmul(
    tensor_a: Expr,
    tensor_b: Expr,
    units: Any = None,
    out_dtype: Any = "",
    transpose_a: bool = False,
    transpose_b: bool = False,
) -> Call:
    """Computes the product of two matrices. The product with a transposed tensor_b is `nn.dense`."""
    if not transpose_a and transpose_b:
        return dense(tensor_a, tensor_b, units, out_dtype)
    attributes = {"units": units, "out_dtype": out_dtype, "transpose_a": transpose_a, "transpose_b": transpose_b}
    return make_call("nn.matmul", (tensor_a, tensor_b), attributes)


def pad(data: Expr, pad_width: Any, pad_value: Any = 0, pad_mode: str = "constant") -> Call:
    """Pads a tensor. A width that is not constant makes it `dyn.nn.pad`."""
    pad_width = constant_list(pad_width)
    if not isinstance(pad_value, Expr):
        pad_value = const(pad_value)
    if isinstance(pad_width, Expr):
        return make_call("dyn.nn.pad", (data, pad_width, pad_value), {"pad_mode": pad_mode, "pad_width": ()})
    return make_call("nn.pad", (data, pad_value), {"pad_width": pad_width, "pad_mode": pad_mode})


def _scale(name: str, data: Expr, scales: dict[str, Any], attributes: dict[str, Any]) -> Call:
    """Calls an upsampling operator; a scale that is not constant makes it the `dyn.` form."""
    scales = {key: constant_list(scale) for key, scale in scales.items()}
    if any(isinstance(scale, Expr) for scale in scales.values()):
        operands = [s if isinstance(s, Expr) else const(s, "float64") for s in scales.values()]
        return make_call("dyn." + name, (data, *operands), {**dict.fromkeys(scales, 0.0), **attributes})
    return make_call(name, (data,), {**scales, **attributes})


def upsampling(
    data: Expr,
    scale_h: Any = 1,
    scale_w: Any = 1,
    layout: str = "NCHW",
    method: str = "nearest_neighbor",
    align_corners: bool = False,
) -> Call:
    """Enlarges an image by factors."""
    attributes = {"layout": layout, "method": method, "align_corners": align_corners}
    return _scale("nn.upsampling", data, {"scale_h": scale_h, "scale_w": scale_w}, attributes)


def upsampling3d(
    data: Expr,
    scale_d: Any = 1,
    scale_h: Any = 1,
    scale_w: Any = 1,
    layout: str = "NCDHW",
    method: str = "nearest_neighbor",
    coordinate_transformation_mode: str = "half_pixel",
) -> Call:
    """Enlarges a volume by factors."""
    attributes = {
        "layout": layout,
        "method": method,
        "coordinate_transformation_mode": coordinate_transformation_mode,
    }
    return _scale("nn.upsampling3d", data, {"scale_d": scale_d, "scale_h": scale_h, "scale_w": scale_w}, attributes)


def _sparse(matrix: Any) -> tuple[Any, Any, Any]:
    """Returns data, indices and indptr of a sparse matrix: of scipy's kind, or a sequence."""
    if hasattr(matrix, "indices"):
        return const(matrix.data), const(matrix.indices), const(matrix.indptr)
    return matrix[0], matrix[1], matrix[2]


def sparse_add(dense_mat: Expr, sparse_mat: Any) -> Call:
    """Adds a dense and a sparse matrix."""
    return make_call("nn.sparse_add", (dense_mat, *_sparse(sparse_mat)), {})


def sparse_dense(dense_mat: Expr, sparse_mat: Any, sparse_lhs: bool = False) -> Call:
    """Multiplies a dense and a sparse matrix; with sparse_lhs the sparse one is on the left."""
    return make_call("nn.sparse_dense", (dense_mat, *_sparse(sparse_mat)), {"sparse_lhs": sparse_lhs})


def sparse_transpose(x: Any) -> TupleWrapper:
    """Transposes a sparse matrix."""
    return TupleWrapper(make_call("nn.sparse_transpose", _sparse(x), {}), 3)


__all__ = public_functions(globals())
