"""Chains of operations for passes that apply rules, and rules: one that nothing matches, and a hundred patterns of ten
nodes, whose roots are the operators of a synthetic chain."""
import itertools
import os

from .graphs import Graph

# Operators for which no rule of simplify-expr applies, and operators for which one applies to all but the first.
QUIET = {"sums, products, quotients": ("add({0}, %y)", "multiply({0}, %y)", "divide({0}, %y)"),
         "hyperbolic tangents": ("tanh({0})",)}
BUSY = {"added constants": ("add({0}, 1f)",),
        "reshapes": ("reshape({0}, newshape=[4, 4])",),
        "transposes": ("transpose({0}, axes=[1, 0])",),
        "casts": ('cast({0}, dtype="float64")', 'cast({0}, dtype="float32")')}

ONE = 'rule "one" = add(sqrt(sqrt(%x)), %y) -> add(%y, %x)\n'


def chain(name, lines, ops, folder):
    path = os.path.join(folder, f"chain-{ops}.relay")
    with open(path, "w", encoding="utf-8") as file:
        file.write('#[version = "0.0.5"]\n'
                   "def @main(%x: Tensor[(4, 4), float32], %y: Tensor[(4, 4), float32]) {\n")
        last = "%x"
        for index, line in zip(range(ops), itertools.cycle(lines)):
            file.write(f"  %{index} = {line.format(last)};\n")
            last = f"%{index}"
        file.write(f"  {last}\n}}\n")
    return Graph(name, ops, path)


def hundred():
    """Rules of ten nodes that begin as the chain does, and end otherwise."""
    ends = itertools.product(("exp", "tanh", "sqrt", "log", "abs"), repeat=3)
    return "".join(f'rule "{index}" = add(clip(nn.conv2d({a}(%x), %w)), {b}(nn.relu({c}(%y)))) -> %x\n'
                   for index, (a, b, c) in enumerate(itertools.islice(ends, 100)))


def write(text, name, folder):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path
