"""The inputs, written by relay_models."""
import os
from typing import NamedTuple, Optional

from relay_models import main as write_model

SHAPES = ("chain", "wide", "functions", "let")


class Graph(NamedTuple):
    """An input; `tosa` is the same graph for mlir-opt, where there is one."""
    name: str
    ops: int
    relay: str
    tosa: Optional[str] = None


def write(model, folder, name, *arguments):
    path = os.path.join(folder, name)
    write_model(None, [model, *map(str, arguments), "-o", path])
    return path


def synthetic(shape, ops, folder, tosa):
    """`functions`: of some hundred operations each, or fewer where the graph is small."""
    arguments = ["--ops", ops]
    if shape == "functions":
        arguments += ["--functions", max(1, min(ops // 100, 1000) if ops >= 1000 else ops // 10)]
    relay = write(shape, folder, f"{shape}-{ops}.relay", *arguments)
    return Graph(shape, ops, relay, write(shape, folder, f"{shape}-{ops}.mlir", *arguments, "--form", "tosa")
                 if tosa else None)


def network(name, folder):
    path = write(name, folder, f"{name}.relay")
    with open(path, encoding="utf-8") as file:
        ops = sum(line.startswith("  ") for line in file)
    return Graph(name, ops, path)


def remove(graph):
    for path in (graph.relay, graph.tosa):
        if path:
            os.remove(path)
