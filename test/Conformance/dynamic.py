"""Random graphs for pass-agreement.py of operators whose shapes are values, constant or not, and dynamic-to-static."""
from typed import Values


class Dynamic(Values):
    def __init__(self, tvm, rng):
        super().__init__(tvm, rng)
        self.add(self.param((2, 3), "float32"))
        if rng.random() < 0.5:
            self.add(self.param(tuple(rng.choice([1, 2, 4]) for _ in range(rng.randrange(1, 4))), rng.choice(["float32", "int32"])))

    def const(self, numbers, dtype="int64"):
        return self.relay.const(self.numpy.array(numbers, dtype), dtype)

    def shape(self, numbers):
        """The value of a shape with these elements, in one of several forms; a parameter in some cases."""
        relay, rng = self.relay, self.rng
        kind = rng.randrange(8)
        dtype = rng.choice(["int64", "int64", "int32"])
        if kind == 0:
            return self.param((len(numbers),), dtype)
        if kind == 1:
            return relay.shape_of(self.param(tuple(numbers), "float32"), dtype)
        if kind == 2 and all(n % 2 == 0 for n in numbers):
            return relay.multiply(self.const([n // 2 for n in numbers], dtype), self.const(2, dtype))
        if kind == 3:
            return relay.cast(self.const(numbers, "int32"), dtype)
        if kind == 4 and numbers:
            return relay.concatenate([self.const(numbers[:1], dtype), self.const(numbers[1:], dtype)], 0) if len(numbers) > 1 \
                else self.const(numbers, dtype)
        return self.const(numbers, dtype)

    def op(self):
        relay, rng = self.relay, self.rng
        x, shape, dtype = rng.choice(self.values[-3:])
        rank = len(shape)
        known = list(shape) if all(isinstance(n, int) for n in shape) else None
        kind = rng.randrange(13)
        if kind == 0 and known:
            size = int(self.numpy.prod(known))
            return relay.reshape(x, self.shape(rng.choice([[size], [-1], [1, size], known[::-1], known + [1]])))
        if kind == 1:
            return relay.tile(x, self.shape([rng.choice([1, 2]) for _ in range(rank)]))
        if kind == 2 and known:
            return relay.broadcast_to(x, self.shape([2] + known))
        if kind == 3:
            return rng.choice([relay.zeros, relay.ones])(self.shape([rng.choice([1, 2, 3]) for _ in range(rng.randrange(1, 3))]), dtype)
        if kind == 4:
            return relay.full(self.const(2, dtype), self.shape([2, 3]), dtype)
        if kind == 5 and rank:
            return relay.TupleGetItem(relay.topk(x, self.shape([1]) if rng.random() < 0.3 else self.const(1, "int64"), 0, "both").astuple(), 0)
        if kind == 6 and rank:
            ends = [rng.choice([1, 2]) for _ in range(rank)]
            return relay.strided_slice(x, self.shape([0] * rank), self.shape(ends), self.shape([1] * rank))
        if kind == 7:
            return relay.one_hot(self.const([0, 1], "int32"), self.const(1, "float32"), self.const(0, "float32"),
                                 self.const(rng.choice([2, 3]), "int32"), -1, "float32")
        if kind == 8 and rank == 4:
            return relay.image.resize2d(x, self.shape([4, 4]), self.const([0, 0, 0, 0], "float32"), "NCHW", "linear", "half_pixel")
        if kind == 9 and rank:
            return relay.nn.pad(x, self.shape2(rank), 0.0)
        if kind == 10:
            return relay.expand_dims(x, self.const(0, "int64"), 1)
        if kind == 11:
            return rng.choice([relay.nn.relu, relay.negative, relay.abs])(x)
        return rng.choice([relay.add, relay.maximum])(x, self.const(1, dtype))

    def shape2(self, rank):
        return self.const([[self.rng.randrange(2), self.rng.randrange(2)] for _ in range(rank)], self.rng.choice(["int64", "int32"]))


def make_dynamic(tvm, rng, size):
    g = Dynamic(tvm, rng)
    for _ in range(rng.randrange(1, size)):
        for _ in range(4):
            try:
                g.add(g.op())
                break
            except (tvm.TVMError, TypeError, ValueError, AttributeError):
                pass  # shapes that do not fit
    return g.result()
