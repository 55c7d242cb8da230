"""Constructs of the language for mixed random graphs: branches, closures, tuples, references, data types, functions.

A global function, a closure or the step of a loop may be called with other values than those that it was created for.
These must be within the bounds for which its body was created, and exact if the original ones were.
"""
from ..builder import Fn, Tensor, Tuple, Value
from .body import FLOATS, INTEGERS, Body, Operand

TYPES = """type Option[A] {
  Some(A),
  None,
}

type List[A] {
  Cons(A, List[A]),
  Nil,
}

type Tree[A] {
  Leaf(A),
  Node(Tree[A], Tree[A]),
}
"""


class Named:
    """A type by its text, for types that the builder lacks."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text


def inner(m, scope, params, ops):
    """A body in this scope, with about `ops` operations; `params` are operands."""
    body = Body(m.graph, scope, m)
    body.params = list(params)
    m.graph.fill(body, m.graph.module.appended + ops, m.graph.plain)
    return body


def parameter(value, like):
    """A bound variable for values like the example `like`."""
    return Operand(value, like.shape, like.low, like.high, like.exact)


def result_of(body, count=3):
    """Some unused values of a body, as (value, operands): one value or a tuple."""
    operands = body.leftovers()[:count]
    if len(operands) == 1:
        operands[0].used = True
        return operands[0].value, operands
    return body.tuple(*operands), operands


def spread(m, value, operands):
    """Makes the fields of a value available; it has the shape of these operands."""
    if len(operands) == 1:
        only = operands[0]
        return [m.take(value, only.shape, only.low, only.high, only.exact)]
    return m.fields(value, [(one.shape, one.low, one.high, one.exact) for one in operands])


def condition(m):
    """A scalar bool of an exact value."""
    data = m.pick(("float32", "int32", "int8", "uint8", "float64"), exact=True)
    if data.rank:
        data = m.call(m.random.choose(("max", "min")), [data], (), data.dtype, data.low, data.high, data.exact)
    return m.call(m.random.choose(("less", "greater")), [data, m.scalar(1, data.dtype)], (), "bool")


def branch(m):
    test = condition(m)
    test.used = True
    found = []

    def then(scope):
        value, operands = result_of(inner(m, scope, [], 4))
        found.extend(operands)
        return value

    def otherwise(scope):
        body = Body(m.graph, scope, m)
        fields = [body.need(one.shape, one.dtype, one.low, one.high, one.exact) for one in found]
        for field in fields:
            field.used = True
        return fields[0].value if len(fields) == 1 else body.tuple(*fields)

    spread(m, m.scope.branch(test, then, otherwise), found)


def closure(m):
    """A closure over available values, called once or twice, sometimes through a function that takes it."""
    operands = [m.pick(FLOATS[:2] + INTEGERS + ("bool",)) for _ in range(1 + m.random.below(2))]
    found = []

    def body_of(scope, params):
        value, operands_of = result_of(inner(m, scope, [parameter(*each) for each in zip(params, operands)], 5), 2)
        found.extend(operands_of)
        return value

    for operand in operands:
        operand.used = True
    function = m.scope.closure([("c", operand.type) for operand in operands], body_of)
    if m.random.chance(1, 2):
        function = m.scope.let("f", function)
    spread(m, m.scope.call(function.text, operands, function.type.result), found)
    if m.random.chance(1, 3):
        again = [m.need(one.shape, one.dtype, one.low, one.high, one.exact) for one in operands]
        spread(m, m.scope.call(function.text, again, function.type.result), found)


def composed(m):
    """A closure that takes a closure, or returns one."""
    data = m.pick(("float32", "float16", "float64"))
    type = data.type
    data.used = True
    if m.random.chance(1, 2):
        value = m.scope.closure([("h", type)], lambda scope, params: scope.call("tanh", params, type))
        twice = m.scope.closure([("g", value.type), ("y", type)], lambda scope, params: scope.call(
            params[0].text, [scope.call(params[0].text, [params[1]], type)], type))
        m.take(m.scope.call(twice.text, [value, data], type), data.shape, -1.0, 1.0)
        return
    maker = m.scope.closure([("y", type)], lambda scope, params: scope.closure(
        [("z", type)], lambda deeper, others: deeper.call("maximum", [params[0], others[0]], type)))
    other = m.need(data.shape, data.dtype)
    other.used = True
    made = m.scope.call(maker.text, [data], maker.type.result)
    m.take(m.scope.call(made.text, [other], type), data.shape, min(data.low, other.low), max(data.high, other.high),
           data.exact and other.exact)


def tuples(m):
    first, second, third = m.pick(), m.pick(), m.pick()
    pair = m.tuple(first, second)
    if m.random.chance(1, 2):
        spread(m, pair, [first, second])
        return
    third.used = True
    nested = m.scope.tuple(pair, third.value)
    part = m.scope.project(nested, 0)
    m.take(m.scope.project(part, 1), second.shape, second.low, second.high, second.exact)


def reference(m):
    """Reads and writes in the order of lets."""
    data = m.pick(where=lambda operand: operand.writable)
    if not data:
        return
    other = m.need(data.shape, data.dtype)
    data.used = other.used = True
    kind = Named(f"ref({data.type})")
    cell = m.scope.let("r", m.scope.append(f"ref({data.text})", kind), annotated=False)  # TVM does not read it
    first = m.scope.let("v", m.scope.append(f"ref_read({cell.text})", data.type))
    m.scope.let("u", m.scope.append(f"ref_write({cell.text}, {other.text})", Named("()")))
    second = m.scope.let("v", m.scope.append(f"ref_read({cell.text})", data.type))
    for value, source in ((first, data), (second, other)):
        m.add(value, source.shape, source.low, source.high, source.exact)


def option(m):
    data = m.pick(FLOATS + ("int32",))
    other = m.need(data.shape, data.dtype)
    data.used = other.used = True
    type = data.type
    some = m.scope.append(f"Some({data.text})", Named(f"Option[{type}]"))
    if m.random.chance(1, 2):
        test = condition(m)
        test.used = True
        some = m.scope.branch(test, lambda scope: some, lambda scope: scope.append("None", some.type))
    value = m.scope.call(m.graph.unwrapping(type, m.random.chance(1, 3)), [some, other], type)
    m.take(value, data.shape, min(data.low, other.low), max(data.high, other.high), data.exact and other.exact)


def listing(m):
    """The sum, or the greatest, of a list of values of one type, by a recursive function."""
    data = m.pick(("float32", "float64", "int32"))
    items = [data] + [m.need(data.shape, data.dtype) for _ in range(1 + m.random.below(3))]
    value = m.scope.append("Nil", Named(f"List[{data.type}]"))
    for item in items:
        item.used = True
        value = m.scope.append(f"Cons({item.text}, {value.text})", value.type)
    low, high = min(item.low for item in items), max(item.high for item in items)
    if m.random.chance(1, 2):
        name, peak = m.graph.folding("add", data.type), max(-low, high) * len(items)
        low, high, exact = -peak, peak, data.dtype not in FLOATS
    else:
        name, exact = m.graph.folding("maximum", data.type), all(item.exact for item in items)
        low, high = min(low, 0), max(high, 0)
    m.take(m.scope.call(name, [value], data.type), data.shape, low, high, exact)


def tree(m):
    """The greatest leaf of a tree."""
    data = m.pick(("float32", "int32", "int8"))
    other = m.need(data.shape, data.dtype)
    data.used = other.used = True
    kind = Named(f"Tree[{data.type}]")
    left = m.scope.append(f"Leaf({data.text})", kind)
    right = m.scope.append(f"Leaf({other.text})", kind)
    root = m.scope.append(f"Node({left.text}, {right.text})", kind)
    if m.random.chance(1, 2):
        root = m.scope.append(f"Node({root.text}, {left.text})", kind)
    m.take(m.scope.call(m.graph.greatest_leaf(data.type), [root], data.type), data.shape, min(data.low, other.low),
           max(data.high, other.high), data.exact and other.exact)


def loop(m):
    """A closure that calls itself until its counter is zero."""
    data = m.pick(("float32", "float16", "float64"))
    data.used = True
    type, counter = data.type, Tensor((), "int32")
    name = m.graph.module.name("loop")
    count, state = m.graph.module.name("i"), m.graph.module.name("acc")

    def body(scope):
        test = scope.append(f"less_equal({count}, 0)", Tensor((), "bool"))

        def step(inner_scope):
            less = inner_scope.append(f"subtract({count}, 1)", counter)
            next_state = inner_scope.call(m.random.choose(("tanh", "sigmoid", "negative")), [Value(state, type)], type)
            return inner_scope.call(name, [less, next_state], type)

        return scope.branch(test, lambda inner_scope: Value(state, type), step)

    m.scope.flush()
    text, _ = m.scope.block(body)
    m.scope.emit(f"{m.scope.indent}let {name}: {Fn((counter, type), type)} = fn ({count}: int32, {state}: {type}) -> "
                 f"{type} {text};\n")
    times = m.scalar(1 + m.random.below(4), "int32")
    peak = max(data.peak, 1.0)
    m.take(m.scope.call(name, [times, data], type), data.shape, -peak, peak)


def call(m):
    """Calls a global function of the graph."""
    if not m.graph.callable:
        return
    name, params, results = m.random.choose(m.graph.callable)
    operands = [m.need(one.shape, one.dtype, one.low, one.high, one.exact) for one in params]
    for operand in operands:
        operand.used = True
    types = tuple(one.type for one in results)
    value = m.scope.call(name, operands, types[0] if len(types) == 1 else Tuple(types))
    spread(m, value, results)


def identity(m):
    """A polymorphic function, called with an inferred type argument."""
    data = m.pick()
    data.used = True
    m.take(m.scope.call(m.graph.identity(), [data], data.type), data.shape, data.low, data.high, data.exact)


def relaxed(m):
    """A global function whose parameter has unknown dimensions."""
    data = m.pick(("float32", "float64", "int32"))
    if data.rank:
        data.used = True
        dims = tuple("?" if index == 0 or m.random.chance(1, 3) else extent
                     for index, extent in enumerate(data.shape))
        name = m.graph.relaxed(Tensor(dims, data.dtype))
        m.take(m.scope.call(name, [data], Tensor(dims, data.dtype)), data.shape, min(data.low, 0), max(data.high, 0),
               data.exact)


OPERATORS = (branch, branch, branch, closure, closure, composed, tuples, reference, option, listing, tree, loop, call,
             call, identity, relaxed)
