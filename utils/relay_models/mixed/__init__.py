"""Random graphs of all kinds of operators, data types and constructs of the language, that evaluate without error.

The same seed gives the same text with every version of Python. The results of @main are all otherwise unused values.
"""
from . import control, dynamic, elementwise, image, nn, qnn, tensor
from .body import Body
from .metadata import Constants

# Kinds of operators by name: their relative frequency, and the function that chooses among them.
KINDS = {
    "elementwise": (8, elementwise.OPERATORS),
    "reduce": (3, elementwise.REDUCTIONS),
    "tensor": (7, tensor.OPERATORS),
    "nn": (5, nn.OPERATORS),
    "qnn": (3, qnn.OPERATORS),
    "dynamic": (2, dynamic.OPERATORS),
    "image": (1, image.OPERATORS),
    "control": (4, control.OPERATORS),
}
STARTERS = 4          # parameters that @main has at least
FUNCTION_SHARE = 5    # A global function for each so many tens of operations.
ATTEMPTS = 30         # choices in a row that append nothing, after which a body is taken to be full


class Graph:
    """The module being written, and the shared state of its bodies."""

    def __init__(self, args, out, random):
        kinds = args.kinds
        self.module = Constants(out)
        self.random = random
        self.ops = args.ops
        self.lets = "control" in kinds
        self.operators = set()
        self.callable = []
        self.helpers = {}
        self.plain = [KINDS[kind] for kind in kinds if kind != "control"] or [KINDS["elementwise"]]
        self.all = [KINDS[kind] for kind in kinds]

    # Functions of the module that several uses of constructs share. Each returns the function's name.

    def helper(self, key, head, body):
        """Writes a function after the others, once for each key; body(name) is its text."""
        if key not in self.helpers:
            name = f"@{head}{len(self.helpers)}"
            self.helpers[key] = name
            self.module.tail.append(f"\ndef {name}{body(name)}")
        return self.helpers[key]

    def folding(self, operator, type):
        """Folds a list with a binary operator, starting at zeros."""
        shape = ", ".join(map(str, type.shape))
        return self.helper(("fold", operator, type), "fold", lambda name: (
            f"(%list: List[{type}]) -> {type} {{\n  match (%list) {{\n    Cons(%head, %rest) => "
            f"{operator}(%head, {name}(%rest)),\n    Nil => zeros(shape=[{shape}], dtype=\"{type.dtype}\"),\n  }}\n}}\n"))

    def unwrapping(self, type, wildcard):
        """The greater of an option's value and a second operand. TVM reads `match` only as the result of a body."""
        return self.helper(("option", type, wildcard), "unwrap", lambda name: (
            f"(%option: Option[{type}], %other: {type}) -> {type} {{\n  match (%option) {{\n    Some(%some) => "
            f"maximum(%some, %other),\n    {'_' if wildcard else 'None'} => %other,\n  }}\n}}\n"))

    def greatest_leaf(self, type):
        return self.helper(("leaf", type), "leaf", lambda name: (
            f"(%tree: Tree[{type}]) -> {type} {{\n  match (%tree) {{\n    Leaf(%leaf) => %leaf,\n"
            f"    Node(%left, %right) => maximum({name}(%left), {name}(%right)),\n  }}\n}}\n"))

    def identity(self):
        return self.helper("identity", "id", lambda name: "[A](%any: A) -> A {\n  %any\n}\n")

    def relaxed(self, type):
        return self.helper(("relaxed", type), "relaxed",
                           lambda name: f"(%some: {type}) -> {type} {{\n  nn.relu(%some)\n}}\n")

    # Bodies.

    def fill(self, body, limit, kinds):
        """Appends operations of these kinds until the module has about `limit`."""
        whole = sum(share for share, _ in kinds)
        idle = 0
        while self.module.appended < limit and idle < ATTEMPTS:
            before, number = self.module.appended, self.random.below(whole)
            for share, operators in kinds:
                number -= share
                if number < 0:
                    break
            self.random.choose(operators)(body)
            idle = idle + 1 if self.module.appended == before else 0

    def function(self, name, limit):
        function = self.module.function(name)
        body = Body(self, function)
        for _ in range(STARTERS if name == "main" else 1 + self.random.below(2)):
            body.fresh(body.extents(), self.random.choose(("float32", "float32", "float16", "int32", "uint8", "int8")))
        self.fill(body, limit, self.all)
        return function, body

    def write(self):
        self.module.types = control.TYPES if self.lets else ""
        for index in range(min(3, self.ops // (10 * FUNCTION_SHARE)) if self.lets else 0):
            function, body = self.function(f"f{index}", self.module.appended + 8)
            value, results = control.result_of(body)
            params = body.params
            function.finish(value)
            self.callable.append((f"@{function.name}", params, results))
        function, body = self.function("main", self.ops)
        operands = body.leftovers(static=False)
        function.finish(body.tuple(*operands))
        self.module.finish()


def write(args, out, random):
    Graph(args, out, random).write()
