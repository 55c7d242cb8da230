#!/usr/bin/env python3
"""Shows that gradients of random expressions are those of the reference, and that they are right.

usage: oracle/python gradients.py --bin BUILD/bin [--count N] [--seed N] [--only REGEX] [--show N] [--save DIR]

Each expression is a call of one operator that has a gradient, with random attributes and shapes, of parameters of
float64 or of a call of another one. In both modes of the pass gradient, the result of relay-opt has to be structurally
equal to the reference's (relay-diff), unless that refuses the expression, its result has no type or is known to be wrong. The gradients that
relay-run computes then have to agree with numeric differentiation along a random direction. Expressions that are not
smooth at the inputs, by differences of two widths, are not compared with it.

To be run where TVM is importable. At the end there are the counts of each operator. The last line is
'N passed, N failed, N skipped'. Exit status: 0 when none failed, 1 otherwise, 2 for wrong usage.
"""
import argparse, collections, random, re, subprocess, sys, tempfile
from pathlib import Path

MODES = ("first_order", "higher_order")
IN_UNIT = "acos asin atanh".split()  # of arguments between -1 and 1
UNARY = ("abs acos acosh asin asinh atan atanh copy cos cosh erf exp log log10 log2 negative nn.relu sigmoid sin sinh sqrt tan tanh zeros_like "
         "ones_like").split()
BINARY = "add subtract multiply divide".split()
WIDTH = 1e-4  # of differences


class Expression:
    """An expression under construction and its parameters, with their data."""

    def __init__(self, tvm, np, rng):
        self.tvm, self.relay, self.np, self.rng = tvm, tvm.relay, np, rng
        self.params, self.data = [], []
        self.random = np.random.default_rng(rng.randrange(1 << 30))

    def param(self, shape, low=0.1, high=0.9, dtype="float64"):
        var = self.relay.var(f"p{len(self.params)}", shape=shape, dtype=dtype)
        data = self.random.uniform(low, high, shape)
        if dtype != "float64":
            data = self.random.integers(int(low), int(high), shape)
        self.params.append(var)
        self.data.append(self.np.asarray(data, dtype))
        return var

    def operand(self, shape, low=0.1, high=0.9):
        """A parameter, or an operation of one that stays between the limits."""
        kind = self.rng.randrange(8)
        if kind == 0 and shape:
            order = list(range(len(shape)))
            self.rng.shuffle(order)
            y = self.param([shape[a] for a in order], low, high)
            return self.relay.transpose(y, [order.index(a) for a in range(len(shape))])
        x = self.param(shape, low, high)
        if kind == 1:
            return self.relay.copy(x)
        if kind == 2:
            return self.relay.multiply(x, self.relay.const(0.95, "float64"))
        if kind == 3:
            return self.relay.sigmoid(x) if low <= 0.5 and high >= 0.72 else x
        return x

    def shape(self, least=0, most=4):
        return tuple(self.rng.randrange(1, 5) for _ in range(self.rng.randrange(least, most + 1)))

    def partner(self, shape):
        """A shape that broadcasts to that."""
        other = [d if self.rng.random() < 0.6 else 1 for d in shape]
        return tuple(other[self.rng.randrange(len(shape) + 1):] if self.rng.random() < 0.5 else other)


def unary(e):
    name = e.rng.choice(UNARY)
    low, high = (1.2, 2) if name == "acosh" else (0.1, 0.9) if name in IN_UNIT + ["log", "log2", "log10", "sqrt"] else (-0.9, 0.9)
    return e.relay.Call(e.relay.op.get(name), [e.operand(e.shape(), low, high)])


def binary(e):
    shape = e.shape()
    operands = [e.operand(shape), e.operand(e.partner(shape))]
    e.rng.shuffle(operands)
    return e.relay.Call(e.relay.op.get(e.rng.choice(BINARY)), operands)


def comparison(e):
    shape = e.shape()
    made = e.rng.choice([e.relay.less_equal, e.relay.not_equal])(e.operand(shape), e.operand(e.partner(shape)))
    return e.relay.where(made, e.operand(shape), e.operand(e.partner(shape)))


def clip(e):
    return e.relay.clip(e.operand(e.shape(), -2, 2), -1.0, e.rng.choice([0.5, 1.0]))


def cast(e):
    return e.relay.cast_like(e.operand(e.shape()), e.param((2,)))


def reduction(e):
    shape = e.shape(1)
    rank = len(shape)
    axis = e.rng.choice([None, e.rng.randrange(-rank, rank), e.rng.sample(range(rank), e.rng.randrange(1, rank + 1))])
    made = getattr(e.relay, e.rng.choice("sum mean max variance".split()))
    return made(e.operand(shape), axis=axis, keepdims=e.rng.random() < 0.4, exclude=axis is not None and e.rng.random() < 0.3)


def collapse(e):
    shape = e.shape(1)
    return e.relay.collapse_sum_like(e.operand(shape), e.param(e.partner(shape)))


def reshape(e):
    shape, relay, kind = e.shape(1), e.relay, e.rng.randrange(6)
    x = e.operand(shape)
    if kind == 0:
        return relay.reshape(x, e.rng.choice([(-1,), (0, -1), (-1, 1)]))
    if kind == 1:
        return relay.reverse_reshape(x, (-1,))
    if kind == 2:
        return relay.reshape_like(x, e.param(shape[::-1]))
    if kind == 3:
        return relay.squeeze(x, e.rng.choice([None, [i for i, d in enumerate(shape) if d == 1]]))
    if kind == 4:
        return relay.nn.batch_flatten(x)
    return relay.expand_dims(x, e.rng.randrange(-len(shape) - 1, len(shape) + 1), e.rng.randrange(3))


def transpose(e):
    shape = e.shape(1)
    order = list(range(len(shape)))
    e.rng.shuffle(order)
    return e.relay.transpose(e.operand(shape), e.rng.choice([None, order, [order[0] - len(shape)] + order[1:]]))


def concatenate(e):
    shape = list(e.shape(1))
    axis = e.rng.randrange(-len(shape), len(shape))
    parts = []
    for _ in range(e.rng.randrange(1, 4)):
        shape[axis] = e.rng.randrange(1, 4)
        parts.append(e.operand(tuple(shape)))
    return e.relay.concatenate(parts, axis)


def stack(e):
    shape = e.shape(0, 3)
    return e.relay.stack([e.operand(shape) for _ in range(e.rng.randrange(1, 4))], e.rng.randrange(-len(shape) - 1, len(shape) + 1))


def strided_slice(e):
    shape = e.shape(1)
    begin = [e.rng.randrange(d) for d in shape]
    if e.rng.random() < 0.2:
        return e.relay.strided_slice(e.operand(shape), begin, [e.rng.choice([-1, d - b]) for b, d in zip(begin, shape)], slice_mode="size")
    end = [e.rng.randrange(b + 1, d + 1) for b, d in zip(begin, shape)]
    return e.relay.strided_slice(e.operand(shape), begin, end, e.rng.choice([None, [e.rng.randrange(1, 3) for _ in shape]]))


def indexing(e):
    if e.rng.random() < 0.5:
        on, off = e.relay.const(2.5, "float64"), e.param(())
        return e.relay.one_hot(e.param(e.shape(1, 2), 0, 4, "int32"), on, off, 4, e.rng.choice([-1, 0]), "float64")
    shape = e.shape(1, 3)
    depth = e.rng.randrange(1, len(shape) + 1)
    return e.relay.gather_nd(e.operand(shape), e.param((depth, 3), 0, min(shape[:depth]), "int32"))


def take(e):
    shape = e.shape(1, 4)
    axis = e.rng.choice([None, *range(-len(shape), len(shape))])
    mode = e.rng.choice(["clip", "wrap", "fast"])  # with indices in range for fast
    low, high = (-3, 9) if mode != "fast" else (0, e.np.prod(shape) if axis is None else shape[axis])
    return e.relay.take(e.operand(shape), e.param(e.shape(0, 3), low, high, e.rng.choice(["int32", "int64"])), axis, mode=mode)


def product(e):
    rows, inner, columns, batch = (e.rng.randrange(1, 5) for _ in range(4))
    relay, kind = e.relay, e.rng.randrange(3)
    if kind == 0:
        return relay.nn.dense(e.operand((rows, inner)), e.operand((columns, inner)), e.rng.choice([None, columns]))
    ta, tb = e.rng.random() < 0.5, e.rng.random() < 0.5
    left, right = (inner, rows) if ta else (rows, inner), (columns, inner) if tb else (inner, columns)
    if kind == 1:
        return relay.op.nn._make.matmul(e.operand(left), e.operand(right), None, "", ta, tb)
    right = (e.rng.choice([1, batch]),) + right
    return relay.nn.batch_matmul(e.operand((batch,) + left), e.operand(right), transpose_a=ta, transpose_b=tb)


def bias_add(e):
    shape = e.shape(1)
    axis = e.rng.randrange(-len(shape), len(shape))
    return e.relay.nn.bias_add(e.operand(shape), e.operand((shape[axis],)), axis)


def softmax(e):
    shape = e.shape(1)
    return e.rng.choice([e.relay.nn.softmax, e.relay.nn.log_softmax])(e.operand(shape), e.rng.randrange(-len(shape), len(shape)))


def loss(e):
    shape = e.shape(2, 2)
    return e.rng.choice([e.relay.nn.cross_entropy, e.relay.nn.cross_entropy_with_logits])(e.operand(shape), e.operand(shape))


def pool(e):
    relay, kind = e.relay, e.rng.randrange(3)
    x = e.operand((e.rng.randrange(1, 3), 2, e.rng.randrange(4, 8), e.rng.randrange(4, 8)))
    if kind == 0:
        return relay.nn.global_avg_pool2d(x)
    window, stride, pad = e.rng.randrange(1, 4), e.rng.randrange(1, 3), e.rng.randrange(2)
    fields = dict(pool_size=(window, window), strides=(stride, stride), padding=(min(pad, window - 1),) * 2)
    return relay.nn.max_pool2d(x, **fields) if kind == 1 else relay.nn.avg_pool2d(x, count_include_pad=e.rng.random() < 0.5, **fields)


def conv2d(e):
    groups, window = e.rng.choice([1, 1, 2]), e.rng.randrange(1, 4)
    stride, pad, dilation = e.rng.randrange(1, 4), e.rng.randrange(2), e.rng.choice([1, 1, 1, 2])
    x = e.operand((e.rng.randrange(1, 3), 2, e.rng.randrange(5, 8), e.rng.randrange(5, 8)))
    w = e.operand((4, 2 // groups, window, window))
    return e.relay.nn.conv2d(x, w, strides=(stride, stride), padding=(pad, pad), dilation=(dilation, dilation), groups=groups,
                             **e.rng.choice([{}, dict(channels=4, kernel_size=(window, window))]))


def arange(e):
    return e.relay.arange(e.param((), 0, 0.4), e.param((), 3, 4), e.param((), 0.7, 0.8), "float64")


KINDS = [unary, unary, unary, binary, binary, comparison, clip, cast, reduction, reduction, collapse, reshape, reshape, transpose, concatenate,
         stack, strided_slice, indexing, take, product, product, bias_add, softmax, loss, pool, conv2d, arange]


def is_mended(function):
    """Whether the reference's gradient is known to be wrong or different (docs/Differences.md)."""
    attrs = function.body.attrs if hasattr(function.body, "op") else None
    if operator_of(function) == "take":  # no loop, and indices out of range
        return True
    if operator_of(function) == "nn.conv2d":
        return any(int(d) > 1 for d in attrs.dilation) or int(attrs.groups) > 1
    if operator_of(function) == "max" and attrs.exclude:
        return len(attrs.axis) == len(function.body.args[0].checked_type.shape)
    return False


def operator_of(function):
    return function.body.op.name if hasattr(function.body, "op") else "?"


def make(tvm, np, rng, kind):
    """A typed function and its data; None if the reference refuses it."""
    e = Expression(tvm, np, rng)
    try:
        module = tvm.IRModule.from_expr(tvm.relay.Function(e.params, kind(e)))
        function = tvm.relay.transform.InferType()(module)["main"]
    except Exception:
        return None
    return function, e.data


class Checker:
    def __init__(self, tvm, np, options, folder):
        self.tvm, self.np, self.bin, self.folder = tvm, np, Path(options.bin), Path(folder)

    def run(self, tool, *arguments):
        return subprocess.run([self.bin / tool, *map(str, arguments)], capture_output=True, text=True)

    def reference(self, function, mode):
        """The reference's derivative as text; None if there is none, or if it has no type."""
        relay = self.tvm.relay
        try:
            typed = relay.transform.InferType()(self.tvm.IRModule.from_expr(function))["main"]
            result = relay.transform.gradient(typed, mode=mode)
            relay.transform.InferType()(self.tvm.IRModule.from_expr(result))
            return result.astext(show_meta_data=True)
        except Exception:
            return None

    def evaluate(self, module, data):
        """The tensors of the result."""
        inputs = []
        for i, tensor in enumerate(data):
            inputs.append(self.folder / f"in{i}.npy")
            self.np.save(inputs[-1], tensor)
        out = self.folder / "out"
        for old in out.glob("*"):
            old.unlink()
        done = self.run("relay-run", module, *inputs, "-o", out)
        if done.returncode:
            raise RuntimeError("relay-run: " + done.stderr.splitlines()[0])
        files = sorted(out.glob("output_*.npy"), key=lambda p: [int(n) for n in re.findall(r"\d+", p.stem)])
        return [self.np.load(f) for f in files]

    def slope(self, module, data, direction, width):
        sums = [sum(float(t.astype("float64").sum()) for t in self.evaluate(module, [x + s * width * d if x.dtype.kind == "f" else x for x, d in zip(data, direction)]))
                for s in (1, -1)]
        return (sums[0] - sums[1]) / (2 * width)

    def check(self, function, data, mode, rng):
        """An error; None if there is none; 'skipped' if nothing was compared."""
        before, after, theirs = (self.folder / name for name in ("before.relay", "after.relay", "reference.relay"))
        before.write_text(function.astext(show_meta_data=True))
        done = self.run("relay-opt", before, f"-passes=gradient<mode={mode}>", "-verify-each", "-o", after)
        reference = None if is_mended(function) else self.reference(function, mode)
        if done.returncode:
            return f"relay-opt: {done.stderr.splitlines()[0]}" if reference else "skipped"
        if reference:
            theirs.write_text(reference)
            diff = self.run("relay-diff", theirs, after)
            if diff.returncode:
                return "differs from the reference: " + (diff.stdout + diff.stderr).strip()[:300]
        return self.check_numbers(before, after, data, rng) or (None if reference else "only numbers")

    def check_numbers(self, before, after, data, rng):
        np = self.np
        random = np.random.default_rng(rng.randrange(1 << 30))
        direction = [random.uniform(-1, 1, x.shape) if x.dtype.kind == "f" else 0 * x for x in data]
        results = self.evaluate(after, data)
        gradients = results[-len(data):] if data else []
        found = sum(float((g * d).sum()) for g, d in zip(gradients, direction))
        slopes = [self.slope(before, data, direction, w) for w in (WIDTH, WIDTH / 3)]
        scale = 1e-6 * (1 + sum(float(np.abs(g * d).sum()) for g, d in zip(gradients, direction)) + abs(slopes[0]))
        if not np.isfinite(slopes).all() or abs(slopes[0] - slopes[1]) > scale:
            return None
        if abs(found - slopes[1]) <= 10 * scale:
            return None
        return f"the slope is {slopes[1]:.9g}, the gradient gives {found:.9g}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--bin", required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--save")
    options = parser.parse_args()
    import logging, numpy as np, tvm
    logging.disable(logging.WARNING)
    tvm.ir.diagnostics.override_renderer(lambda context: None)
    kinds = [k for k in KINDS if re.search(options.only, k.__name__)]
    counts = collections.defaultdict(collections.Counter)
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(tvm, np, options, folder)
        (Path(folder) / "out").mkdir()
        for i in range(options.count):
            rng = random.Random(options.seed * 1_000_003 + i)
            made = make(tvm, np, rng, rng.choice(kinds))
            if not made:
                counts["(refused)"]["skipped"] += 1
                continue
            for mode in MODES:
                try:
                    error = checker.check(*made, mode, rng)
                except RuntimeError as e:
                    error = str(e)
                kind = "passed" if not error else error if error in ("skipped", "only numbers") else "failed"
                counts[operator_of(made[0])][kind] += 1
                if kind == "failed" and sum(c["failed"] for c in counts.values()) <= options.show:
                    print(f"case {i} of seed {options.seed}, {mode}: {error}\n{made[0].astext(show_meta_data=False)}\n")
                    if options.save:
                        Path(options.save, f"{options.seed}-{i}.relay").write_text(made[0].astext(show_meta_data=True))
    for name in sorted(counts):
        print(f"{name:34}", *(f"{n} {k}" for k, n in sorted(counts[name].items())))
    total = sum(counts.values(), collections.Counter())
    print(f"{total['passed'] + total['only numbers']} passed, {total['failed']} failed, {total['skipped']} skipped")
    return 1 if total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
