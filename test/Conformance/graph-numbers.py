#!/usr/bin/env python3
"""Shows that random graphs of utils/relay-models mean to relay-run what they mean to the reference.

usage: oracle/python graph-numbers.py --bin BUILD/bin [--graphs N] [--first N] [--ops N] [--jobs N] [--show N]

Each graph is read, typed and evaluated by relay-run and by TVM (virtual machine, llvm, opt level 1), on the same inputs.
@main has to have one type, integers have to be equal, and floats within the tolerance of test/Fuzz/outputs.py. What the
reference does not read, type or compile is counted as skipped, and why. The last line is
'N passed, N failed, N skipped'. Exit status: 0 when none failed, 1 when one did, 2 for wrong usage.
"""
import argparse, collections, concurrent.futures, io, subprocess, sys, tempfile
from pathlib import Path

import numpy as np

from reference import Reference, serve

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LONGEST = 240  # seconds for a graph
sys.path[:0] = [str(ROOT / "test" / "Fuzz"), str(ROOT / "utils")]


def evaluate(path, arrays):
    """Evaluates the text at `path` with TVM: writes `path`.npz and returns the type of @main's result, or an error."""
    import ml_dtypes, tvm
    from tvm import relay
    tvm.ir.diagnostics.override_renderer(lambda context: None)
    step = "read"
    try:
        module = relay.fromtext(Path(path).read_text())
        step = "typed"
        module = relay.transform.InferType()(module)
        step = "compiled"
        values = np.load(arrays)
        inputs = []
        for param in module["main"].params:
            value = values[param.name_hint]
            if value.dtype.kind == "V":
                value = value.view(ml_dtypes.bfloat16)
            inputs.append(tvm.nd.array(value))
        with tvm.target.Target("llvm"):  # quantized operators and what has no code of its own become what has
            module = relay.transform.InferType()(relay.transform.Legalize()(relay.qnn.transform.CanonicalizeOps()(module)))
        with tvm.transform.PassContext(opt_level=1):
            run = relay.create_executor("vm", mod=module, device=tvm.cpu(), target="llvm").evaluate()
        results = run(*inputs)
        np.savez(path + ".npz", *map(widen, results))
        return {"dtypes": [result.dtype for result in results]}
    except Exception as error:  # pylint: disable=broad-except
        return {"error": step, "why": (str(error).strip().splitlines() or [type(error).__name__])[-1][:160]}


def widen(tensor):
    """A tensor of TVM as an array; bfloat16, whose bits numpy has, as float32."""
    array = tensor.numpy()
    return from_bits(array) if tensor.dtype == "bfloat16" else array


def from_bits(array):
    """The float32 numbers of bfloat16 elements, two bytes each."""
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)


class Comparer:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.reference = Reference(Path(__file__).resolve(), options.shared)

    def check(self, number):
        """(outcome, why): passed, failed or skipped."""
        import inputs, outputs, relay_models
        out = io.StringIO()
        args = relay_models.parse_arguments("", ["random", "--kinds", "all", "--seed", str(number), "--ops",
                                                 str(self.options.ops)])
        args.write(args, out)
        model, arrays = f"{self.folder}/{number}.relay", f"{self.folder}/{number}-inputs.npz"
        inputs.write(arrays, out.getvalue().encode(), 1)
        # The reference reads only its own spelling, in which `arange` repeats its operands as attributes.
        printed = subprocess.run([f"{self.options.bin}/relay-opt", "-", "-o", model], input=out.getvalue(), text=True,
                                 capture_output=True)
        ours = subprocess.run([f"{self.options.bin}/relay-run", model, arrays, "-o", f"{self.folder}/{number}"],
                              capture_output=True, text=True)
        if printed.returncode or ours.returncode:
            return "failed", (printed.stderr + ours.stderr)[:300]
        theirs = self.reference.ask(model, arrays) or {"error": "crash", "why": ""}
        if "error" in theirs:
            return "failed" if theirs["error"] in ("read", "typed") else "skipped", f"not {theirs['error']}: {theirs['why']}"
        return self.compare(number, np.load(model + ".npz"), theirs["dtypes"], outputs.TOLERANCES)

    def compare(self, number, theirs, dtypes, tolerances):
        for index, dtype in enumerate(dtypes):
            right = theirs[f"arr_{index}"]
            left = np.load(f"{self.folder}/{number}/output_{index}.npy")
            if dtype == "bfloat16":
                left = from_bits(left)
            if left.shape != right.shape or left.dtype != right.dtype:
                return "failed", f"output_{index}: {left.dtype}{left.shape}, not {right.dtype}{right.shape}"
            if left.dtype.kind == "f":
                left, right = left.astype(np.float64), right.astype(np.float64)
                scale = max(np.abs(right[np.isfinite(right)]).max(initial=0), 1e-3)
                same = np.isclose(left, right, 0, tolerances[dtype] * scale, equal_nan=True)
            else:
                same = left == right
            if not np.all(same):
                place = tuple(map(int, np.argwhere(~np.asarray(same))[0]))
                return "failed", f"output_{index}{list(place)}, {dtype}: {left[place]}, not {right[place]}"
        return "passed", ""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--graphs", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--ops", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if not options.worker and not options.bin:
        parser.error("--bin is needed")
    return options


def main():
    options = parse_arguments()
    if options.worker:
        import tvm.relay  # noqa: F401
        return serve(evaluate, LONGEST)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="relay-graphs") as folder:
        comparers = [Comparer(options, folder) for _ in range(options.jobs)]

        def run(job):
            return [(number, *comparers[job].check(number))
                    for number in range(options.first + job, options.first + options.graphs, options.jobs)]

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            found = sorted(sum(pool.map(run, range(options.jobs)), []))
    for number, outcome, why in found:
        counts[outcome] += 1
        if outcome != "passed" and counts["shown"] < options.show:
            counts["shown"] += 1
            print(f"graph {number}: {outcome}: {why}")
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
