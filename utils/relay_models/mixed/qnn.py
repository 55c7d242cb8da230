"""Quantized operators, for mixed random graphs."""
from math import prod

from .body import LIMIT

QUANTIZED = ("uint8", "int8")


class Parameters:
    """Scale and zero point of a quantized value, as operands."""

    def __init__(self, m, dtype):
        self.scale = m.scalar((1 + m.random.below(4)) / 16, "float32")
        self.zero = m.scalar(m.random.below(8) + 120 * (dtype == "uint8"), "int32")

    def __iter__(self):
        return iter((self.scale, self.zero))


def quantized(m, rank=None, dtypes=QUANTIZED, where=None):
    return m.pick(dtypes, rank, where=where)


def quantize(m):
    data = m.pick(("float32",), exact=True)
    dtype = m.random.choose(QUANTIZED + ("int16", "int32"))
    m.call("qnn.quantize", [data, *Parameters(m, dtype)], data.shape, dtype, out_dtype=dtype,
           **({"axis": 0} if data.rank else {}))


def dequantize(m):
    data = quantized(m)
    m.call("qnn.dequantize", [data, *Parameters(m, data.dtype)], data.shape, "float32", -66.0, 66.0, True,
           out_dtype="float32", **({"axis": 0} if data.rank else {}))


def requantize(m):
    data = m.pick(QUANTIZED + ("int32",))
    dtype = m.random.choose(QUANTIZED)
    if data.dtype == "int32":
        data = m.within(data, -100000, 100000)
    attrs = {"axis": 0} if data.rank else {}
    if m.random.chance(1, 2):
        attrs["rounding"] = m.random.choose(("UPWARD", "TONEAREST"))
    m.call("qnn.requantize", [data, *Parameters(m, data.dtype), *Parameters(m, dtype)], data.shape, dtype, **attrs,
           out_dtype=dtype)


def arithmetic(m):
    left = quantized(m)
    right = m.need(left.shape, left.dtype)
    parameters = [*Parameters(m, left.dtype), *Parameters(m, left.dtype), *Parameters(m, left.dtype)]
    m.like(m.random.choose(("qnn.add", "qnn.subtract", "qnn.mul")), left, right, *parameters)


UNARY = ("tanh", "sigmoid", "exp", "sqrt", "rsqrt", "erf", "log", "abs", "hardswish", "leaky_relu")


def unary(m):
    """Functions of quantized values, through tables."""
    name = m.random.choose(UNARY)
    data = quantized(m)
    attrs = {"alpha": 0.25} if name == "leaky_relu" else {}
    data_in, data_out = Parameters(m, data.dtype), Parameters(m, data.dtype)
    if name in ("sqrt", "rsqrt", "log"):  # Only what is positive.
        data = m.within(m.cast(data, "uint8"), 140, 255)
        data_in, data_out = Parameters(m, "uint8"), Parameters(m, "uint8")
    m.like(f"qnn.{name}", data, *data_in, *data_out, **attrs)


def convolution(m):
    data = quantized(m, 4)
    n, c, h, w = data.shape
    kernel = (1 + m.random.below(min(2, h)), 1 + m.random.below(min(2, w)))
    filters = 1 + m.random.below(3)
    weight = m.need((filters, c) + kernel, "int8")
    size = (h - kernel[0] + 1, w - kernel[1] + 1)
    first, second = Parameters(m, data.dtype), Parameters(m, "int8")
    if n * filters * prod(size) <= LIMIT:
        m.call("qnn.conv2d", [data, weight, first.zero, second.zero, first.scale, second.scale],
               (n, filters) + size, "int32", padding=[0] * 4, channels=filters, kernel_size=list(kernel),
               out_dtype="int32")


def transposed(m):
    data = m.need((1, 2, 3, 3), "int8")
    weight = m.need((2, 3, 2, 2), "int8")
    first, second = Parameters(m, data.dtype), Parameters(m, "int8")
    m.call("qnn.conv2d_transpose", [data, weight, first.zero, second.zero, first.scale, second.scale], (1, 3, 4, 4),
           "int32", channels=3, kernel_size=[2, 2], padding=[0] * 4, out_dtype="int32")


def dense(m):
    data = quantized(m, 2)
    units = 1 + m.random.below(4)
    weight = m.need((units, data.shape[1]), "int8")
    first, second = Parameters(m, data.dtype), Parameters(m, "int8")
    m.call("qnn.dense", [data, weight, first.zero, second.zero, first.scale, second.scale], (data.shape[0], units),
           "int32", units=units, out_dtype="int32")


def batch_matmul(m):
    data = quantized(m, 3)
    batch, rows, inner = data.shape
    weight = m.need((batch, 2, inner), "int8")
    first, second = Parameters(m, data.dtype), Parameters(m, "int8")
    m.call("qnn.batch_matmul", [data, weight, first.zero, second.zero, first.scale, second.scale], (batch, rows, 2),
           "int32", transpose_b=True, out_dtype="int32")


def concatenate(m):
    data = quantized(m, where=lambda operand: operand.rank)
    if data and 2 * data.size <= LIMIT:
        other = m.need(data.shape, data.dtype)
        first, second, out = (Parameters(m, data.dtype) for _ in range(3))
        parts = m.tuple(data, other)
        scales, zeros = m.tuple(first.scale, second.scale), m.tuple(first.zero, second.zero)
        m.call("qnn.concatenate", [parts, scales, zeros, *out], (2 * data.shape[0],) + data.shape[1:], data.dtype,
               axis=0)


def softmax(m):
    data = quantized(m, 2, ("int8",))
    m.like("qnn.softmax", data, m.scalar(0.0625, "float32"), m.scalar(0, "int32"), m.scalar(0.00390625, "float32"),
           m.scalar(-128, "int32"), axis=1)


def pool(m):
    data = quantized(m, 4, where=lambda operand: min(operand.shape[2:]) > 1)
    if data:
        shape = data.shape[:2] + tuple(extent - 1 for extent in data.shape[2:])
        m.call("qnn.avg_pool2d", [data, *Parameters(m, data.dtype), *Parameters(m, data.dtype)], shape, data.dtype,
               pool_size=[2, 2], strides=[1, 1], padding=[0] * 4)


def simulated(m):
    data = m.pick(("float32",), exact=True)
    if data.rank:
        name = m.random.choose(("qnn.simulated_quantize", "qnn.simulated_dequantize"))
        attrs = {} if name == "qnn.simulated_quantize" else {"out_dtype": "float32"}
        m.like(name, m.within(data, -8.0, 8.0), m.scalar(1, "int32"), m.scalar(0.5, "float32"), m.scalar(3, "int32"),
               low=-128.0, high=127.0, exact=True, axis=-1, **attrs)


OPERATORS = (quantize, quantize, quantize, dequantize, dequantize, requantize, requantize, arithmetic, arithmetic,
             unary, unary, unary, convolution, transposed, dense, batch_matmul, concatenate, softmax, pool, simulated)
