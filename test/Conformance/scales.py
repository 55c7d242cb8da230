"""Random graphs for pass-agreement.py of products along channels, around convolutions and nn.dense, and the passes that
fold scales into weights."""

LAYOUTS = [("NCHW", "OIHW", ""), ("NCHW", "OIHW", "NHWC"), ("NHWC", "HWIO", ""), ("NCHW2c", "OIHW2i2o", "")]
PASSES = [("forward-fold-scale-axis", ["ForwardFoldScaleAxis"]), ("backward-fold-scale-axis", ["BackwardFoldScaleAxis"]),
          ("fold-scale-axis", ["FoldScaleAxis"]),
          ("backward-fold-scale-axis,forward-fold-scale-axis", ["BackwardFoldScaleAxis", "ForwardFoldScaleAxis"])]


class Scales:
    """A graph whose values have their channels along `axes` of `shape`; convolutions keep both."""

    def __init__(self, tvm, rng):
        import numpy
        self.relay, self.rng, self.numpy = tvm.relay, rng, numpy
        self.kind = rng.choice(["conv2d", "conv2d", "conv2d", "conv3d", "dense"])
        self.channels = rng.choice([2, 4])
        self.data_layout, self.kernel_layout, self.out_layout = rng.choice(LAYOUTS)
        if self.kind == "dense":
            self.shape, self.axes = [3, self.channels], [1]
        elif self.kind == "conv3d":
            self.shape, self.axes = [1, self.channels, 3, 2, 2], [1]
        elif self.data_layout == "NCHW2c":
            self.shape, self.axes = [1, self.channels // 2, 3, 3, 2], [1, 4]
        else:
            self.out_layout = self.out_layout if self.channels == 4 else ""
            self.shape = [1, 4, 4, 4] if self.out_layout else [1, self.channels, 3, 3]
            if self.data_layout == "NHWC":
                self.shape = [1, 3, 3, self.channels]
            self.axes = [self.data_layout.index("C")]
        self.params, self.values = [], []

    def param(self, shape):
        var = self.relay.var(f"p{len(self.params)}", shape=shape, dtype="float32")
        self.params.append(var)
        return var

    def number(self, shape):
        """A parameter, or a constant, positive in most cases. There are no zeros, by which the reference divides."""
        rng = self.rng
        if rng.random() < 0.4:
            return self.param(shape)
        signs = rng.choice([[1], [1], [1], [1, -1]])
        values = [rng.choice(signs) * rng.randrange(1, 10) / 4 for _ in range(int(self.numpy.prod(shape)))]
        return self.relay.const(self.numpy.array(values, "float32").reshape(shape), "float32")

    def along(self):
        """A number for each channel, in one of the shapes that broadcast; rarely along other axes, too."""
        rng = self.rng
        shape = [d if i in self.axes or rng.random() < 0.02 else 1 for i, d in enumerate(self.shape)]
        if rng.random() < 0.1:
            return self.number(())
        first = rng.randrange(self.axes[0] + 1) if rng.random() < 0.95 else len(self.shape) - 1
        number = self.number(tuple(shape[first:]))
        if rng.random() < 0.15:
            number = self.relay.expand_dims(self.number(tuple(shape[first + 1:])), 0) if shape[first] == 1 else number
        return number

    def pick(self):
        return self.rng.choice(self.values[-3:] if self.rng.random() < 0.85 else self.values)

    def layer(self, x):
        relay, n = self.relay, self.channels
        if self.kind == "dense":
            return relay.nn.dense(x, self.number((n, n)))
        if self.kind == "conv3d":
            return relay.nn.conv3d(x, self.number((n, n, 1, 1, 1)), kernel_size=(1, 1, 1), channels=n)
        groups = self.rng.choice([1, 1, 1, n, 2]) if self.data_layout != "NCHW2c" else 1
        extents = {"O": n, "I": n // groups, "H": 1, "W": 1}
        if self.data_layout == "NCHW2c":
            shape = (n // 2, n // 2, 1, 1, 2, 2)
        else:
            shape = tuple(extents[c] for c in self.kernel_layout)
        return relay.nn.conv2d(x, self.number(shape), kernel_size=(1, 1), channels=n, groups=groups,
                               data_layout=self.data_layout, kernel_layout=self.kernel_layout, out_layout=self.out_layout)

    def step(self):
        relay, rng = self.relay, self.rng
        x, kind = self.pick(), rng.randrange(12)
        if kind < 4:
            return self.layer(x)
        if kind < 7:
            return relay.multiply(*rng.sample([x, self.along()], 2))
        if kind == 7:
            return rng.choice([relay.nn.relu, relay.nn.relu, relay.nn.leaky_relu, relay.tanh])(x)
        if kind == 8 and len(self.axes) == 1:
            return relay.nn.bias_add(x, self.number((self.channels,)), axis=self.axes[0] - rng.choice([0, 0, len(self.shape)]))
        if kind == 9:
            return rng.choice([relay.add, relay.subtract])(x, self.pick())
        return rng.choice([relay.add, relay.subtract])(*rng.sample([x, self.along()], 2))

    def function(self, size):
        relay, rng = self.relay, self.rng
        self.values.append(self.param(tuple(self.shape)))
        for _ in range(size):
            self.values.append(self.step())
        last = self.values[-rng.choice([1, 1, 1, 2]):]
        body = last[0] if len(last) == 1 else relay.Tuple(last)
        if rng.random() < 0.1:
            name = relay.var("v")
            body = relay.Let(name, self.pick(), relay.Tuple([name, *last]))
        free = set(relay.analysis.free_vars(body))
        return relay.Function([p for p in self.params if p in free], body)


def make_scales(tvm, rng, size):
    return Scales(tvm, rng).function(size)


def choose_scales(rng):
    text, names = rng.choice(PASSES)

    def run(tvm, mod):
        for name in names:
            mod = getattr(tvm.relay.transform, name)()(mod)
        return mod
    return text, run
