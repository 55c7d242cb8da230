"""Graphs of any size, to measure with: groups of conv2d, clip and add on one small tensor."""
from .graph import Call, Function, Module, Var

SHAPE = (1, 56, 56, 64)
CONV = {"padding": [1] * 4, "channels": 64, "kernel_size": [3, 3], "data_layout": "NHWC", "kernel_layout": "OHWI"}


def parameters():
    return [Var("x", SHAPE), Var("w", (64, 3, 3, 64))]


def make(callee, *operands, **attrs):
    return Call(callee, list(operands), attrs, SHAPE)


def group(value, weight):
    clipped = make("clip", make("nn.conv2d", value, weight, **CONV), a_min=0.0, a_max=6.0)
    return make("add", clipped, value)


def stacked(value, weight, ops):
    for _ in range(max(1, ops // 3)):
        value = group(value, weight)
    return value


def chain(args):
    data, weight = params = parameters()
    return Module(Function("main", stacked(data, weight, args.ops), params))


def wide(args):
    data, weight = params = parameters()
    total = data
    for _ in range(max(1, args.ops // 4)):
        total = make("add", total, group(data, weight))
    return Module(Function("main", total, params))


def functions(args):
    result, weight = params = parameters()
    parts = []
    for index in range(args.functions):
        part_data, part_weight = part_params = parameters()
        body = stacked(part_data, part_weight, args.ops // args.functions)
        parts.append(Function(f"f{index}", body, part_params))
        result = make(f"@f{index}", result, weight)
    return Module(*parts, Function("main", result, params))


def add_ops(parser):
    parser.add_argument("--ops", type=int, default=10_000, metavar="N", help="number of operations (default: 10000)")


def add_functions(parser):
    add_ops(parser)
    parser.add_argument("--functions", type=int, default=100, metavar="M", help="number of functions (default: 100)")


MODELS = {
    "chain": ("N operations, each using the last one's result", add_ops, chain),
    "wide": ("N/4 independent groups of operations, summed up", add_ops, wide),
    "functions": ("M functions of N/M operations each, called in turn by @main", add_functions, functions),
}
