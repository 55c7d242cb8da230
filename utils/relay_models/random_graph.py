"""Random graphs that are well typed, use every value, and have exactly the requested number of operations.

Everything on a separate line is an operation: calls, tuples, projections, closures and ifs, including those inside
closures and branches. The same seed gives the same text with every version of Python.
"""
import argparse
from math import prod

from . import mixed
from .arguments import DTYPES, add_number, natural
from .builder import Module, Tensor, Tuple
from .random_ops import LIMIT, OPERATORS, unary

WINDOW = 16        # Values of a body that later operations choose from.
CALL_COST = 18     # The most operations that calling a function with all its arguments takes.
SMALLEST_BODY = 4
FEATURES = {
    "tuples": "make tuples, split tensors, concatenate, return tuples",
    "lets": "bind some operations by let",
    "ifs": "compute some values in branches",
    "closures": "make closures and call them",
}


class Random:
    """Steele, Lea and Flood's SplitMix64, since Python's own generator may change."""
    MASK = (1 << 64) - 1

    def __init__(self, seed):
        self.state = seed & self.MASK

    def below(self, limit):
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        bits = self.state
        bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & self.MASK
        bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & self.MASK
        return (bits ^ (bits >> 31)) % limit

    def choose(self, items):
        return items[self.below(len(items))]

    def chance(self, part, whole):
        return self.below(whole) < part


class Entry:
    """A value that operations may use; `used` is set by the first use."""
    __slots__ = ("value", "used")

    def __init__(self, value, used):
        self.value = value
        self.used = used


class Body:
    """One scope being filled. Its result starts as `anchor` and absorbs every value that is otherwise unused."""

    def __init__(self, graph, scope, anchor, outer=(), params=()):
        self.graph = graph
        self.random = graph.random
        self.scope = scope
        self.result = anchor
        self.outer = list(outer)
        self.window = [Entry(param, True) for param in params]
        self.picked = []

    # The interface that random_ops expects of a picker.

    def tensor(self, rank=None):
        """A value, of this rank if given; preferably an unused one. None if there is none."""
        entries = self.window + self.outer
        if rank is not None:
            entries = [entry for entry in entries if len(entry.value.shape) == rank]
        if not entries:
            return None if rank is not None else self.result
        for _ in range(3):
            entry = self.random.choose(entries)
            if not entry.used:
                break
        if not entry.used:
            entry.used = True
            self.picked.append(entry)
        return entry.value

    def attempt(self, operator):
        """Appends the operation unless the picked operands do not fit; returns whether it did."""
        self.picked.clear()
        value = operator(self.scope, self)
        if value is not None:
            self.add(value)
            return True
        for entry in self.picked:
            entry.used = False
        return False

    # Appending.

    def bind(self, value):
        """Randomly binds the last operation by let."""
        if self.graph.features["lets"] and self.random.chance(1, 3):
            return self.scope.let("v", value)
        return value

    def add(self, value):
        """Makes a tensor available; the tensor that it replaces becomes part of the result."""
        entry = Entry(self.bind(value), False)
        if len(self.window) < WINDOW:
            self.window.append(entry)
            return
        slot = self.random.below(WINDOW)
        old, self.window[slot] = self.window[slot], entry
        self.absorb(old)

    def mean(self, value):
        return self.scope.call("mean", [value], Tensor((), value.dtype)) if value.shape else value

    def absorb(self, entry):
        """Appends at most two operations."""
        if entry.used:
            return
        entry.used = True
        value = entry.value if entry.value.type == self.result.type else self.mean(entry.value)
        self.result = self.scope.like("add", self.result, value)

    def close(self):
        """Makes the result depend on all remaining values."""
        for entry in self.window:
            self.absorb(entry)
        return self.result

    def coerce(self, type):
        """A value of this type, computed from an existing one in at most three operations."""
        value = self.tensor()
        if value.type == type:
            return value
        zeros = self.scope.call("zeros", [], type, shape=type.shape, dtype=type.dtype)
        return self.scope.like("add", zeros, self.mean(value))

    # The operations that fill the body: (cost in operations, tensors that it adds).

    def operator(self):
        if not any(self.attempt(self.random.choose(OPERATORS)) for _ in range(3)):
            self.attempt(unary)

    def split(self):
        data = self.tensor()
        even = [axis for axis, extent in enumerate(data.shape) if extent % 2 == 0]
        if not even:
            self.add(self.scope.like("nn.relu", data))
            return
        axis = self.random.choose(even)
        half = Tensor(data.shape[:axis] + (data.shape[axis] // 2,) + data.shape[axis + 1:], data.dtype)
        parts = self.bind(self.scope.call("split", [data], Tuple((half, half)), indices_or_sections=2, axis=axis))
        for index in range(2):
            self.add(self.scope.project(parts, index))

    def concatenate(self):
        """Concatenates a value with a mapped copy of itself."""
        data = self.tensor()
        mapped = self.scope.like("nn.relu", data)
        if not data.shape or 2 * prod(data.shape) > LIMIT:
            self.add(mapped)
            return
        pair = self.bind(self.scope.tuple(data, mapped))
        type = Tensor((2 * data.shape[0], *data.shape[1:]), data.dtype)
        self.add(self.scope.call("concatenate", [pair], type))

    def tuples(self):
        pair = self.bind(self.scope.tuple(self.tensor(), self.tensor()))
        self.add(self.scope.project(pair, self.random.below(2)))

    def nested(self, scope, anchor, params, room):
        """Fills a branch or the body of a closure with `room` operations or a few less; returns its result."""
        body = Body(self.graph, scope, anchor, self.window + self.outer, params)
        body.fill(self.graph.count + room, self.graph.plain)
        return body.close()

    def branch(self):
        data = self.tensor()
        least = self.scope.call("min", [data], Tensor((), data.dtype)) if data.shape else data
        condition = self.scope.call("less", [least, self.mean(self.tensor())], Tensor((), "bool"))
        branches = [lambda scope: self.nested(scope, data, [], 5)] * 2
        self.add(self.scope.branch(condition, *branches))

    def closure(self):
        operands = [self.tensor() for _ in range(1 + self.random.below(2))]
        function = self.bind(self.scope.closure([("p", operand.type) for operand in operands],
                                                lambda scope, params: self.nested(scope, params[0], params, 8)))
        self.add(self.scope.call(function.text, operands, function.type.result))

    def call(self, name, params, result):
        """Calls a global function."""
        value = self.scope.call(name, [self.coerce(type) for type in params], result)
        if isinstance(result, Tensor):
            self.add(value)
            return
        value = self.bind(value)
        for index in range(len(result.fields)):
            self.add(self.scope.project(value, index))

    # Filling.

    def fill(self, limit, actions, calls=()):
        """Appends until the closed body has about `limit` operations; makes all calls."""
        calls = list(calls)
        while (room := self.room(limit, calls)) >= 3 or calls:
            reserved = CALL_COST * len(calls)
            if calls and (room < 3 or self.random.chance(reserved, room + reserved)):
                self.call(*calls.pop())
                continue
            cost, added, action = self.random.choose(actions)
            if cost + 2 * added <= room:
                action(self)
            else:
                self.operator()

    def room(self, limit, calls):
        """The number of operations that can still be appended, with the cost of the remaining calls and of closing."""
        closing = 2 * sum(not entry.used for entry in self.window)
        return limit - self.graph.count - closing - CALL_COST * len(calls)


PLAIN = ((1, 1, Body.operator),)
ACTIONS = {
    "tuples": ((3, 2, Body.split), (3, 1, Body.concatenate), (2, 1, Body.tuples)),
    "lets": (),
    "ifs": ((14, 1, Body.branch),),
    "closures": ((10, 1, Body.closure),),
}


class Graph:
    """The module being written, and the shared state of its bodies."""

    def __init__(self, args, out):
        self.args = args
        self.features = {name: getattr(args, name) for name in FEATURES}
        self.dtype = args.dtype or DTYPES[0]
        self.module = Module(out)
        self.random = Random(args.seed)
        self.plain = PLAIN + (ACTIONS["tuples"] if self.features["tuples"] else ())
        self.actions = PLAIN * 6 + sum((ACTIONS[name] for name in FEATURES if self.features[name]), ())

    @property
    def count(self):
        return self.module.appended

    def type(self):
        rank = self.random.below(5)
        return Tensor(tuple(1 + self.random.below(6) for _ in range(rank)), self.dtype)

    def function(self, name, ops, calls=()):
        """Writes a function of `ops` operations; returns the arguments with which `Body.call` calls it."""
        function = self.module.function(name)
        limit = self.count + ops
        types = [self.type() for _ in range(1 + self.random.below(3))]
        params = [function.param("x", type) for type in types]
        pair = self.features["tuples"] and name != "main" and self.random.chance(1, 2)
        result = Tuple((types[0], Tensor((), self.dtype))) if pair else types[0]
        function.begin(result)
        body = Body(self, function, params[0], (), params)
        body.fill(limit - 2 * pair, self.actions, calls)
        value = body.close()
        while self.count < limit - 2 * pair:
            value = function.like("tanh", value)
        if pair:
            scalar = function.call("mean", [value], result.fields[1])
            value = function.tuple(value, scalar)
        function.finish(value)
        return f"@{name}", types, result

    def write(self):
        functions = self.args.functions
        each = (self.args.ops - CALL_COST * functions) // (functions + 1)
        calls = [self.function(f"f{index}", each) for index in range(functions)]
        self.function("main", self.args.ops - self.count, calls)


def write(args, out):
    if args.kinds:
        mixed.write(args, out, Random(args.seed))
    else:
        Graph(args, out).write()


def kinds(text):
    """A type for argparse: kinds of operators, separated by commas; `all` is all of them."""
    names = text.split(",")
    for name in names:
        if name != "all" and name not in mixed.KINDS:
            raise argparse.ArgumentTypeError(f"'{name}' is not one of all, {', '.join(mixed.KINDS)}")
    return [name for name in mixed.KINDS if name in names or "all" in names]


def check(args):
    others = [name for name in ("functions", "dtype", *FEATURES) if getattr(args, name)]
    if args.kinds and others:
        return f"argument --kinds: not allowed with argument --{others[0]}"
    needed = CALL_COST * args.functions + SMALLEST_BODY * (args.functions + 1)
    if args.functions and args.ops < needed:
        return f"argument --functions: {args.functions} functions and their calls take {needed} operations or more"
    return None


def add_arguments(parser):
    add_number(parser, "seed", 0, "the graph; another number, another graph", natural)
    add_number(parser, "ops", 100, "number of operations")
    add_number(parser, "functions", 0, "number of functions besides @main, which calls each", natural)
    parser.add_argument("--dtype", choices=DTYPES, help=f"of all tensors (default: {DTYPES[0]})")
    parser.add_argument("--kinds", type=kinds, metavar="KIND,...",
                        help="another kind of graph, with operators of these kinds, all data types, and about as many "
                        f"operations as asked for: all, or of {', '.join(mixed.KINDS)}")
    for name, summary in FEATURES.items():
        parser.add_argument(f"--{name}", action="store_true", help=summary)
    parser.set_defaults(check=check)


MODELS = {"random": ("a random graph", add_arguments, write)}
