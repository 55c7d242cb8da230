"""Operations of the quantized module that compute floats, and why."""
import re
from typing import NamedTuple

from .module import is_float

CONVERSIONS = ("qnn.quantize", "qnn.dequantize", "cast")
REFUSAL = re.compile(r".*:(\d+:\d+): remark: qnn\.quantize: cannot convert (\S+)(?: at .*?)? to integers: (.*) "
                     r"\[fake-quantization-to-integer:kept-region\]")


class FloatOperation(NamedTuple):
    operator: str
    layer: str
    position: str
    reason: str


def depends_on_data(module, shared):
    """The values that depend on parameters of both modules or on quantized values: no computations of scales."""
    values = set(shared)
    for statement in module.statements.values():
        if statement.operator == "qnn.dequantize" or any(name in values for name in statement.operands):
            values.add(statement.name)
    return values


def float_statements(module, shared):
    data = depends_on_data(module, shared)
    return [statement for statement in module.statements.values()
            if is_float(statement.type) and statement.operator and statement.operator not in CONVERSIONS
            and statement.name in data]


def following_quantize(module):
    """The first qnn.quantize that the floats of a value flow to, for those that have one."""
    users, following = module.users(), {}
    for name in reversed(module.statements):
        for user in users[name]:
            if user and module.statements[user].operator == "qnn.quantize":
                following.setdefault(name, user)
            elif user in following and is_float(module.statements[user].type):
                following.setdefault(name, following[user])
    return following


class Reasons:
    """Why operations of a module compute floats."""

    def __init__(self, tools, module, shared):
        self.module = module
        self.following = following_quantize(module)
        self.refusals, self.kept = {}, None
        converted, lines = tools.convert_fake_quantization(module.path)
        for line in lines:
            if match := REFUSAL.match(line):
                self.refusals.setdefault(match[1], (match[2], match[3]))
        if converted:
            self.kept = {(statement.layer, statement.operator) for statement in float_statements(converted, shared)}

    def get(self, statement):
        quantize = self.following.get(statement.name)
        if not quantize:
            return "no qnn.quantize follows"
        operator, refusal = self.refusals.get(self.module.positions.get(quantize), (None, None))
        if refusal and operator == statement.operator:
            return refusal
        if refusal:
            return f"'{operator}' before the same qnn.quantize: {refusal}"
        if self.kept is not None and (statement.layer, statement.operator) not in self.kept:
            return "fake-quantization-to-integer converts it"
        return "no quantized form in the module"


def find(tools, pair):
    module = pair.quantized
    shared = module.params.keys() & pair.float.params.keys()
    found = float_statements(module, shared)
    if not found:
        return []
    reasons = Reasons(tools, module, shared)
    return [FloatOperation(statement.operator, statement.layer, module.positions.get(statement.name),
                           reasons.get(statement)) for statement in found]
