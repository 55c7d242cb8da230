"""Random calls of the operators that have a rule in legalize, for the kind legalize of pass-agreement.py.

Where relay-opt differs on purpose (docs/Differences.md), nothing is created: groups of nn.conv2d_backward_weight between
one and the channels, and batches of one in nn.batch_matmul. Calls that the reference refuses are left out by the caller,
and so are targets of GPUs, whose rules relay-opt does not have.
"""
from quantized import Maker, in_target, with_target

TARGETS = ["", "", "llvm", "llvm,mcpu=nehalem", "llvm,mcpu=skylake", "llvm,mcpu=skylake-avx512", "llvm,mcpu=cascadelake",
           "llvm,mcpu=sapphirerapids", "llvm,mattr=+avx512f,+avx512bw", "llvm,mattr=+sse4.2", "c"]
BYTES = ["int8", "int8", "uint8"]


class LegalMaker(Maker):
    def padding(self, axes):
        count = self.rng.choice([axes, 2 * axes])
        return tuple(self.rng.choice([0, 0, 1, 2]) for _ in range(count))

    def call(self, size):
        return self.rng.choice([self.conv2d, self.conv2d, self.dense, self.batch_matmul, self.conv2d_transpose,
                                self.conv3d_transpose, self.backward_weight, self.erf, self.take, self.clip])()

    def conv2d(self):
        layout, kernel_layout = self.rng.choice([("NCHW", "OIHW"), ("NHWC", "HWIO"), ("NHWC", "HWOI")])
        sizes = {"N": self.rng.choice([1, 2]), "C": self.rng.choice([1, 3, 4, 8, 6]), "H": 7, "W": 6}
        k = self.rng.choice([1, 3])
        out = self.rng.choice([1, 5, 16, 32, 17])
        groups = self.rng.choice([1] * 8 + [sizes["C"]])
        kernel = {"O": out * groups, "I": sizes["C"] // groups, "H": k, "W": k}
        data = self.data([sizes[c] for c in layout], BYTES + ["float32"])
        weight = self.data([kernel[c] for c in kernel_layout], ["int8", "int8", "int8", "uint8"]
                           if data.type_annotation.dtype != "float32" else ["float32"])
        return self.relay.nn.conv2d(data, weight, strides=self.rng.choice([(1, 1), (2, 1)]), padding=self.padding(2),
                                    dilation=self.rng.choice([(1, 1)] * 5 + [(2, 1)]), groups=groups,
                                    channels=self.rng.choice([None, out * groups]), kernel_size=(k, k), data_layout=layout,
                                    kernel_layout=kernel_layout, out_dtype="int32" if "int" in weight.type_annotation.dtype else "")

    def dense(self):
        k, n = self.rng.choice([3, 4, 8, 5]), self.rng.choice([1, 5, 16, 32])
        data = self.data([self.rng.choice([1, 2, 3]) if self.chance(0.8) else self.extent(2), k], BYTES)
        weight = self.data([n, k], BYTES)
        return self.relay.nn.dense(data, weight, units=n if self.chance(0.2) else None, out_dtype="int32")

    def batch_matmul(self):
        b, m = self.rng.choice([1, 3]), self.rng.choice([1, 2])
        k, n = self.rng.choice([3, 4, 8, 5]), self.rng.choice([1, 5, 16, 32])
        transposes = self.chance(0.1), self.chance(0.9)
        left = [b, k, m] if transposes[0] else [b, m, k]
        right = [b, n, k] if transposes[1] else [b, k, n]
        return self.relay.nn.batch_matmul(self.data(left, BYTES), self.data(right, BYTES), out_dtype="int32",
                                          transpose_a=transposes[0], transpose_b=transposes[1])

    def conv2d_transpose(self):
        layout = self.rng.choice(["NHWC", "NCHW"])
        kernel_layout = self.rng.choice(["IOHW", "OIHW", "HWIO", "HWOI"])
        sizes = {"N": 2, "C": self.rng.choice([2, 3]), "H": 4, "W": 5}
        kernel = {"O": self.rng.choice([1, 2]), "I": sizes["C"], "H": 3, "W": 2}
        return self.relay.nn.conv2d_transpose(
            self.data([sizes[c] for c in layout], ["float32"]), self.data([kernel[c] for c in kernel_layout], ["float32"]),
            strides=self.rng.choice([(1, 1), (2, 3)]), padding=self.padding(2), channels=kernel["O"], kernel_size=(3, 2),
            data_layout=layout, kernel_layout=kernel_layout)

    def conv3d_transpose(self):
        layout = self.rng.choice(["NDHWC", "NDHWC", "NCDHW"])
        kernel_layout = self.rng.choice(["IODHW", "OIDHW", "DHWIO", "DHWOI"]) if layout == "NDHWC" else "IODHW"
        sizes = {"N": 1, "C": self.rng.choice([2, 3]), "D": 3, "H": 4, "W": 5}
        kernel = {"O": self.rng.choice([1, 2]), "I": sizes["C"], "D": 2, "H": 3, "W": 2}
        return self.relay.nn.conv3d_transpose(
            self.data([sizes[c] for c in layout], ["float32"]), self.data([kernel[c] for c in kernel_layout], ["float32"]),
            strides=self.rng.choice([(1, 1, 1), (2, 1, 3)]), padding=self.padding(3), channels=kernel["O"],
            kernel_size=(2, 3, 2), data_layout=layout, kernel_layout=kernel_layout)

    def backward_weight(self):
        c, o, k = self.rng.choice([1, 2, 3]), self.rng.choice([1, 2, 4]), self.rng.choice([1, 3])
        groups = self.rng.choice([1, 1, c])
        strides, dilation, padding = self.rng.choice([(1, 1), (2, 2), (2, 1)]), self.rng.choice([(1, 1), (2, 1)]), self.padding(2)
        data = self.param([self.rng.choice([1, 2]), c, 8, 7], "float32")
        forward = self.relay.nn.conv2d(data, self.relay.var("w", shape=(o * groups, c // groups, k, k)), strides=strides,
                                       padding=padding, dilation=dilation, groups=groups)
        grad = self.param(self.relay.transform.InferTypeLocal(forward).shape, "float32")
        return self.relay.op.nn._make.conv2d_backward_weight(
            grad, data, strides, padding, dilation, groups, None, (k, k), "NCHW", "NCHW", "OIHW", "")

    def erf(self):
        return self.relay.erf(self.data(self.shape(), ["float32", "float16", "float64"]))

    def take(self):
        shape = [self.relay.Any() if self.chance(0.4) else 3, 4]
        return self.relay.take(self.param(shape, "float32"), self.param(self.shape(), "int32"),
                               axis=self.rng.choice([None, 0, 1]), mode=self.rng.choice(["clip", "wrap"]))

    def clip(self):
        dtype = self.rng.choice(["int8", "uint8"])
        data = self.qnn.requantize(self.param(self.shape(), "int32"), self.scale(), self.zero(constant=1), self.scale(),
                                   self.zero(constant=1), out_dtype=dtype)
        if self.chance(0.2):
            data = self.relay.nn.relu(data)
        low, high = self.rng.choice([(-128, 127), (0, 255), (0, 6)])
        return self.relay.clip(data, low, high)


def make_legal(tvm, rng, size):
    maker = LegalMaker(tvm, rng)
    calls = [maker.call(size) for _ in range(rng.choice([1, 1, 2, 3]))]
    body = tvm.relay.Tuple(calls) if len(calls) > 1 else calls[0]
    return tvm.relay.Function(tvm.relay.analysis.free_vars(body), body)


def choose_legal(rng):
    target = rng.choice(TARGETS)

    def run(tvm, mod):
        with in_target(tvm, target):
            return tvm.relay.transform.Legalize()(mod)
    return with_target("legalize", target), run
