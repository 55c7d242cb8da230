#!/usr/bin/env python3
"""Shows that calls of operators are evaluated to what the reference evaluates them to.

usage: op-values.py --bin BUILD/bin [--count N] [--seed N] [--only REGEX] [--least PERCENT] [--jobs N] [--show N]
                    [--save FILE] [--cache DIR]

Calls are those of op-types.py (op-calls.py), and those that op-values.calls leads to, whose operands have known sizes
and data types: attributes at and beside their defaults, sizes 0 and 1, ranks, data types; every eighth of float32 in bfloat16. Each gets seeded inputs, in every
other call with special values (nan, infinities, -0, the least and greatest numbers) among them; operands that are
indices, shapes and the like get small numbers, or what op-data.py makes to fit the other operands.
relay-run evaluates many calls at a time, as a tuple.

relay-run's results have to be of the same shape and data type; integers the same; floats as near as the operator's
class in CLASSES says, in units in the last place of the element, or of the result's greatest one. What the reference
refuses or crashes at, calls without data whose result it defines, and data that relay-run refuses because the reference
leaves it undefined, are counted apart.

The reference (oracle/python in --shared, default: 'shared' next to the repository) is --jobs processes, each of which
runs relay-run too. --save FILE writes each answer as it comes, a line of JSON.
--cache DIR keeps what the reference answered, and asks it for nothing that is there: after a change of a kernel the same run
takes little time. At the end there are the counts of each operator with the largest distance. The last line is 'N passed, N failed, N skipped'.
Exit status: 0 when at least --least per cent (default 99) agree, 1 when they do not, 2 for wrong usage.
"""
import collections, concurrent.futures, hashlib, itertools, json, os, queue, random, re, subprocess, sys, tempfile, zlib
from pathlib import Path

from operators import HERE, Seeds, finish, parse_arguments, show_counts
from reference import Reference, load_script, serve

LONGEST = 120  # seconds for a batch
BATCH = 24  # calls of one operator a module
MOST_ELEMENTS = 20_000  # of an operand
NARROW = 8  # each so many calls of float32 are evaluated in bfloat16 too
# Not evaluated: random operators, operators that move data between devices and memories, and those that open a
# debugger.
WITHOUT = re.compile(r"debug|random\..*|.*dropout.*|memory\..*|vm\..*|annotation\..*|device_copy|on_device|call_lowered|relay\.op\.annotation\..*")
ORDERS_BITS = re.compile(r"(dyn\.)?topk|sort|argsort")  # TVM orders bfloat16 by its bits
IN_FLOAT32 = re.compile(r"dft|stft|(dyn\.)?nn\.upsampling(3d)?")  # TVM computes angles, and enlarges images, in float32
FOR_SCHEDULER = re.compile(r"nn\.contrib_conv2d_winograd_without_weight_transform")  # evaluated under the auto-scheduler only

# The largest distance of floats, by class of operators; the first match counts. Distances are in units in the last
# place of the ELEMENT; of the GREATEST element of the result, if the terms of a sum may cancel out; or of the element
# and at least ONE, if TVM's formulas (sinh by two exp) cancel out. Operators that add up get no greatest floats: TVM's
# sums of float32 overflow.
Bound = collections.namedtuple("Bound", "name operators ulps unit")
ELEMENT, GREATEST, ONE = "element", "greatest", "one"
CLASSES = [Bound(name, re.compile(operators), ulps, unit) for name, operators, ulps, unit in (
    ("Winograd's method", r"nn\.contrib_conv\dd_winograd.*", 512, GREATEST),
    ("contractions", r"nn\.(contrib_|deformable_|sparse_)?(conv|dense|depthwise|matmul|batch_matmul).*|nn\.(correlation|sparse_dense)|einsum|qnn\..*(conv|dense|matmul).*|nn\.internal.*", 64, GREATEST),
    ("transforms", r"dft|stft", 512, GREATEST),
    ("interpolation", r"(dyn\.)?(image\.|nn\.upsampling).*|vision\.roi_.*", 64, GREATEST),
    ("sums and norms", r"sum|mean|prod|variance|cumsum|cumprod|nn\..*(norm|normalize|loss|entropy|lrn|softmax|pool).*|collapse_sum.*", 256, GREATEST),
    ("functions", r"a?(sin|cos|tan)h?|exp|log|log2|log10|erf|sqrt|rsqrt|sigmoid|power|nn\.(fast_|log_)?softmax|nn\.fast.*|fast_.*", 16, ONE),
    ("the rest", r".*", 1, ELEMENT))]
WRONG = ("no kernel", "fails here", "differs")
SMALL = re.compile(r".*(indices|index|indptr|axis|axes|shape|size|begin|end|strides|reps|depth|offsets|rois|segment|valid|length|scale|pad_width|^k$|shift|tree|count|num|zero_point).*")
REFUSED = re.compile(r"(for|is) a tuple|different data types|not of the same type|differ in (shape|rank) or type|not of the layout|window has|is negative|are missing|out of range|divi|holds|beyond|do not fit|not fit|no kernel for|is no |are no |not in blocks|have the shape|no product|for data of|longer than|differ on axis|name \d+ axes|numbers, not|the type is|fewer|more than|has the shape|have the shapes|empty|less than|not finite|too ")


def bound_of(op):
    return next(bound for bound in CLASSES if bound.operators.fullmatch(op))


# ---- the reference ------------------------------------------------------------------------------------------------------

class Evaluator:
    """Evaluates calls with TVM and with relay-run, and compares. Runs where TVM can be imported."""

    def __init__(self):
        os.environ["TOPHUB_LOCATION"] = "NONE"  # nothing is to be downloaded
        import logging, numpy, tvm
        from tvm import relay
        logging.disable(logging.WARNING)
        tvm.ir.diagnostics.override_renderer(lambda context: None)
        self.np, self.tvm, self.relay = numpy, tvm, relay
        self.data = load_script(HERE / "op-data.py")
        libinfo = tvm.support.libinfo()  # the compiler looks at it for each call, which takes a fifth of the time
        tvm.support.libinfo = lambda: libinfo

    def make(self, call, rng, operand):
        """The data of one of call["types"]."""
        np, (shape, dtype, is_small, name, field) = self.np, operand
        sizes = {other[3]: [] for other in call["types"]}
        for other in call["types"]:
            sizes[other[3]].append(other[0])
        made = self.data.make(call["op"], name, self.data.Operand(rng, shape, dtype, sizes, call["attrs"], field))
        if made is not None:
            return made
        special, is_summed = call["seed"] % 2 == 1, bound_of(call["op"]).unit == GREATEST
        if dtype == "bool":
            return rng.random(shape) < 0.5
        if dtype.startswith("float"):
            data = rng.standard_normal(shape).astype(dtype) * 2
            values = np.array([np.nan, np.inf, -np.inf, -0.0, 0, 1, -1, 0.5, -2.5, np.finfo(dtype).tiny] + [np.finfo(dtype).max] * (not is_summed), dtype)
            data = np.abs(data) if is_small else data
        else:
            info = np.iinfo(dtype)
            low, high = (0, 2) if is_small else (info.min, info.max) if info.bits == 8 else (0 if info.min == 0 else -5, 10)
            data = rng.integers(low, high, shape, dtype, endpoint=True)
            values = np.array([info.min, info.max, 0, 1], dtype)
        data = np.asarray(data, dtype)
        if special and not is_small and data.size:
            chosen = rng.random(data.shape) < 0.2
            data = np.where(chosen, rng.choice(values, data.shape), data)
        return np.asarray(data, dtype)

    def module(self, calls, which):
        heads = ", ".join(f"%{name}: {text}" for call in calls for name, text in call["heads"])
        lines = "".join(f"  %{i} = {call[which]};\n" for i, call in enumerate(calls))
        fields = ", ".join(f"%{i}" for i in range(len(calls)))
        return f'#[version = "0.0.5"]\ndef @main({heads}) {{\n{lines}  ({fields},)\n}}\n'

    def flat(self, value):
        return [value.numpy()] if hasattr(value, "numpy") else [t for field in value for t in self.flat(field)]

    def known(self, call, inputs, cache):
        """The tensors of the result, or the error; computed once, if there is a folder for the answers."""
        asked = hashlib.sha256(self.module([call], "there").encode() + b"".join(data.tobytes() for data in inputs)).hexdigest()
        path = Path(cache or ".") / f"{asked}.npz"
        if cache and path.exists():
            with self.np.load(path) as answer:
                return [answer[name] for name in answer] if "refused" not in answer else str(answer["refused"])
        try:
            answer = self.theirs(call, inputs)
        except Exception as e:  # pylint: disable=broad-except
            answer = (str(e).strip().splitlines() or [""])[-1][:200]
        if cache:
            Path(cache).mkdir(parents=True, exist_ok=True)
            self.np.savez(path, **({"refused": answer} if isinstance(answer, str) else dict(zip(map(str, range(len(answer))), answer))))
        return answer

    def theirs(self, call, inputs):
        """The tensors of the result. Many operators require that some operands are constants: if a call cannot be
        evaluated otherwise, all operands but data are."""
        if call["key"]:
            self.tvm.ir.Op.get(call["op"]).set_attrs_type_key(call["key"])
        module = self.relay.fromtext(self.module([call], "there"))
        if not call["op"].startswith("qnn."):
            try:
                return self.run(call, module, inputs)
            except Exception:  # pylint: disable=broad-except
                if not any(operand[2] for operand in call["types"]):
                    raise
        is_constant = [operand[2] or "float" in operand[1] and not operand[0] for operand in call["types"]]
        constants = {name: data for (name, _), data, constant in zip(call["heads"], inputs, is_constant) if constant}
        main = self.relay.build_module.bind_params_by_name(module["main"], constants)
        return self.run(call, self.tvm.IRModule.from_expr(main), [data for data, constant in zip(inputs, is_constant) if not constant])

    def run(self, call, module, inputs):
        tvm, relay = self.tvm, self.relay
        with tvm.target.Target("llvm"):  # legalization brings what has no code of its own to what has
            module = relay.transform.InferType()(module)
            is_dynamic = relay.ty.is_dynamic(module["main"].checked_type)
            module = relay.transform.Legalize()(module)
        config = {"relay.backend.use_auto_scheduler": True} if FOR_SCHEDULER.fullmatch(call["op"]) else {}
        with tvm.transform.PassContext(opt_level=1, config=config):
            executor = "vm" if is_dynamic else "debug"  # debug is the fastest for one operator
            run = relay.create_executor(executor, mod=module, device=tvm.cpu(), target="llvm -opt-level=0").evaluate()
        return self.flat(run(*map(tvm.nd.array, inputs)))

    def ours(self, relay_run, calls, inputs, lengths):
        """The list of tensors of each call, or the error."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "model.relay").write_text(self.module(calls, "here"))
            files = [str(folder / f"x{i}.npy") for i in range(len(inputs))]
            for path, data in zip(files, inputs):
                self.np.save(path, data)
            argv = [relay_run, str(folder / "model.relay"), *files, "-o", str(folder / "out"), "-threads=1"]
            run = subprocess.run(argv, capture_output=True, text=True, timeout=LONGEST)
            if run.returncode == 0:
                outputs = [self.np.load(folder / "out" / f"output_{i}.npy") for i in range(len(list((folder / "out").iterdir())))]
                if len(outputs) != sum(lengths):
                    return [f"{len(outputs)} results for {sum(lengths)}"] * len(calls)
                return [[outputs.pop(0) for _ in range(length)] for length in lengths]
        if len(calls) == 1:
            return [(run.stderr.splitlines() or [f"status {run.returncode}"])[0] + " (crashed)" * (run.returncode != 1)]
        starts = [0]
        for call in calls:
            starts.append(starts[-1] + len(call["heads"]))
        return [answer for i, call in enumerate(calls) for answer in self.ours(relay_run, [call], inputs[starts[i]:starts[i + 1]], [lengths[i]])]

    def distance(self, mine, theirs, call):
        """The distance of two tensors, in units in the last place, and the position of the largest distance."""
        np = self.np
        if theirs.dtype.kind != "f":
            same = mine == theirs
            return (0, ()) if np.all(same) else (np.inf, np.unravel_index(np.argmin(same), same.shape))
        x, y = mine.astype("float64"), theirs.astype("float64")
        finite = np.isfinite(y)
        scale = np.abs(theirs)
        unit = bound_of(call["op"]).unit
        if unit != ELEMENT:
            scale = np.maximum(scale, np.max(scale[finite], initial=0) if unit == GREATEST else 1).astype(theirs.dtype)
        with np.errstate(all="ignore"):
            unit = np.spacing(np.maximum(np.where(finite, scale, 1), np.finfo(theirs.dtype).tiny).astype(theirs.dtype)).astype("float64")
            unit = unit * 65536 if call["narrow"] else unit
            unit = unit * 2.0**29 if theirs.dtype == "float64" and IN_FLOAT32.fullmatch(call["op"]) else unit
            far = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0, np.where(finite & np.isfinite(x), np.abs(x - y) / unit, np.inf))
        if not far.size:
            return 0, ()
        place = np.unravel_index(np.argmax(far), far.shape)
        return float(far[place]), place

    @staticmethod
    def defined(call, mine, theirs):
        """Both without elements that TVM leaves undefined: those after the last group, or the last box."""
        if call["op"] == "unique":
            count, cut = int(theirs[3][0]), (0, 1, 4)
        elif call["op"] == "vision.all_class_non_max_suppression" and len(theirs) == 2:
            count, cut = int(theirs[1][0]), (0,)
        elif call["op"] == "vision.multibox_transform_loc":
            return tuple([*(n[:count] for n, count in zip(all_of[0], theirs[1])), all_of[1]] for all_of in (mine, theirs))
        else:
            return mine, theirs
        return tuple([t[:count] if i in cut else t for i, t in enumerate(all_of)] for all_of in (mine, theirs))

    def compare(self, mine, theirs, call):
        """(status, message, worst distance)"""
        if isinstance(mine, str):
            crashed = "(crashed)" in mine
            return ("no kernel" if "has no kernel" in mine else "refused here" if REFUSED.search(mine) and not crashed else "fails here"), mine, 0
        worst = 0
        for i, (a, b) in enumerate(zip(*self.defined(call, mine, theirs))):
            if a.dtype != b.dtype or a.shape != b.shape:
                return "differs", f"result {i}: {a.dtype}{list(a.shape)} for {b.dtype}{list(b.shape)}", 0
            far, place = self.distance(a, b, call)
            if far > bound_of(call["op"]).ulps:
                return "differs", f"result {i}{list(map(int, place))}: {a[place]!r} for {b[place]!r}, {far:.4g} ulp", 0
            worst = max(worst, far)
        return "agrees", "", worst

    def answer(self, calls, relay_run, cache):
        """The result of compare() for each call."""
        answers, evaluated, all_inputs, all_theirs = [], [], [], []
        for call in calls:
            rng = self.np.random.default_rng(call["seed"])
            try:
                inputs = [self.make(call, rng, operand) for operand in call["types"]]
            except Exception as e:  # pylint: disable=broad-except
                answers.append(("no data", str(e), 0))
                continue
            theirs = self.known(call, inputs, cache)
            if isinstance(theirs, str):
                answers.append(("refused there", theirs, 0))
                continue
            answers.append(None)
            evaluated.append(call)
            all_inputs += inputs
            all_theirs.append(theirs)
        mine = self.ours(relay_run, evaluated, all_inputs, list(map(len, all_theirs))) if evaluated else []
        compared = iter([self.compare(*one) for one in zip(mine, all_theirs, evaluated)])
        return [answer or next(compared) for answer in answers]


# ---- calls --------------------------------------------------------------------------------------------------------------

def fields_of(calls, t):
    return t.fields if isinstance(t, calls.Tuple) else [t]


def tensors_of(calls, call, names):
    """[(shape, data type, whether it holds indices or the like, name, field)] of the tensors of a call, in order; None
    unless all sizes are known and small."""
    tensors = []
    for i, t in enumerate(call.operands):
        for place, field in enumerate(fields_of(calls, t) if isinstance(t, (calls.Tensor, calls.Tuple)) else [None]):
            if not isinstance(field, calls.Tensor):
                return None
            shape = [calls.number(size) for size in field.dims]
            count = 1
            for size in shape:
                count *= size if size is not None and size >= 0 else MOST_ELEMENTS + 1
            if count > MOST_ELEMENTS:
                return None
            name = names[min(i, len(names) - 1)] if names else ""
            tensors.append((shape, field.dtype, bool(SMALL.fullmatch(name)) and not (name == "condition"), name, place))
    return tensors


def write(calls, call, number, narrow=False, mirrors=()):
    """The parameters and the expression of a call."""
    heads, operands = [], []
    for t in call.operands:
        names = []
        for field in fields_of(calls, t):
            heads.append((f"c{number}x{len(heads)}", calls.write_type(field)))
            names.append(f'cast(%{heads[-1][0]}, dtype="bfloat16")' if narrow and field.dtype == "float32" else f"%{heads[-1][0]}")
        operands.append(f"({', '.join(names)}{',' * (len(names) == 1)})" if isinstance(t, calls.Tuple) else names[0])
    attrs = [f"{attr}={value}" for attr, value in call.attrs] + [f"{attr}={x}" for attr, x in zip(mirrors, operands)]
    expression = f"{call.op}({', '.join(operands + attrs)})"
    return heads, f'cast({expression}, dtype="float32")' if narrow else expression


DTYPES = {"f": "float", "i": "int", "u": "uint"}


def operand_of(calls, text):
    """The type that op-values.calls writes as f32[2, 3], bool[], (i8[2], i8[3])."""
    if text.startswith("("):
        return calls.Tuple(tuple(operand_of(calls, field) for field in calls.split(text[1:-1])))
    dtype, sizes = text[:-1].split("[")
    return calls.Tensor(tuple(calls.split(sizes)), dtype if dtype == "bool" else DTYPES[dtype[0]] + dtype[1:])


def add_written_seeds(seeds):
    """Puts the calls of op-values.calls before the seeds of their operators."""
    calls, written = seeds.calls, collections.defaultdict(list)
    for line in (HERE / "op-values.calls").read_text().splitlines():
        if line and not line.startswith("#"):
            op, items = line[:-1].split("(", 1)
            items = calls.split(items)
            attrs = [item.split("=", 1) for item in items if re.match(r"\w+=", item)]
            operands = [operand_of(calls, item) for item in items if not re.match(r"\w+=", item)]
            written[op].append(calls.with_required(calls.Call(op, tuple(operands), tuple(map(tuple, attrs))), seeds.fields[op]))
    for op in seeds.seeds:
        seeds.seeds[op] = written[op] + seeds.seeds[op]


def calls_of(args):
    """Calls that relay-opt types, sorted by operator."""
    types = load_script(HERE / "op-types.py")
    seeds = Seeds(args, types.texts_for_seeds(args.shared), types.SEEDS, WITHOUT)
    add_written_seeds(seeds)
    calls, names = seeds.calls, operand_names(args)
    made, batch, ours, names_of_calls = [], [], types.Ours(args.bin / "relay-opt"), itertools.count()

    def add(op, call, tensors, narrow):
        number = len(made) + len(batch)
        name = next(names_of_calls)  # numbers of ill-typed calls are used again
        heads, here = write(calls, call, name, narrow)
        batch.append({"op": op, "key": seeds.keys[op], "types": tensors, "attrs": dict(call.attrs), "seed": zlib.crc32(f"{args.seed} {op} {number}".encode()), "heads": heads,
                      "here": here, "there": write(calls, call, name, narrow, seeds.mirrors[op])[1], "narrow": narrow})

    def take():
        texts = [f'#[version = "0.0.5"]\ndef @c({", ".join(f"%{n}: {t}" for n, t in c["heads"])}) {{\n  {c["here"]}\n}}\n' for c in batch]
        made.extend(c for c, (outcome, _) in zip(batch, ours.answer(texts)) if outcome == "typed")
        batch.clear()

    for i, (op, _, call) in enumerate(seeds.generate(args.count * 20, args.seed)):
        if len(made) >= args.count:
            break
        tensors = tensors_of(calls, call, names[op])
        if tensors is None or re.search(r"\b[nmk]\b", str([value for _, value in call.attrs])):
            continue
        add(op, call, tensors, False)
        if i % NARROW == 0 and not ORDERS_BITS.fullmatch(op) and any(tensor[1] == "float32" for tensor in tensors):
            add(op, call, tensors, True)
        if len(batch) >= types.BATCH:
            take()
    take()
    return sorted(made[:args.count], key=lambda call: call["op"])


def operand_names(args):
    names = {}
    for path in sorted((HERE.parents[1] / "include" / "relay" / "Ops").glob("*.td")):
        argv = [str(args.bin / "relay-tblgen"), "-gen-op-json", "-I", str(HERE.parents[1] / "include"), str(path)]
        for op in json.loads(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)["ops"]:
            names[op["name"]] = [operand["name"] for operand in op["operands"]]
    return names


# ---- agreement ----------------------------------------------------------------------------------------------------------

def judge(made, args):
    """The calls with their status, even if interrupted. A batch that crashes the reference is split in halves."""
    workers = queue.Queue()
    for _ in range(args.jobs):
        workers.put(Reference(__file__, args.shared))

    def ask(batch):
        worker = workers.get()
        answers = worker.ask(batch, str(args.bin / "relay-run"), args.cache and str(args.cache))
        workers.put(worker)
        if not answers and len(batch) > 1:
            half = len(batch) // 2
            return ask(batch[:half]) + ask(batch[half:])
        return answers or [("crashed there", "", 0)]

    batches = []
    for call in made:
        if not batches or len(batches[-1]) == BATCH or batches[-1][0]["op"] != call["op"]:
            batches.append([])
        batches[-1].append(call)
    random.Random(args.seed).shuffle(batches)  # so that what is known when interrupted is of all operators
    pool = concurrent.futures.ThreadPoolExecutor(args.jobs)
    saved = args.save.open("w") if args.save else None
    try:
        for i, (batch, answers) in enumerate(zip(batches, pool.map(ask, batches))):
            print(f"\r{i} of {len(batches)} batches", end="", file=sys.stderr, flush=True)
            for call, answer in zip(batch, answers):
                call["outcome"], call["says"], call["ulps"] = answer
                if saved:
                    print(json.dumps(call), file=saved, flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    pool.shutdown(cancel_futures=True)
    while not workers.empty():
        workers.get().close()
    return [call for call in made if "outcome" in call]


def report_operators(made):
    """A line for each compared operator, and one for all."""
    by_operator = collections.defaultdict(list)
    for call in made:
        by_operator[call["op"]].append(call)
    for op, calls in [*sorted(by_operator.items()), ("all", made)]:
        outcomes = collections.Counter(call["outcome"] for call in calls)
        differ = sum(outcomes[outcome] for outcome in WRONG)
        if outcomes["agrees"] + differ:
            skipped = len(calls) - outcomes["agrees"] - differ
            print(f"{op}: {outcomes['agrees']} agree, {differ} differ, {skipped} not compared, at worst {max(call['ulps'] for call in calls):.3g} ulp")


def report(made, args):
    report_operators(made)
    outcomes = collections.Counter(call["outcome"] for call in made)
    for outcome in ("refused here", *WRONG):
        show_counts(outcome, collections.Counter(call["op"] for call in made if call["outcome"] == outcome))
    wrong = [call for call in made if call["outcome"] in WRONG]
    for call in wrong[:args.show]:
        heads = ", ".join(f"%{name}: {text}" for name, text in call["heads"])
        print(f"{call['outcome']} (seed {call['seed']}): ({heads}) {call['there']}\n    {call['says']}")
    for bound in CLASSES:
        agreed = [call for call in made if call["outcome"] == "agrees" and bound_of(call["op"]) == bound]
        worst = max(agreed, key=lambda call: call["ulps"], default=None)
        print(f"{bound.name}: {len(agreed)} calls within {bound.ulps} ulp" + (f", at worst {worst['ulps']:.3g} ({worst['op']})" if worst else ""))
    agreed = collections.Counter(call["op"] for call in made if call["outcome"] == "agrees")
    never = sorted({call["op"] for call in made} - set(agreed))
    print(f"no call agreed, of {', '.join(never) or 'none'}")
    print(f"{len(made)} calls of {len({c['op'] for c in made})} operators; " + ", ".join(f"{n} {name}" for name, n in outcomes.most_common()))
    return finish(outcomes["agrees"], len(wrong), len(made) - outcomes["agrees"] - len(wrong), args.least)


def main():
    args = parse_arguments(__doc__, 6000, 99)
    if args.worker:
        return serve(Evaluator().answer, LONGEST)
    made = calls_of(args)
    made = judge(made, args)
    return report(made, args)


if __name__ == "__main__":
    sys.exit(main())
