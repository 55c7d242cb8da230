"""Writes modules that consist of parts of the float and the quantized module.

A node is (kind, value). The kind selects the module of an operation, and the nodes of its operands:

    float      the float module
    quantized  the quantized module
    rounded    values of the float module, quantized with the scales of the quantized module
    layer      the quantized module; the operands from outside of the layer are rounded
    widened    rounded values as floats
    same       the float module; the operands from outside of the layer are widened
    mixed      the quantized module, with kept layers; values in the form of the quantized module
    kept       the float module's operations of kept layers; values in the form of the float module

("real", kind, value) is a value of the quantized module as floats.
"""
from .error import DoctorError
from .module import Operand, dtype_of

HEADER = '#[version = "0.0.5"]\n'
FLOAT_KINDS = ("float", "widened", "same", "kept")


class Splicer:
    """`kept` are the layers that stay float in nodes of the kinds mixed and kept."""

    def __init__(self, pair, kept=()):
        self.pair = pair
        self.kept = set(kept)
        self.texts = {}
        self.lines = []

    def operation(self, kind, name, outer=None):
        """Parts of a copy; with `outer`, operands from outside of the layer are of this kind."""
        module = self.pair.float if kind in FLOAT_KINDS else self.pair.quantized
        layers = self.pair.float_layers if kind in FLOAT_KINDS else self.pair.quantized_layers
        parts = []
        for part in module.statements[name].parts:
            if isinstance(part, Operand):
                outside = outer and layers.get(part.name) != layers.get(name)
                part = (outer if outside else kind, part.name)
            parts.append(part)
        return parts

    def scales(self, affine):
        return [[("quantized", part.name) if isinstance(part, Operand) else part for part in parts]
                for parts in (affine.scale, affine.zero_point)]

    def casts(self, name):
        """What converts the float form of the quantized value `name` from and to float32."""
        float_name = self.pair.to_float.get(name)
        dtype = dtype_of(self.pair.float.type(float_name)) if float_name else "float32"
        return dtype != "float32" and ('cast(', ', dtype="float32")', f', dtype="{dtype}")')

    def to_integers(self, name, node):
        """The float node in the form of the quantized value `name`."""
        affine = self.pair.affine.get(name)
        if not affine:
            return [node]
        scale, zero_point = self.scales(affine)
        dtype = dtype_of(self.pair.quantized.type(name))
        before, after, _ = self.casts(name) or ("", "", "")
        return [f"qnn.quantize({before}", node, f"{after}, ", *scale, ", ", *zero_point,
                f', out_dtype="{dtype}", axis={affine.axis})']

    def to_floats(self, name, node):
        affine = self.pair.affine.get(name)
        if not affine:
            return [node]
        scale, zero_point = self.scales(affine)
        before, _, after = self.casts(name) or ("", "", "")
        return [f"{before}qnn.dequantize(", node, ", ", *scale, ", ", *zero_point,
                f', out_dtype="float32", axis={affine.axis}){after}']

    def parts(self, node):
        """The operation of a node, as texts and nodes."""
        if node[0] == "real":
            return self.to_floats(node[2], node[1:])
        kind, name = node
        pair = self.pair
        if kind == "rounded" and name in pair.to_float:
            return self.to_integers(name, ("float", pair.to_float[name]))
        if kind == "widened" and name in pair.to_quantized:
            return [("real", "rounded", pair.to_quantized[name])]
        if kind == "mixed" and name in pair.to_float and pair.quantized_layers[name] in self.kept:
            return self.to_integers(name, ("kept", pair.to_float[name]))
        if kind == "kept" and name in pair.to_quantized and pair.float_layers[name] not in self.kept:
            return [("real", "mixed", pair.to_quantized[name])]
        return self.operation(kind, name, {"layer": "rounded", "same": "widened"}.get(kind))

    def is_leaf(self, node):
        return node[-1] in self.pair.params

    def check_order(self, node, cycle):
        """Layers that are in another order in the other module may need each other's results."""
        if cycle:
            layers = self.pair.float_layers if node[-2] in FLOAT_KINDS else self.pair.quantized_layers
            raise DoctorError(f"cannot search: layer '{layers.get(node[-1])}' is at different positions of the modules")

    def emit(self, root):
        """Appends the operations of a node that are not there; there is no recursion, since chains are long."""
        stack, begun = [root], set()
        while stack:
            node = stack[-1]
            if node in self.texts or self.is_leaf(node):
                self.texts.setdefault(node, node[-1])
                stack.pop()
                continue
            parts = self.parts(node)
            if missing := [part for part in parts if isinstance(part, tuple) and part not in self.texts]:
                begun.add(node)
                self.check_order(node, begun.intersection(missing))
                stack += reversed(missing)
                continue
            stack.pop()
            text = "".join(part if isinstance(part, str) else self.texts[part] for part in parts)
            if len(parts) == 1 and isinstance(parts[0], tuple):
                self.texts[node] = text
            else:
                self.texts[node] = f"%{len(self.lines)}"
                self.lines.append(f"  {self.texts[node]} = {text};\n")
        return self.texts[root]

    def module(self, nodes):
        """A module that returns these nodes as a tuple."""
        fields = [self.emit(node) for node in nodes]
        params = ", ".join(f"{name}: {type}" for name, type in self.pair.params.items())
        result = ", ".join(fields) + ("," if len(fields) == 1 else "")
        return f"{HEADER}def @main({params}) {{\n{''.join(self.lines)}  ({result})\n}}\n"
