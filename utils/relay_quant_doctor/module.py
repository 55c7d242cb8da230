"""Modules in graph normal form, as relay-opt prints them: one operation a line."""
import json
import re
from typing import NamedTuple

from .error import DoctorError

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|%[\w.]+|meta\[[\w.]+\]\[\d+\]|[^"/%m]+|.')
LAYER = re.compile(r"span=([^ ]+):0:0 \*/$")
POSITION = re.compile(r"span=.*?:([1-9]\d*:\d+) \*/$")
TYPE = re.compile(r"/\* ty=(.*?)(?: span=.*)? \*/$")
ELIDED = re.compile(r"/\* elided: (.*) sha256:(\w+) \*/$")
TENSOR = re.compile(r"Tensor\[\((.*)\), (\w+)\]$")
RESULT = "%result"  # The name of the last operation, which has none.


class Operand(NamedTuple):
    """A value in an expression, whose other parts are text."""
    name: str


class Statement(NamedTuple):
    name: str
    parts: list
    type: str
    layer: str
    position: str
    line: str

    @property
    def operands(self):
        return [part.name for part in self.parts if isinstance(part, Operand)]

    @property
    def operator(self):
        """The operator of a call; empty for tuples and projections."""
        head = self.parts[0] if isinstance(self.parts[0], str) else ""
        return head.partition("(")[0] if re.match(r"[a-z][\w.]*\(", head) else ""

    def arguments(self):
        """The parts of each argument, attributes included."""
        arguments, depth = [[]], 0
        for part in self.parts:
            if isinstance(part, Operand):
                arguments[-1].append(part)
                continue
            for character in part:
                depth += (character in "([{") - (character in ")]}")
                if character == "," and depth == 1:
                    arguments.append([])
                elif depth and not (character == "(" and depth == 1):
                    arguments[-1].append(character)
        return [join(argument) for argument in arguments]

    def attribute(self, name, default=None):
        text = "".join(part for part in self.parts if isinstance(part, str))
        match = re.search(rf"[, (]{name}=([^,)]*)", text)
        return match[1] if match else default


def join(parts):
    """Joins neighbouring texts and drops spaces at the ends."""
    joined = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        else:
            joined.append(part)
    if joined and isinstance(joined[0], str):
        joined[0] = joined[0].lstrip()
    if joined and isinstance(joined[-1], str):
        joined[-1] = joined[-1].rstrip()
    return [part for part in joined if part != ""]


def is_integer(type):
    return bool(re.search(r"\bu?int\d+\b", dtype_of(type)))


def is_float(type):
    return bool(re.match(r"b?float\d+$", dtype_of(type)))


def dtype_of(type):
    match = TENSOR.match(type)
    return match[2] if match else type


def shape_of(type):
    """The shape as text; None for tuples and other values."""
    match = TENSOR.match(type)
    return match[1] if match else "" if re.match(r"\w+$", type) else None


class Module:
    """`statements` maps names to statements in order, `params` names to types; `results` are names."""

    def __init__(self, path):
        self.path = path
        self.params = {}
        self.constants = {}
        self.statements = {}
        self.results = []
        self.positions = {}
        self.integers = {}

    def error(self, message):
        return DoctorError(f"{self.path}: {message}")

    def type(self, name):
        return self.params.get(name) or self.constants.get(name) or self.statements[name].type

    def users(self):
        """The names of the statements that use each value; None stands for the result."""
        users = {name: [] for name in [*self.params, *self.constants, *self.statements]}
        for statement in self.statements.values():
            for operand in dict.fromkeys(statement.operands):
                users[operand].append(statement.name)
        for name in self.results:
            users[name].append(None)
        return users

    def add_positions(self, other):
        """Takes the positions of the same module without layers."""
        if list(other.statements) == list(self.statements):
            self.positions = {name: statement.position for name, statement in other.statements.items()}

    def operand(self, token, parts):
        """Appends a value, or its projection."""
        name, _, field = token.rpartition(".")
        if token in self.params or token in self.statements:
            parts.append(Operand(token))
        elif field.isdigit() and (name in self.params or name in self.statements):
            parts += [Operand(name), "." + field]
        else:
            raise self.error(f"cannot follow the value '{token}'")

    def expression(self, text):
        """The parts of an expression, and its last comment."""
        parts, last = [], ""
        for token in TOKEN.findall(text):
            if token.startswith("/*"):
                if elided := ELIDED.match(token):
                    name = f"%constant_{elided[2]}"
                    self.constants[name] = elided[1]
                    while not parts.pop().startswith("meta["):
                        pass
                    parts.append(Operand(name))
                last = token
            elif token.startswith("%"):
                self.operand(token, parts)
            else:
                parts.append(self.integers.get(token, token))
        for part in parts:
            if isinstance(part, str) and part.startswith("meta["):
                raise self.error(f"cannot follow '{part}' in '{text.strip()}'")
        return join(parts), last

    def append(self, name, text):
        parts, comment = self.expression(text)
        layer, position, type = (match and match[1] for match in
                                 (LAYER.search(comment), POSITION.search(comment), TYPE.match(comment)))
        if not type:
            raise self.error(f"no type in '{text}'")
        self.statements[name] = Statement(name, parts, type, layer, position, text)

    def finish(self):
        """Makes the fields of the result results."""
        if not self.statements:
            raise self.error("@main has no operations")
        last = self.statements[RESULT]
        if last.type.startswith("("):
            if not last.line.startswith("  (") or not last.operands:
                raise self.error("the result is a tuple that is not written as one: '(%1, %2)'")
            self.results = last.operands
            del self.statements[RESULT]
        else:
            self.results = [RESULT]


def read_params(module, head):
    text = re.sub(r"/\*.*?\*/", "", head)
    for name, type in re.findall(r"(%[\w.]+): ((?:Tensor\[\([^)]*\), \w+\])|\w+)", text.partition("->")[0]):
        module.params[name] = type


def boxed_integers(metadata):
    """The values of integers that only the metadata has, by their references."""
    nodes = json.loads(metadata)["nodes"] if metadata else []
    arrays = [dict(zip(node["keys"], node["data"])) for node in nodes if node["type_key"] == "Map" and "keys" in node]
    references = arrays[0].get("runtime.BoxInt") if arrays else None
    indices = nodes[references]["data"] if references else []
    return {f"meta[runtime.BoxInt][{number}]": nodes[index]["repr_str"] for number, index in enumerate(indices)}


def parse(text, path):
    module = Module(path)
    text, _, metadata = text.partition("\n#[metadata]\n")
    module.integers = boxed_integers(metadata)
    lines = text.splitlines()
    heads = [number for number, line in enumerate(lines) if line.startswith(("def ", "type "))]
    if len(heads) != 1 or not lines[heads[0]].startswith("def @main"):
        raise module.error("only modules of one function @main can be examined; -passes=inline may help")
    read_params(module, lines[heads[0]])
    for line in lines[heads[0] + 1:]:
        if line == "}":
            break
        match = re.match(r"  (%\d+) = (.*);$", line)
        if line.endswith("{") or line.startswith("  let") or not line.startswith("  "):
            raise module.error("only straight-line code can be examined, without closures, branches and effects")
        module.append(*(match.groups() if match else (RESULT, line)))
    module.finish()
    return module
