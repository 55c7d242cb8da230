"""Graphs of operations and their text: numbers and spelling are those of TVM's printer."""

HEADER = '#[version = "0.0.5"]\n'


class Value:
    """A parameter of the function or the result of an operation, with its type."""

    def __init__(self, shape, dtype):
        self.shape = shape
        self.dtype = dtype

    def type(self):
        dims = ", ".join(map(str, self.shape))
        return f"Tensor[({dims}), {self.dtype}]" if self.shape else self.dtype


class Var(Value):
    def __init__(self, name, shape, dtype="float32"):
        super().__init__(shape, dtype)
        self.name = name


class Call(Value):
    """`callee(operands, attrs)`; a `field` of a tuple when the callee is None."""

    def __init__(self, callee, operands, attrs=None, shape=(), dtype="float32", field=None):
        super().__init__(shape, dtype)
        self.callee = callee
        self.operands = operands
        self.attrs = attrs or {}
        self.field = field

    def text(self, names):
        if self.callee is None:
            return f"{names[self.operands[0]]}.{self.field}"
        parts = [names[operand] for operand in self.operands]
        parts += [f"{key}={attribute(value)}" for key, value in self.attrs.items()]
        return f"{self.callee}({', '.join(parts)})"


def attribute(value):
    """An attribute's value as TVM prints it."""
    if isinstance(value, (bool, type(None))):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return f"{value:g}f"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(attribute, value))}]"
    return str(value)


def post_order(result):
    """Everything that the result needs, operands first, in the order in which TVM numbers it."""
    order, seen, stack = [], set(), [(result, False)]
    while stack:
        value, operands_done = stack.pop()
        if operands_done:
            order.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack.extend((operand, False) for operand in reversed(getattr(value, "operands", ())))
    return order


class Function:
    """A global function; its parameters are the variables that the result needs, in order of first use, unless given."""

    def __init__(self, name, result, params=None):
        self.name = name
        self.order = post_order(result)
        self.params = params or [value for value in self.order if isinstance(value, Var)]
        self.result = result

    def write(self, out, number):
        """Writes the function, its first binding being %number; returns the next free number."""
        params = ", ".join(f"%{param.name}: {param.type()}" for param in self.params)
        out.write(f"def @{self.name}({params}) -> {self.result.type()} {{\n")
        names = {param: f"%{param.name}" for param in self.params}
        for value in self.order:
            if value not in names and value is not self.result:
                names[value] = f"%{number}"
                number += 1
                out.write(f"  {names[value]} = {value.text(names)};\n")
        result = names.get(self.result) or self.result.text(names)
        out.write(f"  {result}\n}}\n")
        return number


class Module:
    def __init__(self, *functions):
        self.functions = functions

    def write(self, out):
        out.write(HEADER)
        number = 0
        for index, function in enumerate(self.functions):
            out.write("\n" if index else "")
            number = function.write(out, number)
