"""Elementwise operators and reductions for mixed random graphs."""
from math import prod

from ..builder import Tensor, Tuple
from .body import DTYPES, FLOATS, INTEGERS, LIMIT, NUMBERS, SIGNED, bits

BIG = 1e30
# Continuous functions of floats: the required bounds of their operand, and the bounds of the result.
SMOOTH = {
    "exp": ((-3.0, 3.0), (0.0, 21.0)), "log": ((0.25, 8.0), (-1.4, 2.1)), "log2": ((0.25, 8.0), (-2.0, 3.0)),
    "log10": ((0.25, 8.0), (-0.61, 0.91)), "sqrt": ((0.125, BIG), (0.0, 64.0)), "rsqrt": ((0.125, BIG), (0.0, 2.9)),
    "sin": ((-9.0, 9.0), (-1.0, 1.0)), "cos": ((-9.0, 9.0), (-1.0, 1.0)), "tan": ((-1.0, 1.0), (-1.6, 1.6)),
    "asin": ((-0.75, 0.75), (-0.9, 0.9)), "acos": ((-0.75, 0.75), (0.7, 2.5)), "atan": ((-BIG, BIG), (-1.6, 1.6)),
    "sinh": ((-3.0, 3.0), (-11.0, 11.0)), "cosh": ((-3.0, 3.0), (1.0, 11.0)), "tanh": ((-BIG, BIG), (-1.0, 1.0)),
    "asinh": ((-8.0, 8.0), (-3.0, 3.0)), "acosh": ((1.25, 8.0), (0.6, 3.0)), "atanh": ((-0.75, 0.75), (-1.0, 1.0)),
    "sigmoid": ((-BIG, BIG), (0.0, 1.0)), "erf": ((-BIG, BIG), (-1.0, 1.0)),
}
FAST = {"fast_exp": ((-3.0, 3.0), (0.0, 21.0)), "fast_tanh": ((-8.0, 8.0), (-1.0, 1.0)),
        "fast_erf": ((-3.5, 3.5), (-1.0, 1.0))}
# `fast-math` approximates erf of float16 by up to 1.041 from 3 on (docs/Differences.md).
ERF_OF_FLOAT16 = (-2.75, 2.75)
ROUNDING = ("floor", "ceil", "round", "trunc")
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


def broadcast(left, right):
    """Dimensions of an elementwise operation of two; None if they do not fit."""
    long, short = (left, right) if len(left) >= len(right) else (right, left)
    short = (1,) * (len(long) - len(short)) + tuple(short)
    found = []
    for a, b in zip(long, short):
        if a != b and 1 not in (a, b) and "?" not in (a, b):
            return None
        found.append(b if a == 1 or a == "?" and b != 1 else a)
    return tuple(found)


def smooth(m):
    name = m.random.choose(tuple(SMOOTH))
    domain, (low, high) = SMOOTH[name]
    dtypes = FLOATS if name not in ("erf",) else ("float32", "float64", "float16")
    data = m.pick(dtypes, dynamic=True)
    if name == "erf" and data.dtype == "float16":
        domain = ERF_OF_FLOAT16
    m.like(name, m.within(data, *domain), low=low, high=high)


def fast(m):
    name = m.random.choose(tuple(FAST))
    domain, (low, high) = FAST[name]
    m.like(name, m.within(m.pick(("float32",)), *domain), low=low, high=high)


def rounding(m):
    data = m.pick(FLOATS, exact=True, dynamic=True)
    m.like(m.random.choose(ROUNDING), data, low=data.low - 1, high=data.high + 1, exact=True)


def signs(m):
    name = m.random.choose(("abs", "negative", "sign", "nn.relu", "copy", "annotation.stop_fusion"))
    data = m.pick(FLOATS + SIGNED, exact=name == "sign", dynamic=True)
    low, high = {"abs": (0, data.peak), "negative": (-data.high, -data.low), "sign": (-1, 1),
                 "nn.relu": (max(0, data.low), max(0, data.high))}.get(name, (data.low, data.high))
    m.like(name, data, low=low, high=high, exact=data.exact)


def classify(m):
    data = m.pick(FLOATS[:2] + ("float64",), exact=True)
    m.call(m.random.choose(("isnan", "isfinite", "isinf")), [data], data.shape, "bool")


def clip(m):
    data = m.pick(NUMBERS, dynamic=True)
    m.within(data, *((0, 3) if data.low >= 0 else (-2, 3)))


def cast(m):
    m.cast(m.pick(dynamic=True), m.random.choose(DTYPES))


def cast_like(m):
    data, other = m.pick(FLOATS), m.pick(FLOATS)
    other = m.need(data.shape, other.dtype)
    data = m.within(data, -16.0, 16.0)
    m.call("cast_like", [data, other], data.shape, other.dtype, data.low, data.high)


def reinterpret(m):
    data = m.pick(("int32", "uint32", "int64", "uint64", "int8", "uint8"), exact=True)
    other = data.dtype[1:] if data.dtype[0] == "u" else "u" + data.dtype
    m.call("reinterpret", [data], data.shape, other, dtype=other)


def pair(m, dtypes, exact=False, dynamic=True):
    """Two operands that fit each other, with the shape and dimensions of their result; None if none were found."""
    left = m.pick(dtypes, exact=exact, dynamic=dynamic)
    how = m.random.below(4)
    if how == 0:
        right = left
    elif how == 1:
        number = m.random.below(9)
        right = m.scalar(number / 4 if left.dtype in FLOATS else number % 2 if left.dtype == "bool" else number,
                         left.dtype)
    elif how == 2 and left.static:
        right = m.need(left.shape[m.random.below(left.rank + 1):], left.dtype, exact=exact)
    else:
        right = m.pick((left.dtype,), exact=exact, dynamic=dynamic)
    if left is not right and (None in left.shape and right.rank or None in right.shape and left.rank):
        return None
    if left is right:
        return left, right, left.shape, left.type.shape
    if None in left.shape or None in right.shape:
        operand = left if left.rank else right
        return left, right, operand.shape, operand.type.shape
    shape = broadcast(left.shape, right.shape)
    if shape is None or prod(shape) > LIMIT:
        return None
    return left, right, shape, broadcast(left.type.shape, right.type.shape)


def arithmetic(m):
    found = pair(m, NUMBERS)
    if found is None:
        return
    left, right, shape, dims = found
    name = m.random.choose(("add", "subtract", "multiply", "maximum", "minimum", "add", "multiply"))
    corners = {"add": [left.low + right.low, left.high + right.high],
               "subtract": [left.low - right.high, left.high - right.low],
               "multiply": [a * b for a in (left.low, left.high) for b in (right.low, right.high)]}.get(
                   name, [left.low, right.low, left.high, right.high])
    exact = left.exact and right.exact if name in ("maximum", "minimum") or left.dtype in INTEGERS else False
    m.call(name, [left, right], shape, left.dtype, min(corners), max(corners), exact, dims)


def quotient(m):
    """Divisions, whose divisors are far from zero, and discontinuous ones of exact operands only."""
    name = m.random.choose(("divide", "floor_divide", "floor_mod", "mod", "trunc_divide", "trunc_mod"))
    found = pair(m, FLOATS + SIGNED if name == "divide" else ("float32", "float64") + SIGNED, name != "divide", False)
    if found is None:
        return
    left, right, shape, dims = found
    if left is right or not right.rank:
        right = m.need((), left.dtype, exact=name != "divide")
        shape, dims = left.shape, left.type.shape
    right = m.within(right, 1, 7) if left.dtype in SIGNED else m.within(right, 0.5, 8.0)
    left = m.within(left, -1000, 1000) if left.dtype in ("int64", "int32", "int16") else left
    exact = left.dtype in SIGNED or name not in ("divide", "floor_mod", "mod", "trunc_mod")
    m.call(name, [left, right], shape, left.dtype, -2 * left.peak - 8, 2 * left.peak + 8, exact, dims)


def power(m):
    data = m.within(m.pick(("float32", "float64", "float16")), 0.25, 2.0)
    exponent = m.within(m.need(data.shape, data.dtype), -2.0, 2.0)
    m.like("power", data, exponent, low=0.0, high=16.0)


def compare(m):
    found = pair(m, NUMBERS, exact=True)
    if found:
        left, right, shape, dims = found
        m.call(m.random.choose(COMPARISONS), [left, right], shape, "bool", dims=dims)


def logical(m):
    if m.random.chance(1, 4):
        m.like("logical_not", m.pick(("bool",), dynamic=True))
    elif found := pair(m, ("bool",)):
        left, right, shape, dims = found
        m.call(m.random.choose(("logical_and", "logical_or", "logical_xor")), [left, right], shape, "bool", dims=dims)


def bitwise(m):
    if m.random.chance(1, 4):
        m.like("bitwise_not", m.pick(INTEGERS))
    elif found := pair(m, INTEGERS):
        left, right, shape, dims = found
        m.call(m.random.choose(("bitwise_and", "bitwise_or", "bitwise_xor")), [left, right], shape, left.dtype,
               dims=dims)


def shift(m):
    data = m.pick(INTEGERS)
    by = m.need(data.shape, data.dtype, 0, min(bits(data.dtype) - 1, 6))
    if m.random.chance(1, 2):
        data = m.within(data, 0, 1)
    m.like(m.random.choose(("left_shift", "right_shift")), data, by)


def where(m):
    data = m.pick(NUMBERS)
    other = m.need(data.shape, data.dtype)
    condition = m.need(data.shape if m.random.chance(2, 3) else (), "bool")
    m.call("where", [condition, data, other], data.shape, data.dtype, min(data.low, other.low),
           max(data.high, other.high), data.exact and other.exact)


def axes_of(m, data):
    """(attributes, shape of the result) of a reduction over some axes."""
    if not data.rank or m.random.chance(1, 5):
        return {}, ()
    axes = sorted({m.random.below(data.rank) for _ in range(1 + m.random.below(2))})
    attrs = {"axis": [axis - data.rank if m.random.chance(1, 4) else axis for axis in axes]}
    if m.random.chance(1, 3):
        attrs["keepdims"] = True
        return attrs, tuple(1 if axis in axes else extent for axis, extent in enumerate(data.shape))
    if m.random.chance(1, 8) and len(axes) < data.rank:
        attrs["exclude"] = True
        return attrs, tuple(data.shape[axis] for axis in axes)
    return attrs, tuple(extent for axis, extent in enumerate(data.shape) if axis not in axes)


def reduction(m):
    name = m.random.choose(("sum", "mean", "max", "min", "prod", "sum", "mean"))
    data = m.pick(FLOATS + ("int32", "int64") if name != "mean" else FLOATS)
    if name == "prod" and data.dtype in FLOATS:
        data = m.within(data, -1.0, 1.0)
    attrs, shape = axes_of(m, data)
    peak = data.peak * (data.size if name == "sum" else 1)
    exact = data.exact and (name in ("max", "min") or data.dtype in INTEGERS)
    m.call(name, [data], shape, data.dtype, -peak, peak, exact, **attrs)


def dynamic_sum(m):
    """A sum over all elements, whose number may be known only at run time."""
    data = m.pick(("float32", "int32", "int64", "float64"), dynamic=True)
    m.call("sum", [data], (), data.dtype)


def truth(m):
    data = m.pick(("bool",))
    if data.rank:
        attrs, shape = axes_of(m, data)
        m.call(m.random.choose(("all", "any")), [data], shape, "bool", **attrs)


def extremum(m):
    data = m.pick(("float32", "float64", "int32", "int8", "int64"), exact=True)
    if data.rank:
        axis = m.random.below(data.rank)
        m.call(m.random.choose(("argmax", "argmin")), [data], data.shape[:axis] + data.shape[axis + 1:], "int32", 0,
               data.shape[axis] - 1, axis=[axis])


def variance(m):
    data = m.pick(("float32", "float64"))
    if data.rank:
        axis = m.random.below(data.rank)
        kept = data.shape[:axis] + (1,) + data.shape[axis + 1:]
        mean = m.call("mean", [data], kept, data.dtype, data.low, data.high, axis=[axis], keepdims=True)
        m.call("variance", [data, mean], data.shape[:axis] + data.shape[axis + 1:], data.dtype, 0.0,
               4 * data.peak ** 2, axis=[axis])


def cumulate(m):
    name = m.random.choose(("cumsum", "cumprod"))
    data = m.pick(("float32", "float64", "int32", "int64"))
    if data.rank:
        data = m.within(data, -1.0, 1.0) if data.dtype in FLOATS else data
        attrs = {"exclusive": True} if m.random.chance(1, 3) else {}
        m.like(name, data, low=-float(data.size), high=float(data.size), exact=data.dtype in INTEGERS,
               axis=m.random.below(data.rank), dtype=data.dtype, **attrs)


def softmax(m):
    name = m.random.choose(("nn.softmax", "nn.log_softmax", "nn.fast_softmax"))
    data = m.pick(("float32",) if name == "nn.fast_softmax" else ("float32", "float64", "float16"))
    if data.rank:
        low, high = (-1e9, 0.0) if name == "nn.log_softmax" else (0.0, 1.0)
        m.like(name, m.within(data, -4.0, 4.0), low=max(low, -24.0), high=high, axis=m.random.below(data.rank))


def alike(m):
    """Operators that use only the type of their operand."""
    data = m.pick(NUMBERS)
    name = m.random.choose(("zeros_like", "ones_like", "full_like"))
    others = [m.scalar(2, data.dtype)] if name == "full_like" else []
    m.like(name, data, *others, low=0, high=2, exact=True)


def fixed_point(m):
    data = m.pick(("int32",))
    m.like("fixed_point_multiply", m.within(data, -1000, 1000), multiplier=1 << 30, shift=m.random.below(3) - 1)


def dropout(m):
    data = m.pick(("float32", "float16"))
    type = Tuple((data.type, data.type))
    m.fields(m.raw("nn.dropout", [data], type, rate=0.25), [(data.shape, data.low, data.high, data.exact)])


OPERATORS = (smooth, smooth, smooth, fast, rounding, signs, signs, classify, clip, cast, cast, cast_like, reinterpret,
             arithmetic, arithmetic, arithmetic, arithmetic, quotient, power, compare, compare, logical, bitwise, shift,
             where)
REDUCTIONS = (reduction, reduction, dynamic_sum, truth, extremum, variance, cumulate, softmax, alike, fixed_point,
              dropout)
