"""The inputs, written by relay_models."""
import importlib.util
import os
import subprocess
from typing import NamedTuple, Optional

from relay_models import main as write_model

SHAPES = ("chain", "wide", "functions", "let")


class Graph(NamedTuple):
    """An input; `tosa` is the same graph for mlir-opt, `llvm` a similar one for opt, if there is one."""
    name: str
    ops: int
    relay: str
    tosa: Optional[str] = None
    llvm: Optional[str] = None


def write(model, folder, name, *arguments):
    path = os.path.join(folder, name)
    write_model(None, [model, *map(str, arguments), "-o", path])
    return path


def synthetic(shape, ops, folder, tosa):
    """`functions`: of some hundred operations each, or fewer if the graph is small."""
    arguments = ["--ops", ops]
    if shape == "functions":
        arguments += ["--functions", max(1, min(ops // 100, 1000) if ops >= 1000 else ops // 10)]
    relay = write(shape, folder, f"{shape}-{ops}.relay", *arguments)
    return Graph(shape, ops, relay, write(shape, folder, f"{shape}-{ops}.mlir", *arguments, "--form", "tosa")
                 if tosa else None)


def functions(number, ops, folder):
    """`number` functions of `ops` operations each."""
    return Graph("functions", number * ops, write("functions", folder, f"functions-{number}.relay", "--ops",
                                                  number * ops, "--functions", number))


def one_to_change(number, ops, folder):
    """As many functions without equal operations, and one more that has some to merge; also in LLVM's IR."""
    graph = functions(number, ops, folder)._replace(llvm=os.path.join(folder, f"functions-{number}.ll"))
    with open(graph.relay, "a", encoding="utf-8") as file:
        file.write("\ndef @twice(%x: Tensor[(8), float32]) -> Tensor[(8), float32] {\n  %0 = exp(%x);\n"
                   "  %1 = exp(%x);\n  add(%0, %1)\n}\n")
    lines = "".join(f"  %v{index} = add i32 %v{index - 1}, {index}\n" for index in range(1, ops))
    with open(graph.llvm, "w", encoding="utf-8") as file:
        for index in range(number):
            file.write(f"define i32 @f{index}(i32 %v0) {{\n{lines}  ret i32 %v{ops - 1}\n}}\n")
        file.write("define i32 @twice(i32 %x) {\n  %a = mul i32 %x, %x\n  %b = mul i32 %x, %x\n"
                   "  %c = add i32 %a, %b\n  ret i32 %c\n}\n")
    return graph


def network(name, folder):
    path = write(name, folder, f"{name}.relay")
    with open(path, encoding="utf-8") as file:
        ops = sum(line.startswith("  ") for line in file)
    return Graph(name, ops, path)


def quantized(form, relay_opt, folder):
    """A quantized network in a form of relay_models, with its parameters as constants, which TVM needs; None without
    numpy."""
    if not importlib.util.find_spec("numpy"):
        return None
    import numpy
    name = f"{form}-resnet-50"
    params, bound = os.path.join(folder, f"{name}.npz"), os.path.join(folder, f"{name}.relay")
    free = write("qnn-resnet-50", folder, f"{name}-free.relay", "--form", form, "--save-params", params)
    with numpy.load(params) as arrays:
        numpy.savez(params, **{key: array for key, array in arrays.items() if key != "data"})
    subprocess.run([relay_opt, free, f"-params={params}", "-passes=bind-params", "-o", bound], check=True)
    with open(free, encoding="utf-8") as file:
        return Graph(name, sum(line.startswith("  ") for line in file), bound)


def remove(graph):
    for path in (graph.relay, graph.tosa, graph.llvm):
        if path:
            os.remove(path)
