#!/usr/bin/env python3
"""Shows that calls of operators evaluate to the numbers that the reference computes.

usage: oracle/python op-numbers.py --bin BUILD/bin [--calls N] [--seed N] [--ops a,b] [--show N]

Each file of op-numbers/ has a table OPERATORS of a family: for an operator, how a call of it is made at random, and how
far floats may be from the reference's. --calls are made of each (default 12), a batch of them is the tuple that a
module's @main gives, and relay-run and TVM (graph executor, llvm, opt level 0) evaluate it. All data is seeded; the
same flags make the same calls. Integers have to be equal, NaN where NaN is, and floats within the operator's bound of
units in the last place, of the element, or of the result's greatest element where terms of a sum cancel out.

The reference, and the numpy that this needs, are those of oracle/python in --shared (default: 'shared' next to the repository). What it does not evaluate is
skipped. Prints a line an operator: calls, how many agree, are skipped, and the worst distance; the last line is
'N passed, N failed, N skipped'. Exit status: 0 when all agree, 1 when they do not, 2 for wrong usage.
"""
import argparse, base64, collections, io, random, subprocess, sys, tempfile
from pathlib import Path

import numpy as np

from reference import Reference, load_script, serve

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BATCH = 12  # calls a module
LONGEST = 600  # seconds for a module

# operands: arrays, or lists of arrays, which are tuples; field: the field of a tuple of results to compare.
Call = collections.namedtuple("Call", "operands attrs field", defaults=["", None])
# greatest: distances are in units of the result's greatest element.
Operator = collections.namedtuple("Operator", "make ulps greatest", defaults=[4, False])


class Sample(random.Random):
    """Random shapes and data."""

    def __init__(self, seed):
        super().__init__(seed)
        self.numpy = np.random.default_rng(self.getrandbits(32))

    def shape(self, rank, least=1, most=6):
        return [self.randint(least, most) for _ in range(rank)]

    def array(self, shape, dtype="float32", special=False):
        """Floats of both signs, or integers of few digits; with `special`, a few are NaN, infinite, -0 or extreme."""
        if dtype == "bool":
            return self.numpy.integers(0, 2, shape).astype(bool)
        if dtype.startswith("float"):
            result = np.asarray(self.numpy.normal(0, 2, shape), dtype)
            odd = [np.nan, np.inf, -np.inf, -0.0, np.finfo(dtype).max, np.finfo(dtype).tiny]
        else:
            bounds = np.iinfo(dtype)
            result = np.asarray(self.numpy.integers(max(bounds.min, -20), 20, shape), dtype)
            odd = [bounds.min, bounds.max, 0]
        if special and result.size:
            for _ in range(self.randint(0, 3)):
                result.flat[self.randrange(result.size)] = self.choice(odd)
        return result

    def positive(self, shape, dtype="float32"):
        return (np.abs(self.array(shape, dtype)) + np.asarray(0.1, dtype)).astype(dtype)

    def floats(self):
        return self.choice(["float32"] * 5 + ["float64"])

    def dtypes(self):
        return self.choice(["float32"] * 4 + ["float64", "int8", "uint8", "int32", "int64"])


# ---- modules ------------------------------------------------------------------------------------------------------------

def write_type(operand):
    if isinstance(operand, list):
        return "(" + ", ".join(map(write_type, operand)) + ("," if len(operand) == 1 else "") + ")"
    sizes = ", ".join(map(str, operand.shape)) + ("," if operand.ndim == 1 else "")
    return f"Tensor[({sizes}), {operand.dtype}]" if operand.ndim else str(operand.dtype)


def write_module(calls):
    """A module whose @main returns a tuple of the results, and its arrays of arguments."""
    params, lines, results, arrays = [], [], [], []

    def add(operand):
        if isinstance(operand, list):
            return "(" + ", ".join(map(add, operand)) + ("," if len(operand) == 1 else "") + ")"
        arrays.append(operand)
        params.append(f"%x{len(params)}: {write_type(operand)}")
        return f"%x{len(params) - 1}"

    for i, (op, call) in enumerate(calls):
        operands = ", ".join(map(add, call.operands))
        lines.append(f"  %{i} = {op}({operands}{', ' * bool(call.attrs)}{call.attrs});")
        results.append(f"%{i}" if call.field is None else f"%{i}.{call.field}")
    tuple_text = ", ".join(results) + ("," if len(results) == 1 else "")
    body = "\n".join(lines)
    return f'#[version = "0.0.5"]\ndef @main({", ".join(params)}) {{\n{body}\n  ({tuple_text})\n}}\n', arrays


# ---- the reference ------------------------------------------------------------------------------------------------------

def encode(array):
    data = io.BytesIO()
    np.save(data, array)
    return base64.b64encode(data.getvalue()).decode()


def decode(text):
    return np.load(io.BytesIO(base64.b64decode(text)))


def evaluate(text, arrays):
    """TVM's results, or its error. Runs where TVM can be imported."""
    import tvm
    from tvm import relay
    tvm.ir.diagnostics.override_renderer(lambda context: None)
    try:
        with tvm.target.Target("llvm"):  # legalization brings what has no code of its own to what has
            module = relay.transform.Legalize()(relay.transform.InferType()(relay.fromtext(text)))
        with tvm.transform.PassContext(opt_level=0):
            function = relay.create_executor("graph", mod=module, device=tvm.cpu(), target="llvm").evaluate()
        results = function(*[tvm.nd.array(decode(a)) for a in arrays])
        return {"results": [encode(r.numpy()) for r in results]}
    except Exception as error:  # pylint: disable=broad-except
        return {"error": (str(error).strip().splitlines() or [type(error).__name__])[-1][:200]}


def ask(reference, calls):
    """The reference's array for each call, or None; a batch that fails is split in halves."""
    text, arrays = write_module(calls)
    answer = reference.ask(text, [encode(a) for a in arrays]) or {"error": "crashed"}
    if "results" in answer:
        return [decode(r) for r in answer["results"]]
    if len(calls) == 1:
        return [None]
    half = len(calls) // 2
    return ask(reference, calls[:half]) + ask(reference, calls[half:])


# ---- ours ---------------------------------------------------------------------------------------------------------------

def run(tool, calls):
    """Our array for each call, or the error message."""
    text, arrays = write_module(calls)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "m.relay").write_text(text)
        names = [folder / f"{i}.npy" for i in range(len(arrays))]
        for name, array in zip(names, arrays):
            np.save(name, array)
        done = subprocess.run([tool, folder / "m.relay", *names, "-o", folder / "out"], capture_output=True, text=True, timeout=LONGEST)
        if done.returncode == 0:
            return [np.load(folder / "out" / f"output_{i}.npy") for i in range(len(calls))]
    if len(calls) == 1:
        return [done.stderr.strip() or f"exit status {done.returncode}"]
    half = len(calls) // 2
    return run(tool, calls[:half]) + run(tool, calls[half:])


def distance(ours, theirs, greatest):
    """The distance of the arrays, in units in the last place; infinite if they differ in more than elements."""
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        return np.inf
    if ours.dtype.kind != "f":
        return 0 if np.array_equal(ours, theirs) else np.inf
    finite = np.isfinite(theirs)
    if not np.array_equal(np.isnan(ours), np.isnan(theirs)) or not np.array_equal(ours[~finite & ~np.isnan(theirs)], theirs[~finite & ~np.isnan(theirs)]):
        return np.inf
    a, b = ours[finite].astype("float64"), theirs[finite].astype("float64")
    if not a.size:
        return 0
    scale = np.abs(theirs[finite]).max() if greatest else np.abs(theirs[finite])
    with np.errstate(all="ignore"):
        return float(np.nanmax(np.abs(a - b) / np.spacing(np.maximum(scale, np.finfo(theirs.dtype).tiny)).astype("float64"), initial=0))


# ---- everything ---------------------------------------------------------------------------------------------------------

def load_operators(wanted):
    operators = {}
    for path in sorted((HERE / "op-numbers").glob("*.py")):
        operators |= load_script(path).get_operators(Call, Operator)
    unknown = set(wanted) - set(operators)
    if unknown:
        sys.exit(f"op-numbers.py: error: no generator for {', '.join(sorted(unknown))}")
    return {op: operators[op] for op in (wanted or operators)}


def compare(options, operators):
    counts = {op: collections.Counter() for op in operators}
    worst, shown = collections.defaultdict(float), 0
    calls = [(op, operators[op].make(Sample(f"{options.seed} {op} {i}"))) for op in operators for i in range(options.calls)]
    reference = Reference(Path(__file__).resolve(), options.shared)
    for start in range(0, len(calls), BATCH):
        batch = calls[start:start + BATCH]
        for (op, call), ours, theirs in zip(batch, run(options.bin / "relay-run", batch), ask(reference, batch)):
            counts[op]["calls"] += 1
            if theirs is None:
                counts[op]["skipped"] += 1
                continue
            far = np.inf if isinstance(ours, str) else distance(ours, theirs, operators[op].greatest)
            if far <= operators[op].ulps:
                counts[op]["agreed"] += 1
                worst[op] = max(worst[op], far)
            elif shown < options.show:
                shown += 1
                print(f"{op} differs by {far} ulp\n{write_module([(op, call)])[0]}ours: {ours}\nreference: {theirs}\n")
    reference.close()
    return counts, worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=lambda p: Path(p).resolve())
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--calls", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ops", type=lambda text: text.split(","), default=[])
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        import tvm.relay  # noqa: F401
        return serve(evaluate, LONGEST)
    if not options.bin:
        parser.error("--bin is missing")
    counts, worst = compare(options, load_operators(options.ops))
    print(f"{'operator':44}{'calls':>6}{'agreed':>8}{'skipped':>9}{'worst ulp':>11}")
    for op, count in counts.items():
        print(f"{op:44}{count['calls']:6}{count['agreed']:8}{count['skipped']:9}{worst[op]:11.2f}")
    total = sum(counts.values(), collections.Counter())
    failed = total["calls"] - total["agreed"] - total["skipped"]
    print(f"{total['agreed']} passed, {failed} failed, {total['skipped']} skipped")
    return int(failed != 0)


if __name__ == "__main__":
    sys.exit(main())
