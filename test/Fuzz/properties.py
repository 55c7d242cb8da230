#!/usr/bin/env python3
"""Checks on random graphs what holds for every pass: what it prints reads back to the same bytes, its types are those
that inference finds, two passes in one process give what they give through text, four threads give what one gives.

usage: properties.py [--bin DIR] [--graphs N] [--seconds S] [--first N] [--jobs N] [--out DIR]

A graph that breaks a property is kept in --out, with the commands that show it. Exit status 1 if there was one.
"""
import argparse
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import limited
from fuzz import ROOT, finish, keep, list_passes, print_passes


# Passes that need an option, and options that change what a pass does.
VARIANTS = {"eta-expand": ["eta-expand<expand-constructor;expand-global-var>"],
            "dead-code-elimination": ["dead-code-elimination", "dead-code-elimination<inline-once>"],
            "split-args": ["split-args<max-function-args=4>"],
            "fuse-ops": ["fuse-ops", "fuse-ops<max-depth=3>", "fuse-ops<fuse-opt-level=1>"]}


class Broken(Exception):
    """A property that does not hold, and the commands that show it."""

    def __init__(self, what, commands):
        super().__init__(what)
        self.commands = commands


class Checker:
    def __init__(self, folder, binaries):
        self.folder = folder
        self.relay_opt = os.path.join(binaries, "relay-opt")
        self.relay_diff = os.path.join(binaries, "relay-diff")

    def opt(self, text, *flags):
        command = [self.relay_opt, "-", *flags]
        outcome = limited.run(command, self.folder, text)
        if outcome.problem or outcome.status:
            first = outcome.err.split("\n", 1)[0]
            raise Broken(outcome.problem or f"exit status {outcome.status}: {first}", [command])
        return outcome.out

    def compare(self, what, first, second, *commands):
        if first != second:
            raise Broken(what, [[self.relay_opt, "-", *flags] for flags in commands])

    def check_pass(self, text, name):
        flags = (f"-passes={name}", "-verify-each", "-verify-analysis-invalidation")
        once = self.opt(text, *flags)
        threads = self.opt(text, *flags, "-threads=4", "-min-parallel-work=0")
        self.compare("four threads print another text than one", threads, once, flags)
        self.compare("the text does not read back to the same bytes", self.opt(once), once, flags, ())
        typed = self.opt(text, f"-passes={name},infer-type")
        self.compare("inference through text finds other types", self.opt(once, "-passes=infer-type"), typed, flags,
                     ("-passes=infer-type",))
        return once

    def check_pair(self, text, first, second, after_first):
        """`second` on the text of `first` gives what it gives in the same process. Names and numbers may differ."""
        together = self.opt(text, f"-passes={first},{second}")
        apart = self.opt(after_first, f"-passes={second}")
        if together == apart:
            return
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".relay") as file:
            file.write(together)
            file.flush()
            command = [self.relay_diff, "-", file.name]
            if limited.run(command, self.folder, apart, (1, 2)).status:
                raise Broken("two passes through text give another module than in one process",
                             [[self.relay_opt, "-", f"-passes={first},{second}"],
                              [self.relay_opt, "-", f"-passes={first}"], [self.relay_opt, "-", f"-passes={second}"]])


def make_graph(number):
    source = random.Random(number)
    command = [sys.executable, f"{ROOT}/utils/relay-models", "random", "--seed", str(number), "--ops",
               str(source.choice((5, 20, 60, 200)))]
    return subprocess.run(command, check=True, capture_output=True).stdout


def check_graph(checker, passes, number):
    text = make_graph(number)
    source = random.Random(number)
    try:
        for name in passes:
            once = checker.check_pass(text, name)
            checker.check_pair(text, name, source.choice(passes), once)
    except Broken as broken:
        return f"graph {number}", str(broken), broken.commands, text
    return None


def work(options, passes, numbers, problems):
    limited.limit_resources()
    with tempfile.TemporaryDirectory(prefix="relay-properties") as folder:
        checker = Checker(folder, os.path.abspath(options.bin))
        while True:
            with numbers.get_lock():
                number = numbers.value
                if (options.graphs is not None and number >= options.first + options.graphs
                        or options.seconds is not None and time.monotonic() > options.end):
                    return
                numbers.value += 1
            if problem := check_graph(checker, passes, number):
                problems.put(problem)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    parser.add_argument("--graphs", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="broken-properties")
    options = parser.parse_args()
    if options.graphs is None and options.seconds is None:
        options.graphs = 100
    options.end = time.monotonic() + (options.seconds or 0)

    listed = list_passes(print_passes(os.path.join(options.bin, "relay-opt")))
    names = listed["Module passes:"] + listed["Function passes:"] + listed["Pipelines:"]
    passes = [variant for name in names for variant in VARIANTS.get(name, [name])]
    context = multiprocessing.get_context("fork")
    numbers, problems = context.Value("q", options.first), context.SimpleQueue()
    workers = [context.Process(target=work, args=(options, passes, numbers, problems)) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    found = 0
    while any(worker.is_alive() for worker in workers) or not problems.empty():
        if problems.empty():
            time.sleep(0.05)
            continue
        keep(options, *problems.get())
        found += 1
    return finish(f"{numbers.value - options.first} graphs, {len(passes)} passes, {found} broken properties", found,
                  workers)


if __name__ == "__main__":
    sys.exit(main())
