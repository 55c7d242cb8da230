"""A recurrent network of LSTM cells, unrolled: Hochreiter and Schmidhuber, "Long Short-Term Memory", with the forget
gate of Gers, Schmidhuber and Cummins, "Learning to Forget".

Each step has a separate input, [batch, input]; the result is the hidden state after the last step, [batch, hidden].
"""
from .arguments import add_batch, add_dtype, add_number, add_spans
from .builder import Module, Tensor, Tuple


def dense(scope, data, weight):
    """data: [N, I]; weight: [O, I]."""
    units = weight.shape[0]
    return scope.call("nn.dense", [data, weight], Tensor((data.shape[0], units), data.dtype), units=units)


def zeros(scope, type):
    return scope.call("zeros", [], type, shape=type.shape, dtype=type.dtype)


def split_gates(scope, gates):
    """[N, 4 * H] to four times [N, H]: in, forget, transform, out."""
    batch, width = gates.shape
    fields = (Tensor((batch, width // 4), gates.dtype),) * 4
    return scope.call("split", [gates], Tuple(fields), indices_or_sections=4, axis=1)


def graph_step(scope, data, state, i2h_weight, h2h_weight, bias):
    """One step as a graph: (hidden, cell) after it; `state` is the state before it, None for zeros."""
    i2h = dense(scope, data, i2h_weight)
    hidden, cell = state or [zeros(scope, Tensor((data.shape[0], h2h_weight.shape[1]), data.dtype))] * 2
    gates = scope.like("nn.bias_add", scope.like("add", i2h, dense(scope, hidden, h2h_weight)), bias, axis=-1)
    parts = split_gates(scope, gates)
    out_gate = scope.like("sigmoid", scope.project(parts, 3))
    kept = scope.like("multiply", scope.like("sigmoid", scope.project(parts, 1)), cell)
    in_gate = scope.like("sigmoid", scope.project(parts, 0))
    new = scope.like("multiply", in_gate, scope.like("tanh", scope.project(parts, 2)))
    cell = scope.like("add", kept, new)
    return scope.like("multiply", out_gate, scope.like("tanh", cell)), cell


def write_graph(function, args, input, state):
    """All steps in one graph, with the same weights."""
    weights, result = [], None
    for step in range(args.steps):
        data = function.param("data", input)
        weights = weights or [
            function.param("i2h_weight", Tensor((4 * args.hidden, input.shape[1]), args.dtype)),
            function.param("h2h_weight", Tensor((4 * args.hidden, args.hidden), args.dtype)),
            function.param("bias", Tensor((4 * args.hidden,), args.dtype)),
        ]
        with function.module.layer(f"step{step}"):
            result = graph_step(function, data, result, *weights)
    function.finish(result[0])


def cell_body(scope, params):
    """The body of a cell; params: inputs, states, and weight and bias for inputs and for the hidden state."""
    inputs, states, i2h_weight, i2h_bias, h2h_weight, h2h_bias = params
    i2h = scope.let("i2h", scope.like("nn.bias_add", dense(scope, inputs, i2h_weight), i2h_bias, axis=-1))
    product = dense(scope, scope.project(states, 0), h2h_weight)
    h2h = scope.let("h2h", scope.like("nn.bias_add", product, h2h_bias, axis=-1))
    parts = scope.let("slice_gates", split_gates(scope, scope.let("gates", scope.like("add", i2h, h2h))))
    in_gate, forget_gate, in_transform, out_gate = [
        scope.let(name, scope.like(op, scope.project(parts, index)))
        for index, (name, op) in enumerate((("in_gate", "sigmoid"), ("forget_gate", "sigmoid"),
                                            ("in_transform", "tanh"), ("out_gate", "sigmoid")))]
    kept = scope.like("multiply", forget_gate, scope.project(states, 1))
    next_c = scope.let("next_c", scope.like("add", kept, scope.like("multiply", in_gate, in_transform)))
    next_h = scope.let("next_h", scope.like("multiply", out_gate, scope.like("tanh", next_c)))
    return scope.let("ret", scope.tuple(next_h, scope.tuple(next_h, next_c)))


def cell_params(args, input, state):
    """(name, type) of weight and bias for inputs and for the hidden state."""
    bias = Tensor((4 * args.hidden,), args.dtype)
    weights = {"i2h": Tensor((4 * args.hidden, input.shape[1]), args.dtype),
               "h2h": Tensor((4 * args.hidden, state.shape[1]), args.dtype)}
    return [(f"{part}_{kind}", type) for part, weight in weights.items()
            for kind, type in (("weight", weight), ("bias", bias))]


def write_functions(function, args, input, state):
    """A `let` of a call of a closure for each step, with separate weights, as in TVM's test model."""
    start = function.let("zeros", zeros(function, state))
    states = function.let("init_states", function.tuple(start, start))
    for step in range(args.steps):
        data = function.param("data", input)
        weights = [function.param(name.replace("_", f"_{step}_"), type)
                   for name, type in cell_params(args, input, state)]
        params = [("inputs", input), ("states", states.type), *cell_params(args, input, state)]
        with function.module.layer(f"step{step}"):
            cell = function.closure(params, cell_body)
            call = function.let(f"call_{step}", function.call(cell.text, [data, states, *weights], cell.type.result))
            out = function.let(f"out_{step}", function.project(call, 0))
            states = function.let(f"states_{step}", function.project(call, 1))
    function.finish(out)


CELLS = {"graph": write_graph, "function": write_functions}


def write(args, out):
    input = Tensor((args.batch, args.input or args.hidden), args.dtype)
    CELLS[args.cell](Module(out, args.spans).function("main"), args, input, Tensor((args.batch, args.hidden), args.dtype))


def add_arguments(parser):
    add_batch(parser)
    add_dtype(parser)
    add_spans(parser)
    add_number(parser, "steps", 4, "number of steps")
    add_number(parser, "hidden", 128, "size of the hidden state")
    add_number(parser, "input", None, "size of each step's input", shown="that of the hidden state")
    parser.add_argument("--cell", choices=CELLS, default="graph",
                        help="graph: one graph, all steps with the same weights (default); function: each step calls "
                             "a closure of lets, with weights of its own")


MODELS = {"lstm": ("a recurrent network of LSTM cells, unrolled", add_arguments, write)}
