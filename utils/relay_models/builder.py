"""Writes modules operation by operation, numbered and spelled as TVM prints them, without type comments.

A scope receives operations in the order of evaluation and numbers them. The last one is held back, since the result of
a scope and the value of a `let` have no number. The caller is responsible for types.
"""
from contextlib import contextmanager
from typing import NamedTuple

HEADER = '#[version = "0.0.5"]\n'
SUFFIXES = {"float16": "f16", "float32": "f", "float64": "f64", "int32": "", "int64": "i64"}


class Tensor(NamedTuple):
    shape: tuple
    dtype: str

    def __str__(self):
        return f"Tensor[({', '.join(map(str, self.shape))}), {self.dtype}]" if self.shape else self.dtype


class Tuple(NamedTuple):
    fields: tuple

    def __str__(self):
        return f"({', '.join(map(str, self.fields))}{',' if len(self.fields) == 1 else ''})"


class Fn(NamedTuple):
    params: tuple
    result: object

    def __str__(self):
        return f"fn ({', '.join(map(str, self.params))}) -> {self.result}"


class Value(NamedTuple):
    """A possible operand: `text` is its text in operations."""
    text: str
    type: object

    @property
    def shape(self):
        return self.type.shape

    @property
    def dtype(self):
        return self.type.dtype


def constant(number, dtype="float32"):
    return Value(f"{number:.9g}{SUFFIXES[dtype]}", Tensor((), dtype))


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


def signature(params, result):
    arrow = f" -> {result}" if result else ""
    return f"({', '.join(f'{param.text}: {param.type}' for param in params)}){arrow}"


class Scope:
    """The body of a function, closure or branch; `emit` receives its lines."""

    def __init__(self, module, emit, indent):
        self.module = module
        self.emit = emit
        self.indent = indent
        self.pending = None

    def flush(self):
        if self.pending:
            value, text = self.pending
            self.emit(f"{self.indent}{value.text} = {text};\n")
            self.pending = None

    def take(self, value):
        """The text of a value that needs no number; the last operation becomes unnumbered."""
        if self.pending and self.pending[0] is value:
            text = self.pending[1]
            self.pending = None
            self.module.number -= 1
            return text
        self.flush()
        return value.text

    def append(self, text, type):
        """Appends an operation of this type, written as `text`."""
        self.flush()
        text += self.module.span()
        value = Value(f"%{self.module.number}", type)
        self.module.number += 1
        self.module.appended += 1
        self.pending = value, text
        return value

    def call(self, callee, operands, type, **attrs):
        parts = [operand.text for operand in operands]
        parts += [f"{key}={attribute(value)}" for key, value in attrs.items()]
        return self.append(f"{callee}({', '.join(parts)})", type)

    def like(self, callee, *operands, **attrs):
        """A call whose result has the first operand's type."""
        return self.call(callee, operands, operands[0].type, **attrs)

    def tuple(self, *fields):
        names = ", ".join(field.text for field in fields)
        return self.append(f"({names}{',' if len(fields) == 1 else ''})", Tuple(tuple(field.type for field in fields)))

    def project(self, value, index):
        return self.append(f"{value.text}.{index}", value.type.fields[index])

    def let(self, name, value, annotated=True):
        """Binds a variable to the value, which has no number either if it is the last operation."""
        text = self.take(value)
        variable = Value(self.module.name(name), value.type)
        annotation = f": {value.type}" if annotated else ""
        self.emit(f"{self.indent}let {variable.text}{annotation} = {text};\n")
        return variable

    def block(self, body):
        """(text, type) of `{ … }` around the operations that body(scope) appends; body returns the result."""
        self.flush()
        lines = []
        scope = Scope(self.module, lines.append, self.indent + "  ")
        result = body(scope)
        text = scope.take(result)
        return f"{{\n{''.join(lines)}{scope.indent}{text}\n{self.indent}}}", result.type

    def closure(self, params, body):
        """A `fn`; params: (name, type) each; body(scope, parameters) returns the result."""
        params = [Value(self.module.name(name), type) for name, type in params]
        text, result = self.block(lambda scope: body(scope, params))
        return self.append(f"fn {signature(params, result)} {text}", Fn(tuple(param.type for param in params), result))

    def branch(self, condition, then, otherwise):
        """An `if`; then(scope) and otherwise(scope) return results of one type."""
        true, type = self.block(then)
        false, _ = self.block(otherwise)
        return self.append(f"if ({condition.text}) {true} else {false}", type)


class Function(Scope):
    """A global function; it is written when it is complete, or from begin() on."""

    def __init__(self, module, name):
        self.lines = []
        super().__init__(module, self.lines.append, "  ")
        self.name = name
        self.params = []

    def param(self, name, type):
        value = Value(self.module.name(name), type)
        self.params.append(value)
        return value

    def begin(self, result):
        """Writes the signature; from now on no parameter can be added, and operations are written at once."""
        self.module.begin(f"def @{self.name}{signature(self.params, result)} {{\n")
        self.emit = self.module.out.write

    def finish(self, result):
        text = self.take(result)
        if self.emit == self.lines.append:
            self.begin(result.type)
            self.module.out.writelines(self.lines)
        self.emit(f"  {text}\n}}\n")


class Module:
    """Writes functions to `out` in sequence; numbers and names of variables are unique in the module. With `spans`, an
    operation names the innermost layer() around it, as TVM's importers write it."""

    def __init__(self, out, spans=False):
        self.out = out
        self.spans = spans
        self.layers = []
        self.number = 0
        self.appended = 0
        self.functions = 0
        self.names = {}

    def name(self, name):
        """A variable of this name or, if that is taken, with the next free number appended."""
        count = self.names.get(name)
        self.names[name] = (count or 0) + 1
        return f"%{name}" if count is None else f"%{name}{count}"

    @contextmanager
    def layer(self, name):
        self.layers.append(name)
        yield
        self.layers.pop()

    def span(self):
        return f" /* span={self.layers[-1]}:0:0 */" if self.spans and self.layers else ""

    def begin(self, head):
        self.out.write("\n" if self.functions else HEADER)
        self.out.write(head)
        self.functions += 1

    def function(self, name):
        return Function(self, name)
