#!/usr/bin/env python3
"""Compares oneDNN with the interpreter on random functions.

usage: random-functions.py --bin DIRECTORY --plugin PLUGIN [--functions N] [--first N] [--seed N]
                           [--save DIR]

A function is a convolution or a product, followed by elementwise operators, pools and further convolutions. Half of the
functions have Compiler="dnnl" and weights that are parameters. The others are partitioned, with constant weights. The
line before the last is the number of executions of each kind of primitive, by the log of oneDNN; the last line is
'N functions agree, N differ'. Exit status 1 if some differ. --save keeps those.
"""
import argparse, collections, os, random, re, subprocess, sys, tempfile
from pathlib import Path

FACTS = Path(__file__).resolve().parent.parent / "dnnl.facts"
UNARY = ["nn.relu(%s)", "nn.leaky_relu(%s, alpha=0.1f)", "clip(%s, a_min=-0.5f, a_max=0.75f)", "sigmoid(%s)", "tanh(%s)",
         "exp(%s)", "abs(%s)", "negative(%s)", "copy(%s)", "erf(%s)", "nn.relu(negative(%s))", "sqrt(abs(%s))",
         "multiply(%s, 0.5f)", "add(1f, %s)", "subtract(%s, 2f)", "divide(%s, 3f)"]


class Text:
    """The text of a function under construction."""

    def __init__(self, rng):
        self.rng, self.params, self.lines, self.values = rng, [], [], {}

    def param(self, shape, dtype="float32"):
        name = f"%p{len(self.params)}"
        self.params.append(f"{name}: Tensor[({', '.join(map(str, shape))}{',' if len(shape) == 1 else ''}), {dtype}]")
        return name

    def let(self, text, shape):
        """Names the value of an expression; the expression may nest calls."""
        name = f"%{len(self.lines)}"
        self.lines.append(f"  {name} = {text};")
        self.values[name] = tuple(shape)
        return name

    def get(self, result, compiler):
        attrs = ', Compiler="dnnl"' if compiler else ""
        params = ", ".join(self.params)
        if not compiler:
            return f"def @main({params}) {{\n" + "\n".join(self.lines) + f"\n  {result}\n}}\n"
        names = ", ".join(p.split(":")[0] for p in self.params)
        return (f"def @main({params}) {{ @f({names}) }}\n"
                f"def @f({params}{attrs}) {{\n" + "\n".join(self.lines) + f"\n  {result}\n}}\n")


def pad_text(padding):
    return "[" + ", ".join(map(str, padding)) + "]"


def make_window(rng, extent, dilated=True):
    """Returns kernel, stride, dilation, padding before and after, and the extent of the result."""
    while True:
        kernel, stride, dilation = rng.randint(1, 4), rng.randint(1, 3), rng.choice([1, 1, 2]) if dilated else 1
        before, after = rng.randint(0, 2), rng.randint(0, 2)
        span = extent + before + after - (kernel - 1) * dilation - 1
        if span >= 0:
            return kernel, stride, dilation, before, after, span // stride + 1


def add_convolution(t, data, layout, dtype="float32"):
    """layout: NCHW or NHWC."""
    rng, shape = t.rng, t.values[data]
    n, c, h, w = (shape[layout.index(a)] for a in "NCHW")
    groups = rng.choice([1, 1, 1, c] + [g for g in (2, 3, 4) if c % g == 0])
    out = groups * rng.choice([1, 1, 2]) if groups == c else groups * rng.randint(1, 9)
    kh, sh, dh, top, bottom, oh = make_window(rng, h)
    kw, sw, dw, left, right, ow = make_window(rng, w)
    extent = dict(O=out, I=c // groups, H=kh, W=kw)
    depthwise = groups == c and groups > 1
    if depthwise:
        extent.update(O=c, I=out // c)
    kernel_layout = "OIHW" if layout == "NCHW" else "HWOI" if depthwise else "HWIO"
    if groups > 1 and not depthwise and layout == "NHWC":
        groups, out, extent = 1, extent["O"], dict(O=extent["O"], I=c, H=kh, W=kw)
    weight = t.param([extent[a] for a in kernel_layout], "int8" if dtype != "float32" else dtype)
    attrs = (f"strides=[{sh}, {sw}], padding=[{top}, {left}, {bottom}, {right}], dilation=[{dh}, {dw}], groups={groups}, "
             f"channels={out}, kernel_size=[{kh}, {kw}], data_layout=\"{layout}\", kernel_layout=\"{kernel_layout}\"")
    result = dict(N=n, C=out, H=oh, W=ow)
    if dtype != "float32":
        zero = rng.choice([0, 3, 128] if dtype == "uint8" else [0, -5, 7])
        call = f"qnn.conv2d({data}, {weight}, {zero}, {rng.choice([0, 0, 2])}, 0.5f, 0.25f, {attrs}, out_dtype=\"int32\")"
    else:
        call = f"nn.conv2d({data}, {weight}, {attrs})"
    return t.let(call, [result[a] for a in layout])


def add_pool(t, data, layout):
    rng, shape = t.rng, t.values[data]
    n, c, h, w = (shape[layout.index(a)] for a in "NCHW")
    if rng.random() < 0.25:
        kind = rng.choice(["avg", "max"])
        result = dict(N=n, C=c, H=1, W=1)
        return t.let(f"nn.global_{kind}_pool2d({data}, layout=\"{layout}\")", [result[a] for a in layout])
    kind = rng.choice(["avg", "max"])
    while True:
        kh, sh, dh, top, bottom, oh = make_window(rng, h, kind == "max")
        kw, sw, dw, left, right, ow = make_window(rng, w, kind == "max")
        if kh > max(top, bottom) and kw > max(left, right): # no window of padding alone
            break
    more = f", count_include_pad={rng.choice(['True', 'False'])}" if kind == "avg" else ""
    result = dict(N=n, C=c, H=oh, W=ow)
    return t.let(f"nn.{kind}_pool2d({data}, pool_size=[{kh}, {kw}], strides=[{sh}, {sw}], dilation=[{dh}, {dw}], "
                 f"padding=[{top}, {left}, {bottom}, {right}], layout=\"{layout}\"{more})", [result[a] for a in layout])


def add_elementwise(t, data, axis):
    rng, shape = t.rng, t.values[data]
    kind = rng.randrange(8)
    if kind == 0:
        return t.let(f"nn.bias_add({data}, {t.param([shape[axis]])}, axis={axis})", shape)
    if kind == 1: # another value or parameter of the same shape
        same = [v for v, s in t.values.items() if s == shape and v != data]
        other = rng.choice(same) if same and rng.random() < 0.7 else t.param(shape)
        pair = [data, other]
        rng.shuffle(pair)
        return t.let(f"{rng.choice(['add', 'add', 'multiply', 'subtract'])}({pair[0]}, {pair[1]})", shape)
    if kind == 2: # broadcast
        other = [e if rng.random() < 0.5 else 1 for e in shape][rng.randrange(len(shape)):]
        return t.let(f"{rng.choice(['add', 'multiply'])}({data}, {t.param(other)})", shape)
    if kind == 3:
        inner = t.let(f"sigmoid({data})", shape)
        return t.let(f"multiply({data}, {inner})", shape)
    if kind == 4:
        scaled = t.let(f"multiply({data}, 0.70710677f)", shape)
        return t.let(f"multiply(multiply({data}, 0.5f), add(erf({scaled}), 1f))", shape)
    return t.let(rng.choice(UNARY) % data, shape)


def make_float(t):
    rng = t.rng
    layout = rng.choice(["NCHW", "NHWC"])
    extent = dict(N=rng.randint(1, 2), C=rng.randint(1, 20), H=rng.randint(1, 12), W=rng.randint(1, 12))
    shape = [extent[a] for a in layout]
    data = t.param(shape)
    t.values[data] = tuple(shape)
    value = add_convolution(t, data, layout) if rng.random() < 0.9 else data
    for _ in range(rng.randint(0, 6)):
        kind = rng.random()
        if kind < 0.15:
            value = add_convolution(t, value, layout)
        elif kind < 0.3:
            value = add_pool(t, value, layout)
        else:
            value = add_elementwise(t, value, layout.index("C"))
    if rng.random() < 0.3:
        shape = t.values[value]
        k = shape[1] * shape[2] * shape[3]
        value = t.let(f"nn.batch_flatten({value})", [shape[0], k])
        n = rng.randint(1, 10)
        value = t.let(f"nn.dense({value}, {t.param([n, k])}, units={n})", [shape[0], n])
        for _ in range(rng.randint(0, 3)):
            value = add_elementwise(t, value, 1)
        if rng.random() < 0.5:
            value = t.let(f"nn.{rng.choice(['', 'log_'])}softmax({value}, axis={rng.choice([-1, 1])})", [shape[0], n])
    if rng.random() < 0.2:
        others = [v for v in t.values if v != value]
        return f"({value}, {rng.choice(others)})" if others else value
    return value


def make_quantized(t):
    rng = t.rng
    dtype = rng.choice(["uint8", "int8"])
    zero = rng.randint(0, 9)
    if rng.random() < 0.3:
        m, k, n = rng.randint(1, 5), rng.randint(1, 40), rng.randint(1, 20)
        data = t.param([m, k], dtype)
        value = t.let(f"qnn.dense({data}, {t.param([n, k], 'int8')}, {zero}, 0, 0.5f, 0.25f, units={n}, "
                      "out_dtype=\"int32\")", [m, n])
    else:
        layout = rng.choice(["NCHW", "NHWC"])
        extent = dict(N=1, C=rng.randint(1, 12), H=rng.randint(1, 9), W=rng.randint(1, 9))
        shape = [extent[a] for a in layout]
        data = t.param(shape, dtype)
        t.values[data] = tuple(shape)
        value = add_convolution(t, data, layout, dtype)
    if rng.random() < 0.6:
        value = t.let(f"qnn.requantize({value}, 0.125f, 0, 0.75f, {rng.randint(-3, 3)}, out_dtype=\"{dtype}\")",
                      t.values[value])
    return value


def make_odd(t):
    """Types, ranks and sizes that oneDNN lacks, next to an operator that it has."""
    rng = t.rng
    dtype = rng.choice(["float32", "float32", "float16", "float64", "int32", "int64", "bool"])
    shape = rng.choice([[], [0], [2, 0, 3], [1], [3], [2, 1, 3, 1, 2, 1, 2, 2], [1] * 13])
    value = t.param(shape, dtype)
    t.values[value] = tuple(shape)
    choices = ["logical_not({0})"] if dtype == "bool" else ["add({0}, {0})", "multiply({0}, {0})", "nn.relu({0})", "copy({0})",
                                                            "expand_dims({0}, axis=0)"]
    for _ in range(rng.randint(1, 4)):
        choice = rng.choice(choices)
        shape = [1, *shape] if choice.startswith("expand_dims") else shape
        value = t.let(choice.format(value), shape)
    return f"({value}, nn.relu({t.param([2, 3])}))"


def make(rng):
    t = Text(rng)
    kind = rng.random()
    result = make_quantized(t) if kind < 0.2 else make_odd(t) if kind < 0.3 else make_float(t)
    return t, result


def run(arguments):
    done = subprocess.run(arguments, capture_output=True, text=True, env={**os.environ, "ONEDNN_VERBOSE": "1"})
    return done.returncode, done.stdout + done.stderr


def check(options, number, folder, primitives):
    """Returns the output of a function whose results differ; otherwise None. Counts primitives by kind."""
    rng = random.Random(options.seed * 1000003 + number)
    text, result = make(rng)
    plain, tested, params = folder / "plain.relay", folder / "tested.relay", folder / "params"
    plain.write_text(text.get(result, compiler=False))
    inputs = ["-params=random:1"]
    if rng.random() < 0.5:
        tested.write_text(text.get(result, compiler=True))
    else:
        status, output = run([f"{options.bin}/relay-opt", plain, "-params=random:1", f"-save-params={params}", "-o", tested,
                              "-passes=bind-params,annotate-target<targets=dnnl;support=%s>,merge-compiler-regions,"
                              "partition-graph" % FACTS])
        if status:
            return f"relay-opt: {output}"
        inputs = ["-params=random:1", f"-params={params}"]
    status, output = run([f"{options.bin}/relay-run", f"-load-pass-plugin={options.plugin}", tested, f"-compare={plain}",
                          "-compare-seeds=1", "-threads=2", *inputs])
    primitives.update(re.findall(r"^onednn_verbose,exec,cpu,(\w+)", output, re.M))
    return None if status == 0 else output


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--functions", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save")
    options = parser.parse_args()
    differ, primitives = 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.first, options.first + options.functions):
            output = check(options, number, Path(folder), primitives)
            if output is None:
                continue
            differ += 1
            print(f"function {number}:\n{output}")
            if options.save:
                kept = Path(options.save, str(number))
                kept.mkdir(parents=True, exist_ok=True)
                for file in Path(folder).iterdir():
                    kept.joinpath(file.name).write_bytes(file.read_bytes())
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(primitives.items())))
    print(f"{options.functions - differ} functions agree, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
