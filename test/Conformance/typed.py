"""Values with their types, which the random graphs of precision.py and dynamic.py choose from."""


class Values:
    def __init__(self, tvm, rng):
        import numpy
        self.tvm, self.relay, self.rng, self.numpy = tvm, tvm.relay, rng, numpy
        self.params, self.values = [], []

    def param(self, shape, dtype="float32"):
        var = self.relay.var(f"p{len(self.params)}", shape=shape, dtype=dtype)
        self.params.append(var)
        return var

    def type_of(self, x):
        mod = self.tvm.IRModule.from_expr(self.relay.Function(self.relay.analysis.free_vars(x), x))
        return self.relay.transform.InferType()(mod)["main"].body.checked_type

    def add(self, x):
        """Keeps the value, its shape, in which unknown extents are no integers, and its data type."""
        x = x.astuple() if hasattr(x, "astuple") else x
        t = self.type_of(x)
        self.values.append((x, tuple(int(n) if isinstance(n, self.tvm.tir.IntImm) else n for n in t.shape), t.dtype))

    def result(self):
        """A function of some of the last values."""
        results = [v for v, _, _ in self.values[-self.rng.randrange(1, 4):]]
        body = results[0] if len(results) == 1 else self.relay.Tuple(results)
        return self.relay.Function(self.relay.analysis.free_vars(body), body)
