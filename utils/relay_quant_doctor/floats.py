"""Operations of the quantized module that compute floats, and why."""
import re
from typing import NamedTuple

from .module import is_float

CONVERSIONS = ("qnn.quantize", "qnn.dequantize")
REFUSAL = re.compile(r"FakeQuantizationToInteger: qnn\.quantize at .*:(\d+:\d+): cannot convert '([^']*)' to "
                     r"integers: (.*)")


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


def following_quantize(module, users, statement):
    """The first qnn.quantize that the floats flow to; None without one."""
    work, seen = [statement.name], set()
    while work:
        for user in users[work.pop(0)]:
            if user is None or user in seen:
                continue
            seen.add(user)
            if module.statements[user].operator == "qnn.quantize":
                return user
            if is_float(module.statements[user].type):
                work.append(user)
    return None


def reason(module, users, statement, refusals):
    quantize = following_quantize(module, users, statement)
    if not quantize:
        return "no qnn.quantize follows"
    position = module.positions.get(quantize)
    return refusals.get((position, statement.operator), "no quantized form in the module")


def find(tools, pair):
    module = pair.quantized
    users = module.users()
    data = depends_on_data(module, module.params.keys() & pair.float.params.keys())
    found = [statement for statement in module.statements.values()
             if is_float(statement.type) and statement.operator and statement.operator not in CONVERSIONS
             and statement.name in data]
    refusals = {}
    if found:
        for line in tools.explain_fake_quantization(module.path):
            if match := REFUSAL.match(line):
                refusals.setdefault((match[1], match[2]), match[3])
    return [FloatOperation(statement.operator, statement.layer, module.positions.get(statement.name),
                           reason(module, users, statement, refusals)) for statement in found]
