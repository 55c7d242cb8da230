"""Shared by op-types.py and op-values.py: arguments, seeds of their calls, and the last lines of their reports."""
import argparse, re, subprocess, sys
from pathlib import Path

from reference import load_script

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def parse_arguments(doc, count, least):
    """The arguments of a script; None for bin in a worker."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=lambda path: Path(path).resolve())
    parser.add_argument("--count", type=int, default=count, help=f"calls (default {count})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=re.compile, metavar="REGEX", help="only operators whose whole name matches")
    parser.add_argument("--least", type=float, default=least, help=f"per cent that have to agree (default {least})")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--show", type=int, default=20, help="disagreements shown (default 20)")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.bin and not args.worker:
        parser.error("--bin is needed")
    return args


def declared_operators(tools):
    return subprocess.run([str(tools / "relay-opt"), "-print-ops"], capture_output=True, text=True, check=True).stdout.split()


class Seeds:
    """For the operators that --only selects: `seeds`, calls to change; `fields` of attributes; `mirrors`, attributes
    that repeat an operand; `keys`, the types of attributes that are printed as metadata, or None. Reports operators
    without a seed."""

    def __init__(self, args, texts, count, without):
        self.calls = load_script(HERE / "op-calls.py")
        self.fields, traits, keys = self.calls.facts_of(args.bin / "relay-tblgen", ROOT / "include", args.shared)
        declared = [op for op in declared_operators(args.bin) if not without.fullmatch(op)]
        self.mirrors = {op: [f["name"] for f in self.fields[op] if f["kind"] == "Expr"] for op in declared}
        self.keys = {op: keys[op] if "AttrsAsMeta" in traits[op] else None for op in declared}
        seeds = self.calls.seeds_of(texts, self.mirrors, self.fields, count)
        self.seeds = {op: seeds[op] for op in declared if not args.only or args.only.fullmatch(op)}
        if not self.seeds:
            sys.exit(f"error: --only {args.only.pattern} matches no operator")
        for op in sorted(op for op in self.seeds if not self.seeds[op]):
            print(f"no seed for {op}")

    def generate(self, count, seed):
        return self.calls.generate(self.seeds, self.fields, count, seed)


def show_counts(title, counts, totals=None):
    print(f"{title}: " + ", ".join(f"{name} {n}" + (f" of {totals[name]}" if totals else "") for name, n in counts.most_common()))


def finish(agreed, wrong, skipped, least):
    """The last lines; the exit status."""
    share = 100 * agreed / max(agreed + wrong, 1)
    print(f"{share:.2f} per cent agree")
    print(f"{agreed} passed, {wrong} failed, {skipped} skipped")
    return 0 if share >= least else 1
