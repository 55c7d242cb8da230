"""Pooling: calls for op-numbers.py."""


def list_text(values):
    return "[" + ", ".join(map(str, values)) + "]"


def pool(axes, average):
    def make(Call, r):
        dims = len(axes)
        size = [r.randint(1, 4) for _ in range(dims)]
        dilation = [r.choice([1, 1, 2]) for _ in range(dims)]
        padding = [r.randint(0, (k - 1) // 2) for k in size] + [r.randint(0, (k - 1) // 2) for k in size]
        extent = [(k - 1) * d + r.randint(1, 5) for k, d in zip(size, dilation)]
        layout = r.choice(["NC" + axes, "N" + axes + "C"])
        sizes = dict(zip(axes, extent)) | {"N": r.randint(1, 2), "C": r.randint(1, 3)}
        attrs = f'pool_size={list_text(size)}, strides={list_text([r.randint(1, 3) for _ in axes])}, dilation={list_text(dilation)}, padding={list_text(padding)}, layout="{layout}", ceil_mode={r.choice(["True", "False"])}'
        attrs += f", count_include_pad={r.choice(['True', 'False'])}" if average else ""
        dtype = r.floats() if average else r.dtypes()
        return Call([r.array([sizes[a] for a in layout], dtype)], attrs)
    return make


def adaptive(axes, average, whole=False):
    def make(Call, r):
        layout = r.choice(["NC" + axes, "N" + axes + "C"])
        attrs = f'layout="{layout}"'
        if not whole:
            attrs = f"output_size={list_text(r.shape(len(axes)))}, " + attrs
        return Call([r.array(r.shape(len(layout)), r.floats() if average else r.dtypes())], attrs)
    return make


def get_operators(Call, Operator):
    def by(make, ulps=4):
        return Operator(lambda r: make(Call, r), ulps, True)
    table = {}  # the reference's nn.max_pool2d_grad reads beyond its tensors for most shapes
    for kind, average in (("max", False), ("avg", True)):
        table[f"nn.global_{kind}_pool2d"] = by(adaptive("HW", average, whole=True))
        for axes in ("W", "HW", "DHW"):
            table[f"nn.{kind}_pool{len(axes)}d"] = by(pool(axes, average))
            table[f"nn.adaptive_{kind}_pool{len(axes)}d"] = by(adaptive(axes, average))
    return table
