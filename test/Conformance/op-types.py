#!/usr/bin/env python3
"""Shows that calls of operators get the types that the reference gives them, or are refused as there.

usage: op-types.py --bin BUILD/bin [--count N] [--seed N] [--only REGEX] [--least PERCENT] [--jobs N] [--show N]

For every declared operator, calls are taken from test/Ops and from the packed corpus, and changed one thing at a time
(op-calls.py): each operand without a type, with sizes that are `?`, a variable, of int64 or another number, of another
data type, rank or kind; each attribute at its default, None, beside what it is, of int64, a variable. All data is
seeded; the same flags make the same calls. Each is one function, whose parameters and result have to get the same types.
Sizes may be written in another form when TVM's analyzer proves them equal, and what TVM computes of `?` may be `?`.

The reference (oracle/python in --shared, default: 'shared' next to the repository) is one process; what crashes it is
skipped. --save FILE writes all answers as JSON. The last line is 'N passed, N failed, N skipped'.
Exit status: 0 when at least --least per cent (default 99.5) agree, 1 when they do not, 2 for wrong usage.
"""
import bisect, collections, concurrent.futures, itertools, json, re, resource, subprocess, sys
from pathlib import Path

from operators import Seeds, finish, parse_arguments, show_counts
from reference import Reference, load_script, serve

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = ["-passes=infer-type", "-split-input-file", "-verify-each=false", "-text-version=0.18"]
CRASH = re.compile(r"error: .* in (reading|pass|printing|writing)|LLVM ERROR|bad_alloc|out of memory")
SEPARATOR = "\n// -----\n"
BATCH = 100  # calls a process
LONGEST = 60  # seconds for a batch, and for an answer of the reference
MEMORY = 4 << 30  # bytes of a process
LARGEST = 20_000  # bytes of a text of the corpus that seeds are taken from
SAMPLES = [*range(8, 40), 64, 97, 128, 1000, 1001]  # for variables in sizes
VOIDS = dict.fromkeys(["", "void"], "uint3")  # the reference prints void as nothing, and reads neither that nor `void`
NEARLY = "agrees but for the form of sizes"
UNREADABLE = re.compile(r"relay\.op\.annotation\.simulated_quantize")  # the reference does not read its attributes from text
SEEDS = 12  # an operator


# ---- the reference ------------------------------------------------------------------------------------------------------

class Typer:
    """Computes the type of a function with TVM, and compares it with ours. Runs where TVM can be imported."""

    def __init__(self):
        import tvm.relay.testing
        tvm.ir.diagnostics.override_renderer(lambda context: None)
        self.tvm, self.relay, self.analyzer = tvm, tvm.relay, tvm.arith.Analyzer()

    def parameters(self, text):
        function = next(iter(self.relay.fromtext(text).functions.values()))
        return [p.checked_type for p in function.params] + [function.ret_type]

    def show(self, t):
        """A type or a list of types; sizes that are not int32 with their data type."""
        if isinstance(t, self.relay.TensorType):
            return f"Tensor[({', '.join(str(d) + (':' + d.dtype) * (d.dtype != 'int32') for d in t.shape)}), {t.dtype}]"
        fields = t.fields if isinstance(t, self.tvm.ir.TupleType) else t if isinstance(t, list) else None
        return str(t) if fields is None else "(" + ", ".join(map(self.show, fields)) + ")"

    def why(self, error):
        lines = str(error).strip().splitlines() or [type(error).__name__]
        return next((line for line in lines if "Error: " in line), lines[-1]).strip()[:300]

    def answer(self, text, ours, op, key):
        """(status there, whether ours agrees, the type there)"""
        if key:
            self.tvm.ir.Op.get(op).set_attrs_type_key(key)
        try:
            theirs = self.parameters(text)
        except Exception as e:
            return "refused", ours is None, self.why(e)
        if ours is None:
            return "typed", False, self.show(theirs)
        types = self.tvm.ir.TupleType
        try:
            mine = self.parameters(ours)[:-1]
        except Exception as e:
            return "typed", False, f"{self.show(theirs)}; ours is not read: {self.why(e)}"
        if self.tvm.ir.structural_equal(types(theirs), types(mine), map_free_vars=True):
            return "typed", True, ""
        return "typed", "nearly" if self.same(theirs, mine) else False, f"{self.show(theirs)}, ours {self.show(mine)}"

    def same(self, a, b):
        """Whether types differ only in the form of expressions for sizes."""
        relay, tuples = self.relay, self.tvm.ir.TupleType
        if isinstance(a, tuples) and isinstance(b, tuples):
            a, b = list(a.fields), list(b.fields)
        if isinstance(a, list) and isinstance(b, list):
            return len(a) == len(b) and all(map(self.same, a, b))
        if not (isinstance(a, relay.TensorType) and isinstance(b, relay.TensorType)):
            return bool(self.tvm.ir.structural_equal(a, b))
        return VOIDS.get(a.dtype, a.dtype) == b.dtype and len(a.shape) == len(b.shape) and all(map(self.same_size, a.shape, b.shape))

    def same_size(self, a, b):
        """Sizes computed from `?` are `?`; so are rounded sizes here, which text cannot express. Variables are equal if
        their names are."""
        tir, parts = self.tvm.tir, {}
        is_round = lambda part: isinstance(part, tir.Call) and part.op.name == "tir.round"  # noqa: E731
        for which, size in (("a", a), ("b", b)):
            found = parts[which] = []
            tir.stmt_functor.post_order_visit(size, found.append)
        unknown = {which: any(isinstance(p, tir.Any) or is_round(p) for p in found) for which, found in parts.items()}
        if unknown["a"] or unknown["b"]:
            return unknown["a"] and unknown["b"]
        named = {p.name: p for p in parts["a"] if isinstance(p, tir.Var)}
        b = tir.stmt_functor.substitute(b, {p: named[p.name] for p in parts["b"] if isinstance(p, tir.Var) and p.name in named})
        return a.dtype == b.dtype and (self.analyzer.can_prove_equal(a, b) or self.same_samples(a, b, list(named.values())))

    def same_samples(self, a, b, variables):
        """Whether the sizes are equal for several sample values of the variables."""
        def at(size, number):
            values = {v: self.tvm.tir.const(number + i, v.dtype) for i, v in enumerate(variables)}
            return self.analyzer.simplify(self.tvm.tir.stmt_functor.substitute(size, values))
        return all(self.tvm.ir.structural_equal(at(a, number), at(b, number)) for number in SAMPLES)


def worker():
    resource.setrlimit(resource.RLIMIT_AS, (4 * MEMORY, 4 * MEMORY))
    serve(Typer().answer, LONGEST)


# ---- ours ---------------------------------------------------------------------------------------------------------------

def result_as_parameter(text):
    """A printed module with its result's type as the last parameter's, and without its body."""
    start = text.index("def @")
    head, _, rest = text[start:].partition("\n}\n")
    first = head[:head.index("{\n")]
    signature, result = first.rsplit(") -> ", 1)
    result = re.sub(r"\bvoid\b", VOIDS["void"], result.strip())
    comma = ", " if not signature.endswith("(") else ""
    return f"{text[:start]}{signature}{comma}%result: {result}) {{ () }}\n{rest}"


class Ours:
    """relay-opt's types of functions, many per process."""

    def __init__(self, relay_opt):
        self.argv = [str(relay_opt), *FLAGS, "-"]

    def run(self, texts):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))  # noqa: E731
        try:
            return subprocess.run(self.argv, input=SEPARATOR.join(texts), capture_output=True, text=True, preexec_fn=limit, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            return None

    def answer(self, texts):
        """For each text (status, printed text or error). One that is refused prevents all from being printed."""
        answers = {}
        while left := [i for i in range(len(texts)) if i not in answers]:
            result = self.run([texts[i] for i in left])
            if not result or result.returncode not in (0, 1) or CRASH.search(result.stderr):
                half = len(texts) // 2
                return self.answer(texts[:half]) + self.answer(texts[half:]) if half else [("crashed", result.stderr if result else "no answer")]
            if result.returncode == 0:
                answers.update((i, ("typed", result_as_parameter(part))) for i, part in zip(left, result.stdout.split("// -----\n")))
                break
            refused = dict(self.refused([texts[i] for i in left], result.stderr))
            if not refused:
                sys.exit(f"op-types.py: error without a place: {result.stderr}")
            answers.update((left[part], ("refused", message)) for part, message in refused.items())
        return [answers[i] for i in range(len(texts))]

    def refused(self, texts, stderr):
        """(number of the text, message) of the errors."""
        starts = list(itertools.accumulate((text.count("\n") + SEPARATOR.count("\n") for text in texts), initial=1))
        for line, message in reversed(re.findall(r"(?m)^<stdin>:(\d+):\d+: error: (.*)", stderr)):
            yield bisect.bisect(starts, int(line)) - 1, message


# ---- agreement ----------------------------------------------------------------------------------------------------------

def texts_for_seeds(shared):
    for path in sorted((ROOT / "test" / "Ops").glob("*.relay")):
        if not path.stem.endswith("-errors"):
            yield path.read_text()
    for path in sorted(load_script(shared / "conformance" / "run.py").unpack().rglob("after.relay")):
        if path.stat().st_size <= LARGEST:
            yield path.read_text(errors="replace")


def calls_of(args):
    """[{op, kind, text as we read it, text as the reference does}]"""
    seeds = Seeds(args, texts_for_seeds(args.shared), SEEDS, UNREADABLE)
    write = seeds.calls.write_call
    return [{"op": op, "kind": kind, "key": seeds.keys[op], "text": write(call, f"c{i}"), "asked": write(call, f"c{i}", seeds.mirrors[op])}
            for i, (op, kind, call) in enumerate(seeds.generate(args.count, args.seed))]


def judge(calls, args):
    """Adds to each call the status here and there, and whether both are the same."""
    ours, reference = Ours(args.bin / "relay-opt"), Reference(__file__, args.shared)
    batches = [calls[i:i + BATCH] for i in range(0, len(calls), BATCH)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for batch, answers in zip(batches, pool.map(lambda batch: ours.answer([c["text"] for c in batch]), batches)):
            for call, (here, said) in zip(batch, answers):
                there, agrees, says = reference.ask(call["asked"], said if here == "typed" else None, call["op"], call["key"]) or ("crashed", False, "")
                call.update(ours=here, there=there, agrees=agrees, says=says if here == "typed" else f"{says}; ours: {said}")
                call["outcome"] = outcome_of(call)
    reference.close()


def outcome_of(call):
    if call["there"] == "crashed":
        return "skipped" if call["ours"] != "crashed" else "crashes here"
    if call["ours"] == "crashed":
        return "crashes here"
    if call["agrees"]:
        return "agrees" if call["agrees"] is True else NEARLY
    if call["ours"] == call["there"]:
        return "another type"
    return "typed here only" if call["ours"] == "typed" else "typed there only"


def report(calls, args):
    outcomes = collections.Counter(call["outcome"] for call in calls)
    wrong = [call for call in calls if call["outcome"] not in ("agrees", NEARLY, "skipped")]
    show_counts("skipped", collections.Counter(call["op"] for call in calls if call["outcome"] == "skipped"))
    for title, key in (("operator", "op"), ("change", "kind")):
        show_counts(title, collections.Counter(c[key] for c in wrong), collections.Counter(c[key] for c in calls))
    for call in wrong[:args.show]:
        line = next(line for line in call["asked"].splitlines() if line.startswith("def"))
        print(f"{call['outcome']} ({call['kind']}): {line}\n    {call['says']}")
    typed = sum(c["there"] == "typed" for c in calls)
    print(f"{len(calls)} calls of {len({c['op'] for c in calls})} operators, {typed} typed by the reference; "
          + ", ".join(f"{n} {name}" for name, n in outcomes.most_common()))
    return finish(outcomes["agrees"] + outcomes[NEARLY], len(wrong), outcomes["skipped"], args.least)


def main():
    args = parse_arguments(__doc__, 22_000, 99.5)
    if args.worker:
        return worker()
    calls = calls_of(args)
    judge(calls, args)
    if args.save:
        args.save.write_text(json.dumps(calls, indent=0))
    return report(calls, args)


if __name__ == "__main__":
    sys.exit(main())
