"""Graphs of any size for measurements: groups of conv2d, clip and add on one small tensor.

They are written during their creation, in constant memory; also in tosa, to give mlir-opt the same work.
"""
from .arguments import add_number, positive
from .dialects import Let, Relay, Tosa

FORMS = ("relay", "tosa")


def group(body, value):
    return body.add(body.clip(body.conv2d(value)), value)


def stacked(body, value, ops):
    """Groups in sequence; the last may be incomplete."""
    for _ in range(ops // 3):
        value = group(body, value)
    if ops % 3:
        value = body.conv2d(value)
    return body.clip(value) if ops % 3 == 2 else value


def chain(body, args):
    body.end(stacked(body, body.begin("main"), args.ops))


def wide(body, args):
    data = total = body.begin("main")
    for _ in range(args.ops // 4):
        total = body.add(total, group(body, data))
    for _ in range(args.ops % 4):
        total = body.add(total, data)
    body.end(total)


def functions(body, args):
    each, more = divmod(args.ops - args.functions, args.functions)
    for index in range(args.functions):
        body.end(stacked(body, body.begin(f"f{index}"), each + (index < more)))
    value = body.begin("main")
    for index in range(args.functions):
        value = body.call(f"f{index}", value)
    body.end(value)


def check_functions(args):
    if args.ops < 2 * args.functions:
        return f"argument --functions: {args.functions} functions and their calls take more than {args.ops} operations"
    return None


def add_ops(parser):
    add_number(parser, "ops", 10_000, "number of operations")
    parser.add_argument("--form", choices=FORMS, default=FORMS[0],
                        help="relay (default), or the same graph in MLIR's tosa dialect")


def add_functions(parser):
    add_ops(parser)
    add_number(parser, "functions", 100, "number of functions", positive)
    parser.set_defaults(check=check_functions)


def writer(shape, relay=Relay):
    return lambda args, out: shape(Tosa(out) if args.form == "tosa" else relay(out), args)


MODELS = {
    "chain": ("N operations, each using the last one's result", add_ops, writer(chain)),
    "wide": ("N/4 independent groups of operations, summed up", add_ops, writer(wide)),
    "functions": ("M functions and their calls in turn by @main, N operations together", add_functions,
                  writer(functions)),
    "let": ("N operations bound by let, each using the last one's result", add_ops, writer(chain, Let)),
}
