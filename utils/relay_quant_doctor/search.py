"""Searches for layers to leave float."""
from typing import NamedTuple

from .diagnosis import output_deviation
from .splice import Splicer


class Choice(NamedTuple):
    """`layers` are in the order of the float module; `evaluations` counts the runs of the search."""
    wanted: float
    reached: bool
    layers: list
    output: object
    evaluations: int


class Search:
    def __init__(self, tools, pair, diagnosis, wanted):
        self.tools = tools
        self.pair = pair
        self.diagnosis = diagnosis
        self.wanted = wanted
        self.evaluations = 0

    def evaluate(self, kept):
        """The deviation of the outputs if these layers stay float."""
        nodes = [("real", "mixed", name) for name in self.pair.quantized.results]
        self.evaluations += 1
        return output_deviation(self.diagnosis.expected, self.tools.run(Splicer(self.pair, kept).module(nodes)))

    def add(self, order):
        """Layers in this order until the outputs are good enough."""
        kept, output = [], self.diagnosis.output
        for name in order:
            if output.snr >= self.wanted:
                break
            kept.append(name)
            output = self.evaluate(kept)
        return kept, output

    def remove(self, kept, output):
        """Without those that are not needed; the layer that adds most is tried last."""
        for name in reversed(kept[:-1]):
            rest = [other for other in kept if other != name]
            without = self.evaluate(rest)
            if without.snr >= self.wanted:
                kept, output = rest, without
        return kept, output

    def run(self):
        layers = self.diagnosis.layers
        order = [layer.name for layer in sorted(layers, key=lambda layer: layer.added.snr)]
        kept, output = self.add(order)
        reached = output.snr >= self.wanted
        if reached:
            kept, output = self.remove(kept, output)
        kept = [layer.name for layer in layers if layer.name in kept]
        return Choice(self.wanted, reached, kept, output, self.evaluations)


def search(tools, pair, diagnosis, wanted):
    return Search(tools, pair, diagnosis, wanted).run()
