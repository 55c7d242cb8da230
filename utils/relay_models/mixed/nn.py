"""Operators of neural networks, for mixed random graphs."""
from math import prod

from ..builder import Tensor, Tuple
from .body import FLOATS, LIMIT

REALS = ("float32", "float32", "float64", "float16")
INPUTS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
LAST = {1: "NWC", 2: "NHWC", 3: "NDHWC"}


def image(m, sizes, dtypes=REALS):
    """A value [N, C, spatial...], preferably an existing one."""
    data = m.pick(dtypes, sizes + 2, where=lambda operand: min(operand.shape) > 0)
    return m.within(data, -8.0, 8.0)


def accumulated(data, weight, count):
    peak = data.peak * weight.peak * count
    return -peak, peak


def convolution(m):
    sizes = 1 + m.random.below(3)
    data = image(m, sizes)
    n, c, spatial = data.shape[0], data.shape[1], data.shape[2:]
    kernel = tuple(1 + m.random.below(min(3, extent)) for extent in spatial)
    padding = m.random.below(2)
    stride = 1 + m.random.below(2)
    depthwise = sizes == 2 and c > 1 and m.random.chance(1, 4)
    filters = c if depthwise else 1 + m.random.below(4)
    weight = m.within(m.need((filters, 1 if depthwise else c) + kernel, data.dtype), -2.0, 2.0)
    size = tuple((extent + 2 * padding - window) // stride + 1 for extent, window in zip(spatial, kernel))
    attrs = {"groups": c} if depthwise else {}
    if prod(size) * n * filters <= LIMIT:
        m.call(f"nn.conv{sizes}d", [data, weight], (n, filters) + size, data.dtype,
               *accumulated(data, weight, c * prod(kernel)), strides=[stride] * sizes, padding=[padding] * 2 * sizes,
               **attrs, channels=filters, kernel_size=list(kernel))


def channels_last(m):
    data = image(m, 2)
    n, h, w, c = data.shape
    kernel = (1 + m.random.below(min(2, h)), 1 + m.random.below(min(2, w)))
    weight = m.within(m.need(kernel + (c, 3), data.dtype), -2.0, 2.0)
    size = (h - kernel[0] + 1, w - kernel[1] + 1)
    if n * prod(size) * 3 <= LIMIT:
        m.call("nn.conv2d", [data, weight], (n, *size, 3), data.dtype, *accumulated(data, weight, c * prod(kernel)),
               padding=[0] * 4, channels=3, kernel_size=list(kernel), data_layout="NHWC", kernel_layout="HWIO")


def batch_inside(m):
    data = image(m, 2)
    h, w, n, c = data.shape
    kernel = (1 + m.random.below(min(2, h)), 1 + m.random.below(min(2, w)))
    weight = m.within(m.need(kernel + (c, 2), data.dtype), -2.0, 2.0)
    size = (h - kernel[0] + 1, w - kernel[1] + 1)
    m.call("nn.conv2d", [data, weight], (*size, n, 2), data.dtype, *accumulated(data, weight, c * prod(kernel)),
           padding=[0] * 4, channels=2, kernel_size=list(kernel), data_layout="HWNC", kernel_layout="HWIO")


def blocked(m):
    """A convolution and a pool, whose channels are in blocks of two."""
    shape = (1, 1 + m.random.below(2), 2 + m.random.below(2), 2, 2)
    data = m.within(m.need(shape, "float32"), -8.0, 8.0)
    weight = m.within(m.need((2, shape[1], 1, 2, 2, 2), "float32"), -2.0, 2.0)
    size = (1, 2, shape[2], 1, 2)
    result = m.call("nn.conv2d", [data, weight], size, "float32", *accumulated(data, weight, 4 * shape[1]),
                    padding=[0] * 4, channels=4, kernel_size=[1, 2], data_layout="NCHW2c", kernel_layout="OIHW2i2o")
    m.move("nn.max_pool2d", result, (1, 2, shape[2] - 1, 1, 2), pool_size=[2, 1], layout="NCHW2c")


def transposed(m):
    sizes = 1 + m.random.below(3)
    data = image(m, sizes, ("float32",))
    n, c, spatial = data.shape[0], data.shape[1], data.shape[2:]
    kernel, stride = (2,) * sizes, 1 + m.random.below(2)
    filters = 1 + m.random.below(3)
    weight = m.within(m.need((c, filters) + kernel, data.dtype), -2.0, 2.0)
    size = tuple((extent - 1) * stride + 2 for extent in spatial)
    if n * filters * prod(size) <= LIMIT:
        m.call(f"nn.conv{sizes}d_transpose", [data, weight], (n, filters) + size, data.dtype,
               *accumulated(data, weight, c * 2 ** sizes), channels=filters, kernel_size=list(kernel),
               strides=[stride] * sizes, padding=[0] * 2 * sizes)


def dense(m):
    data = m.pick(REALS + ("bfloat16",), 2)
    data = m.within(data, -8.0, 8.0)
    rows, inner = data.shape
    units = 1 + m.random.below(5)
    if m.random.chance(1, 2):
        weight = m.within(m.need((units, inner), data.dtype), -2.0, 2.0)
        m.call("nn.dense", [data, weight], (rows, units), data.dtype, *accumulated(data, weight, inner), units=units)
    else:
        flip = m.random.chance(1, 2)
        weight = m.within(m.need((units, inner) if flip else (inner, units), data.dtype), -2.0, 2.0)
        m.call("nn.matmul", [data, weight], (rows, units), data.dtype, *accumulated(data, weight, inner), units=units,
               transpose_b=flip)


def batch_matmul(m):
    data = m.within(m.pick(("float32", "float64"), 3), -8.0, 8.0)
    batch, rows, inner = data.shape
    columns = 1 + m.random.below(4)
    weight = m.within(m.need((batch, columns, inner), data.dtype), -2.0, 2.0)
    if batch * rows * columns <= LIMIT:
        m.call("nn.batch_matmul", [data, weight], (batch, rows, columns), data.dtype,
               *accumulated(data, weight, inner), transpose_b=True)


def whole(m):
    """Integer matrices, whose sums are exact."""
    data = m.pick(("int8", "uint8", "int32"), 2)
    weight = m.need((2, data.shape[1]), data.dtype)
    m.call("nn.dense", [data, weight], (data.shape[0], 2), "int32", units=2, out_dtype="int32")


def bias_add(m):
    data = m.pick(REALS + ("int32",), where=lambda operand: operand.rank > 1)
    if data:
        axis = m.random.below(data.rank)
        bias = m.need((data.shape[axis],), data.dtype)
        m.like("nn.bias_add", data, bias, low=data.low + bias.low, high=data.high + bias.high, axis=axis)


def normalize(m):
    data = m.pick(("float32", "float64"), where=lambda operand: operand.rank > 1 and operand.size > 1)
    if not data:
        return
    data = m.within(data, -8.0, 8.0)
    name = m.random.choose(("batch_norm", "layer_norm", "instance_norm", "group_norm", "batch_norm"))
    axis = 1
    scale, shift = (m.within(m.need((data.shape[axis],), data.dtype), -2.0, 2.0) for _ in range(2))
    if name == "batch_norm":
        mean, variance = m.need(scale.shape, data.dtype, -2.0, 2.0), m.need(scale.shape, data.dtype, 0.5, 2.0)
        type = Tuple((data.type, scale.type, scale.type))
        m.fields(m.raw("nn.batch_norm", [data, scale, shift, mean, variance], type), [(data.shape, -40.0, 40.0)])
        return
    if name == "instance_norm" and data.rank < 3:
        return
    attrs = {"num_groups": 1} if name == "group_norm" else {"axis": axis}
    m.like(f"nn.{name}", data, scale, shift, low=-40.0, high=40.0, epsilon=0.125, **attrs)


def norms(m):
    data = m.within(m.pick(("float32",), 4), -4.0, 4.0)
    if m.random.chance(1, 2):
        m.like("nn.lrn", data, low=-8.0, high=8.0, size=3, bias=2.0)
    else:
        m.like("nn.l2_normalize", data, low=-3.0, high=3.0, eps=0.125, axis=[1])


def activation(m):
    data = m.pick(("float32", "float64", "float16"), where=lambda operand: operand.rank > 1)
    if not data:
        return
    if m.random.chance(1, 2):
        m.like("nn.leaky_relu", data, low=data.low, high=data.high, alpha=0.25)
    else:
        alpha = m.within(m.need((data.shape[1],), data.dtype), -1.0, 1.0)
        m.like("nn.prelu", data, alpha, low=-data.peak, high=data.peak, axis=1)


def pad(m):
    data = m.pick(FLOATS + ("int8", "int32", "uint8"), where=lambda operand: operand.rank)
    if not data:
        return
    widths = [[m.random.below(2), m.random.below(2)] for _ in data.shape]
    shape = tuple(extent + sum(width) for extent, width in zip(data.shape, widths))
    if prod(shape) > LIMIT:
        return
    if m.random.chance(1, 3) and min(data.shape) > 1 and data.dtype in FLOATS:
        m.move("nn.mirror_pad", data, shape, mode="SYMMETRIC", pad_width=widths)
    else:
        m.move("nn.pad", data, shape, m.scalar(0, data.dtype), low=0, high=0, pad_width=widths)


def pool(m):
    sizes = 1 + m.random.below(3)
    kind = m.random.choose(("max", "avg"))
    data = image(m, sizes, ("float32", "float64", "float16") if kind == "max" else ("float32", "float64"))
    spatial = data.shape[2:]
    window = tuple(1 + m.random.below(min(3, extent)) for extent in spatial)
    stride = 1 + m.random.below(2)
    attrs = {"ceil_mode": True} if m.random.chance(1, 4) else {}
    up = stride - 1 if attrs else 0
    size = tuple((extent - width + up) // stride + 1 for extent, width in zip(spatial, window))
    if attrs and any((count - 1) * stride >= extent for count, extent in zip(size, spatial)):
        return
    if kind == "avg" and m.random.chance(1, 3):
        attrs["count_include_pad"] = True
    m.call(f"nn.{kind}_pool{sizes}d", [data], data.shape[:2] + size, data.dtype, data.low, data.high,
           data.exact and kind == "max", pool_size=list(window), strides=[stride] * sizes, padding=[0] * 2 * sizes,
           **attrs)


def adaptive(m):
    sizes = 1 + m.random.below(3)
    kind = m.random.choose(("max", "avg"))
    data = image(m, sizes, ("float32",))
    size = tuple(1 + m.random.below(extent) for extent in data.shape[2:])
    m.call(f"nn.adaptive_{kind}_pool{sizes}d", [data], data.shape[:2] + size, data.dtype, data.low, data.high,
           data.exact and kind == "max", output_size=list(size))


def global_pool(m):
    kind = m.random.choose(("max", "avg"))
    data = image(m, 2, ("float32", "float64"))
    m.call(f"nn.global_{kind}_pool2d", [data], data.shape[:2] + (1, 1), data.dtype, data.low, data.high,
           data.exact and kind == "max")


def upsample(m):
    sizes = 2 + m.random.below(2)
    data = image(m, sizes, ("float32",))
    if data.size * 2 ** sizes > LIMIT:
        return
    shape = data.shape[:2] + tuple(2 * extent for extent in data.shape[2:])
    scales = {f"scale_{axis}": 2.0 for axis in ("hw" if sizes == 2 else "dhw")}
    m.move("nn.upsampling" + "3d" * (sizes == 3), data, shape, **scales)


def blocks(m):
    """Operators that move space to channels, or to the batch."""
    data = m.need((1, 4, 2 + 2 * m.random.below(2), 2), m.random.choose(("float32", "int32", "int8")))
    n, c, h, w = data.shape
    which = m.random.below(4)
    if which == 0:
        m.move("nn.depth_to_space", data, (n, c // 4, 2 * h, 2 * w), block_size=2)
    elif which == 1:
        m.move("nn.space_to_depth", data, (n, 4 * c, h // 2, w // 2), block_size=2)
    elif which == 2:
        m.move("nn.space_to_batch_nd", data, (2 * n, c // 2, h, w), block_shape=[2], paddings=[[0, 0]])
    else:
        data = m.need((4, 2, 3), "float32")
        m.move("nn.batch_to_space_nd", data, (2, 4, 3), block_shape=[2], crops=[[0, 0]])


def dilate(m):
    data = m.pick(("float32", "int32"), 2)
    shape = tuple(2 * extent - 1 for extent in data.shape)
    m.move("nn.dilate", data, shape, low=0, high=0, strides=[2, 2])


def loss(m):
    data = m.within(m.pick(("float32",), 2), 0.125, 1.0)
    if m.random.chance(1, 3):
        targets = m.need((data.shape[0],), "int32", 0, data.shape[1] - 1)
        weights = m.within(m.need((data.shape[1],), data.dtype), 0.5, 1.5)
        m.call("nn.nll_loss", [data, targets, weights], (), data.dtype, -2.0, 2.0, reduction="mean", ignore_index=-100)
        return
    other = m.within(m.need(data.shape, data.dtype), 0.0, 1.0)
    m.call(m.random.choose(("nn.cross_entropy", "nn.cross_entropy_with_logits")), [data, other], (), data.dtype, -50.0,
           50.0)


def gradients(m):
    data = m.need((1, 2, 4, 4), "float32")
    gradient = m.need((1, 2, 2, 2), "float32")
    kind = m.random.choose(("max", "avg"))
    data = data if kind == "avg" or data.exact else m.fresh(data.shape, data.dtype)
    m.call(f"nn.{kind}_pool2d_grad", [gradient, data], data.shape, data.dtype, -gradient.peak, gradient.peak,
           pool_size=[2, 2], strides=[2, 2], padding=[0] * 4)


def correlation(m):
    data = m.within(m.need((1, 2, 4, 4), "float32"), -2.0, 2.0)
    other = m.within(m.need(data.shape, data.dtype), -2.0, 2.0)
    m.call("nn.correlation", [data, other], (1, 9, 4, 4), data.dtype, -4.0, 4.0, kernel_size=1, max_displacement=1,
           stride1=1, stride2=1, padding=[1] * 4, layout="NCHW")


def deformable(m):
    data = m.within(m.need((1, 2, 4, 4), "float32"), -2.0, 2.0)
    offset = m.within(m.need((1, 8, 3, 3), "float32"), -0.25, 0.75)
    weight = m.within(m.need((3, 2, 2, 2), "float32"), -2.0, 2.0)
    m.call("nn.deformable_conv2d", [data, offset, weight], (1, 3, 3, 3), data.dtype,
           *accumulated(data, weight, 8), padding=[0] * 4, channels=3, kernel_size=[2, 2])


def fifo(m):
    data = m.need((2, 3), "float32")
    buffer = m.need((4, 3), "float32")
    m.move("nn.fifo_buffer", data, buffer.shape, buffer, low=buffer.low, high=buffer.high, axis=0)


OPERATORS = (convolution, convolution, convolution, channels_last, batch_inside, blocked, transposed, dense, dense,
             batch_matmul, whole, bias_add, bias_add, normalize, normalize, norms, activation, pad, pad, pool, pool,
             adaptive, adaptive, global_pool, upsample, blocks, blocks, dilate, loss, gradients, correlation, deformable,
             fifo)
