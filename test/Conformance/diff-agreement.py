#!/usr/bin/env python3
"""Shows that relay-diff finds equal what the reference finds equal, on pairs of modules from the corpus.

usage: diff-agreement.py --bin BUILD/bin [--pairs N] [--seed N] [--jobs N] [--show N] [--declared] [--save DIR]
       diff-agreement.py --bin BUILD/bin --verdicts DIR/verdicts.json [--declared] [--jobs N] [--show N]
       diff-agreement.py --pairs N --save DIR          (asks the reference only; relay-diff need not exist)

Half of the pairs are two texts of the corpus (a module and its own text as relay-opt or TVM prints it, before and after
a pass, two modules of one group), half are a text and the same with one small edit (diff-mutations.py). The reference
gives the verdict; an edited text that it does not read is no pair, but counted, with relay-diff's exit status beside it.
The corpus, the oracle and the facts are looked for in --shared (default: 'shared' next to the repository).

What the reference does not find equal to itself (constructors with type parameters, unresolved types) is compared
function by function, as run.py does. --operators a,b,c, or --declared, keeps to pairs that call no other operators.
--save writes both texts of every pair and verdicts.json. The last line is 'N passed, N failed, N skipped'.
Exit status: 0 when relay-diff agrees on every pair, 1 when it does not, 2 for wrong usage.
"""
import argparse, collections, concurrent.futures, itertools, json, random, re, shutil, sys, tempfile
from pathlib import Path

from reference import Reference, load_script, serve

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2] / "shared"
EXIT = {"equal": 0, "different": 1, "rejected": 2}
LARGEST = 100_000  # bytes of a text that is drawn
REJECTED = 5  # rejected texts kept per mutation
MIRRORS = "arange("  # its attributes repeat its operands; we keep one of them, so edits must not make them differ
TRIES = 400  # texts tried per mutated pair before its mutation is given up


# ---- the reference ------------------------------------------------------------------------------------------------------

class Judge:
    """oracle.py equal, on texts and within one process. Runs where TVM can be imported."""

    def __init__(self, run):
        import tvm.relay.testing, tvm.relay.qnn.transform  # noqa: F401
        self.judge = run.TvmJudge(Path())
        self.equal = self.judge.tvm.ir.structural_equal

    def load(self, text):
        m = self.judge.module(text)
        return self.judge.typed(m) or m

    def verdict(self, a, b):
        """(equal, different, rejected if B cannot be read, or unclear; the method of comparison)"""
        try:
            ma = self.load(a)
        except Exception as e:
            return "unclear", "not read: " + type(e).__name__
        try:
            mb = self.load(b)
        except Exception as e:
            return "rejected", type(e).__name__
        if self.open(ma) or self.open(mb):
            return "unclear", "used outside of its scope"
        if self.equal(ma, mb):
            return "equal", ""
        if any(len(set(re.findall(r"@lifted_name\d+", text))) > 1 for text in (a, b)):
            return "unclear", "several lifted names"
        if self.equal(ma, self.load(a)) and self.equal(mb, self.load(b)):
            return "different", ""
        by_function = self.judge.exactly
        if by_function(ma, self.load(a)) and by_function(mb, self.load(b)):
            return "equal" if by_function(ma, mb) else "different", "by function"
        return "unclear", "not equal to itself"

    def open(self, m):
        """Whether a function uses an unbound variable; the reference reads such text."""
        return any(self.judge.relay.analysis.free_vars(f) for f in m.functions.values())

    def printed(self, a):
        try:
            return "printed", self.judge.module(a).astext(show_meta_data=True)
        except Exception as e:
            return "unclear", "not read: " + type(e).__name__


def worker(shared):
    """Answers a text with TVM's printed form, and two texts with the verdict on them."""
    judge = Judge(load_script(shared / "conformance" / "run.py"))
    serve(lambda *texts: judge.verdict(*texts) if len(texts) == 2 else judge.printed(*texts))


# ---- pairs --------------------------------------------------------------------------------------------------------------

class Pairs:
    """Draws pairs of texts: each is (kind, mutated, origin of A, origin of B, text A, text B, verdict, how)."""

    def __init__(self, args, run, oracle, known):
        self.rng = random.Random(args.seed)
        self.run, self.oracle, self.known = run, oracle, known
        self.opt = str(args.bin / "relay-opt") if args.bin and (args.bin / "relay-opt").exists() else None
        self.corpus = args.corpus or run.unpack()
        self.mutations = load_script(HERE / "diff-mutations.py")
        self.mutations.use_facts(args.shared / "facts")
        self.groups = self.files_by_group()
        self.groups_with = {"": self.groups}
        self.rejected, self.unclear, self.seen = collections.defaultdict(list), [], set()

    def files_by_group(self):
        groups = collections.defaultdict(list)
        for pattern in ("cases/*/*/before.relay", "cases/*/*/after.relay", "models/*.relay", "numbers/*/model.relay"):
            for f in sorted(self.corpus.glob(pattern)):
                if f.stat().st_size <= LARGEST and self.allowed(f):
                    parts = f.relative_to(self.corpus).parts
                    groups["/".join(parts[:-2]) or parts[0]].append(f)
        return groups

    def allowed(self, *files):
        return self.known is None or all(self.run.operators({"file": f, "dir": f.parent}) <= self.known for f in files)

    def files_with(self, part):
        """The groups, with the files that contain `part` only."""
        if part not in self.groups_with:
            kept = {g: [f for f in fs if part.encode() in f.read_bytes()] for g, fs in self.groups.items()}
            self.groups_with[part] = {g: fs for g, fs in kept.items() if fs}
        return self.groups_with[part]

    def shuffled(self, groups):
        while groups:
            names = sorted(groups)
            self.rng.shuffle(names)
            yield from names

    def ask(self, *texts):
        return self.oracle.ask(*texts) or ("unclear", "the reference crashed")

    def judged(self, kind, mutated, a, b, text_a, text_b):
        """The pair with its verdict, or None if there is none."""
        if (text_a, text_b) in self.seen:
            return None
        self.seen.add((text_a, text_b))
        verdict, how = self.ask(text_a, text_b)
        pair = (kind, mutated, a, b, text_a, text_b, verdict, how)
        if verdict == "rejected" and mutated:
            self.rejected[kind].append(pair)
        elif verdict == "unclear":
            self.unclear.append(pair)
        return pair if verdict in ("equal", "different") else None

    def reprint_relay_opt(self, a):
        rc, out, _err = self.run.command([self.opt, str(a)]) if self.opt else (1, b"", "")
        return (f"relay-opt {a}", out.decode(errors="replace")) if rc == 0 else None

    def reprint_tvm(self, a):
        verdict, text = self.ask(a.read_text())
        return (f"print {a}", text) if verdict == "printed" else None

    def before_after(self, a):
        b = a.with_name("after.relay" if a.name == "before.relay" else "before.relay")
        return (str(b), b.read_text()) if b != a and b.exists() and self.allowed(b) else None

    def same_group(self, a, files):
        b = self.rng.choice(files)
        return (str(b), b.read_text()) if b != a else None

    def plain(self, count):
        makers = [self.before_after, self.same_group, self.reprint_tvm] + [self.reprint_relay_opt] * bool(self.opt)
        groups, found = self.shuffled(self.groups), 0
        for make in itertools.islice(itertools.cycle(makers), TRIES * count):
            if found == count:
                return
            files = self.groups[next(groups)]
            a = self.rng.choice(files)
            b = make(a, files) if make == self.same_group else make(a)
            pair = b and self.judged(make.__name__.replace("_", "-"), False, str(a), b[0], a.read_text(), b[1])
            if pair:
                found += 1
                yield pair

    def mutant(self, name):
        """A pair for one mutation, from the first text to which it applies and whose result the reference reads."""
        groups = self.files_with(self.mutations.NEEDS[name])
        for group in itertools.islice(self.shuffled(groups), TRIES):
            a = self.rng.choice(groups[group])
            text = a.read_text()
            if MIRRORS in text and name not in self.mutations.KEEPING:
                continue
            new = self.mutations.MUTATIONS[name](self.rng, self.mutations.Source(text))
            pair = new and new != text and self.judged(name, True, str(a), f"{name} {a}", text, new)
            if pair:
                return pair
        return None

    def mutated(self, count):
        names, found = sorted(self.mutations.MUTATIONS), 0
        self.rng.shuffle(names)
        while names and found < count:
            for name in list(names):
                pair = self.mutant(name) if found < count else None
                if pair:
                    found += 1
                    yield pair
                elif found < count:
                    names.remove(name)  # applies to nothing that is drawn


def save(pairs, folder, seed):
    """Writes texts and verdicts; returns the records of verdicts.json."""
    records = []
    for i, (kind, mutated, a, b, text_a, text_b, verdict, how) in enumerate(pairs):
        d = folder / f"{i:04}-{kind}"
        d.mkdir(parents=True)
        (d / "a.relay").write_text(text_a)
        (d / "b.relay").write_text(text_b)
        records.append({"a": f"{d.name}/a.relay", "b": f"{d.name}/b.relay", "kind": kind, "mutated": mutated, "verdict": verdict,
                        "how": how, "from": [a, b]})
    (folder / "verdicts.json").write_text(json.dumps({"seed": seed, "pairs": records}, indent=0))
    return records


def draw(args, run, known):
    """The requested pairs, texts that the reference rejects last."""
    oracle = Reference(__file__, args.shared)
    pairs = Pairs(args, run, oracle, known)
    half = args.pairs // 2
    found = list(pairs.mutated(half)) + list(pairs.plain(args.pairs - half))
    oracle.close()
    if len(found) < args.pairs:
        print(f"only {len(found)} pairs of {args.pairs} found")
    keeping = [p for p in found if p[0] in pairs.mutations.KEEPING and p[6] != "equal"]
    for p in keeping:
        print(f"surprise: the reference finds a difference after {p[3]}")
    why = collections.Counter(p[7] for p in pairs.unclear)
    print(f"{len(pairs.unclear)} pairs without a clear verdict: " + ", ".join(f"{n} {w}" for w, n in sorted(why.items())))
    return found + [p for kind in sorted(pairs.rejected) for p in pairs.rejected[kind][:REJECTED]]


# ---- agreement ----------------------------------------------------------------------------------------------------------

def compare(records, folder, run, args):
    """Adds 'exit', relay-diff's status, and 'says', the first line that it printed, to every record."""
    def one(r):
        rc, out, err = run.command([str(args.bin / "relay-diff"), str(folder / r["a"]), str(folder / r["b"])])
        r["exit"], r["says"] = rc, run.first_line(err if rc not in (0, 1) else out.decode(errors="replace"))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(one, records))


def report(records, folder, show):
    """Prints the table and the disagreements; returns (passed, failed)."""
    rows, wrong = collections.defaultdict(collections.Counter), []
    for r in records:
        row, rejected = rows[(r["mutated"], r["kind"])], r["verdict"] == "rejected"
        ok = r.get("exit") == EXIT[r["verdict"]]
        row.update({"rejected": rejected, "rejected too": rejected and ok, "pairs": not rejected, "agree": ok and not rejected,
                    "equal": r["verdict"] == "equal"})
        if "exit" in r and not ok and not rejected:
            wrong.append(r)
    columns = ("pairs", "equal", "agree", "rejected", "rejected too")
    print(f"{'kind':30} {'pairs':>6} {'TVM equal':>10} {'agree':>6} {'TVM rejects':>12} {'exit 2':>7}")
    total = collections.Counter()
    for (_mutated, kind), row in sorted(rows.items()):
        print(f"{kind:30} {row['pairs']:6} {row['equal']:10} {row['agree']:6} {row['rejected']:12} {row['rejected too']:7}")
        total.update(row)
    print(f"{'all':30} " + " ".join(f"{total[c]:{w}}" for c, w in zip(columns, (6, 10, 6, 12, 7))))
    for r in wrong[:show]:
        print(f"{r['kind']}: the reference says {r['verdict']}{' ' + r['how'] if r['how'] else ''}, relay-diff exit {r['exit']}: {r['says']}")
        print(f"    {folder / r['a']} {folder / r['b']}\n    from {r['from'][0]}")
    return total["agree"], len(wrong)


def pairs_in(records):
    return sum(r["verdict"] != "rejected" for r in records)


def parse_arguments():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--bin", type=lambda p: Path(p).resolve())
    ap.add_argument("--pairs", type=int, default=600)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--show", type=int, default=20, help="disagreements shown")
    ap.add_argument("--save", type=Path, help="a new folder for the texts and verdicts.json")
    ap.add_argument("--verdicts", type=Path, help="the verdicts.json of an earlier --save; the reference is not asked")
    ap.add_argument("--declared", action="store_true", help="only operators that relay-opt -print-ops lists")
    ap.add_argument("--operators", help="only these operators, separated by commas")
    ap.add_argument("--corpus", type=Path, help="default: the packed corpus")
    ap.add_argument("--shared", type=Path, default=SHARED)
    ap.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    a = ap.parse_args()
    if not (a.bin or a.save or a.worker):
        ap.error("--bin or --save is needed")
    if a.bin and not (a.bin / "relay-diff").exists():
        ap.error(f"no relay-diff in {a.bin}")
    if a.declared and not a.bin:
        ap.error("--declared needs --bin")
    if a.save and a.verdicts:
        ap.error("--save and --verdicts exclude each other")
    if a.save and a.save.exists():
        ap.error(f"{a.save} exists")
    return a


def main():
    args = parse_arguments()
    if args.worker:
        return worker(args.shared)
    run = load_script(args.shared / "conformance" / "run.py")
    known = set(args.operators.split(",")) if args.operators else run.declared(args.bin) if args.declared else None
    skipped = 0
    if args.verdicts:
        folder, records = args.verdicts.resolve().parent, json.loads(args.verdicts.read_text())["pairs"]
        everything = records
        if known is not None:
            records = [r for r in records if run.operators({"file": folder / r["a"], "want": folder / r["b"], "dir": folder}) <= known]
        skipped = pairs_in(everything) - pairs_in(records)
    else:
        folder = (args.save or Path(tempfile.mkdtemp(prefix="relay-diff-pairs."))).resolve()
        records = save(draw(args, run, known), folder, args.seed)
    if args.bin:
        compare(records, folder, run, args)
    passed, failed = report(records, folder, args.show)
    if not args.save and not args.verdicts and not failed:
        shutil.rmtree(folder)
    if not args.bin:
        skipped = pairs_in(records)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
