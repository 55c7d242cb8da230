"""Random graphs for pass-agreement.py of operators of all categories of mixed precision, and to-mixed-precision."""
from typed import Values


class Precision(Values):
    def __init__(self, tvm, rng):
        super().__init__(tvm, rng)
        self.add(self.param((2, 4)))

    def number(self, shape, dtype="float32"):
        if self.rng.random() < 0.5:
            return self.param(shape, dtype)
        numbers = [self.rng.randrange(-8, 9) / 4 for _ in range(int(self.numpy.prod(shape)))]
        return self.relay.const(self.numpy.array(numbers).astype(dtype).reshape(shape), dtype)

    def pick(self, floats=True):
        values = [v for v in self.values if not floats or v[2].startswith("float")]
        return self.rng.choice(values[-4:] if self.rng.random() < 0.8 else values)

    def layer(self):
        relay, rng, (x, shape, dtype) = self.relay, self.rng, self.pick()
        out = rng.choice(["", "", "float32"]) if dtype == "float32" else ""
        if len(shape) == 2:
            self.add(relay.nn.dense(x, self.number((4, shape[1]), dtype), out_dtype=out))
        elif len(shape) == 3:
            self.add(relay.nn.batch_matmul(x, self.number((shape[0], 4, shape[2]), dtype), out_dtype=out))
        elif len(shape) == 4:
            self.add(relay.nn.conv2d(x, self.number((4, shape[1], 1, 1), dtype), out_dtype=out))
        else:
            self.add(relay.expand_dims(x, 0))

    def unary(self):
        relay, nn, rng, (x, shape, dtype) = self.relay, self.relay.nn, self.rng, self.pick()
        limit = rng.choice([1.0, 6.0, 65504.0, 65505.0, 128000.0])
        choices = [nn.relu, relay.sigmoid, relay.tanh, relay.exp, relay.erf, relay.log, relay.abs, relay.negative, relay.sqrt,
                   relay.round, nn.softmax if shape else nn.relu, lambda x: relay.clip(x, -limit, limit), relay.copy, relay.zeros_like,
                   lambda x: relay.reshape(x, (-1,) + shape[1:]) if shape else x, lambda x: relay.expand_dims(x, 0),
                   lambda x: relay.cast(x, rng.choice(["float16", "float32", "float64", "int32"])), lambda x: relay.sum(x, -1, True),
                   lambda x: relay.mean(x, -1, True), lambda x: relay.max(x, -1, True), relay.argmax, relay.shape_of,
                   lambda x: relay.broadcast_to(x, (2,) + shape), lambda x: relay.annotation.stop_fusion(x), lambda x: nn.dropout(x),
                   lambda x: relay.full(relay.const(0.5, dtype), shape, dtype), lambda x: relay.zeros(shape, dtype),
                   lambda x: relay.add(relay.shape_of(x), relay.const(1)), lambda x: relay.strided_slice(x, [0], [1]) if shape else x]
        self.add(rng.choice(choices)(x))

    def binary(self):
        relay, rng, (x, shape, dtype) = self.relay, self.rng, self.pick(floats=False)
        same = [v for v, _, d in self.values if d == dtype]
        other = rng.choice(same[-4:]) if rng.random() < 0.7 else self.number(shape[-1:], dtype)
        self.add(rng.choice([relay.add, relay.subtract, relay.multiply, relay.divide, relay.maximum, relay.power, relay.less,
                             lambda x, y: relay.where(relay.greater(x, y), x, y), relay.floor_mod])(x, other))

    def tuples(self):
        relay, rng, (x, shape, dtype) = self.relay, self.rng, self.pick()
        if not shape:
            return
        fields = [v for v, s, d in self.values if s == shape and d == dtype]
        kind = rng.randrange(4)
        if kind == 0:
            self.add(relay.concatenate(rng.choices(fields, k=2), -1))
        elif kind == 1:
            self.add(relay.TupleGetItem(relay.split(x, 1, 0).astuple(), 0))
        elif kind == 2 and len(shape) > 1:
            vectors = [self.number((shape[1],), dtype) for _ in range(4)]
            self.add(relay.TupleGetItem(relay.nn.batch_norm(x, *vectors).astuple(), 0))
        else:
            self.add(relay.TupleGetItem(relay.Tuple(rng.choices([v for v, _, _ in self.values], k=2)), rng.randrange(2)))

    def constructs(self):
        relay, rng, (x, shape, dtype) = self.relay, self.rng, self.pick()
        if rng.random() < 0.5:
            arg = relay.var(f"a{len(self.values)}", shape=shape, dtype=dtype)
            body = rng.choice([relay.nn.relu, relay.exp, lambda v: relay.add(v, relay.exp(v)), relay.negative])(arg)
            self.add(relay.Call(relay.Function([arg], body), [x]))
        else:
            var = relay.var(f"v{len(self.values)}")
            self.add(relay.Let(var, x, rng.choice([relay.add, relay.multiply])(var, rng.choice([var, relay.exp(var)]))))


def make_precision(tvm, rng, size):
    g = Precision(tvm, rng)
    for _ in range(rng.randrange(1, 3)):
        g.add(g.param(rng.choice([(2, 4), (2, 4), (4,), (1, 2, 4), (1, 4, 2, 4), ()]), rng.choice(["float32"] * 6 + ["float16", "int32", "float64"])))
    for _ in range(rng.randrange(1, 2 * size)):
        for _ in range(4):
            try:
                rng.choice([g.layer, g.layer, g.unary, g.unary, g.unary, g.binary, g.binary, g.tuples, g.constructs])()
                break
            except tvm.TVMError:
                pass  # shapes or types that do not fit
    return g.result()


def choose_precision(rng):
    dtype = rng.choice(["float16", "float16", "bfloat16"])
    keeps = rng.random() < 0.4

    def keeps_types(mod):
        """The reference keeps the types of tuples, and of calls of operators that do not compute in float32."""
        body = mod["main"].body
        kind = type(body).__name__
        is_call = kind == "Call" and type(body.op).__name__ == "Op" and body.checked_type.dtype == "float32"
        return keeps and (is_call or kind == "Tuple")

    def run(tvm, mod):
        with tvm.transform.PassContext(config={"relay.ToMixedPrecision.keep_orig_output_dtype": keeps_types(mod)}):
            return tvm.relay.transform.ToMixedPrecision(dtype, 2)(mod)

    def write(mod):
        keep = ";keep-orig-output-dtype=true" if keeps_types(mod) else ""
        return f"to-mixed-precision<dtype={dtype};missing-op-mode=2{keep}>"
    return write, run
