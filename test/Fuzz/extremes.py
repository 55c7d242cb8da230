#!/usr/bin/env python3
"""Calls every operator with extreme numbers: each integer of its attributes, the length of each list and each dimension
of its operands in turn, beside what the tests of operators give it, and some calls with two of these. What is looked for
are crashes, hangs and memory above 1 GiB while the call is typed, verified and printed, and text that does not read back.

usage: extremes.py [--bin DIR] [--ops a,b] [--seeds N] [--pairs N] [--seed N] [--jobs N] [--out DIR]

Calls run many a process; of a batch in which something is wrong each is run alone. Each kind of problem of an operator is
kept once in --out. The same flags make the same calls. Exit status 1 if there was a problem.
"""
import argparse
import importlib.util
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import limited
from fuzz import ROOT, finish, keep

INT32, INT64 = 1 << 31, 1 << 63
NUMBERS = (0, 1, -1, 1000, 10**9, INT32 - 1, -INT32, INT32, 1 << 32, INT64 - 1, -INT64)
BATCH = 60  # calls a process
SHORT = 1000  # characters of a call that is changed a second time
FLAGS = ("-", "-split-input-file", "-verify-roundtrip", "-threads=1")
SEPARATOR = "\n// -----\n"


def load_calls():
    """test/Conformance/op-calls.py, which reads and writes calls."""
    path = os.path.join(ROOT, "test/Conformance/op-calls.py")
    spec = importlib.util.spec_from_file_location("op_calls", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


calls = load_calls()


def texts_of_numbers(was):
    """Extreme numbers in the form of the number `was`: those beyond int32, and int32 ones also as int64."""
    for number in NUMBERS:
        if str(number) != was:
            yield str(number)
    for number in (10**9, INT64 - 1, -INT64):
        yield f"{number}i64"


def values(text):
    """Texts for the value of an attribute, with one number or the length of one list changed."""
    for found in re.finditer(r'"[^"]*"|-?\d+(i64)?(?![\w.])', text):
        if not found[0].startswith('"'):
            for number in texts_of_numbers(found[0]):
                yield text[:found.start()] + number + text[found.end():]
    if text.startswith("[") and text.endswith("]"):
        items = calls.split(text[1:-1])
        for other in ([], items[:1], items + items + items[:1], items * 40):
            if other != items:
                yield "[" + ", ".join(other) + "]"


def tensors(t):
    """`t` with one dimension changed, or the number of dimensions."""
    for i, dim in enumerate(t.dims):
        for number in texts_of_numbers(dim):
            yield t._replace(dims=t.dims[:i] + (number,) + t.dims[i + 1:])
    for dims in ((), t.dims[:1], t.dims * 2 + ("1",), t.dims * 40):
        if dims != t.dims:
            yield t._replace(dims=dims)


def changes(call):
    """The call with one change."""
    for path, tensor in calls.leaves(call.operands):
        for new in tensors(tensor):
            yield call._replace(operands=calls.replaced(call.operands, path, new))
    for i, (name, text) in enumerate(call.attrs):
        for new in values(text):
            yield call._replace(attrs=call.attrs[:i] + ((name, new),) + call.attrs[i + 1:])


def read_calls(options):
    """{operator: calls that the tests of operators make}."""
    relay_opt = os.path.join(options.bin, "relay-opt")
    listing = subprocess.run([relay_opt, "-print-ops"], check=True, capture_output=True, text=True).stdout
    texts = []
    folder = os.path.join(ROOT, "test/Ops")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".relay") and not name.endswith("-errors.relay"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts.append(file.read())
    return calls.seeds_of(texts, {op: () for op in listing.split()}, {}, options.seeds)


def make_calls(op, seeds, options):
    """Texts of one function each."""
    source = random.Random(f"{options.seed} {op}")
    made = dict.fromkeys(change for seed in seeds for change in changes(seed))
    short = [call for call in made if len(str(call)) < SHORT]
    for _ in range(options.pairs if short else 0):
        if again := list(changes(source.choice(short))):
            made[source.choice(again)] = None
    return [calls.write_call(call, "main") for call in made]


def check(relay_opt, texts, folder):
    """Yields (text, outcome) of the calls that show a problem."""
    outcome = limited.run([relay_opt, *FLAGS], folder, SEPARATOR.join(texts).encode())
    if not outcome.problem:
        return
    if len(texts) == 1:
        yield texts[0], outcome
        return
    half = len(texts) // 2
    yield from check(relay_opt, texts[:half], folder)
    yield from check(relay_opt, texts[half:], folder)


def work(job):
    """Runs the calls of one operator: their number, and a text for each kind of problem."""
    op, seeds, options = job
    limited.limit_resources()
    relay_opt = os.path.join(options.bin, "relay-opt")
    texts = make_calls(op, seeds, options)
    found = {}
    with tempfile.TemporaryDirectory(prefix="relay-extremes") as folder:
        for start in range(0, len(texts), BATCH):
            for text, outcome in check(relay_opt, texts[start:start + BATCH], folder):
                found.setdefault(outcome.kind(), (text, outcome.problem))
    return op, len(texts), list(found.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    parser.add_argument("--ops", help="operators, separated by commas; default: all")
    parser.add_argument("--seeds", type=int, default=3, help="calls of an operator to change")
    parser.add_argument("--pairs", type=int, default=100, help="calls of an operator with two changes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="extreme-problems")
    options = parser.parse_args()
    options.bin = os.path.abspath(options.bin)

    seeds = read_calls(options)
    wanted = options.ops.split(",") if options.ops else sorted(seeds)
    without = [op for op in wanted if not seeds[op]]
    if without:
        print(f"no call in the tests: {', '.join(without)}")
    count = problems = 0
    # The resident memory of this process counts for its children.
    with multiprocessing.get_context("fork").Pool(options.jobs, maxtasksperchild=1) as pool:
        for op, number, found in pool.imap(work, [(op, seeds[op], options) for op in wanted]):
            count += number
            problems += len(found)
            for i, (text, problem) in enumerate(found):
                command = [os.path.join(options.bin, "relay-opt"), "-", "-verify-roundtrip"]
                keep(options, f"{op} {i}", problem, [command], text.encode())
    return finish(f"{count} calls of {len(wanted) - len(without)} operators, {problems} kinds of problems", problems, [])


if __name__ == "__main__":
    sys.exit(main())
