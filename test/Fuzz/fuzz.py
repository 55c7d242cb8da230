#!/usr/bin/env python3
"""Runs relay-opt and relay-diff on mutated text with random pipelines and flags, and looks for what must not happen:
a crash, a hang, memory above 1 GiB, an exit without a diagnostic, a pass that leaves invalid IR or misreports what it
did, a text that does not read back.

usage: fuzz.py [--bin DIR] [--runs N] [--seconds S] [--seed N] [--jobs N] [--out DIR] [--corpus DIR]...

Seeds are the tests of this repository, graphs of utils/relay-models, and the files of --corpus. Run N of a seed is the
same on every machine: `--seed 1 --first 4711 --runs 1` repeats run 4711. Each kind of problem is kept once in --out,
reduced line by line, with the command that shows it. Exit status 1 if there was one.
"""
import argparse
import glob
import multiprocessing
import os
import random
import queue
import shlex
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import limited
from mutations import Mutator, find_tokens

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GRAPHS = 40            # random graphs among the seeds
LARGEST_SEED = 60_000  # bytes
REDUCTIONS = 400       # runs to reduce one problem

OPAQUE = "-opaque-constants"

# Flags with their probability in a run; %d is a small number.
FLAGS = ((0.7, "-verify-each"), (0.5, "-verify-roundtrip"), (0.3, "-verify-analysis-invalidation"),
         (0.15, "-verify-idempotent"), (0.1, "-verify-semantics=2"), (0.1, "-threads=4"), (0.1, "-split-input-file"), (0.1, "-no-infer"),
         (0.15, "-allow-unregistered-ops"), (0.15, "-allow-undefined-globals"), (0.3, OPAQUE), (0.05, "-print-changed=diff"),
         (0.05, "-print-op-diff"), (0.05, "-pass-report=report.html"), (0.05, "-print-spans"),
         (0.05, "-elide-constants-larger-than=%d"), (0.05, "-print-after-all"), (0.05, "-why=%%%d"),
         (0.05, "-opt-bisect-limit=%d"), (0.03, "-print-before-changed"), (0.03, "-stats"), (0.03, "-time-passes"))


def read_seeds(folders):
    """Texts of the files in `folders`, split into parts."""
    seeds = []
    for folder in folders:
        for path in sorted(glob.glob(f"{folder}/**/*.relay", recursive=True) + glob.glob(f"{folder}/**/*.json",
                                                                                         recursive=True)):
            with open(path, encoding="latin-1") as file:
                text = file.read()
            seeds += [part for part in text.split("// -----") if part.strip() and len(part) < LARGEST_SEED]
    return seeds


def make_graphs():
    def make(seed):
        command = [sys.executable, f"{ROOT}/utils/relay-models", "random", "--ops", "25", "--seed", str(seed)]
        command += ["--kinds", "all"] if seed % 4 else []
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    return [make(seed) for seed in range(GRAPHS)]


def print_passes(relay_opt):
    return subprocess.run([relay_opt, "-print-passes"], check=True, capture_output=True, text=True).stdout


def list_passes(listing):
    """Passes by unit, and analyses, as -print-passes lists them."""
    found = {"Module passes:": [], "Function passes:": [], "Pipelines:": [], "Analyses": []}
    section = None
    for line in listing.splitlines():
        if not line.startswith(" "):
            section = next((name for name in found if line.startswith(name)), None)
        elif section and not line.startswith("   "):
            found[section].append(line.split()[0])
    return found


def list_options(listing):
    """Options of each pass with values to try, as -print-passes lists them."""
    values = {"bool": ("true", "false"), "int": ("-1", "0", "1", "3", "2147483647"), "list": ("main", "main,f0")}
    found, name = {}, None
    for line in listing.splitlines():
        if line.startswith("    ") and "; " in line:
            kind = next((part.split(",")[0].split()[0] for part in line.split("; ")[1:]
                         if part.split(",")[0].split()[0] in values), None)
            if name and kind:
                found.setdefault(name, []).append((line.split()[0], values[kind]))
        elif line.startswith("  ") and not line.startswith("   "):
            name = line.split()[0]
    return found


# Options without which a pass refuses any text.
NEEDED = {"convert-layout": "desired-layouts=nn.conv2d:NHWC:default,nn.max_pool2d:NHWC"}


class Fuzzer:
    def __init__(self, options):
        self.options = options
        self.relay_opt = os.path.join(os.path.abspath(options.bin), "relay-opt")
        self.relay_diff = os.path.join(os.path.abspath(options.bin), "relay-diff")
        self.seeds = read_seeds([os.path.join(ROOT, "test")] + options.corpus) + make_graphs()
        listing = print_passes(self.relay_opt)
        self.pass_options = list_options(listing)
        listed = list_passes(listing)
        self.module_passes = listed["Module passes:"] + listed["Pipelines:"]
        self.function_passes = listed["Function passes:"]
        self.analyses = listed["Analyses"]
        self.tokens = find_tokens(self.seeds)

    # The parts of a run.

    def make_pass(self, source):
        kind = source.random()
        if kind < 0.08:
            return f"{source.choice(('require', 'print', 'invalidate'))}<{source.choice(self.analyses)}>"
        if kind < 0.5:
            return self.make_options(source, source.choice(self.function_passes))
        return self.make_options(source, source.choice(self.module_passes))

    def make_options(self, source, name):
        """`name`, sometimes with options."""
        chosen = [f"{option}={source.choice(values)}" for option, values in self.pass_options.get(name, ())
                  if source.random() < 0.4]
        chosen += [NEEDED[name]] if name in NEEDED else []
        return f"{name}<{';'.join(chosen)}>" if chosen else name

    def make_pipeline(self, source):
        passes = [self.make_pass(source) for _ in range(source.choice((0, 1, 1, 2, 3, 4)))]
        group = source.random()
        if group < 0.1:
            return f"sequential({','.join(passes)})"
        if group < 0.15 and passes:
            return f"repeat<count=2>({','.join(passes)})"
        if group < 0.18:
            return f"function({','.join(self.make_options(source, source.choice(self.function_passes)) for _ in range(2))})"
        return ",".join(passes)

    def make_flags(self, source):
        flags = ["-passes=" + self.make_pipeline(source)]
        for chance, flag in FLAGS:
            if source.random() < chance:
                flags.append(flag.replace("%d", str(source.choice((0, 1, 2, 5, 64)))).replace("%%", "%"))
        for flag, other in (("-no-infer", "-verify-each"), ("-print-before-changed", "-print-changed=diff")):
            if flag in flags and other in flags:
                flags.remove(flag)
        return flags

    def make_run(self, number):
        """The command, without the binary's folder, and the text of run `number`."""
        source = random.Random(f"{self.options.seed} {number}")
        mutator = Mutator(source, self.seeds, self.tokens)
        text = source.choice(self.seeds)
        if source.random() < 0.97:
            text = mutator.mutate(text)
        if source.random() < 0.05:
            return [self.relay_diff, "-", "input.relay", "-allow-unregistered-ops"], text.encode("latin-1")
        flags = self.make_flags(source)
        if OPAQUE in flags and source.random() < 0.7:
            text = text.split("#[metadata]")[0]
        return [self.relay_opt, "-"] + flags, text.encode("latin-1")

    # Runs.

    def run(self, command, text, folder):
        if command[0] != self.relay_diff:
            return limited.run(command, folder, text)
        with open(os.path.join(folder, "input.relay"), "wb") as file:
            file.write(text)
        return limited.run(command, folder, text, failures=(1, 2))

    def reduce(self, command, text, kind, folder):
        """Fewer lines of `text` that show the same kind of problem."""
        lines = text.split(b"\n")
        step, runs = max(1, len(lines) // 2), 0
        while step and runs < REDUCTIONS:
            at, dropped = 0, False
            while at < len(lines) and runs < REDUCTIONS:
                fewer = lines[:at] + lines[at + step:]
                runs += 1
                if self.run(command, b"\n".join(fewer), folder).kind() == kind:
                    lines, dropped = fewer, True
                else:
                    at += step
            step = step if dropped and step == 1 else step // 2
        return b"\n".join(lines)


def work(fuzzer, numbers, problems, count, accepted, seen):
    limited.limit_resources()
    with tempfile.TemporaryDirectory(prefix="relay-fuzz") as folder:
        while True:
            with numbers.get_lock():
                number = numbers.value
                numbers.value += 1
            options = fuzzer.options
            if options.runs is not None and number >= options.first + options.runs:
                return
            if options.seconds is not None and time.monotonic() > options.end:
                return
            command, text = fuzzer.make_run(number)
            outcome = fuzzer.run(command, text, folder)
            with count.get_lock():
                count.value += 1
                accepted.value += outcome.status == 0
            if not outcome.problem or outcome.kind() in seen:
                continue
            seen[outcome.kind()] = number
            text = fuzzer.reduce(command, text, outcome.kind(), folder)
            problems.put((f"run {number}", outcome.problem, [command], text))


def keep(options, name, problem, commands, text):
    """Writes the input to --out and prints the commands, a pipe, that show the problem."""
    path = os.path.join(options.out, name.replace(" ", "-") + ".relay")
    os.makedirs(options.out, exist_ok=True)
    with open(path, "wb") as file:
        file.write(text)
    print(f"{name}: {problem}\n  {' | '.join(map(shlex.join, commands))} < {path}", flush=True)


def finish(summary, found, workers):
    """Prints the result; returns the exit status."""
    died = sum(worker.exitcode != 0 for worker in workers)
    print(summary + (f", {died} workers died" if died else ""))
    return 1 if found or died else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="fuzz-problems")
    parser.add_argument("--corpus", action="append", default=[])
    options = parser.parse_args()
    if options.runs is None and options.seconds is None:
        options.runs = 1000

    fuzzer = Fuzzer(options)
    options.end = time.monotonic() + (options.seconds or 0)  # making the seeds takes seconds itself
    context = multiprocessing.get_context("fork")
    numbers = context.Value("q", options.first)
    count, accepted = context.Value("q", 0), context.Value("q", 0)
    with context.Manager() as manager:
        problems, seen = manager.Queue(), manager.dict()
        workers = [context.Process(target=work, args=(fuzzer, numbers, problems, count, accepted, seen))
                   for _ in range(options.jobs)]
        for worker in workers:
            worker.start()
        found = 0
        while any(worker.is_alive() for worker in workers) or not problems.empty():
            try:
                problem = problems.get(timeout=0.2)
            except queue.Empty:
                continue
            keep(options, *problem)
            found += 1
    return finish(f"{count.value} runs, {accepted.value} without a diagnostic, {found} kinds of problems", found,
                  workers)


if __name__ == "__main__":
    sys.exit(main())
