#!/usr/bin/env python3
"""Shows that calls of operators are evaluated to what the reference evaluates them to.

usage: op-values.py --bin BUILD/bin [--calls N] [--seed N] [--ops a,b] [--least PERCENT] [--jobs N] [--show N]

Calls are those of op-types.py (op-calls.py) whose operands have known sizes and data types. Each gets seeded inputs, in
every other call with special values (nan, infinities, -0, the least and greatest integers) among them. relay-run's
results have to be of the same shape and data type; integers the same; floats within --rtol of their data type, relative
to the element and, a hundredth of that, to the greatest one. What the reference refuses, or crashes at, does not count.

The reference (oracle/python in --shared, default: 'shared' next to the repository) is --jobs processes, each of which
runs relay-run too. --save FILE writes all answers as JSON. The last line is 'N passed, N failed, N skipped'.
Exit status: 0 when at least --least per cent (default 99) agree, 1 when they do not, 2 for wrong usage.
"""
import argparse, collections, concurrent.futures, json, queue, re, subprocess, sys, tempfile, zlib
from pathlib import Path

from reference import Reference, load_script, serve

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LONGEST = 60  # seconds for an answer
MOST_ELEMENTS = 100_000  # of an operand
TOLERANCE = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-7}  # TVM approximates some functions of doubles, too
RANDOM = re.compile(r"random\.|dropout|memory\.|vm\.|annotation\.|device_copy|on_device|call_lowered")


# ---- the reference ------------------------------------------------------------------------------------------------------

class Evaluator:
    """Evaluates a call with TVM and with relay-run, and compares. Runs where TVM is importable."""

    def __init__(self):
        import numpy, tvm
        from tvm import relay
        tvm.ir.diagnostics.override_renderer(lambda context: None)
        self.np, self.tvm, self.relay = numpy, tvm, relay

    def make(self, rng, shape, dtype, special):
        np = self.np
        if dtype == "bool":
            return rng.random(shape) < 0.5
        if dtype.startswith("float"):
            data = rng.standard_normal(shape).astype(dtype) * 2
            values = np.array([np.nan, np.inf, -np.inf, -0.0, 0, 1, -1, 0.5, -2.5], dtype)
        else:
            info = np.iinfo(dtype)
            low, high = (info.min, info.max) if info.bits == 8 else (0 if info.min == 0 else -5, 10)
            data = rng.integers(low, high, shape, dtype, endpoint=True)
            values = np.array([info.min, info.max, 0, 1], dtype)
        data = np.asarray(data, dtype)
        if special and data.size:
            chosen = rng.random(data.shape) < 0.2
            data = np.where(chosen, rng.choice(values, data.shape), data)
        return np.asarray(data, dtype)

    def theirs(self, text, inputs):
        module = self.relay.fromtext(text)
        run = self.relay.create_executor("vm", mod=module, target="llvm").evaluate()
        result = run(*map(self.tvm.nd.array, inputs))
        fields = result if isinstance(result, (list, tuple)) or hasattr(result, "__len__") and not hasattr(result, "numpy") else [result]
        return [field.numpy() for field in fields]

    def ours(self, relay_run, text, inputs, folder):
        (folder / "model.relay").write_text(text)
        files = []
        for i, data in enumerate(inputs):
            files.append(str(folder / f"x{i}.npy"))
            self.np.save(files[-1], data)
        argv = [relay_run, str(folder / "model.relay"), *files, "-o", str(folder / "out"), "-threads=1"]
        run = subprocess.run(argv, capture_output=True, text=True, timeout=LONGEST)
        if run.returncode:
            return None, (run.stderr.splitlines() or [f"status {run.returncode}"])[0] + (" (crashed)" if run.returncode != 1 else "")
        count = len(list((folder / "out").iterdir()))
        return [self.np.load(folder / "out" / f"output_{i}.npy") for i in range(count)], ""

    def differ(self, mine, theirs):
        """What differs; empty if nothing does."""
        np = self.np
        if len(mine) != len(theirs):
            return f"{len(mine)} results for {len(theirs)}"
        for i, (a, b) in enumerate(zip(mine, theirs)):
            if a.dtype != b.dtype or a.shape != b.shape:
                return f"result {i}: {a.dtype}{list(a.shape)} for {b.dtype}{list(b.shape)}"
            if b.dtype.kind != "f":
                same = a == b
            else:
                x, y = a.astype("float64"), b.astype("float64")
                rtol = TOLERANCE[str(b.dtype)]
                largest = np.max(np.abs(y[np.isfinite(y)]), initial=0)
                with np.errstate(all="ignore"):
                    same = (x == y) | (np.isnan(x) & np.isnan(y)) | (np.abs(x - y) <= rtol * (np.abs(y) + largest / 100))
            if not np.all(same):
                place = tuple(np.argwhere(~same)[0]) if same.ndim else ()
                return f"result {i}{list(map(int, place))}: {a[place]} for {b[place]}, {int(np.sum(~same))} of {same.size} differ"
        return ""

    def answer(self, text, asked, relay_run, types, seed, op, key):
        """(how it ended, what there is to say)"""
        if key:
            self.tvm.ir.Op.get(op).set_attrs_type_key(key)
        rng = self.np.random.default_rng(seed)
        inputs = [self.make(rng, shape, dtype, seed % 2 == 1) for shape, dtype in types]
        try:
            theirs = self.theirs(asked, inputs)
        except Exception as e:
            return "refused there", (str(e).strip().splitlines() or [""])[-1][:200]
        with tempfile.TemporaryDirectory() as folder:
            mine, why = self.ours(relay_run, text, inputs, Path(folder))
        if mine is None:
            return ("no kernel" if "has no kernel" in why else "fails here"), why
        why = self.differ(mine, theirs)
        return ("differs" if why else "agrees"), why


# ---- calls --------------------------------------------------------------------------------------------------------------

def tensors_of(calls, call):
    """The tensors of a call, in order; None unless all sizes are known and small."""
    if not all(isinstance(t, (calls.Tensor, calls.Tuple)) for t in call.operands):
        return None
    tensors = []
    for t in call.operands:
        fields = t.fields if isinstance(t, calls.Tuple) else [t]
        if not all(isinstance(f, calls.Tensor) for f in fields):
            return None
        tensors += fields
    types = []
    for t in tensors:
        shape = [calls.number(size) for size in t.dims]
        count = 1
        for size in shape:
            count *= size if size is not None and size >= 0 else MOST_ELEMENTS + 1
        if count > MOST_ELEMENTS:
            return None
        types.append((shape, t.dtype))
    return types


def write(calls, call, mirrors=()):
    """The call as @main, with a parameter for each tensor."""
    heads, operands = [], []
    for t in call.operands:
        fields = t.fields if isinstance(t, calls.Tuple) else [t]
        names = [f"%x{len(heads) + i}" for i in range(len(fields))]
        heads += [f"{name}: {calls.write_type(f)}" for name, f in zip(names, fields)]
        inner = ", ".join(names) + ("," if len(names) == 1 else "")
        operands.append(f"({inner})" if isinstance(t, calls.Tuple) else names[0])
    attrs = [f"{attr}={value}" for attr, value in call.attrs]
    attrs += [f"{attr}={x}" for attr, x in zip(mirrors, operands)]
    return f'#[version = "0.0.5"]\ndef @main({", ".join(heads)}) {{\n  {call.op}({", ".join(operands + attrs)})\n}}\n'


def calls_of(args):
    """[{op, kind, text as we read it, text as the reference does, …}]; only calls that relay-opt types."""
    calls, types = load_script(HERE / "op-calls.py"), load_script(HERE / "op-types.py")
    fields, traits, keys = calls.facts_of(args.bin / "relay-tblgen", ROOT / "include", args.shared)
    declared = subprocess.run([str(args.bin / "relay-opt"), "-print-ops"], capture_output=True, text=True, check=True).stdout.split()
    mirrors = {op: [f["name"] for f in fields[op] if f["kind"] == "Expr"] for op in declared}
    seeds = calls.seeds_of(types.texts_for_seeds(args.shared), mirrors, fields, types.SEEDS)
    wanted = args.ops.split(",") if args.ops else [op for op in seeds if not RANDOM.search(op)]
    seeds = {op: seeds[op] for op in wanted}
    made, ours = [], types.Ours(args.bin / "relay-opt")
    batch = []

    def take():
        for entry, (outcome, _) in zip(batch, ours.answer([entry["text"] for entry in batch])):
            if outcome == "typed":
                made.append(entry)
        batch.clear()

    for i, (op, kind, call) in enumerate(calls.generate(seeds, fields, args.calls * 20, args.seed)):
        if len(made) >= args.calls:
            break
        tensors = tensors_of(calls, call)
        if tensors is None or re.search(r"\b[nmk]\b", str([value for _, value in call.attrs])):
            continue
        seed = zlib.crc32(f"{args.seed} {i}".encode())
        batch.append({"op": op, "kind": kind, "key": keys[op] if "AttrsAsMeta" in traits[op] else None, "types": tensors,
                      "seed": seed, "text": write(calls, call), "asked": write(calls, call, mirrors[op])})
        if len(batch) == types.BATCH:
            take()
    take()
    return made[:args.calls]


# ---- agreement ----------------------------------------------------------------------------------------------------------

def judge(made, args):
    workers = queue.Queue()
    for _ in range(args.jobs):
        workers.put(Reference(__file__, args.shared))

    def ask(call):
        worker = workers.get()
        answer = worker.ask(call["text"], call["asked"], str(args.bin / "relay-run"), call["types"], call["seed"], call["op"], call["key"])
        workers.put(worker)
        call["outcome"], call["says"] = answer or ("crashed there", "")

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(ask, made))
    while not workers.empty():
        workers.get().close()


def report(made, show):
    outcomes = collections.Counter(call["outcome"] for call in made)
    for outcome in ("no kernel", "fails here", "differs"):
        counts = collections.Counter(call["op"] for call in made if call["outcome"] == outcome)
        print(f"{outcome}: " + ", ".join(f"{op} {n}" for op, n in counts.most_common()))
    wrong = [call for call in made if call["outcome"] in ("fails here", "differs")]
    for call in wrong[:show]:
        print(f"{call['outcome']} (seed {call['seed']}): {' '.join(call['text'].splitlines()[1:])}\n    {call['says']}")
    agreed, failed = outcomes["agrees"], len(wrong) + outcomes["no kernel"]
    print(f"{len(made)} calls of {len({c['op'] for c in made})} operators; " + ", ".join(f"{n} {name}" for name, n in outcomes.most_common()))
    print(f"{agreed} passed, {failed} failed, {len(made) - agreed - failed} skipped")
    return 100 * agreed / max(agreed + failed, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path)
    parser.add_argument("--calls", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", help="only these operators, separated by commas")
    parser.add_argument("--least", type=float, default=99)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="disagreements shown")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        return serve(Evaluator().answer, LONGEST)
    if not args.bin:
        parser.error("--bin is needed")
    args.bin = args.bin.resolve()
    made = calls_of(args)
    judge(made, args)
    if args.save:
        args.save.write_text(json.dumps(made, indent=0))
    return 0 if report(made, args.show) >= args.least else 1


if __name__ == "__main__":
    sys.exit(main())
