#!/usr/bin/env python3
"""Shows that passes make of random graphs what the reference makes of them.

usage: oracle/python pass-agreement.py --bin BUILD/bin [--kind KIND]... [--graphs N] [--seed N] [--show N] [--save DIR]

Kinds: layouts (convert-layout, with random layouts, alone and in a group), altered (alter-op-layout, with random targets),
canonical (canonicalize-ops), constants (fold-constant), qnn (fold-constant<fold-qnn>), legalize, qnn-canonicalize and
qnn-legalize (with random targets), fake-quantization (fake-quantization-to-integer, with random options), precision
(to-mixed-precision), dynamic (dynamic-to-static), devices (plan-devices; what the reference refuses is to be refused, too),
scales (fold-scale-axis and its members), parallel-* (combine-parallel-*), casts (canonicalize-cast), simplified
(simplify-expr-post-alter-op), built (default<O0> to default<O4>), composites (merge-composite, with random pattern tables,
which stand in front of a graph that is shown or saved), partitioning (annotate-target, merge-compiler-regions and
partition-graph, with random tables of support), dnnl (the pattern table of dnnl, alone and with the passes that follow it),
compiler-functions (outline-compiler-functions-..., mark-compiler-functions-as-extern, inline-compiler-functions-bound-to),
transposed-weights (simplify-fc-transpose), partial-evaluate (on programs of programs.py), lazy-gradients
(lazy-gradient-init), cps (to-cps, un-cps) and defunctionalized (defunctionalization). Graphs are made with the reference's interface and have up
to --size operations; those that it refuses, and those whose pass fails there, are skipped. Results are compared by the reference's
structural equality, and by relay-diff where numbers may differ in the last digits. --save keeps the graphs that differ.

To be run where TVM is importable. A batch is a process, so that what crashes the reference costs a batch only. The last
line is 'N passed, N failed, N skipped', also of a run that is interrupted. Exit status: 0 when none failed, 1
otherwise, 2 for wrong usage.
"""
import argparse, json, os, random, re, subprocess, sys, tempfile
from pathlib import Path

import devices
import dynamic
import functional
import legal
import precision
import programs
import quantized
import scales

BATCH = 25
TABLE = "@TABLE@"  # in a pipeline: a file of the text that choose() gives with it
UNREADABLE = "is not bound in this function"  # what hangs from two functions has no text
UNARY = ("nn.relu exp tanh sigmoid negative abs sqrt ceil floor round sign copy zeros_like ones_like log erf rsqrt "
         "isnan cos trunc").split()
BINARY = "add subtract multiply divide maximum minimum power greater less equal".split()
REDUCTIONS = "sum mean max min prod argmax argmin variance".split()
CONV2D = [("NHWC", "HWIO"), ("NHWC", "OHWI"), ("NHWC", "default"), ("NCHW", "OIHW"), ("NCHW", "default"),
          ("NCHW4c", "OIHW4o"), ("NCHW4c", "default"), ("NCHW2c", "OIHW2i2o")]


class Graph:
    """A graph under construction: typed values that further operations choose from."""

    def __init__(self, tvm, rng):
        self.tvm, self.relay, self.rng = tvm, tvm.relay, rng
        self.params, self.values = [], []

    def type_of(self, expr):
        return self.relay.transform.InferTypeLocal(expr)

    def param(self, shape, dtype="float32"):
        var = self.relay.var(f"p{len(self.params)}", shape=shape, dtype=dtype)
        self.params.append(var)
        return var

    def const(self, shape, dtype="float32"):
        import numpy
        np = numpy.random.RandomState(self.rng.randrange(1 << 30))
        if dtype == "bool":
            return self.relay.const(np.rand(*shape) > 0.5, dtype)
        if dtype.startswith("float"):
            return self.relay.const(numpy.asarray(np.randint(-32, 33, shape) / 8, dtype), dtype)
        low, high = (0, 255) if dtype == "uint8" else (-128, 127) if dtype == "int8" else (-9, 10)
        return self.relay.const(numpy.asarray(np.randint(low, high, shape), dtype), dtype)

    def add(self, expr):
        """Keeps the value and its fields, if the operation is valid."""
        try:
            t = self.type_of(expr)
        except Exception:
            return False
        if isinstance(t, self.tvm.ir.TupleType):
            fields = list(range(len(t.fields)))
            for i in self.rng.sample(fields, min(2, len(fields))):
                self.add(self.relay.TupleGetItem(expr, i))
            return True
        if not all(isinstance(d, (int, self.tvm.tir.IntImm)) for d in t.shape):
            self.dynamic = expr
            return True
        if any(int(d) < 1 for d in t.shape) or self.size([int(d) for d in t.shape]) > 40000:
            return False
        self.values.append((expr, [int(d) for d in t.shape], t.dtype))
        return True

    @staticmethod
    def size(shape):
        count = 1
        for d in shape:
            count *= d
        return count

    def pick(self, rank=None, dtype=None):
        """A value of that rank and data type, preferably a new one; None if there is none."""
        fitting = [v for v in self.values if (rank is None or len(v[1]) == rank) and (dtype is None or v[2] == dtype)]
        return self.rng.choice(fitting[-4:] if self.rng.random() < 0.8 else fitting) if fitting else None

    def partner(self, shape, dtype, make):
        """An operand that broadcasts with the shape: some axes are 1, some leading ones are omitted."""
        other = [d if self.rng.random() < 0.6 else 1 for d in shape]
        return make(tuple(other[self.rng.randrange(len(shape) + 1):] if self.rng.random() < 0.6 else other), dtype)

    def result(self):
        """All unused values, or the last value."""
        relay = self.relay
        last = [v[0] for v in self.values[-self.rng.choice([1, 1, 2, 3]):]]
        body = last[0] if len(last) == 1 else relay.Tuple(last)
        free = set(relay.analysis.free_vars(body))
        return relay.Function([p for p in self.params if p in free], body)


# ---- what all kinds have ------------------------------------------------------------------------------------------------

def add_common(g, make):
    """One operation that is neither a convolution nor a pool. `make` creates further operands."""
    relay, rng = g.relay, g.rng
    picked = g.pick()
    if not picked:
        return False
    x, shape, dtype = picked
    rank = len(shape)
    axis = rng.randrange(-rank, rank) if rank else 0
    kind = rng.randrange(20)
    if kind < 4:
        return g.add(relay.Call(relay.op.get(rng.choice(UNARY)), [x]))
    if kind < 7:
        op = relay.op.get(rng.choice(BINARY))
        same = [v for v in g.values if v[1] == shape and v[2] == dtype]
        other = rng.choice(same)[0] if rng.random() < 0.4 else g.partner(shape, dtype, make)
        return g.add(relay.Call(op, [x, other] if rng.random() < 0.7 else [other, x]))
    if kind == 7:
        return g.add(relay.clip(x, -1.0, float(rng.randrange(1, 5))))
    if kind == 8:
        return g.add(relay.cast(x, rng.choice(["float32", "int32", "float16", "int8", "bool", "float64"])))
    if not rank:
        return False
    if kind == 9:
        same = [v[0] for v in g.values if v[1] == shape and v[2] == dtype]
        return g.add(relay.concatenate([x, rng.choice(same)] if rng.random() < 0.7 else [x, make(tuple(shape), dtype)], axis))
    if kind == 10:
        op = getattr(relay, rng.choice(REDUCTIONS))
        axes = rng.choice([None, axis, rng.sample(range(rank), rng.randrange(1, rank + 1))])
        return g.add(op(x, axis=axes, keepdims=rng.random() < 0.5, exclude=rng.random() < 0.2))
    if kind == 11:
        order = list(range(rank))
        rng.shuffle(order)
        return g.add(relay.transpose(x, order if rng.random() < 0.8 else None))
    if kind == 12:
        begin = [rng.randrange(0, max(1, d // 2)) for d in shape]
        end = [rng.randrange(b + 1, d + 1) for b, d in zip(begin, shape)]
        if rng.random() < 0.4:
            axes = rng.sample(range(rank), rng.randrange(1, rank + 1))
            return g.add(relay.strided_slice(x, [begin[a] for a in axes], [end[a] for a in axes], axes=axes))
        return g.add(relay.strided_slice(x, begin, end, [rng.choice([1, 1, 2]) for _ in shape]))
    if kind == 13:
        return g.add(relay.split(x, rng.choice([1, 2, [1]]), axis).astuple())
    if kind == 14:
        return g.add(relay.expand_dims(x, axis, rng.choice([1, 1, 2])) if rng.random() < 0.5 or 1 not in shape else
                     relay.squeeze(x, rng.choice([None, [shape.index(1)]])))
    if kind == 15:
        return g.add(relay.nn.pad(x, [(rng.randrange(2), rng.randrange(2)) for _ in shape], rng.choice([0, 1.0])))
    if kind == 16:
        return g.add(relay.reshape(x, rng.choice([[-1], [0, -1], [-1, shape[-1]]])))
    if kind == 17:
        if rng.random() < 0.5:
            return g.add(relay.nn.softmax(x, axis))
        return g.add(relay.nn.bias_add(x, make((shape[axis],), dtype), axis))
    if kind == 18:
        return g.add(rng.choice([relay.broadcast_to(x, [2] + shape), relay.repeat(x, 2, axis), relay.tile(x, [2]),
                                 relay.reverse(x, axis), relay.stack([x, x], axis), relay.cumsum(x, axis)]))
    return g.add(relay.where(relay.greater(x, make((1,), dtype)), x, make(tuple(shape), dtype)))


# ---- layouts ------------------------------------------------------------------------------------------------------------

def add_conv2d(g):
    relay, rng = g.relay, g.rng
    picked = g.pick(4, "float32")
    if not picked:
        return False
    x, shape, _ = picked
    layout = g.layout if rng.random() < 0.9 else rng.choice(["NCHW", "NHWC"])
    channels, kernel = rng.choice([4, 8, 16]), rng.choice([1, 3])
    c = shape[layout.index("C")]
    groups = c if rng.random() < 0.2 else rng.choice([1, 1, 1, 2])
    channels = c if groups == c else channels
    weight = {"O": channels, "I": c // groups, "H": kernel, "W": kernel}
    form = "OIHW" if layout == "NCHW" else "HWOI" if groups == c and c > 1 else "HWIO"
    make = g.const if rng.random() < 0.3 else g.param
    return g.add(relay.nn.conv2d(x, make(tuple(weight[a] for a in form)), kernel_size=(kernel, kernel), channels=channels,
                                 padding=rng.choice([(0, 0), (1, 1)]), strides=rng.choice([(1, 1), (2, 2)]), groups=groups,
                                 data_layout=layout, kernel_layout=form))


def add_spatial(g):
    """Pools, normalizations and the like, on four axes."""
    relay, rng = g.relay, g.rng
    picked = g.pick(4, "float32")
    if not picked:
        return False
    x, shape, _ = picked
    layout, nn = g.layout, g.relay.nn
    channel = layout.index("C")
    c = shape[channel]
    kind = rng.randrange(12)
    if kind < 3:
        op = rng.choice([nn.max_pool2d, nn.avg_pool2d])
        return g.add(op(x, rng.choice([(2, 2), (3, 3)]), strides=rng.choice([(1, 1), (2, 2)]), padding=rng.choice([(0, 0), (1, 1)]),
                        layout=layout))
    if kind == 3:
        return g.add(rng.choice([nn.global_avg_pool2d, nn.global_max_pool2d])(x, layout=layout))
    if kind == 4:
        return g.add(rng.choice([nn.adaptive_avg_pool2d, nn.adaptive_max_pool2d])(x, (2, 2), layout=layout))
    if kind == 5:
        stats = [g.param((c,)) for _ in range(4)]
        return g.add(nn.batch_norm(x, *stats, axis=channel).astuple())
    if kind == 6:
        return g.add(nn.upsampling(x, 2, 2, layout, rng.choice(["nearest_neighbor", "bilinear"])))
    if kind == 7:
        return g.add(relay.image.resize2d(x, (5, 5), layout=layout, method="linear"))
    if kind == 8:
        return g.add(nn.leaky_relu(x, 0.1) if rng.random() < 0.5 else nn.prelu(x, g.param((c,)), channel))
    if kind == 9:
        axis = rng.randrange(4)
        op = rng.choice([nn.layer_norm, nn.instance_norm])
        return g.add(op(x, g.param((shape[axis],)), g.param((shape[axis],)), axis=axis))
    if kind == 10:
        return g.add(rng.choice([nn.l2_normalize(x, 1e-5, [rng.randrange(4)]), nn.dropout(x), nn.batch_flatten(x),
                                 nn.lrn(x, axis=channel)]))
    if layout == "NCHW" and rng.random() < 0.7:
        return g.add(nn.conv2d_transpose(x, g.param((c, 4, 3, 3)), channels=4, kernel_size=(3, 3)))
    return g.add(relay.slice_like(x, g.param(tuple(max(1, d - 1) for d in shape)), rng.choice([None, (2, 3), (1,)])))


def make_layouts(tvm, rng, size):
    g = Graph(tvm, rng)
    g.layout = rng.choice(["NCHW", "NCHW", "NHWC"])
    extents = {"N": rng.choice([1, 2]), "C": rng.choice([4, 8, 16]), "H": rng.choice([6, 8]), "W": rng.choice([6, 8, 9])}
    g.add(g.param(tuple(extents[a] for a in g.layout)))
    make = lambda shape, dtype: (g.const if rng.random() < 0.4 else g.param)(shape, dtype)
    add_conv2d(g)
    for _ in range(rng.randrange(1, size)):
        rng.choice([add_conv2d, add_spatial, lambda g: add_common(g, make), lambda g: add_common(g, make)])(g)
    return g.result()


def choose_layouts(rng):
    wishes = {"nn.conv2d": list(rng.choice(CONV2D))}
    for name in ["nn.max_pool2d", "nn.avg_pool2d", "nn.global_avg_pool2d", "image.resize2d"]:
        if rng.random() < 0.25:
            wishes[name] = [rng.choice(["NHWC", "NCHW", "default"])]
    if rng.random() < 0.25:
        wishes["nn.conv2d_transpose"] = list(rng.choice([("NHWC", "default"), ("NHWC", "HWIO"), ("NCHW", "IOHW")]))
    text = "convert-layout<desired-layouts=" + ",".join(":".join([n] + l) for n, l in wishes.items()) + ">"
    grouped = rng.random() < 0.5

    def run(tvm, mod):
        convert = tvm.relay.transform.ConvertLayout(wishes)
        return (tvm.transform.Sequential([convert]) if grouped else convert)(mod)
    return f"sequential({text})" if grouped else text, run


# ---- layouts of targets -------------------------------------------------------------------------------------------------

def add_dense(g):
    relay, rng = g.relay, g.rng
    picked = g.pick(2, "float32")
    if not picked:
        picked = g.pick(4, "float32")
        return picked and g.add(relay.nn.batch_flatten(picked[0]))
    x, shape, _ = picked
    units = rng.choice([1, 5, 8, 10, 13, 16, 24, 32, 48])
    weight = (g.const if rng.random() < 0.3 else g.param)((units, shape[1]))
    computed = [v for v in g.values if len(v[1]) == 2 and v[1][1] == shape[1] and v[2] == "float32"]
    if computed and rng.random() < 0.3:
        weight, (units, _), _ = rng.choice(computed)
    return g.add(relay.nn.dense(x, weight, units=rng.choice([None, units])))


def add_bytes(g):
    """A convolution or a dense layer of bytes, on parameters of its own."""
    relay, rng = g.relay, g.rng
    dtypes = [rng.choice(["uint8", "uint8", "int8"]), "int8"]
    if rng.random() < 0.4:
        x = g.param((rng.choice([1, 3]), rng.choice([4, 6, 8])), dtypes[0])
        y = relay.nn.dense(x, g.param((rng.choice([5, 16, 32]), g.type_of(x).shape[1]), dtypes[1]), out_dtype="int32")
    else:
        channels, filters = rng.choice([(4, 16), (8, 32), (12, 16), (16, 16), (20, 48)])
        x = g.param((1, channels, 5, 5), dtypes[0])
        y = relay.nn.conv2d(x, g.param((filters, channels, 3, 3), dtypes[1]), kernel_size=(3, 3), channels=filters,
                            out_dtype="int32")
    return g.add(relay.cast(y, "float32"))


def make_altered(tvm, rng, size):
    g = Graph(tvm, rng)
    g.layout = rng.choice(["NCHW"] * 6 + ["NHWC"])
    extents = {"N": rng.choice([1, 2]), "C": rng.choice([1, 3, 4, 8, 16, 10, 7]), "H": rng.choice([6, 8]), "W": rng.choice([6, 9])}
    g.add(g.param(tuple(extents[a] for a in g.layout)))
    make = lambda shape, dtype: (g.const if rng.random() < 0.4 else g.param)(shape, dtype)
    rng.choice([add_conv2d, add_conv2d, add_dense])(g)
    for _ in range(rng.randrange(1, size)):
        rng.choice([add_conv2d, add_conv2d, add_dense, add_bytes, add_spatial, lambda g: add_common(g, make),
                    lambda g: add_common(g, make)])(g)
    return g.result()


def choose_altered(rng):
    target = rng.choice([t for t in legal.TARGETS if t.startswith("llvm")])

    def run(tvm, mod):
        with quantized.in_target(tvm, target):
            return tvm.relay.transform.AlterOpLayout()(mod)
    return quantized.with_target("alter-op-layout", target), run


def make_canonical(tvm, rng, size):
    g = Graph(tvm, rng)
    for _ in range(2):
        g.add(g.param(tuple(rng.choice([1, 2, 3]) for _ in range(rng.randrange(1, 5)))))
    for _ in range(rng.randrange(2, size)):
        x, shape, dtype = g.pick()
        if shape and rng.random() < 0.5:
            axis = rng.randrange(-len(shape), len(shape))
            g.add(tvm.relay.nn.bias_add(x, g.param((shape[axis],), dtype), axis))
        else:
            add_common(g, g.param)
    return g.result()


# ---- constants ----------------------------------------------------------------------------------------------------------

def make_constants(tvm, rng, size):
    relay = tvm.relay
    g = Graph(tvm, rng)
    dtype = rng.choice(["float32", "float32", "int32", "int64", "float64", "int8", "uint8"])
    shape = tuple(rng.choice([1, 2, 3]) for _ in range(rng.randrange(0, 4)))
    g.add(g.const(shape, dtype))
    if rng.random() < 0.5:
        g.add(g.param(shape, dtype))
    make = lambda s, d: (g.param if rng.random() < 0.15 else g.const)(s, d)
    for _ in range(rng.randrange(2, size)):
        kind = rng.randrange(10)
        x, shape, dtype = g.pick()
        if kind < 6:
            add_common(g, make)
        elif kind == 6:
            g.add(relay.If(relay.const(rng.random() < 0.5), x, relay.negative(x)))
        elif kind == 7:
            var = relay.var("v%d" % len(g.values))
            g.add(relay.Let(var, x, relay.add(var, var)))
        elif kind == 8:
            g.add(rng.choice([relay.shape_of(x), relay.zeros(shape, dtype), relay.full_like(x, g.const((), dtype)),
                              relay.layout_transform(x, "NC", "CN"), relay.TupleGetItem(relay.Tuple([x, x]), 1)]))
        else:
            closure = relay.Function([], relay.add(x, x))
            g.add(relay.Call(closure, []))
    return g.result()


# ---- quantized ----------------------------------------------------------------------------------------------------------

def make_qnn(tvm, rng, size):
    relay, qnn = tvm.relay, tvm.relay.qnn.op
    g = Graph(tvm, rng)
    scale = lambda: relay.const(rng.choice([0.5, 0.25, 0.1, 0.03, 1.0, 2.0, 0.007]), "float32")
    zero = lambda low=-3: relay.const(rng.choice([0, 0, 1, max(low, -3), 5]), "int32")
    int8 = lambda: rng.choice(["int8", "uint8"])
    for d in ["float32", int8(), "int8"]:
        g.add(g.const(tuple(rng.choice([2, 3]) for _ in range(2)), d))
    if rng.random() < 0.5:
        g.add(g.param((2, 3), "int8"))
    for _ in range(rng.randrange(2, size)):
        kind = rng.randrange(9)
        x, shape, dtype = g.pick(dtype=rng.choice(["float32", "int8", "uint8", "int32"])) or g.pick()
        low = 0 if dtype == "uint8" else -3
        if kind == 0 and dtype == "float32":
            out = rng.choice(["int8", "uint8", "int32"])
            g.add(qnn.quantize(x, scale(), zero(0 if out == "uint8" else -3), out_dtype=out))
        elif kind == 1:
            g.add(qnn.dequantize(x, scale(), zero(low)))
        elif kind in (2, 3):
            out = rng.choice(["int8", "uint8", "int32"])
            g.add(qnn.requantize(x, scale(), zero(low), scale(), zero(0 if out == "uint8" else -3), out_dtype=out,
                                 rounding=rng.choice(["UPWARD", "TONEAREST", "None"]), compute_dtype=rng.choice(["int64", "float32", "None"])))
        elif kind in (4, 5):
            op = rng.choice([qnn.add, qnn.mul, qnn.subtract])
            g.add(op(x, g.const(tuple(shape), dtype), scale(), zero(low), scale(), zero(low), scale(), zero(low)))
        elif kind == 6 and dtype in ("int8", "uint8") and len(shape) == 2:
            g.add(qnn.dense(x, g.const((3, shape[1]), "int8"), zero(low), zero(), scale(), scale(), units=3))
        elif kind == 7 and dtype in ("int8", "uint8"):
            op = rng.choice([qnn.tanh, qnn.sigmoid, qnn.exp, qnn.abs, qnn.sqrt, qnn.rsqrt, qnn.erf, qnn.hardswish])
            g.add(op(x, scale(), zero(low), scale(), zero(low)))
        else:
            g.add(qnn.leaky_relu(x, 0.2, scale(), zero(low), scale(), zero(low)) if rng.random() < 0.5 else
                  relay.reshape(x, (-1, shape[-1] if shape else 1)))
    return g.result()


# ---- fake quantization --------------------------------------------------------------------------------------------------

SHAPE_RULES = ["reshape", "squeeze", "expand_dims", "transpose", "strided_slice", "max_pool2d", "batch_flatten",
               "depth_to_space", "max", "min", "resize2d", "broadcast_to", "topk", "split", "take", "mean"]
QNN_UNARY = ["sqrt", "rsqrt", "exp", "erf", "sigmoid", "tanh", "abs", "log"]


class FakeQuantized:
    """Regions from qnn.dequantize to qnn.quantize, some of which cannot be converted. No integers are dequantized twice:
    the reference would use the scale of the second one for both. Scales vary along axes of different lengths."""

    def __init__(self, tvm, rng):
        self.g, self.tvm, self.relay, self.rng = Graph(tvm, rng), tvm, tvm.relay, rng
        self.values = []  # floats, with their shapes
        self.wide = set()  # values whose integers have int32, which products and most functions do not take
        self.dtype = rng.choice(["int8", "int8", "uint8"])
        self.plain = rng.random() < 0.7  # constant scalar scales only
        self.lets = []

    def scale(self, length=0):
        """A scale and a zero point, vectors if there is a length."""
        rng, relay = self.rng, self.relay
        draw = lambda: rng.choice([0.5, 0.25, 0.1, 0.03, 1.0, 2.0, 0.007])
        zero = lambda: rng.choice([0, 0, 1, 5, 3])
        if length:
            import numpy
            scale = relay.const(numpy.array([draw() for _ in range(length)], "float32"))
            return scale, relay.const(numpy.array([rng.choice([0, zero()])] * length, "int32"))
        if not self.plain and rng.random() < 0.2:
            scale = self.g.param(())
            if rng.random() < 0.3:
                scale = relay.multiply(scale, relay.const(2.0))
            return scale, self.g.param((), "int32") if rng.random() < 0.5 else relay.const(zero())
        if not self.plain and rng.random() < 0.1:
            return relay.multiply(relay.const(draw()), relay.const(2.0)), relay.const(zero())
        if not self.plain and rng.random() < 0.02:
            return relay.const([draw()]), relay.const([zero()])
        return relay.const(draw()), relay.const(zero())

    def source(self, shape, dtype=None, axis=None, constant=None):
        """Dequantized integers."""
        rng, relay = self.rng, self.relay
        dtype = dtype or (self.dtype if rng.random() < 0.93 else rng.choice(["int8", "uint8", "int32"]))
        constant = rng.random() < 0.2 if constant is None else constant
        data = (self.g.const if constant else self.g.param)(tuple(shape), dtype)
        scale, zero = self.scale(0 if axis is None else shape[axis])
        return relay.qnn.op.dequantize(data, scale, zero, -1 if axis is None else axis)

    def keep(self, expr, is_wide=False):
        try:
            t = self.g.type_of(expr)
        except Exception:
            return False
        if isinstance(t, self.tvm.ir.TupleType):
            return self.keep(self.relay.TupleGetItem(expr, self.rng.randrange(len(t.fields))), is_wide)
        shape = [int(d) if isinstance(d, (int, self.tvm.tir.IntImm)) else 0 for d in t.shape]
        if Graph.size([d or 1 for d in shape]) > 20000:
            return False
        self.values.append((expr, shape))
        if is_wide:
            self.wide.add(expr)
        return True

    def pick(self):
        return self.rng.choice(self.values[-3:] if self.rng.random() < 0.8 else self.values)

    def similar(self, x, shape):
        """Values of the same shape and, mostly, of the same kind of integers."""
        return [v[0] for v in self.values
                if v[1] == shape and ((v[0] in self.wide) == (x in self.wide) or self.rng.random() < 0.05)]

    def shape_rule(self, x, shape):
        relay, rng, nn = self.relay, self.rng, self.relay.nn
        rank, name = len(shape), rng.choice(SHAPE_RULES)
        axis = rng.randrange(-rank, rank) if rank else 0
        order = list(range(rank))
        rng.shuffle(order)
        layout = rng.choice(["NCHW", "NHWC"])
        return {
            "reshape": lambda: relay.reshape(x, rng.choice([[-1], [0, -1], [-1, shape[-1]]])),
            "squeeze": lambda: relay.squeeze(x, rng.choice([None, [shape.index(1)] if 1 in shape else None])),
            "expand_dims": lambda: relay.expand_dims(x, axis, rng.choice([1, 2])),
            "transpose": lambda: relay.transpose(x, rng.choice([order, order, None])),
            "strided_slice": lambda: relay.strided_slice(x, [0] * rank, [max(1, d - 1) for d in shape]),
            "max_pool2d": lambda: nn.max_pool2d(x, (2, 2), (1, 1), padding=rng.choice([(0, 0), (1, 1)]), layout=layout),
            "batch_flatten": lambda: nn.batch_flatten(x),
            "depth_to_space": lambda: nn.depth_to_space(x, 2),
            "max": lambda: relay.max(x, axis, keepdims=rng.random() < 0.5),
            "min": lambda: relay.min(x, axis, exclude=rng.random() < 0.2),
            "resize2d": lambda: relay.image.resize2d(x, [8, 8], None, layout,
                                                     rng.choice(["nearest_neighbor", "linear"]), "asymmetric"),
            "broadcast_to": lambda: relay.broadcast_to(x, [2] + shape),
            "topk": lambda: relay.topk(x, 1, axis, rng.choice(["values", "values", "both", "indices"])),
            "split": lambda: relay.split(x, rng.choice([1, 2, [1]]), axis).astuple(),
            "take": lambda: relay.take(x, relay.const([0], "int32"), rng.choice([None, axis])),
            "mean": lambda: relay.mean(x, axis, keepdims=rng.random() < 0.5),
        }[name]()

    def product(self, x, shape):
        relay, rng, nn = self.relay, self.rng, self.relay.nn
        n = rng.choice([5, 6, 7])
        if len(shape) == 4:
            layout = rng.choice(["NCHW", "NCHW", "NHWC"])
            c, kernel = shape[layout.index("C")], rng.choice([1, 3])
            kind = rng.randrange(6)
            if kind == 0 and layout == "NCHW":
                w = self.source((c, n, kernel, kernel), axis=1 if rng.random() < 0.2 else None)
                return nn.conv2d_transpose(x, w, channels=n, kernel_size=(kernel, kernel),
                                           padding=rng.choice([(0, 0), (1, 1)]))
            form = "OIHW" if layout == "NCHW" else "HWIO"
            groups = c if kind == 1 and layout == "NCHW" else 1
            n = c if groups > 1 else n
            extents = dict(O=n, I=c // groups, H=kernel, W=kernel)
            shape = [extents[a] for a in form]
            # With NHWC, the reference uses another axis for the scales.
            per_channel = layout == "NCHW" and rng.random() < 0.4
            w = self.source(shape, axis=form.index("O") if per_channel else None)
            known = rng.random() < 0.8
            return nn.conv2d(x, w, channels=n if known else None, kernel_size=(kernel, kernel) if known else None,
                             padding=rng.choice([(0, 0), (1, 1), 1]), strides=rng.choice([(1, 1), (2, 2)]), groups=groups,
                             data_layout=layout, kernel_layout=form)
        if len(shape) == 3:
            other = self.source((shape[0], n, shape[2]))
            return nn.batch_matmul(x, other)
        # With other ranks, the reference uses another axis for the scales.
        w = self.source((n, shape[-1]), axis=0 if len(shape) == 2 and rng.random() < 0.3 else None)
        return nn.dense(x, w, units=rng.choice([None, n]))

    def bias(self, x, shape):
        relay, rng = self.relay, self.rng
        axis = 1 if len(shape) == 4 else len(shape) - 1
        if rng.random() < 0.6:
            return relay.nn.bias_add(x, self.g.const((shape[axis],)), axis)
        b = self.source((shape[axis],), rng.choice([self.dtype, "int32"]))
        if isinstance(x, relay.Call) and x.op.name in ("nn.dense", "nn.conv2d") and rng.random() < 0.7:
            scales = [a.args[1] for a in x.args if isinstance(a, relay.Call) and a.op.name == "qnn.dequantize"]
            if len(scales) == 2 and all(isinstance(s, relay.Constant) for s in scales):
                product = relay.const(scales[0].data.numpy() * scales[1].data.numpy())
                zero = relay.cast(relay.zeros_like(product), "int32")
                zero = relay.transform.FoldConstantExpr(zero, self.tvm.IRModule())
                b = relay.qnn.op.dequantize(self.g.param((shape[axis],), "int32"), product, zero, 0)
        return relay.nn.bias_add(x, b, axis) if rng.random() < 0.7 else relay.add(x, b)

    def binary(self, x, shape):
        relay, rng = self.relay, self.rng
        op = rng.choice([relay.add, relay.multiply, relay.subtract, relay.maximum, relay.minimum])
        same = self.similar(x, shape)
        kind = rng.randrange(4)
        other = rng.choice(same) if kind < 2 else self.source(shape) if kind == 2 else self.g.partner(shape, "float32", self.g.const)
        return op(x, other) if rng.random() < 0.7 else op(other, x)

    def activation(self, x, shape):
        relay, rng, nn = self.relay, self.rng, self.relay.nn
        kind = rng.randrange(8)
        if kind < 2:
            return nn.relu(x)
        if kind < 4:
            return relay.clip(x, rng.choice([0.0, -1.5]), rng.choice([6.0, 2.5]))
        if kind == 4:
            widths = tuple((rng.randrange(2), rng.randrange(2)) for _ in shape)
            value = rng.choice([0.0, 1.5, 0, None])
            return nn.pad(x, widths, self.source(()) if value is None else value)
        if kind == 5:
            return nn.softmax(x)
        return getattr(relay, rng.choice(QNN_UNARY))(x)

    def pool(self, x, shape):
        relay, rng, nn = self.relay, self.rng, self.relay.nn
        kind = rng.randrange(3)
        if kind == 0:
            return nn.avg_pool2d(x, (2, 2), rng.choice([(1, 1), (2, 2)]), padding=rng.choice([(0, 0), (1, 1)]),
                                 layout=rng.choice(["NCHW", "NHWC"]), count_include_pad=rng.random() < 0.5)
        if kind == 1:
            return nn.global_avg_pool2d(x)
        return nn.adaptive_avg_pool1d(x, 2)

    def join(self, x, shape):
        relay, rng = self.relay, self.rng
        same = self.similar(x, shape)
        parts = [x] + rng.choices(same, k=rng.choice([0, 1, 2])) + [self.source(shape)] * rng.randrange(2)
        return relay.concatenate(parts, rng.randrange(len(shape)))

    def other(self, x, shape):
        """What the pass does not convert."""
        relay, rng = self.relay, self.rng
        kind = rng.randrange(5)
        if kind == 0:
            return relay.cos(x)
        if kind == 1:
            return relay.add(x, self.g.param((1,)))
        if kind == 2:
            name = relay.var(f"l{len(self.lets)}", self.g.type_of(x))
            self.lets.append((name, x))
            return name
        if kind == 3:
            return relay.If(self.g.param((), "bool"), x, relay.nn.relu(x))
        return relay.reverse(x, 0)

    def quantize(self, x, shape):
        rng, relay = self.rng, self.relay
        scale, zero = self.scale()
        dtype = self.dtype if rng.random() < 0.93 else rng.choice(["int8", "uint8", "int32"])
        return relay.qnn.op.quantize(x, scale, zero, out_dtype=dtype)

    def step(self):
        relay, rng = self.relay, self.rng
        kind = rng.choices(["shape_rule", "product", "bias", "binary", "activation", "pool", "join", "other"],
                           [6, 6, 3, 5, 7, 2, 2, self.oddity])[0]
        x, shape = self.pick()
        is_wide = x in self.wide
        if 0 in shape or is_wide and kind in ("product", "pool", "join") and rng.random() < 0.95:
            return False
        if is_wide and kind == "activation" and rng.random() < 0.95:
            return self.keep(rng.choice([relay.nn.relu(x), relay.clip(x, 0.0, 6.0)]), True)
        return self.keep(getattr(self, kind)(x, shape), is_wide or kind == "product")

    def function(self, size):
        rng, relay = self.rng, self.relay
        self.oddity = rng.choice([0, 0, 0, 1])
        for _ in range(rng.choice([1, 1, 2])):
            shape = rng.choice([(1, 4, 8, 8), (1, 4, 8, 8), (2, 8), (2, 3, 8), (1, 8, 8, 3), (4, 6)])
            self.keep(self.source(shape, axis=rng.choice([None] * 12 + [1]), constant=False))
        results = []
        for _ in range(rng.choice([1, 1, 2, 3])):
            for _ in range(rng.randrange(1, size)):
                try:
                    self.step()
                except Exception:
                    pass
            x, shape = self.pick()
            end = self.quantize(x, shape)
            try:
                self.g.type_of(end)
            except Exception:
                continue
            if rng.random() < 0.3:
                scale, zero = self.scale()
                self.keep(relay.qnn.op.dequantize(end, scale, zero))
            results.append(end)
        if rng.random() < 0.2 or not results:
            results.append(self.pick()[0])
        body = results[0] if len(results) == 1 else relay.Tuple(results)
        for name, value in reversed(self.lets):
            body = relay.Let(name, value, body)
        free = set(relay.analysis.free_vars(body))
        return relay.Function([p for p in self.g.params if p in free], body)


def make_fake_quantized(tvm, rng, size):
    return FakeQuantized(tvm, rng).function(size)


def choose_fake_quantization(rng):
    hard, qat, optional = rng.random() < 0.15, rng.random() < 0.4, rng.random() < 0.3
    names = ["nn.softmax"] if optional else []
    options = ["hard-fail"] * hard + ["use-qat"] * qat + ["optional-qnn-ops=nn.softmax"] * optional
    text = "fake-quantization-to-integer" + (f"<{';'.join(options)}>" if options else "")
    return text, lambda tvm, mod: tvm.relay.transform.FakeQuantizationToInteger(hard, qat, names)(mod)


# ---- parallel branches -----------------------------------------------------------------------------------------------

class Parallel:
    """Branches of one operator on the same data, most of them followed by the same elementwise operations."""

    def __init__(self, tvm, rng, op, scalars):
        self.tvm, self.relay, self.rng, self.op, self.scalars = tvm, tvm.relay, rng, op, scalars
        self.g = Graph(tvm, rng)
        self.dtype = rng.choice(["float32", "float32", "float32", "int32", "float16", "int8"])
        self.roots = 0
        self.has_any = rng.random() < 0.2

    def operand(self, shape):
        return (self.g.const if self.rng.random() < 0.3 else self.g.param)(tuple(shape), self.dtype)

    def data(self):
        rng, relay = self.rng, self.relay
        self.layout = rng.choice(["NCHW", "NCHW", "NHWC"])
        if self.op == "conv2d":
            extents = dict(N=rng.choice([1, 2]), C=rng.choice([2, 4]), H=rng.choice([4, 5]), W=4)
            self.shape = [extents[a] for a in self.layout]
        else:
            self.shape = [rng.choice([1, 2, 3]) for _ in range(3 if self.op == "batch_matmul" else 2)]
        written = list(self.shape)
        if self.has_any:
            written[0] = relay.Any()
        x = self.g.param(tuple(written), self.dtype)
        return relay.nn.relu(x) if rng.random() < 0.4 else x

    def call(self, x, like):
        """A call, preferably with the attributes of `like`, and the number of its channels."""
        rng, nn, relay = self.rng, self.relay.nn, self.relay
        n = like["n"] if rng.random() < 0.6 else rng.choice([1, 2, 4, 5])
        out = "int32" if self.dtype == "int8" else ""
        if self.op == "dense":
            return nn.dense(x, self.operand((n, self.shape[1])), rng.choice([None, n]), out_dtype=out), n
        if self.op == "batch_matmul":
            b = self.shape[0] if rng.random() < 0.8 else 1
            return nn.batch_matmul(x, self.operand((b, n, self.shape[2])), out_dtype=out), n
        kernel = like["kernel"] if rng.random() < 0.8 else rng.choice([1, 3])
        strides = like["strides"] if rng.random() < 0.8 else rng.choice([1, 2])
        extents = dict(O=n, I=self.shape[self.layout.index("C")], H=kernel, W=kernel)
        form = "OIHW" if self.layout == "NCHW" else "HWIO"
        explicit = dict(channels=n, kernel_size=(kernel, kernel)) if rng.random() < 0.7 else {}
        return nn.conv2d(x, self.operand([extents[a] for a in form]), strides=(strides, strides), padding=(kernel // 2,) * 2,
                         data_layout=self.layout, kernel_layout=form, out_dtype=out, **explicit), n

    def operand_of_tail(self, value, n, form):
        """An operand that broadcasts with the result: `form` selects the axes that are not 1; omits leading ones."""
        t = self.g.type_of(value)
        shape = [d if isinstance(d, int) else int(d) if isinstance(d, self.tvm.tir.IntImm) else 1 for d in t.shape]
        kept = [d if bit else 1 for d, bit in zip(shape, form["bits"])]
        if form["channels"]:
            kept = [d if d == n else 1 for d in kept]
        shape = kept[form["drop"]:] if self.scalars else kept[min(form["drop"], len(kept) - 1):]
        make = self.g.const if form["const"] else self.g.param
        return make(tuple(shape), t.dtype)

    def tail(self):
        rng = self.rng
        kind = rng.choice(["unary", "unary", "binary", "binary", "binary", "attrs", "bias", "shape"])
        form = dict(bits=[rng.random() < 0.6 for _ in range(5)], channels=rng.random() < 0.5, drop=rng.randrange(5),
                    const=rng.random() < 0.3, swap=rng.random() < 0.2)
        return kind, dict(form, op=rng.choice("add multiply subtract maximum".split()), axis=rng.choice([1, -1, 0, 3]),
                          unary=rng.choice("nn.relu tanh negative abs copy zeros_like".split()), number=rng.randrange(6))

    def apply(self, value, n, tail):
        relay, rng = self.relay, self.rng
        kind, form = tail
        if kind == "unary":
            return relay.Call(relay.op.get(form["unary"]), [value])
        if kind == "binary":
            args = [value, self.operand_of_tail(value, n, form)]
            return relay.Call(relay.op.get(form["op"]), args[::-1] if form["swap"] else args)
        if kind == "attrs":
            return [lambda: relay.clip(value, 0, 6), lambda: relay.cast(value, "float32"), lambda: relay.cast(value, "int32"),
                    lambda: relay.nn.leaky_relu(value, 0.1), lambda: relay.left_shift(relay.cast(value, "int32"), relay.const([1])),
                    lambda: relay.clip(value, -2, 3)][form["number"]]()
        if kind == "bias":
            axis = form["axis"]
            shape = self.g.type_of(value).shape
            return relay.nn.bias_add(value, self.g.param((shape[axis],), self.g.type_of(value).dtype), axis)
        return [lambda: relay.expand_dims(value, -1), lambda: relay.expand_dims(value, 0), lambda: relay.repeat(value, 2, 0),
                lambda: relay.repeat(value, 2, -1), lambda: relay.tile(value, (2,)), lambda: relay.nn.softmax(value)][form["number"]]()

    def branches(self):
        """The results of the branches from one root."""
        rng = self.rng
        x = self.data()
        like = dict(n=rng.choice([2, 4, 5]), kernel=rng.choice([1, 3]), strides=rng.choice([1, 1, 2]))
        tails = [self.tail() for _ in range(rng.choice([0, 1, 1, 2, 3]))]
        results = []
        for _ in range(rng.choice([2, 2, 3, 4])):
            value, n = self.call(x, like)
            for tail in tails:
                if rng.random() < 0.04:
                    results.append(value)
                if rng.random() < 0.06:
                    tail = self.tail()
                try:
                    after = self.apply(value, n, tail)
                    self.g.type_of(after)
                    value = after
                except Exception:
                    pass
            results.append(value)
        return results

    def function(self):
        relay, rng = self.relay, self.rng
        results = [r for _ in range(rng.choice([1, 1, 2])) for r in self.branches()]
        kind = rng.randrange(10)
        if kind == 0:  # bound by let, all or some of them
            names = [relay.var(f"v{i}") for i in range(len(results))]
            body = relay.Tuple(names)
            for name, value in reversed(list(zip(names, results))):
                body = relay.Let(name, value, body)
            return relay.Function(self.g.params, body)
        if kind == 1:  # in a closure
            inner = relay.Function([], relay.Tuple(results))
            f = relay.var("f")
            return relay.Function(self.g.params, relay.Let(f, inner, relay.Call(f, [])))
        return relay.Function(self.g.params, relay.Tuple(results))


def make_parallel(op, scalars=True):
    """Without scalars after layers that become a batch: the reference broadcasts them along the batch."""
    return lambda tvm, rng, size: Parallel(tvm, rng, op, scalars).function()


# ---- casts and transposed weights -------------------------------------------------------------------------------------

def make_casts(tvm, rng, size):
    relay = tvm.relay
    g = Graph(tvm, rng)
    values = [g.param((2, 3), d) for d in rng.sample(["int8", "uint8", "float16", "int32", "bool", "float32"], 3)]
    for _ in range(rng.randrange(3, 3 * size)):
        x = rng.choice(values[-6:])
        dtype = g.type_of(x).dtype
        kind = rng.randrange(9)
        if kind < 4 or dtype == "bool":
            value = relay.cast(x, rng.choice(["int32", "float32", "int16", "float64", "int8"]))
        elif kind < 7:
            same = [v for v in values if g.type_of(v).dtype == dtype]
            value = rng.choice([relay.add, relay.multiply, relay.maximum])(*rng.choices(same, k=2))
        elif kind == 7:
            value = rng.choice([relay.negative, relay.abs, relay.nn.softmax, lambda v: relay.reshape(v, (2, 3)),
                                lambda v: relay.TupleGetItem(relay.split(relay.concatenate([v, v], 0), 2, 0).astuple(), 1),
                                lambda v: relay.cumsum(v, 0, dtype)])(x)
        else:
            closure = relay.Function([], relay.negative(x))
            value = relay.Call(closure, []) if rng.random() < 0.5 else relay.If(relay.const(True), relay.negative(x), x)
        values.append(value)
    results = rng.sample(values, min(len(values), 4))
    if rng.random() < 0.3:
        names = [relay.var(f"v{i}") for i in range(len(results))]
        body = relay.Tuple(names)
        for name, value in reversed(list(zip(names, results))):
            body = relay.Let(name, value, body)
        return relay.Function(g.params, body)
    return relay.Function(g.params, relay.Tuple(results))


def is_cast(x):
    return hasattr(x, "op") and getattr(x.op, "name", "") == "cast"


def make_simplified(tvm, rng, size):
    """What simplify-expr-post-alter-op matches, and operations that are alike. No chains of three casts: the reference
    does not apply a rule to two of them that it has tried on others (docs/Differences.md)."""
    relay = tvm.relay
    g = Graph(tvm, rng)
    shapes = [(2, 6), (3, 4), (12,), (1, 12), (2, 3, 2)]
    values = [g.param(rng.choice(shapes), d) for d in rng.sample(["int8", "uint8", "float16", "int32", "float32"], 3)]
    for _ in range(rng.randrange(3, 3 * size)):
        x = rng.choice(values[-4:])
        t = g.type_of(x)
        shape, dtype = [int(d) for d in t.shape], t.dtype
        kind = rng.randrange(8)
        if kind in (4, 5) and is_cast(x) and is_cast(x.args[0]):
            continue
        if kind < 2:
            number = rng.choice([0, 0, 1, 1, 2])
            like = rng.choice([shape, [], [1], shape[-1:], [1] + shape])
            fill = rng.choice([
                relay.const(number, dtype), relay.full(relay.const(number, dtype), like, dtype),
                relay.zeros(like, dtype), relay.ones(like, dtype), relay.zeros_like(x), relay.ones_like(x),
                relay.full_like(x, relay.const(number, dtype))])
            op = rng.choice([relay.add, relay.subtract, relay.multiply] + [relay.divide] * dtype.startswith("float"))
            operands = [x, fill] if rng.random() < 0.6 else [fill, x]
            value = op(*operands) if op is not relay.divide or operands[0] is x else relay.multiply(*operands)
        elif kind < 4:
            value = rng.choice([relay.reshape, lambda v, s: relay.reverse_reshape(v, s)])(x, rng.choice(shapes + [[-1]]))
        elif kind < 6:
            # Casts that the reference alone takes for lossless are left out.
            lossy = {"int32": ["float32"], "int8": ["uint8"], "uint8": ["int8"]}.get(dtype, [])
            kinds = ["int32", "float32", "int16", "float64", "int8", "uint8", dtype]
            value = relay.cast(x, rng.choice([d for d in kinds if d not in lossy]))
        elif kind == 6:
            wide = [(-2**32, 2**32)] * (not dtype.startswith("float"))  # it makes infinities of float16 finite
            value = relay.clip(x, *rng.choice([(0, 255), (-128, 127), (0, 6), (0, 127)] + wide))
        else:
            value = rng.choice([relay.nn.relu, relay.negative, lambda v: relay.transpose(v),
                                lambda v: relay.expand_dims(v, 0), lambda v: relay.maximum(v, v)])(x)
        if g.size(shape) == 12 and len(g.type_of(value).shape) < 5:
            values.append(value)
    return relay.Function(g.params, relay.Tuple(rng.sample(values, min(len(values), 3))))


def make_transposed(tvm, rng, size):
    """Layers with separate weights: the reference creates two parameters from a weight that two layers use. All
    parameters are used, since the reference drops unused ones even if it changes nothing else."""
    relay = tvm.relay
    width = rng.choice([2, 3])
    x = relay.var("x", shape=(1, width))
    params, value = [x], relay.nn.relu(x)
    for i in range(rng.randrange(1, size)):
        units = rng.choice([1, 2, 3])
        w = relay.var(f"w{i}", shape=(width, units) if rng.random() < 0.7 else (units, width))
        params.append(w)
        weight = relay.transpose(w, rng.choice([[1, 0], None])) if int(w.type_annotation.shape[0]) == width else w
        if weight is not w or units == width or int(w.type_annotation.shape[0]) == units:
            value = relay.nn.dense(value, weight, units)
            width = units
        if rng.random() < 0.3:
            value = relay.add(value, relay.var("b%d" % i, shape=(width,)))
            params.append(value.args[1])
    rng.shuffle(params)
    free = set(relay.analysis.free_vars(value))
    return relay.Function([p for p in params if p in free], value)


def choose_weights(rng):
    names = [f"w{i}" for i in range(40)]

    def run(tvm, mod):
        found = list(tvm.relay.analysis.search_fc_transpose(mod["main"]))
        return tvm.relay.transform.SimplifyFCTranspose(names)(mod) if found else mod
    return "simplify-fc-transpose<target-weight-name=" + ",".join(names) + ">", run


# ---- composites ---------------------------------------------------------------------------------------------------------

UNARY_PARTS = ["nn.relu", "tanh", "abs", "exp"]
BINARY_PARTS = ["add", "multiply", "subtract", "divide"]


class Composites:
    """Graphs of few operators over values of one type, so that random patterns match."""

    def __init__(self, tvm, rng, closed=False):
        """With `closed`, closures with the attribute Composite use their parameters only."""
        self.relay, self.rng, self.closed = tvm.relay, rng, closed
        self.params = [self.relay.var(f"p{i}", shape=(2, 3)) for i in range(rng.choice([1, 2, 3]))]
        self.condition = self.relay.var("c", shape=(), dtype="bool")
        self.lets = []

    def value(self, values):
        relay, rng = self.relay, self.rng
        call = lambda name, *args: relay.Call(relay.op.get(name), list(args))
        pick = lambda: rng.choice(values[-4:] if rng.random() < 0.7 else values)
        kind = rng.randrange(16)
        if kind < 4:
            return call(rng.choice(UNARY_PARTS), pick())
        if kind < 10:
            operands = [pick(), pick() if rng.random() < 0.7 else relay.const(float(rng.choice([1, 2])), "float32")]
            rng.shuffle(operands)
            return call(rng.choice(BINARY_PARTS), *operands)
        if kind == 10:
            return relay.nn.softmax(pick(), rng.choice([0, 1]))
        if kind == 11:
            return relay.TupleGetItem(relay.Tuple([pick(), pick()]), rng.choice([0, 1]))
        if kind == 12:
            return relay.split(relay.concatenate([pick(), pick()], 0), 2, 0)[rng.choice([0, 1])]
        if kind == 13:
            return relay.If(self.condition, self.values(values, 2)[-1], self.values(values, 2)[-1])
        if kind == 14:
            var = relay.var("v", shape=(2, 3))
            is_closed = self.closed and rng.random() < 0.3
            closure = relay.Function([var], self.values([var] if is_closed else values + [var], 3)[-1])
            for key in ["Primitive", "Compiler", "Composite", "PartitionedFromPattern"]:
                if self.closed and key == "Composite":
                    if is_closed:
                        closure = closure.with_attr(key, rng.choice(["a.c", "b.c", "ab.c"]))
                elif rng.random() < 0.1:
                    closure = closure.with_attr(key, 1 if key == "Primitive" else "u")
            return relay.Call(closure, [pick()])
        name = relay.var(f"l{len(self.lets)}", shape=(2, 3))
        return relay.Let(name, call(rng.choice(UNARY_PARTS), pick()), call(rng.choice(BINARY_PARTS), name, pick()))

    def values(self, values, count):
        values = list(values)
        for _ in range(count):
            values.append(self.value(values))
        return values

    def function(self, size):
        relay, rng = self.relay, self.rng
        values, lets = list(self.params), []
        for _ in range(rng.randrange(2, 2 * size)):
            value = self.value(values)
            if rng.random() < 0.1:
                lets.append((relay.var(f"l{len(lets)}", shape=(2, 3)), value))
                value = lets[-1][0]
            values.append(value)
        body = relay.Tuple(values[-rng.choice([1, 2, 3]):]) if rng.random() < 0.5 else values[-1]
        for name, value in reversed(lets):
            body = relay.Let(name, value, body)
        return relay.Function(self.params + [self.condition], body)


class PatternMaker:
    """Random patterns, each as text and as a pattern of the reference."""

    def __init__(self, tvm, rng):
        self.dfp, self.rng = tvm.relay.dataflow_pattern, rng
        self.relay = tvm.relay
        self.named = []

    def leaf(self):
        rng, dfp = self.rng, self.dfp
        if self.named and rng.random() < 0.15:
            return rng.choice(self.named)
        if rng.random() < 0.15:
            leaf = "%%%d@*" % len(self.named), dfp.wildcard()
            self.named.append((leaf[0][:-2], leaf[1]))
            return leaf
        return rng.choices([("*", dfp.wildcard()), ("const", dfp.is_constant()), ("var", dfp.is_var()),
                            ("1f", dfp.is_expr(self.relay.const(1.0, "float32")))], [12, 2, 1, 1])[0]

    def name(self, pattern):
        text = "%%%d" % len(self.named)
        self.named.append((text, pattern[1]))
        return f"{text}@({pattern[0]})", pattern[1]

    def call(self, depth):
        rng, dfp = self.rng, self.dfp
        name = rng.choice(UNARY_PARTS + BINARY_PARTS)
        if rng.random() < 0.06:
            return f"{name}(...)", dfp.is_op(name)(None)
        args = [self.pattern(depth - 1) for _ in range(1 if name in UNARY_PARTS else 2)]
        return f"{name}({', '.join(a[0] for a in args)})", dfp.is_op(name)(*[a[1] for a in args])

    def pattern(self, depth):
        """May have any form but that of a `let`, for which the reference creates ill-formed functions."""
        if depth <= 0 or self.rng.random() < 0.15:
            return self.leaf()
        forms = [self.call, self.either, self.optional, self.softmax, self.typed, self.field, self.branch, self.dominated,
                 self.closure, self.loop]
        made = self.rng.choices(forms, [14, 2, 3, 1, 1, 1, 1, 1, 1, 1])[0](depth)
        return self.name(made) if made[0][0] != "%" and self.rng.random() < 0.05 else made

    def either(self, depth):
        left, right = self.call(depth), self.pattern(depth)
        return f"({left[0]} | {right[0]})", left[1] | right[1]

    def optional(self, depth):
        inner = self.name(self.call(depth - 1))
        name = self.rng.choice(UNARY_PARTS + BINARY_PARTS)
        others = [self.leaf()] if name in BINARY_PARTS else []
        args = ", ".join([inner[0].split("@", 1)[0]] + [o[0] for o in others])
        outer = self.dfp.is_op(name)(inner[1], *[o[1] for o in others])
        return f"({inner[0]} | {name}({args}))", inner[1] | outer

    def softmax(self, depth):
        inner, axis = self.pattern(depth - 1), self.rng.choice([0, 1])
        return f"nn.softmax({inner[0]}){{axis={axis}}}", self.dfp.is_op("nn.softmax")(inner[1]).has_attr({"axis": axis})

    def typed(self, depth):
        text, inner = self.pattern(depth - 1)
        return self.rng.choice([(f"({text}: dtype(float32))", inner.has_dtype("float32")),
                                (f"({text}: shape(2, 3))", inner.has_shape((2, 3))),
                                (f"({text}: dtype(int32))", inner.has_dtype("int32"))])

    def field(self, depth):
        index, whole = self.rng.choice([0, 1, None]), ("(...)", self.dfp.is_tuple(None))
        if self.rng.random() < 0.7:
            fields = [self.pattern(depth - 1) for _ in range(2)]
            whole = f"({', '.join(f[0] for f in fields)})", self.dfp.is_tuple([f[1] for f in fields])
        return f"{whole[0]}.{'*' if index is None else index}", self.dfp.is_tuple_get_item(whole[1], index)

    def branch(self, depth):
        parts = [self.pattern(depth - 1) for _ in range(3)]
        return f"if({', '.join(p[0] for p in parts)})", self.dfp.is_if(*[p[1] for p in parts])

    def dominated(self, depth):
        parent, path = self.call(depth - 1), self.call(1) if self.rng.random() < 0.7 else self.leaf()
        child = self.call(1)
        return f"dominates({parent[0]}, {path[0]}, {child[0]})", child[1].dominates(parent[1], path[1])

    def closure(self, depth):
        """A call of one."""
        if self.rng.random() < 0.5:
            arg = self.pattern(depth - 1)
            return f"(*)({arg[0]})", self.dfp.wildcard()(arg[1])
        param, body, arg = (self.pattern(depth - 1 if i else 0) for i in range(3))
        return f"fn({param[0]}) {{ {body[0]} }}({arg[0]})", self.dfp.FunctionPattern([param[1]], body[1])(arg[1])

    def loop(self, depth):
        """A chain of any length."""
        step, end = self.rng.choice(UNARY_PARTS), self.call(depth - 1)
        name, again = "%%%d" % len(self.named), self.dfp.wildcard()
        chain = self.dfp.is_op(step)(again | end[1])
        again.redirect_to(chain)
        self.named.append((name, chain))
        return f"{name}@{step}({name} | {end[0]})", chain


def make_composites(tvm, rng, size):
    return Composites(tvm, rng).function(size)


def make_partitioned(tvm, rng, size):
    return Composites(tvm, rng, closed=True).function(size)


def choose_composites(rng):
    import tvm, tvm.relay, tvm.relay.dataflow_pattern
    table = []
    for _ in range(rng.choice([1, 2, 2, 3, 4])):
        maker = PatternMaker(tvm, rng)
        text, pattern = rng.choice([maker.call, maker.call, maker.pattern])(rng.choice([1, 2, 2, 3]))
        table.append((rng.choice("abcdef"), pattern, text))
    text = "".join(f'pattern "{name}" = {p}\n' for name, _, p in table)
    merge = lambda tvm, mod: tvm.relay.transform.MergeComposite([entry[:2] for entry in table])(mod)
    return f"merge-composite<patterns={TABLE}>", merge, text


# ---- partitioning -------------------------------------------------------------------------------------------------------

SUPPORTED = {}  # by target: the operators that it supports, in the reference's present run


def choose_partitioning(rng):
    """annotate-target, alone or with the passes that follow it, with random tables of support."""
    import tvm, tvm.relay
    names = UNARY_PARTS + BINARY_PARTS + ["nn.softmax", "split", "concatenate"]
    targets = rng.choice([["a"], ["a"], ["a", "b"], ["b", "a"]])
    density = {t: rng.choice([0.3, 0.6, 0.9]) for t in targets}
    tables = {t: [n for n in names if rng.random() < density[t]] or [names[0]] for t in targets}
    others = rng.random() < 0.7
    partitions, merged = rng.random() < 0.8, rng.random() < 0.8

    def run(tvm, mod):
        transform = tvm.relay.transform
        if not SUPPORTED:
            for name, target in [(n, t) for n in names for t in "ab"]:
                tvm.ir.register_op_attr(name, "target." + target, lambda e, t=target: e.op.name in SUPPORTED.get(t, ()))
        SUPPORTED.clear()
        SUPPORTED.update(tables)
        passes = [transform.AnnotateTarget(targets, others)]
        passes += ([transform.MergeCompilerRegions()] * merged + [transform.PartitionGraph()]) * partitions
        valid = tvm.relay.analysis.well_formed(mod["main"])
        for one in passes:
            mod = one(mod)
        if valid and not tvm.relay.analysis.well_formed(mod["main"]):
            raise ValueError("variables are used outside of their scope: docs/Differences.md")
        return mod
    text = "".join(f"[TargetSupport key={t}]\n" + "".join(f"{n} = true\n" for n in tables[t]) for t in targets)
    pipeline = f"annotate-target<targets={','.join(targets)};support={TABLE};include-non-call-ops={str(others).lower()}>"
    pipeline += (",merge-compiler-regions" * merged + ",partition-graph") * partitions
    return pipeline, run, text


# ---- the pattern table of dnnl ------------------------------------------------------------------------------------------

class Layers:
    """Layers with biases, sums and activations, most of them as the table of dnnl describes them."""

    def __init__(self, tvm, rng):
        self.tvm, self.relay, self.rng = tvm, tvm.relay, rng
        self.g = Graph(tvm, rng)
        self.rank = rng.choice([2, 4, 4, 4, 3, 5])
        self.channels = rng.choice([2, 3])
        self.shape = (1, self.channels) + (4,) * (self.rank - 2)
        self.zero = self.relay.const(0, "int32")

    def operand(self, shape, dtype="float32"):
        return (self.g.const if self.rng.random() < 0.4 else self.g.param)(tuple(shape), dtype)

    def layer(self, x):
        nn, rng, c, n = self.relay.nn, self.rng, self.channels, self.rank - 2
        if not n:
            return nn.dense(x, self.operand((c, c)))
        kind = rng.choice(["conv", "conv", "conv", "transpose"])
        weight = self.operand((c, c) + (3,) * n)
        options = dict(kernel_size=(3,) * n, padding=(1,) * n)
        if rng.random() < 0.85:
            options["channels"] = c
        if kind == "conv":
            return [nn.conv1d, nn.conv2d, nn.conv3d][n - 1](x, weight, **options)
        return [nn.conv1d_transpose, nn.conv2d_transpose, nn.conv3d_transpose][n - 1](x, weight, **dict(options, channels=c))

    def bias(self, x):
        c, n, rng = self.channels, self.rank - 2, self.rng
        shape = rng.choice([(c,) + (1,) * n, (1, c) + (1,) * n, (c,) + (1,) * n, (1,) * n, (), (c, 4) + (1,) * max(0, n - 1)])
        bias = self.operand(shape)
        if rng.random() < 0.2:
            bias = self.relay.multiply(bias, self.operand(rng.choice([shape, ()])))
        return self.relay.add(*(x, bias) if rng.random() < 0.9 else (bias, x))

    def sum(self, x, values):
        other = self.rng.choice(values) if self.rng.random() < 0.8 else self.operand(self.shape)
        if self.rng.random() < 0.1:
            other = self.relay.multiply(other, self.operand(self.rng.choice([self.shape, ()])))
        return self.relay.add(*(x, other) if self.rng.random() < 0.85 else (other, x))

    def activation(self, x):
        relay, one = self.relay, lambda: self.operand(())
        return self.rng.choice([
            relay.nn.relu, relay.nn.relu, relay.tanh, relay.sigmoid, lambda x: relay.clip(x, 0, 6),
            lambda x: relay.multiply(relay.multiply(x, relay.add(relay.erf(relay.divide(x, one())), one())), one()),
            lambda x: relay.multiply(x, relay.sigmoid(x)), relay.exp,
            lambda x: relay.multiply(x, relay.tanh(relay.log(relay.add(relay.exp(x), one()))))])(x)

    def quantized(self, x):
        relay, rng, c = self.relay, self.rng, self.channels
        zero = lambda: self.zero  # two constants do not match in the reference, but text does not tell the difference
        scale = lambda shape=(): self.g.const(shape) if rng.random() < 0.9 else self.g.param(shape)
        maybe = lambda apply, x: apply(x) if rng.random() < 0.6 else x
        data = relay.cast(x, rng.choice(["int8", "uint8"]))
        if self.rank == 2:
            y = relay.qnn.op.dense(data, self.g.const((c, c), "int8"), zero(), zero(), scale(), scale(), units=c)
        else:
            y = relay.qnn.op.conv2d(data, self.g.const((c, c, 3, 3), "int8"), zero(), zero(), scale(), scale(),
                                    kernel_size=(3, 3), channels=c, padding=(1, 1))
        y = maybe(lambda y: relay.add(y, scale((c,) + (1,) * (self.rank - 2))), relay.cast(y, "float32"))
        y = relay.clip(relay.multiply(y, scale()), 0, 255)
        y = maybe(lambda y: relay.multiply(y, scale()), y)
        y = maybe(lambda y: relay.add(y, relay.multiply(scale(), relay.cast(x, "float32"))), y)
        return relay.cast(relay.cast(maybe(lambda y: relay.add(y, scale()), y), "uint8"), "float32")

    def function(self, size):
        rng, relay = self.rng, self.relay
        values = [self.g.param(self.shape)]
        for _ in range(rng.randrange(1, size)):
            x = rng.choice(values[-3:])
            if self.rank in (2, 4) and rng.random() < 0.2:
                values.append(self.quantized(x))
                continue
            x = self.layer(x) if rng.random() < 0.9 else x
            for step, likely in ((self.bias, 0.7), (lambda x: self.sum(x, values), 0.3), (self.activation, 0.7)):
                x = step(x) if rng.random() < likely else x
            values.append(x)
        used = values[-rng.choice([1, 1, 2]):]
        body = used[0] if len(used) == 1 else relay.Tuple(used)
        free = set(relay.analysis.free_vars(body))
        return relay.Function([p for p in self.g.params if p in free], body)


def make_layers(tvm, rng, size):
    return Layers(tvm, rng).function(size)


def choose_dnnl(rng):
    import tvm, tvm.relay
    from tvm.relay.op.contrib import dnnl
    whole = rng.random() < 0.5

    def run(tvm, mod):
        transform = tvm.relay.transform
        passes = [transform.MergeComposite(dnnl.pattern_table())]
        if whole:
            passes += [transform.AnnotateTarget("dnnl"), transform.MergeCompilerRegions(), transform.PartitionGraph()]
        for one in passes:
            mod = one(mod)
        return mod
    return ("pattern-table" if whole else "merge-composite") + "<targets=dnnl>", run


# ---- functions of compilers ---------------------------------------------------------------------------------------------

def make_functions(tvm, rng, size):
    """A module with functions of the compilers a and b, as globals or as closures."""
    relay = tvm.relay
    _, partition, _ = choose_partitioning(rng)
    # Small graphs: the reference crashes at some of the larger ones.
    mod = relay.transform.InferType()(tvm.IRModule.from_expr(make_partitioned(tvm, rng, 3)))
    mod = relay.transform.InferType()(partition(tvm, mod))
    if rng.random() < 0.5:
        return mod
    functions = {v.name_hint: f for v, f in mod.functions.items()}

    class ToClosures(relay.ExprMutator):
        def visit_call(self, call):
            call = super().visit_call(call)
            name = getattr(call.op, "name_hint", None)
            if name not in functions:
                return call
            closure = functions[name] if rng.random() < 0.9 else functions[name].without_attr("global_symbol")
            return relay.Call(closure, call.args)
    return tvm.IRModule.from_expr(ToClosures().visit(mod["main"]))


def choose_functions(rng):
    compiler = rng.choice(["", "a", "b"])
    option = f"<compiler-filter={compiler}>" if compiler else ""
    kind, chance = rng.randrange(3), rng.random()
    if kind == 0:
        return "mark-compiler-functions-as-extern" + option, lambda tvm, mod: tvm.relay.transform.MarkCompilerFunctionsAsExtern(compiler)(mod)
    if kind == 1:
        return ("outline-compiler-functions-with-existing-global-symbols" + option,
                lambda tvm, mod: tvm.relay.transform.OutlineCompilerFunctionsWithExistingGlobalSymbols(compiler)(mod))
    choose = lambda mod: [v for i, v in enumerate(mod.get_global_vars()) if v.name_hint != "main" and (i * chance * 7) % 1 < 0.6]
    return (lambda mod: f"inline-compiler-functions-bound-to<global-vars={','.join(v.name_hint for v in choose(mod))}>",
            lambda tvm, mod: tvm.relay.transform.InlineCompilerFunctionsBoundTo(choose(mod))(mod))


def combine(name, make_pass, extra=""):
    def choose(rng):
        n = rng.choice([2, 2, 3])
        return f"combine-parallel-{name}<min-num-branches={n}{extra}>", lambda tvm, mod: make_pass(tvm.relay.transform, n)(mod)
    return choose


def plain(text, make_pass):
    return lambda rng: (text, lambda tvm, mod: make_pass(tvm.relay.transform)(mod))


def make_built(tvm, rng, size):
    make = rng.choice([make_layouts, make_altered, make_canonical, make_simplified,
                       make_parallel("conv2d"), make_parallel("dense"), make_parallel("batch_matmul"), scales.make_scales])
    return make(tvm, rng, size)


def choose_built(rng):
    """relay.build up to fusion, then inlining, for a generic x86; not LabelOps, which writes hashes of functions."""
    level = rng.randrange(5)

    def run(tvm, mod):
        fused = []

        @tvm.instrument.pass_instrument
        class Capture:
            def run_after_pass(self, mod, info):
                if info.name == "FuseOps":
                    fused.append(mod)

        mod = tvm.relay.fromtext(mod.astext(show_meta_data=True))  # fusion sees whether two operands are one literal
        with tvm.transform.PassContext(opt_level=level, instruments=[Capture()]):
            tvm.relay.build_module.BuildModule().optimize(mod, target=tvm.target.Target("llvm"))
        with tvm.transform.PassContext(opt_level=level):
            return tvm.transform.Sequential([tvm.relay.transform.Inline()])(fused[0])
    return f"default<O{level}> -opt-level={level} -target=llvm", run


def post_alter_op(transform):
    """The reference has no name for this pass in Python."""
    return transform._ffi_api.SimplifyExprPostAlterOp()


KINDS = {
    "layouts": (make_layouts, choose_layouts),
    "altered": (make_altered, choose_altered),
    "canonical": (make_canonical, plain("canonicalize-ops", lambda t: t.CanonicalizeOps())),
    "constants": (make_constants, plain("fold-constant", lambda t: t.FoldConstant())),
    "parallel-conv2d": (make_parallel("conv2d"), combine("conv2d", lambda t, n: t.CombineParallelConv2D(n))),
    "parallel-dense": (make_parallel("dense"), combine("dense", lambda t, n: t.CombineParallelDense(n, False), ";to-batch=false")),
    "parallel-dense-batch": (make_parallel("dense", scalars=False),
                             combine("dense", lambda t, n: t.CombineParallelDense(n, True))),
    "fake-quantization": (make_fake_quantized, choose_fake_quantization),
    "composites": (make_composites, choose_composites),
    "partitioning": (make_partitioned, choose_partitioning),
    "dnnl": (make_layers, choose_dnnl),
    "compiler-functions": (make_functions, choose_functions),
    "casts": (make_casts, plain("canonicalize-cast", lambda t: t.CanonicalizeCast())),
    "built": (make_built, choose_built),
    "simplified": (make_simplified, plain("simplify-expr-post-alter-op", post_alter_op)),
    "transposed-weights": (make_transposed, choose_weights),
    "parallel-batch-matmul": (make_parallel("batch_matmul"),
                              combine("batch-matmul", lambda t, n: t.CombineParallelBatchMatmul(n))),
    "qnn-canonicalize": (quantized.make_canonicalized, quantized.choose_canonicalize),
    "legalize": (legal.make_legal, legal.choose_legal),
    "qnn-legalize": (quantized.make_legalized, quantized.choose_legalize),
    "scales": (scales.make_scales, scales.choose_scales),
    "dynamic": (dynamic.make_dynamic, plain("dynamic-to-static", lambda t: t.DynamicToStatic())),
    "devices": (devices.make_devices, devices.choose_devices),
    "precision": (precision.make_precision, precision.choose_precision),
    "partial-evaluate": (programs.make_program, programs.choose_program),
    "cps": (functional.make_cps, functional.choose_cps),
    "defunctionalized": (functional.make_defunctionalized, functional.choose_defunctionalized),
    "lazy-gradients": (functional.make_lazy, functional.choose_lazy),
    "qnn": (make_qnn, plain("fold-constant<fold-qnn>", lambda t: t.FoldConstant(fold_qnn=True))),
}


# ---- comparison ---------------------------------------------------------------------------------------------------------

def run_batch(args, tvm, kind, number):
    """Yields for each graph (verdict, graph, ours, theirs)."""
    rng = random.Random(f"{args.seed}/{kind}/{number}")
    make, choose = KINDS[kind]
    graphs = []
    while len(graphs) < BATCH:
        try:
            made = make(tvm, rng, args.size)
            mod = made if isinstance(made, tvm.IRModule) else tvm.IRModule.from_expr(made)
            mod = tvm.relay.transform.InferType()(mod)
            graphs.append((mod, mod.astext(show_meta_data=True)))
        except Exception as e:
            if args.verbose:
                print(f"no graph: {e}"[:300], file=sys.stderr)
    for mod, text in graphs:
        pipeline, reference, *table = choose(rng)
        pipeline = pipeline(mod) if callable(pipeline) else pipeline
        text = "".join(f"// {line}\n" for lines in table for line in lines.splitlines()) + text
        try:
            with tvm.transform.PassContext(opt_level=3):
                theirs = tvm.relay.transform.InferType()(reference(tvm, mod))
        except Exception as e:
            if not (kind == "devices" and devices.is_conflict(str(e))):
                yield "skipped", pipeline, text, "", str(e)[-300:]
                continue
            theirs = None
        semantics = ["-verify-semantics"] if args.verify_semantics else []
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("".join(table))
            file.flush()
            passes, *target = pipeline.replace(TABLE, file.name).split(" ")  # -target=... behind it
            run = subprocess.run([str(args.bin / "relay-opt"), f"-passes={passes}", "-", *target, *semantics], input=text, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if theirs is None:
            yield "passed" if run.returncode else "failed", pipeline, text, run.stdout, "a conflict"
            continue
        if run.returncode:
            kept = kind == "fake-quantization" and "cannot convert" in run.stderr and has_wrong_integers(tvm, theirs)
            verdict = "skipped" if UNREADABLE in run.stderr or kept else "failed"
            yield verdict, pipeline, text, run.stderr[:2000], theirs.astext(show_meta_data=True)
            continue
        verdict = compare(args, tvm, run.stdout, theirs)
        if verdict == "failed" and (has_odd_blocks(tvm, pipeline, mod) or ("qnn." in run.stdout and has_moved_scales(args, tvm, run.stdout, theirs))
                                    or (kind == "lazy-gradients" and functional.delays_effects(run.stdout, theirs))
                                    or (kind == "scales" and has_unknown_divisors(run.stdout, theirs))
                                    or (kind == "fake-quantization" and has_wrong_integers(tvm, theirs))):
            verdict = "skipped"
        yield verdict, pipeline, text, run.stdout, theirs.astext(show_meta_data=True)


def has_odd_blocks(tvm, pipeline, mod):
    """Whether a convolution is converted to blocks that do not divide its channels, or from NHWC, where the reference
    uses the height: docs/Differences.md."""
    odd = []

    def visit(e):
        if isinstance(e, tvm.relay.Call) and getattr(e.op, "name", "") == "nn.conv2d":
            data, weight = (a.checked_type.shape for a in e.args)
            odd.append(e.attrs.data_layout != "NCHW" or any(int(n) % 4 for n in (data[1], *weight[:2])))
    if re.search(r"conv2d:NCHW\dc", pipeline):
        tvm.relay.analysis.post_order_visit(mod["main"], visit)
    return any(odd)


def has_unknown_divisors(ours, theirs):
    """Whether the reference divides by scales that are not constant, which our pass keeps: docs/Differences.md. Graphs are
    created without divisions."""
    return theirs.astext(show_meta_data=False).count("divide(") > ours.count("divide(")


def has_moved_scales(args, tvm, ours, theirs):
    """Whether scales vary along an axis that an operator has moved, which the reference does not follow:
    docs/Differences.md. Graphs are created with scales along axis 1; for other ones only an axis may differ."""
    axes = set()

    def visit(e):
        if isinstance(e, tvm.relay.Call) and getattr(e.op, "name", "") in ("qnn.requantize", "qnn.dequantize"):
            if any(int(d) > 1 for d in e.args[1].checked_type.shape):
                axes.add((e.op.name, e.attrs.axis))
    tvm.relay.analysis.post_order_visit(tvm.relay.transform.InferType()(tvm.relay.fromtext(ours))["main"], visit)
    return any(name == "qnn.requantize" and axis != 1 for name, axis in axes) or (
        axes and find_difference(args, ours, theirs).startswith("different attribute 'axis'"))


def has_wrong_integers(tvm, theirs):
    """Whether the reference has created integers that differ from the floats: docs/Differences.md."""
    wrong = []
    bits = lambda e: int("".join(c for c in e.checked_type.dtype if c.isdigit()))
    is_number = lambda e, test: isinstance(e, tvm.relay.Constant) and bool(test(e.data.numpy()).all())

    def visit(e):
        name = getattr(e.op, "name", "") if isinstance(e, tvm.relay.Call) else ""
        if name == "qnn.mul":
            wrong.append(bits(e.args[0]) + bits(e.args[1]) > 30)
        elif name == "qnn.softmax":
            wrong.append(not is_number(e.args[1], lambda n: n <= 1))
        elif name == "qnn.avg_pool2d":
            padded = e.attrs.count_include_pad and any(int(n) for n in e.attrs.padding)
            wrong.append(padded and not is_number(e.args[4], lambda n: n == 0))
        elif name == "nn.bias_add" and "int" in e.checked_type.dtype:
            zero = {"qnn.quantize": 2, "qnn.requantize": 4}.get(getattr(getattr(e.args[1], "op", None), "name", ""))
            has_zero = zero is not None and is_number(e.args[1].args[zero], lambda n: n != 0)
            wrong.append(e.checked_type.dtype != "int32" or isinstance(e.args[0], tvm.relay.Var) or has_zero)
    tvm.relay.analysis.post_order_visit(theirs["main"], visit)
    return any(wrong)


def compare(args, tvm, ours, theirs):
    try:
        mine = tvm.relay.transform.InferType()(tvm.relay.fromtext(ours))
        if tvm.ir.structural_equal(mine, theirs, map_free_vars=True):
            return "passed"
    except Exception:
        pass
    return "failed" if find_difference(args, ours, theirs) else "passed"


def find_difference(args, ours, theirs):
    """The first difference, as text; empty if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("ours", "theirs")]
        for path, text in zip(paths, (ours, theirs.astext(show_meta_data=True))):
            Path(path).write_text(text)
        run = subprocess.run([str(args.bin / "relay-diff"), *paths], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return (run.stdout or "different") if run.returncode else ""


def run_child(args, kind, number):
    """The verdicts of a batch, from a separate process; none if it crashed."""
    receive, send = os.pipe()
    child = os.fork()
    if not child:
        import tvm, tvm.relay
        tvm.ir.diagnostics.override_renderer(lambda context: None)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        with os.fdopen(send, "w") as out:
            for verdict in run_batch(args, tvm, kind, number):
                print(json.dumps(verdict), file=out, flush=True)
        os._exit(0)
    os.close(send)
    with os.fdopen(receive) as answers:
        yield from (json.loads(line) for line in answers if line.endswith("\n"))
    os.waitpid(child, 0)


def compare_all(args, count):
    """Counts the verdicts on all graphs, shows the first that differ, and keeps them if requested."""
    for kind in args.kind or sorted(KINDS):
        for number in range(-(-args.graphs // BATCH)):
            for i, (verdict, pipeline, text, ours, theirs) in enumerate(run_child(args, kind, number)):
                count[verdict] += 1
                if verdict != "failed":
                    continue
                if count["failed"] <= args.show:
                    print(f"==== {kind} {number}/{i}: {pipeline}\n{text}---- ours\n{ours}---- theirs\n{theirs}")
                if args.save:
                    stem = args.save / f"{kind}-{args.seed}-{number}-{i}"
                    args.save.mkdir(parents=True, exist_ok=True)
                    for name, content in (("in", text), ("ours", ours), ("theirs", theirs)):
                        Path(f"{stem}.{name}").write_text(content)
                    Path(f"{stem}.passes").write_text(pipeline)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--kind", action="append", choices=sorted(KINDS))
    parser.add_argument("--graphs", type=int, default=200, help="of each kind")
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=3)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--verify-semantics", action="store_true", help="compare results of our graphs, too")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    os.environ.setdefault("TOPHUB_LOCATION", "NONE")  # or each child tries to download schedules
    import tvm, tvm.relay  # once, for all children
    count = {"passed": 0, "failed": 0, "skipped": 0}
    try:
        compare_all(args, count)
    except KeyboardInterrupt:
        pass  # what is known is reported
    print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
    return 1 if count["failed"] else 0


sys.exit(main())
