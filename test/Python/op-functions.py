# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the functions of operators with generated arguments and prints the results.

The same script runs with relay_opt and with TVM 0.18. `op-functions.py print`
prints a line for each call. `op-functions.py signatures` prints the
parameters. `op-functions.py summary` prints a line for each function: the
number of calls, the checksum of the signature and of all results, and the
result of the first call. Inputs/op-functions.txt is the summary of TVM 0.18;
`op-functions.py check FILE` compares the summary with that file.
"""

import inspect
import re
import sys
import zlib

try:
    import tvm
    from tvm import relay

    import tvm.relay.op.dyn
except ImportError:
    import relay_opt.tvm as tvm
    from relay_opt.tvm import relay

    import relay_opt.tvm.relay.qnn


# ------------------------------------------------------------------------------
# Results as text
# ------------------------------------------------------------------------------


def describe(value):
    """Describes an attribute value. TVM and relay_opt print the same values alike."""
    if value is None or isinstance(value, str):
        return repr(value)
    if isinstance(value, relay.Constant):
        return describe_expr(value)
    kind = type(value).__name__
    if kind == "BoxInt":
        return re.sub(r"\D", "", str(value))
    number = getattr(value, "value", value)
    if isinstance(number, int):  # TVM's flags are integers
        return str(int(number))
    if isinstance(number, float):
        return f"{number:.6g}"
    if kind == "VirtualDevice":
        return kind
    if kind == "ObjectAttr":
        return value.type_key
    if hasattr(value, "__len__"):
        return "[" + ", ".join(describe(element) for element in value) + "]"
    return str(value)


# Operators whose attributes TVM does not list, or holds as expressions: their attributes are taken from the text.
OPAQUE = {
    "arange",
    "dft",
    "memory.alloc_tensor",
    "nn.adaptive_avg_pool1d",
    "nn.adaptive_max_pool1d",
    "nn.contrib_conv2d_gemm_weight_transform",
    "random.multinomial",
    "random.normal",
    "vm.reshape_tensor",
}
OPAQUE_NAMES = "axis|size|shape|layout|dtype|samples|tile_."
FLOAT_ARRAYS = {
    "image.resize1d",
    "image.resize2d",
    "image.resize3d",
    "vision.multibox_prior",
    "vision.multibox_transform_loc",
}
FLOAT_NAMES = "roi|sizes|ratios|steps|offsets|variances"


def describe_expr(expr, known=None):
    """Describes an expression with all attributes and the data of constants."""
    known = {} if known is None else known
    if expr in known:
        return known[expr]
    kind = type(expr).__name__
    if kind == "Var":
        text = "%" + expr.name_hint
    elif kind == "Constant":
        data = expr.data.numpy()
        if data.dtype.name == "bfloat16":
            data = data.view("uint16")
        values = [round(v, 6) if isinstance(v, float) else v for v in data.reshape(-1).tolist()]
        text = f"const({data.dtype}, {values}, {list(data.shape)})"
    elif kind == "Tuple":
        text = "(" + ", ".join(describe_expr(field, known) for field in expr.fields) + ")"
    elif kind == "TupleGetItem":
        text = f"{describe_expr(expr.tuple_value, known)}.{int(expr.index)}"
    else:
        operands = ", ".join(describe_expr(arg, known) for arg in expr.args)
        attrs = expr.attrs
        fields = []
        if expr.op.name in OPAQUE:
            fields = re.findall(rf"(?:{OPAQUE_NAMES})=[^()]*?(?=, \w+=|\)$)", nested(str(expr)))
        elif attrs is not None:
            fields = [f"{key}={describe(attrs[key])}" for key in attrs.keys() if key != "virtual_device"]
        if expr.op.name in FLOAT_ARRAYS:  # the text has the data type of the elements
            fields += re.findall(rf"(?:{FLOAT_NAMES})=\[[^]]*\]", nested(str(expr)))
        text = f"{expr.op.name}({operands}){{{', '.join(fields)}}}"
    known[expr] = text
    return text


def nested(text):
    """Returns the printed text of an expression with its numbered values in place, and no numbers of metadata."""
    values = {}

    def expand(line):
        return re.sub(r"%\d+", lambda m: values.get(m.group(0), m.group(0)), line)

    line = ""
    for line in text.strip().splitlines():
        match = re.match(r"(%\d+) = (.*);$", line)
        if match:
            values[match.group(1)] = expand(match.group(2))
    text = re.sub(r"meta\[([\w.]+)\]\[\d+\]", r"meta[\1]", expand(line))
    return re.sub(r"VirtualDevice\(.*?\)", "meta[VirtualDevice]", text)


def result_text(function, args, keywords):
    """Calls a function. Returns its result, or "error" if it or the printer fails."""
    try:
        result = function(*args, **keywords)
        wrapper = ""
        if type(result).__name__ == "TupleWrapper":
            wrapper = f"wrapper {result.size} "
            result = result.tuple_value
        if isinstance(result, (list, tuple)) or type(result).__name__ == "Array":
            return "list " + " ".join(describe_expr(e) if isinstance(e, relay.Expr) else str(e) for e in result)
        return wrapper + describe_expr(result), nested(str(result))
    except Exception as error:  # noqa: BLE001
        return "error", f"{type(error).__name__}: {str(error).strip().splitlines()[-1:]}"


# ------------------------------------------------------------------------------
# Arguments
# ------------------------------------------------------------------------------


def var(name, shape, dtype="float32"):
    return relay.var(name, shape=shape, dtype=dtype)


X, Y, Z, U, V, W = (var(name, (2, 4, 8, 8)) for name in "xyzuvw")
I, J = (var(name, (2,), "int32") for name in "ij")
EXPRS = [X, Y, Z, U, V, W, I, J, X, Y]
SHAPES = [(2, 3), [4, 3], 3, (), I, relay.const([2, 3]), None]
INTS = [0, 1, 2, -1]
FLOATS = [0.25, 1.0, 2]
BOOLS = [True, False]
LISTS = {1: [2, (3,), [3]], 2: [2, (3, 4), [3, 4]], 3: [2, (1, 2, 3), [3, 4, 5]]}
PADDINGS = {
    1: [1, (1,), [1, 2], (1, 2, 3)],
    2: [1, (1,), (1, 2), [1, 2, 3, 4], (1, 2, 3)],
    3: [1, (1, 2, 3), [1, 2, 3, 4, 5, 6], (1, 2)],
}
DTYPES = ["float16", "int8", "bool", "bfloat16", "custom"]

# Values for parameters, by name. The first one is for parameters without a default.
VALUES = {
    "shape": SHAPES,
    "newshape": SHAPES,
    "output_shape": SHAPES,
    "reps": [(2, 1), 2, [2], I, relay.const([2, 1])],
    "axis": [1, 0, -1, (0, 1), [1], None, I, relay.const([0]), relay.const(1), 1.5],
    "axes": [None, (1, 0), [0], ()],
    "dtype": DTYPES,
    "out_dtype": DTYPES,
    "begin": [(0, 1), [1], relay.const([0, 1]), I],
    "end": [(1, 2), [2], relay.const([1, 2]), I],
    "strides": [(1, 2), [2], 2, 1, (1, 1, 2), None, relay.const([1, 1]), I],
    "slice_mode": ["end", "size"],
    "indices_or_sections": [2, (1, 2), [1]],
    "depth": [3, relay.const(3), I],
    "k": [1, 2, (0, 1), [1], relay.const(3), I],
    "data": EXPRS,
    "align": ["LEFT_LEFT", "RIGHT_RIGHT", "LEFT_RIGHT"],
    "pad_width": [((1, 1), (0, 0)), [[1, 2]], I, relay.const([[1, 1], [0, 0]])],
    "pad_value": [0, 1.5, I, relay.const(2.0)],
    "mode": ["clip", "wrap", "update", "add", "CRD", "REFLECT", "max"],
    "layout": ["NCHW", "NHWC"],
    "equation": ["ij,jk->ik"],
    "size": [(4, 5), [6], 3, I, relay.const([4, 5])],
    "roi": [None, (0.0, 0.25, 1.0, 1.0), relay.const([0.0, 0.25, 1.0, 1.0]), X],
    "target_shape": [None, (3, 4)],
    "src_layout": ["NCHW"],
    "dst_layout": ["NCHW4c", "NHWC"],
    "channels": [4, None, 1],
    "units": [5, None],
    "num_newaxis": [1, 2],
    "ret_type": ["both", "values", "indices"],
    "output_format": ["onnx", "tensorflow"],
    "scale_h": [2, 1.5, relay.const(2.0), X],
    "scale_w": [2, 1.5, relay.const(2.0), X],
    "scale_d": [2, relay.const(2.0), X],
    "start": [relay.const(3), X],
    "stop": [relay.const(7.0), None, X],
    "step": [relay.const(2), None],
    "num_segments": [3, None, X],
    "lhs_end": [2, None],
    "rhs_end": [2, None],
    "repeats": [2],
    "crop_size": [(4, 5)],
    "pooled_size": [(3, 3)],
    "tile_size": [4],
    "tile_N": [4],
    "tile_K": [4],
    "block_shape": [(2, 2)],
    "crops": [((0, 0), (1, 1))],
    "paddings": [((0, 0), (1, 1))],
    "compiler": ["dnnl"],
    "device": ["cuda", "cpu"],
    "src_device": ["cpu"],
    "dst_device": ["cuda"],
    "window_shape": [(2,)],
    "default_value": [0, X, relay.const(0.5)],
    "default": [X],
    "indexing": ["ij", "xy"],
    "rounding": ["UPWARD", "TONEAREST"],
    "compute_dtype": ["int64", "float32"],
    "in_dtype": ["int8", "uint8", "int32", "disable", I],
    "n_fft": [8, 6],
    "hop_length": [2, None],
    "win_length": [4, None],
    "window": [None, I],
    "seed": [5, 2**40 + 3, 2**255, -1],
    "scales": [(8.0, 16.0)],
    "ratios": [(0.5, 1.0, 2.0)],
    "sizes": [(1.0, 0.25)],
    "steps": [(0.5, 0.5)],
    "offsets": [(0.5, 0.5)],
    "variances": [(0.1, 0.1, 0.2, 0.25)],
    "iou_loss": [False, True],
    "is_multiply": [True, False],
    "convolution_algorithm": [1],
    "eps": [1e-5],
    "a_min": [0, -1.5],
    "a_max": [6, 1.5],
    "multiplier": [2**30],
    "shift": [1],
    "stride1": [1],
    "stride2": [2],
    "max_displacement": [4],
    "num_groups": [2],
    "stride": [2],
    "num_samples": [3],
    "feature_stride": [16],
    "threshold": [0.7],
    "rpn_pre_nms_top_n": [100],
    "rpn_post_nms_top_n": [10],
    "rpn_min_size": [16],
    "spatial_scale": [0.0625],
    "max_detections_per_class": [3],
    "max_detections": [4],
    "num_classes": [5],
    "block_size": [2],
    "alpha": [X, 0.25],
    "bias": [X, 2.5],
    "beta": [X, 0.5],
    "exclusive": [None, True, False],
    "gather_axis": [1],
    "with_mean": [None, X],
    "index_rank": [2, None],
    "mask_value": [0.5, 1],
    "batch_dims": [0, 1],
}

# Parameters whose values depend on the function.
SEQUENCES = {
    "concatenate": [(X, Y), [X], [], (X, Y, Z), relay.split(X, 2), X, relay.Tuple([X, Y])],
    "stack": [(X, Y), [X], [], relay.split(X, 2), relay.Tuple([X, Y])],
    "einsum": [(X, Y), [X], [], relay.Tuple([X, Y])],
    "meshgrid": [(I, J), [I], relay.Tuple([I, J])],
}
SPARSE = [(X, I, J)]

# Values that TVM 0.18 accepts; for others it fails and relay_opt does not. The first value is always given, unless it
# is None.
ALWAYS = {
    ("cumprod", "exclusive"): [False, True],
    ("deformable_conv2d", "channels"): [4],
    ("repeat", "axis"): [1, -1],
    ("resize1d", "roi"): [None, (0.0, 1.0), X],
    ("resize2d", "roi"): [None, (0.0, 0.25, 1.0, 1.0), relay.const([0.0, 0.25, 1.0, 1.0])],
    ("resize3d", "roi"): [None, (0.0, 0.0, 0.0, 1.0, 0.5, 0.25), X],
    ("reverse", "axis"): [0, -1],
    ("reverse_reshape", "newshape"): [(2, 3), [4, 3], 3, ()],
}


def values_of(module, function, parameter, dimensions):
    """Returns the values to try for a parameter; None stands for operands."""
    name, short = parameter.name, function.__name__
    if (short, name) in ALWAYS:
        return ALWAYS[short, name]
    if name == "data" and short in SEQUENCES:
        return SEQUENCES[short]
    if name in ("input_scales", "input_zero_points"):
        return [(X, Y), [X], relay.Tuple([X, Y])]
    if name == "inputs":
        return [[X, I], (X, I, J)]
    if name == "sparse_mat" or (name == "x" and short == "sparse_transpose"):
        return SPARSE
    default = parameter.default
    if name == "padding":
        return PADDINGS[dimensions]
    is_window = name in ("kernel_size", "pool_size", "dilation", "output_size", "dilations")
    if is_window or (name == "strides" and "nn" in module):
        return LISTS[dimensions] + ([None] if name in ("kernel_size", "output_size") else [])
    if isinstance(default, bool):
        return BOOLS
    if name in VALUES and not (name in ("alpha", "bias", "beta") and isinstance(default, float)):
        return VALUES[name]
    if default is inspect.Parameter.empty:
        return None
    if isinstance(default, int):
        return INTS + ([I] if name.startswith(("max_output", "iou", "score")) else [])
    if isinstance(default, float):
        return FLOATS + ([X] if "threshold" in name or name in ("mean", "scale", "low", "high") else [])
    if isinstance(default, str):
        return ["NHWC", "other"]
    return [default]


def dimensions_of(name):
    match = re.search(r"([123])d", name)
    return int(match.group(1)) if match else 2


def calls_of(module, function):
    """Yields the arguments of calls: the required ones, each parameter varied, and pairs varied together."""
    parameters = list(inspect.signature(function).parameters.values())
    operands = iter(EXPRS)
    dimensions = dimensions_of(function.__name__)
    required, choices = {}, {}
    for parameter in parameters:
        values = values_of(module, function, parameter, dimensions)
        if values is None:
            required[parameter.name] = next(operands)
            continue
        choices[parameter.name] = values
        is_required = parameter.default is inspect.Parameter.empty
        if is_required or ALWAYS.get((function.__name__, parameter.name), [None])[0] is not None:
            required[parameter.name] = values[0] if parameter.name != "data" or values is not EXPRS else next(operands)
    yield required
    choices = {name: values for name, values in choices.items() if values is not EXPRS}
    for name, values in choices.items():
        for value in values:
            yield {**required, name: value}
    names = list(choices)
    for i, first in enumerate(names):
        second = names[(i + 1) % len(names)]
        if first != second:
            for number, value in enumerate(choices[first]):
                others = choices[second]
                yield {**required, first: value, second: others[number % len(others)]}
    yield {**required, "no_such_parameter": 1}


# Functions that TVM 0.18 has and whose results are not expressions, or that cannot work there.
SKIPPED = {
    "copy_shape_func",  # a shape function in TVM's script
    "function_on_device",  # TVM's calls a function that TVM does not have
    "alloc_storage",  # TVM's passes one argument too few
    "flatten_tuple_type",
    "from_tuple_type",
    "to_tuple_type",
    "invoke_tvm_op",
    "shape_func",
    "current_requantize_config",
    "requantize_config",
    "debug",
    "get",
}

PAIR = relay.TupleType([relay.TensorType((1,)), relay.TupleType([relay.TensorType((2,)), relay.TensorType((3,))])])

# Calls whose arguments or results are special.
OTHERS = {
    "memory.flatten_tuple_type": lambda: relay.op.memory.flatten_tuple_type(PAIR),
    "memory.from_tuple_type": lambda: relay.op.memory.from_tuple_type(PAIR, X),
    "memory.to_tuple_type": lambda: relay.op.memory.to_tuple_type(PAIR, [X, Y, I]),
    "nn.get_pad_tuple1d": lambda: relay.nn.get_pad_tuple1d([1]),
    "nn.get_pad_tuple2d": lambda: relay.nn.get_pad_tuple2d((1, 2)),
    "nn.get_pad_tuple3d": lambda: relay.nn.get_pad_tuple3d(2),
    "op.get": lambda: [relay.op.get("nn.relu").name],
    "op.get unknown": lambda: relay.op.get("nn.no_such_operator"),
    "ir.Op.get": lambda: [tvm.ir.Op.get("add").name],
    "astype": lambda: X.astype("int8"),
    "wrapper as an argument": lambda: relay.nn.relu(relay.split(X, 2)),
    "wrapper as fields": lambda: relay.concatenate(relay.split(X, 2), 1),
    "number as an argument": lambda: relay.add(X, 1),
    "positional": lambda: relay.nn.conv2d(X, Y, 2, 1, 1, 1, 4, 3),
    "missing": lambda: relay.nn.conv2d(X),
    "twice": lambda: relay.nn.conv2d(X, Y, data=X),
}

MODULES = {
    "nn": relay.nn,
    "image": relay.image,
    "vision": relay.vision,
    "random": relay.random,
    "annotation": relay.annotation,
    "memory": relay.op.memory,
    "vm": relay.op.vm,
    "tensor": relay.op.tensor,
    "transform": relay.op.transform,
    "reduce": relay.op.reduce,
    "algorithm": relay.op.algorithm,
    "qnn": relay.qnn.op,
}


def functions():
    """Yields (module, name, function) of the functions to call, sorted by name."""
    for module, contents in MODULES.items():
        for name in sorted(vars(contents)):
            function = getattr(contents, name)
            if not inspect.isfunction(function) or name.startswith(("_", "get_pad_tuple", "register_", "public_")):
                continue
            if name == "const" or "tvm.relay." not in function.__module__:
                continue
            if function.__module__.rpartition(".")[2] in ("declare", "devices", "generic", "target", "op", "absent"):
                continue
            if ".contrib" in function.__module__ or name in SKIPPED or "target_has" in name:
                continue
            home = function.__module__.split("relay.", 1)[1]
            if module in ("tensor", "transform", "reduce", "algorithm") and not home.endswith(module):
                continue
            yield module, name, function


def show(value):
    if isinstance(value, relay.Expr):
        return describe_expr(value)
    if type(value).__name__ == "TupleWrapper":
        return "split"
    if isinstance(value, (list, tuple)):
        text = ", ".join(show(v) for v in value)
        return f"[{text}]" if isinstance(value, list) else f"({text})"
    return repr(value)


def run(module, name, function):
    """Yields (call, result by attributes, printed result)."""
    for keywords in calls_of(module, function):
        call = f"{module}.{name}({', '.join(f'{k}={show(v)}' for k, v in keywords.items())})"
        result = result_text(function, (), keywords)
        yield (call, *result) if isinstance(result, tuple) else (call, result, result)


def signature(function):
    """Returns the parameters of a function with their defaults, without types."""
    parameters = inspect.signature(function).parameters.values()
    return str(inspect.Signature([p.replace(annotation=inspect.Parameter.empty) for p in parameters]))


def lines_of_others():
    for name, function in OTHERS.items():
        result = result_text(function, (), {})
        yield name, result[0] if isinstance(result, tuple) else result


def main():
    mode = sys.argv[1]
    if mode == "signatures":
        for module, name, function in functions():
            print(f"{module}.{name}{signature(function)}")
        return 0
    if mode == "print":
        for module, name, function in functions():
            for call, result, text in run(module, name, function):
                print(call, "=>", result, "|", text, flush=True)
        return 0
    lines = []
    for module, name, function in functions():
        results = [(call, result) for call, result, _ in run(module, name, function)]
        text = "\n".join([signature(function), *(f"{call} {result}" for call, result in results)])
        checksum = zlib.crc32(text.encode())
        lines.append(f"{module}.{name} {len(results)} {checksum:08x} {results[0][1]}")
    lines += [f"other {name}: {result}" for name, result in lines_of_others()]
    if mode == "summary":
        print("\n".join(lines))
        return 0
    with open(sys.argv[2], encoding="utf-8") as file:
        expected = file.read().splitlines()
    wrong = sorted(set(lines) ^ set(expected))
    print("\n".join(wrong) or f"{len(lines)} lines agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
