"""Random calls of quantized operators, for the kinds qnn-canonicalize and qnn-legalize of pass-agreement.py.

Scales and zero points are scalars or vectors along an axis, zero or not, constants or parameters. Calls that the
reference's type inference refuses are left out by the caller.
"""
SCALES = [0.5, 0.25, 0.1, 0.03, 1.0, 2.0, 0.007, 7.5]
LAYOUTS = [("NCHW", "OIHW"), ("NCHW", "OIHW"), ("NHWC", "HWIO"), ("NHWC", "HWOI")]
TARGETS = ["", "", "llvm", "llvm,mcpu=skylake", "llvm,mattr=+sse4.2", "cuda", "vulkan", "opencl", "c",
           "llvm,device=arm_cpu,mtriple=aarch64-linux-gnu,mattr=+neon",
           "llvm,device=arm_cpu,mtriple=aarch64-linux-gnu,mattr=+neon,+dotprod"]


class Maker:
    """Makes calls; `any_extent` gives `?` for some extents."""

    def __init__(self, tvm, rng):
        self.tvm, self.relay, self.qnn, self.rng = tvm, tvm.relay, tvm.relay.qnn.op, rng
        self.count = 0
        self.numbers = [0, 0, 0, 1, -3, 5, 128, -128]
        self.wide = "int16"

    def param(self, shape, dtype):
        self.count += 1
        return self.relay.var(f"p{self.count}", shape=tuple(shape), dtype=dtype)

    def chance(self, p):
        return self.rng.random() < p

    def scale(self, length=0, constant=1.0):
        if not self.chance(constant):
            return self.param((length,) if length else (), "float32")
        value = [self.rng.choice(SCALES) for _ in range(length)] if length else self.rng.choice(SCALES)
        return self.relay.const(value, "float32")

    def zero(self, length=0, constant=0.9, dtype="int8"):
        """Zero points that are no constants are integers of the data type: others have no quantized number."""
        if not self.chance(constant):
            return self.relay.cast(self.param((length,) if length else (), dtype), "int32")
        number = lambda: self.rng.choice(self.numbers)
        return self.relay.const([number() for _ in range(length)] if length else number(), "int32")

    def extent(self, *choices):
        return self.relay.Any() if self.chance(0.04) else self.rng.choice(choices)

    def shape(self, rank=None):
        rank = self.rng.randrange(1, 5) if rank is None else rank
        return [self.extent(1, 2, 3, 4) for _ in range(rank)]

    def data(self, shape, dtypes):
        return self.param(shape, self.rng.choice(dtypes))

    def axis(self, shape):
        """An axis of known extent, as TVM counts it."""
        i = self.rng.randrange(len(shape))
        if i == len(shape) - 1 and self.chance(0.5):
            return -1, i
        return (i - len(shape) if self.chance(0.1) else i), i

    def vector(self, shape, p=0.4):
        """An axis, and its extent if parameters are to be vectors along it."""
        axis, i = self.axis(shape)
        known = isinstance(shape[i], int)
        return axis, (shape[i] if known and self.chance(p) else 0)

    # ---- conversions ----

    def quantize(self):
        shape = self.shape()
        axis, n = self.vector(shape)
        out = self.rng.choice(["int8", "uint8", "int16", "uint16", "int32"])
        return self.qnn.quantize(self.param(shape, "float32"), self.scale(n, 0.8), self.zero(n * self.chance(0.7)), axis, out)

    def dequantize(self):
        shape = self.shape()
        axis, n = self.vector(shape)
        return self.qnn.dequantize(self.data(shape, ["int8", "uint8", "int16", "int32"]), self.scale(n, 0.8),
                                   self.zero(n * self.chance(0.7)), axis, self.rng.choice(["float32", "float32", "float16"]))

    def requantize(self, x=None, shape=None):
        shape = shape or self.shape()
        x = self.data(shape, ["int8", "uint8", "int16", "int32", "int32", "int64"]) if x is None else x
        axis, n = self.vector(shape)
        scale, zero = self.scale(n), self.zero(n * self.chance(0.5))
        same = n == 0 and self.chance(0.25)
        # Without a target, the reference cannot compute in floats.
        return self.qnn.requantize(x, scale, zero, scale if same else self.scale(), zero if same and self.chance(0.5) else self.zero(),
                                   axis, self.rng.choice(["None", "UPWARD", "TONEAREST"]), self.rng.choice(["None", "int64"]),
                                   self.rng.choice(["int8", "uint8", "int16", "int32"]))

    # ---- arithmetic ----

    def binary(self):
        op = self.rng.choice([self.qnn.add, self.qnn.mul, self.qnn.subtract])
        shape = self.shape()
        other = list(shape)
        if self.chance(0.3):
            other[self.rng.randrange(len(other))] = 1
        axis, n = self.vector(shape, 0.25)
        m = n if n and other[axis] == n else 0
        if op is not self.qnn.mul:
            m *= self.chance(0.6)
        elif n != m:
            n = 0  # the reference reads scales of the products beyond the vector
        dtype = self.rng.choice(["int8", "uint8", "int16", "int32"])
        out, zero = self.scale(), self.zero()
        pair = lambda k: (out, zero) if not k and self.chance(0.3) else (self.scale(k), self.zero(k * self.chance(0.5)))
        return op(self.param(shape, dtype), self.param(other, dtype), *pair(n), *pair(m), out, zero, lhs_axis=axis, rhs_axis=axis)

    def unary(self):
        q = self.qnn
        op = self.rng.choice([q.tanh, q.exp, q.sqrt, q.rsqrt, q.erf, q.sigmoid, q.hardswish, q.log, q.abs])
        return op(self.data(self.shape(), ["int8", "uint8"]), self.scale(), self.zero(), self.scale(), self.zero())

    def activation(self):
        x = self.data(self.shape(), ["int8", "uint8"])
        scale, zero = self.scale(), self.zero()
        same = self.chance(0.3)
        rest = (scale, zero, scale if same else self.scale(), zero if same else self.zero())
        if self.chance(0.5):
            return self.qnn.leaky_relu(x, self.rng.choice([0.1, 0.3, 0.9, 1.5, 0.0, -0.5]), *rest)
        return self.qnn.softmax(self.param(self.shape(2), "int8"), *rest, axis=self.rng.choice([-1, 0, 1]))

    def pool(self):
        x = self.data([1, self.rng.choice([5, 6]), self.rng.choice([5, 6]), self.rng.choice([2, 4])], ["int8", "uint8"])
        scale, zero = self.scale(), self.zero()
        same = self.chance(0.4)
        return self.qnn.avg_pool2d(x, scale, zero, scale if same else self.scale(), zero if same else self.zero(),
                                   pool_size=(2, 2), strides=(self.rng.choice([1, 2]),) * 2, padding=(self.chance(0.3) * 1,) * 2,
                                   dilation=(1, 1), ceil_mode=self.chance(0.3), count_include_pad=self.chance(0.5), layout="NHWC")

    def concatenate(self):
        n, shape, dtype = self.rng.choice([1, 2, 3]), self.shape(2), self.rng.choice(["int8", "uint8", "int32"])
        out, zero = self.scale(), self.zero()
        pairs = [(out, zero) if self.chance(0.3) else (self.scale(), self.zero()) for _ in range(n)]
        if self.chance(0.2):
            data = self.relay.split(self.param([2 * n, 3], dtype), n).astuple()
        else:
            data = tuple(self.param(shape, dtype) for _ in range(n))
        return self.qnn.concatenate(data, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs), out, zero, self.rng.choice([0, 1, -1]))

    # ---- products ----

    def dense(self):
        k, n = self.rng.choice([3, 4, 8]), self.rng.choice([1, 2, 5])
        vector = n * self.chance(0.25)
        return self.qnn.dense(self.data([self.extent(1, 2), k], ["int8", "uint8"]), self.data([n, k], ["int8", "uint8"]), self.zero(),
                              self.zero(vector), self.scale(), self.scale(n * self.chance(0.3)), units=n)  # None crashes the reference's inference

    def batch_matmul(self):
        b, k = self.rng.choice([1, 2]), self.rng.choice([3, 4])
        return self.qnn.batch_matmul(self.data([b, self.extent(1, 2), k], ["int8", "uint8"]), self.data([b, 5, k], ["int8", "uint8"]),
                                     self.zero(), self.zero(), self.scale(), self.scale())

    def conv2d(self):
        self.numbers = [0, 0, 0, 1, 5, 100]  # numbers of the data, since nn.pad converts the zero point
        layout, kernel = self.rng.choice(LAYOUTS)
        groups = self.rng.choice([1, 1, 1, 2, 4])
        ic = 4 if groups > 1 else self.rng.choice([1, 3, 4])
        oc = groups * self.rng.choice([1, 2]) if groups > 1 else self.rng.choice([1, 2, 5])
        kh, kw = self.rng.choice([(1, 1), (2, 2), (3, 2), (3, 3)])
        size = {"N": 1, "C": ic, "H": self.extent(7, 8), "W": 9}
        weight = {"O": oc, "I": ic // groups, "H": kh, "W": kw}
        if kernel == "HWOI" or (groups == ic and layout == "NHWC"):
            weight["O"], weight["I"] = (ic, oc // groups) if groups == ic and groups > 1 else (oc, ic // groups)
        if kernel == "HWIO" and groups == ic and groups > 1:
            weight["I"], weight["O"] = 1, oc
        padding = self.rng.choice([(0, 0), (1, 1), (1, 0), (1, 2, 0, 1)])
        n = oc * self.chance(0.2)
        dtype = self.rng.choice(["int8", "uint8", "uint8", self.wide])
        return self.qnn.conv2d(
            self.param([size[a] for a in layout], dtype), self.data([weight[a] for a in kernel], ["int8", "uint8"]),
            self.zero(dtype=dtype), self.zero(n), self.scale(), self.scale(oc * self.chance(0.3)), kernel_size=(kh, kw), channels=oc,
            strides=(self.rng.choice([1, 2]), self.rng.choice([1, 1, 2])), padding=padding,
            dilation=self.rng.choice([(1, 1), (1, 1), (1, 1), (2, 2), (1, 2)]), groups=groups, data_layout=layout, kernel_layout=kernel)

    def conv2d_transpose(self):
        return self.qnn.conv2d_transpose(
            self.data([1, 3, 5, 5], ["int8", "uint8"]), self.data([3, 4, 2, 2], ["int8", "uint8"]), self.zero(),
            self.zero(4 * self.chance(0.3)), self.scale(), self.scale(), kernel_size=(2, 2), channels=4,
            strides=(self.rng.choice([1, 2]),) * 2, padding=self.rng.choice([(0, 0), (1, 1)]))


def make_canonicalized(tvm, rng, size):
    """Up to three calls; results of products are requantized."""
    m = Maker(tvm, rng)
    makers = [m.quantize, m.dequantize, m.requantize, m.requantize, m.binary, m.binary, m.unary, m.activation, m.pool,
              m.concatenate, m.dense, m.batch_matmul, m.conv2d, m.conv2d, m.conv2d]
    calls = [rng.choice(makers)() for _ in range(rng.choice([1, 1, 2]))]
    if rng.random() < 0.3:
        try:
            t = tvm.relay.transform.InferTypeLocal(calls[0])
            if t.dtype == "int32" and all(isinstance(d, tvm.tir.IntImm) for d in t.shape):
                calls[0] = m.requantize(calls[0], [int(d) for d in t.shape])
        except Exception:
            pass
    return tvm.relay.Tuple(calls) if len(calls) > 1 else calls[0]


def make_legalized(tvm, rng, size):
    m = Maker(tvm, rng)
    m.wide = "int8"  # the differences of int16 wrap around in the reference: docs/Differences.md
    return rng.choice([m.conv2d, m.conv2d, m.dense, m.conv2d_transpose, m.unary])()


def choose_canonicalize(rng):
    rounding = rng.choice(["", "upward", "tonearest"])
    compute = rng.choice(["", "", "int64", "float32", "float64"])
    target = rng.choice(["llvm", "llvm,mattr=+sse4.1", "llvm,mcpu=haswell"]) if compute.startswith("float") else rng.choice(["", "", "", "llvm,mcpu=skylake"])
    config = {"rounding": rounding.upper(), "compute_dtype": compute}
    options = [f"rounding={rounding}"] * bool(rounding) + [f"compute-dtype={compute}"] * bool(compute)
    text = "qnn-canonicalize" + (f"<{';'.join(options)}>" if options else "")

    def run(tvm, mod):
        with in_target(tvm, target):
            kept = {key: value for key, value in config.items() if value}
            with tvm.relay.qnn.op.requantize_config(**kept):
                return tvm.relay.qnn.transform.CanonicalizeOps()(mod)
    return with_target(text, target), run


def choose_legalize(rng):
    target = rng.choice(TARGETS)

    def run(tvm, mod):
        with in_target(tvm, target):
            return tvm.relay.qnn.transform.Legalize()(mod)
    return with_target("qnn-legalize", target), run


def with_target(text, target):
    """The pipeline, with the target behind it, which the caller takes off."""
    return f"{text} -target={target}" if target else text


def in_target(tvm, target):
    import contextlib, re
    if not target:
        return contextlib.nullcontext()
    # An option begins with a name and `=`; other pieces continue a list.
    return tvm.target.Target(re.sub(r",(?=[a-z]+=)", " -", target))
