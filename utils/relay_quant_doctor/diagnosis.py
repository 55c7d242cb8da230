"""Measures the errors of all layers, in one run of a spliced module."""
from math import inf, log10
from typing import NamedTuple

import numpy

from .error import DoctorError
from .splice import Splicer


class Deviation(NamedTuple):
    """`snr` is the signal-to-noise ratio in dB, infinite without errors; the errors are absolute."""
    snr: float
    maximum: float
    mean: float

    def __str__(self):
        snr = "exact" if self.snr == inf else f"{self.snr:.1f} dB"
        return f"{snr}, largest error {self.maximum:.3g}, mean error {self.mean:.3g}"


class LayerErrors(NamedTuple):
    name: str
    added: Deviation
    accumulated: Deviation


class Diagnosis(NamedTuple):
    """`layers` are in the order of the float module; `expected` are its outputs."""
    layers: list
    output: Deviation
    expected: list


def deviation(expected, actual):
    """Over all elements of lists of arrays."""
    expected, actual = (numpy.concatenate([array.astype(numpy.float64).ravel() for array in arrays])
                        for arrays in (expected, actual))
    errors = numpy.abs(expected - actual)
    if not errors.size:
        return Deviation(inf, 0.0, 0.0)
    noise, signal = float(numpy.sum(errors ** 2)), float(numpy.sum(expected ** 2))
    snr = inf if noise == 0 else 10 * log10(signal / noise) if signal else -inf
    return Deviation(snr, float(errors.max()), float(errors.mean()))


def output_deviation(expected, actual):
    """That of the output with the least signal-to-noise ratio."""
    return min((deviation([left], [right]) for left, right in zip(expected, actual)), key=lambda value: value.snr)


def layer_nodes(layer):
    """Four lists: what the added error compares, and what the accumulated error compares."""
    return ([("same", name) for name in layer.floats], [("real", "layer", name) for name in layer.quantized],
            [("float", name) for name in layer.floats], [("real", "quantized", name) for name in layer.quantized])


def diagnose(tools, pair):
    outputs = [[("float", name) for name in pair.float.results],
               [("real", "quantized", name) for name in pair.quantized.results]]
    groups = [nodes for layer in pair.layers.values() for nodes in layer_nodes(layer)] + outputs
    groups.append([("float", name) for name in pair.params])
    nodes = [node for group in groups for node in group]
    arrays = iter(tools.run(Splicer(pair).module(nodes)))
    values = [[next(arrays) for _ in group] for group in groups]
    check_finite(pair, groups, values)
    tools.keep_values([name[1:] for name in pair.params], values[-1])
    layers = [LayerErrors(name, deviation(*values[4 * index:4 * index + 2]),
                          deviation(*values[4 * index + 2:4 * index + 4])) for index, name in enumerate(pair.layers)]
    return Diagnosis(layers, output_deviation(*values[-3:-1]), values[-3])


def check_finite(pair, groups, values):
    """NaN and infinities have no signal-to-noise ratio."""
    for group, arrays in zip(groups, values):
        for node, array in zip(group, arrays):
            if array.dtype.kind == "f" and not numpy.isfinite(array).all():
                module = pair.float if node[0] in ("float", "same") else pair.quantized
                name = node[-1]
                where = module.statements[name].layer if name in module.statements else name
                raise DoctorError(f"{module.path}: values of '{where or name}' are not finite")
