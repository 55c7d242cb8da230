"""Writes small texts whose results are large: limits.py KIND N [M]."""
import json
import sys

HEADER = '#[version = "0.0.5"]\n'
TENSOR = "Tensor[(4), float32]"


def doubling(count, callers):
    """Functions that call the one before twice, and some that call the last one."""
    text = f"def @f0(%x: {TENSOR}, Inline=1) -> {TENSOR} {{ nn.relu(%x) }}\n"
    names = [f"f{i}" for i in range(1, count)] + [f"main{i}" for i in range(callers)]
    for i, name in enumerate(names):
        callee = f"f{min(i, count - 1)}"
        inline = ", Inline=1" if i + 1 < count else ""
        text += f"def @{name}(%x: {TENSOR}{inline}) -> {TENSOR} {{ %0 = @{callee}(%x); @{callee}(%0) }}\n"
    return text


def tuples(levels, uses):
    """A tuple of 2^levels scalars, and tuples that hold it."""
    text = "def @main(%x: float32) {\n  let %t0 = (%x, %x);\n"
    text += "".join(f"  let %t{i} = (%t{i - 1}, %t{i - 1});\n" for i in range(1, levels))
    text += "".join(f"  let %u{i} = (%t{levels - 1},);\n" for i in range(uses))
    return text + "  %x\n}\n"


def meshgrid(count, _):
    """As many tensors of as many dimensions."""
    return ("def @main(%x: Tensor[(2), float32]) {\n  %0 = (" + ", ".join(["%x"] * count) +
            ");\n  meshgrid(%0, indexing=\"ij\")\n}\n")


def closures(count, _):
    """Closures that each call the one before."""
    text = "def @main(%x: float32) {\n  let %f0 = fn (%a: float32) { %a };\n"
    text += "".join(f"  let %f{i} = fn (%a: float32) {{ %f{i - 1}(%a) }};\n" for i in range(1, count))
    return text + f"  %f{count - 1}(%x)\n}}\n"


def captures(depth, variables):
    """Nested closures of which the innermost uses all variables around them."""
    text = "def @main(%x: float32) {\n" + "".join(f"  let %v{i} = tanh(%x);\n" for i in range(variables))
    text += "".join(f"let %f{i} = fn () {{\n" for i in range(depth))
    text += "(" + ", ".join(f"%v{i}" for i in range(variables)) + ")\n"
    return text + "".join(f"}};\n%f{i}\n" for i in reversed(range(depth))) + "}\n"


def metadata(kind, make, levels):
    """An attribute of a kind of node that uses the node behind it twice."""
    nodes = [{"type_key": ""}, {"type_key": "Map", "keys": [kind], "data": [2]}, {"type_key": "Array", "data": [3]}]
    for _ in range(levels):
        nodes += make(len(nodes))
    nodes.append({"type_key": "relay.TensorType", "attrs": {"dtype": "float32", "shape": str(len(nodes) + 1), "span": "0"}})
    nodes.append({"type_key": "Array", "data": []})
    section = {"root": 1, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}}
    return f"def @main(%x: {TENSOR}, attribute=meta[{kind}][0]) {{ %x }}\n#[metadata]\n{json.dumps(section)}\n"


def arrays(levels, _):
    return metadata("Array", lambda i: [{"type_key": "Array", "data": [i + 1, i + 1]}], levels)


def wrapped(levels, wraps):
    """Empty arrays, 2 ** (LEVELS + 1) - 1 where each is counted, in WRAPS more."""
    nodes = [{"type_key": ""}, {"type_key": "Map", "keys": ["Array"], "data": [2]}, {"type_key": "Array", "data": [3]}]
    for uses in [1] * wraps + [2] * levels:
        nodes.append({"type_key": "Array", "data": [len(nodes) + 1] * uses})
    nodes.append({"type_key": "Array"})
    section = {"root": 1, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}}
    return f"def @main(%x: {TENSOR}, attribute=meta[Array][0]) {{ %x }}\n#[metadata]\n{json.dumps(section)}\n"


def types(levels, _):
    return metadata("TupleType", lambda i: [{"type_key": "TupleType", "attrs": {"fields": str(i + 1), "span": "0"}},
                                            {"type_key": "Array", "data": [i + 2, i + 2]}], levels)


def annotated(levels, _):
    """The JSON of a function whose parameter has a tuple type that doubles."""
    nodes = [{"type_key": ""},
             {"type_key": "relay.Function", "attrs": {
                 "_checked_type_": "0", "attrs": "0", "body": "3", "params": "2", "ret_type": "0", "span": "0",
                 "type_params": "4", "virtual_device_": "0"}},
             {"type_key": "Array", "data": [3]},
             {"type_key": "relay.Var", "attrs": {"_checked_type_": "0", "span": "0", "type_annotation": "7",
                                                 "vid": "5", "virtual_device_": "0"}},
             {"type_key": "Array"},
             {"type_key": "relay.Id", "attrs": {"name_hint": "6"}},
             {"type_key": "runtime.String", "repr_str": "x"}]
    for _ in range(levels):
        i = len(nodes)
        nodes += [{"type_key": "TupleType", "attrs": {"fields": str(i + 1), "span": "0"}},
                  {"type_key": "Array", "data": [i + 2, i + 2]}]
    nodes.append({"type_key": "relay.TensorType", "attrs": {"dtype": "float32", "shape": "4", "span": "0"}})
    return json.dumps({"root": 1, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}})


kind, numbers = sys.argv[1], [int(n) for n in sys.argv[2:]]
print(("" if kind == "annotated" else HEADER) + globals()[kind](*(numbers + [0])[:2]), end="")
