"""The layers of the float and the quantized module, and which values of them correspond."""
from typing import NamedTuple

from .affine import affine_type
from .error import DoctorError
from .module import is_float, is_integer, shape_of


class Layer(NamedTuple):
    """`floats` and `quantized` are the results that something outside of the layer uses, in order."""
    name: str
    floats: list
    quantized: list


def from_params(module):
    """The values that no layer has and that depend on parameters only, such as scales and quantized weights."""
    values = set()
    for statement in module.statements.values():
        if not statement.layer and all(operand not in module.statements or operand in values
                                       for operand in statement.operands):
            values.add(statement.name)
    return values


def assign(module, common, skipped):
    """The layer of each operation. One without a common layer belongs to that of its operand if nothing else uses it:
    a float activation whose quantized form is part of the convolution, a change of scale."""
    users, params, layers = module.users(), from_params(module), {}
    for statement in module.statements.values():
        if statement.layer in common:
            layers[statement.name] = statement.layer
            continue
        if statement.layer in skipped or (shape_of(statement.type) is None and len(users[statement.name]) > 1):
            continue
        computed = [name for name in dict.fromkeys(statement.operands)
                    if name in module.statements and name not in params]
        if len(computed) == 1 and computed[0] in layers and users[computed[0]] == [statement.name]:
            layers[statement.name] = layers[computed[0]]
    return layers


def results_of(module, layers):
    """The values of each layer that something else uses."""
    results, users = {}, module.users()
    for name, layer in layers.items():
        if any(user is None or layers.get(user) != layer for user in users[name]):
            results.setdefault(layer, []).append(name)
    return results


def names_of(module):
    return list(dict.fromkeys(statement.layer for statement in module.statements.values() if statement.layer))


class Pair:
    """Both modules; `layers` are those that can be compared, `skipped` maps the names of others to reasons."""

    def __init__(self, float_module, quantized):
        self.float = float_module
        self.quantized = quantized
        self.check_inputs()
        self.check_outputs()
        self.params = {**float_module.params, **quantized.params, **float_module.constants, **quantized.constants}
        self.layers, self.skipped = {}, {}
        self.affine = {}
        names = names_of(quantized)
        common = [name for name in names_of(float_module) if name in names]
        if not common:
            raise DoctorError(f"no layer is in both modules: {described(float_module)}; {described(quantized)}")
        self.match(common)

    def check_inputs(self):
        for name, type in self.quantized.params.items():
            if (other := self.float.params.get(name, type)) != type:
                raise DoctorError(f"the inputs differ: '{name}' is {other} in {self.float.path} and {type} in "
                                  f"{self.quantized.path}")
        if not self.float.params.keys() & self.quantized.params.keys():
            raise DoctorError("the inputs differ: the modules have no parameter in common")

    def check_outputs(self):
        floats, quantized = ([shape_of(module.type(name)) for name in module.results]
                             for module in (self.float, self.quantized))
        if floats != quantized or None in floats:
            raise DoctorError(f"the outputs differ: {outputs(self.float)}; {outputs(self.quantized)}")

    def match(self, common):
        """Layers that cannot be compared are skipped; their operations then belong to no layer."""
        while True:
            self.float_layers = assign(self.float, common, self.skipped)
            self.quantized_layers = assign(self.quantized, common, self.skipped)
            floats = results_of(self.float, self.float_layers)
            quantized = results_of(self.quantized, self.quantized_layers)
            pairs = {name: Layer(name, floats.get(name, []), quantized.get(name, [])) for name in common}
            reasons = {name: reason for name, layer in pairs.items() if (reason := self.mismatch(layer))}
            if not reasons:
                break
            self.skipped.update(reasons)
            common = [name for name in common if name not in reasons]
        if not pairs:
            raise DoctorError("no layer can be compared:\n" +
                              "\n".join(f"  {name}: {reason}" for name, reason in self.skipped.items()))
        self.layers = pairs
        self.to_float, self.to_quantized = {}, {}
        for layer in pairs.values():
            self.to_float.update(zip(layer.quantized, layer.floats))
            self.to_quantized.update(zip(layer.floats, layer.quantized))
        self.add_outputs()

    def add_outputs(self):
        for number, (float_name, name) in enumerate(zip(self.float.results, self.quantized.results)):
            if is_integer(self.quantized.type(name)) and is_float(self.float.type(float_name)):
                self.affine[name] = affine_type(self.quantized, name)
                if not self.affine[name]:
                    raise self.quantized.error(f"no scale is known for result {number}")

    def mismatch(self, layer):
        """Why the layer cannot be compared; None if it can."""
        if len(layer.floats) != len(layer.quantized):
            return f"{len(layer.floats)} results in the float module, {len(layer.quantized)} in the quantized module"
        for float_name, name in zip(layer.floats, layer.quantized):
            float_type, type = self.float.type(float_name), self.quantized.type(name)
            if None in (shape_of(float_type), shape_of(type)) or shape_of(float_type) != shape_of(type):
                return f"its results are {float_type} and {type}"
            if is_float(float_type) and not is_float(type):
                self.affine[name] = affine_type(self.quantized, name)
                if not self.affine[name]:
                    return "no scale is known for its result"
        return None


def described(module):
    names = names_of(module)
    more = ", …" if len(names) > 3 else ""
    return f"{module.path} has {', '.join(names[:3]) + more if names else 'no layers'}"


def outputs(module):
    return f"{module.path} returns {', '.join(module.type(name) for name in module.results)}"
