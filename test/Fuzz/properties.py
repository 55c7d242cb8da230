#!/usr/bin/env python3
"""Checks on random graphs the properties of every pass:

- the printed text reads back to the same bytes;
- the types are those that inference finds;
- two passes in one process give the same as through text;
- four threads give the same as one;
- functions compute the same, as -verify-semantics finds: @main is always evaluated, within the tolerance that the pass
  declares.

usage: properties.py [--bin DIR] [--graphs N] [--seconds S] [--first N] [--jobs N] [--out DIR]

Two of four graphs have operators of all kinds, all data types, and all constructs of the language, one of four is a
program with effects. A graph that breaks a property is kept in --out, with the commands that show it. Each minute, or
--progress seconds, a line on standard error gives the number of checked graphs; an interrupted run reports the graphs
that it has checked. Exit status 1 if a property was broken.
"""
import argparse
import io
import multiprocessing
import os
import random
import re
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import inputs
import limited
import outputs
from fuzz import ROOT, finish, keep, list_passes, print_passes

sys.path.insert(0, os.path.join(ROOT, "utils"))
import relay_models

BATCH = 16                    # graphs that a process reads
SIZES = (5, 15, 30, 60, 120)  # operations of a graph
SEPARATOR = b"// -----\n"
SEMANTICS = "-verify-semantics"
UNEVALUATED = re.compile(r"^verify-semantics: \S+ on @main\b.*: (not evaluated: .*|.*failed before.*)$", re.MULTILINE)
SCALAR = re.compile(rb"[^\w.%](-?\d[\d.e+-]*\w*|True|False) /\* ty=")

# Layouts that convert-layout is run with.
LAYOUTS = ("nn.conv2d:NHWC:HWIO,qnn.conv2d:NHWC:HWIO,nn.conv3d:NDHWC:default,nn.max_pool2d:NHWC,nn.avg_pool2d:NHWC,"
           "nn.global_avg_pool2d:NHWC,nn.conv2d_transpose:NHWC:default,image.resize2d:NHWC",
           "nn.conv2d:NCHW:OIHW,qnn.conv2d:NCHW:OIHW,nn.max_pool2d:NCHW,nn.avg_pool2d:NCHW",
           "nn.conv2d:NCHW4c:OIHW4o",
           "nn.conv2d:HWNC:default,nn.max_pool2d:HWNC,nn.avg_pool2d:HWNC")

# A batch has one of these targets: legalize, alter-op-layout and the passes on qnn operators depend on it.
TARGETS = ([], ["-target=llvm"], ["-target=llvm,mcpu=core-avx2"], ["-target=llvm,mcpu=cascadelake"])

FOLDER = os.path.dirname(os.path.abspath(__file__))

# Passes that need an option, and options that change what a pass does.
VARIANTS = {"eta-expand": ["eta-expand<expand-constructor;expand-global-var>"],
            "dead-code-elimination": ["dead-code-elimination", "dead-code-elimination<inline-once>"],
            "split-args": ["split-args<max-function-args=4>"],
            "combine-parallel-conv2d": ["combine-parallel-conv2d<min-num-branches=2>"],
            "combine-parallel-batch-matmul": ["combine-parallel-batch-matmul<min-num-branches=2>"],
            "combine-parallel-dense": ["combine-parallel-dense<min-num-branches=2>",
                                       "combine-parallel-dense<min-num-branches=2;to-batch=false>"],
            "convert-layout": [f"convert-layout<desired-layouts={layouts}>" for layouts in LAYOUTS],
            "fold-constant": ["fold-constant", "fold-constant<fold-qnn>"],
            "fake-quantization-to-integer": ["fake-quantization-to-integer<use-qat;optional-qnn-ops=nn.softmax>"],
            "fuse-ops": ["fuse-ops", "fuse-ops<max-depth=3>", "fuse-ops<fuse-opt-level=1>",
                         "fuse-ops<fuse-opt-level=0>"],
            "defuse-ops": ["defuse-ops", "fuse-ops,defuse-ops"],
            "manifest-lifetimes": ["to-a-normal-form,manifest-lifetimes"],
            "merge-composite": [f"merge-composite<patterns={os.path.join(FOLDER, 'composites.patterns')}>",
                                "merge-composite<targets=dnnl>"],
            "annotate-target": ["annotate-target<targets=dnnl>"],
            "merge-compiler-regions": ["annotate-target<targets=dnnl>,merge-compiler-regions"],
            "partition-graph": ["annotate-target<targets=dnnl>,merge-compiler-regions,partition-graph",
                                "annotate-target<targets=dnnl;include-non-call-ops=false>,partition-graph"],
            "plan-devices": ["plan-devices", "plan-devices<targets=llvm,cuda;default-device=cuda>"],
            "partial-evaluate": ["partial-evaluate", "partial-evaluate<max-unfolded-operations=30>"],
            "pattern-table": ["pattern-table<targets=dnnl>"],
            "mark-compiler-functions-as-extern": [
                "annotate-target<targets=dnnl>,partition-graph,mark-compiler-functions-as-extern"],
            "rewrite": [f"rewrite<rules={os.path.join(FOLDER, 'right.rules')}>"]}

# Passes that refuse scales which another pass has made parameters of a function.
NEED_CONSTANTS = {"qnn-canonicalize", "qnn-legalize", *(f"default<O{level}>" for level in (1, 2, 3, 4))}
# Passes after which comparisons of rounded floats may take other branches, and for whose types kernels are missing.
ROUNDING = {"to-mixed-precision"}
# Passes that refuse operators without gradient, which most graphs have; test/Conformance/gradients.py checks them.
NEED_GRADIENTS = {"gradient", "first-order-gradient"}
# Passes that refuse what other passes create: primitive functions, data types with functions;
# test/Conformance/pass-agreement.py checks them.
NEED_PLAIN_FUNCTIONS = {"to-cps", "un-cps", "defunctionalization"}


class Broken(Exception):
    """A property that does not hold, and the commands that show it."""

    def __init__(self, what, commands):
        super().__init__(what)
        self.commands = commands


class Checker:
    """Checks a batch of graphs; a batch is a list of texts, which one process reads with -split-input-file."""

    def __init__(self, folder, binaries):
        self.folder = folder
        self.relay_opt = [os.path.join(binaries, "relay-opt"), "-"]
        self.relay_diff = os.path.join(binaries, "relay-diff")
        self.relay_run = os.path.join(binaries, "relay-run")
        self.results = {}
        self.target = []

    def run(self, command, text):
        outcome = limited.run(command, self.folder, text)
        if outcome.problem or outcome.status:
            first = outcome.err.split("\n", 1)[0]
            raise Broken(outcome.problem or f"exit status {outcome.status}: {first}", [command])
        if unevaluated := UNEVALUATED.search(outcome.err):
            raise Broken(f"@main is not evaluated on all inputs: {unevaluated[0]}", [command])
        return outcome.out

    def opt(self, batch, *flags):
        """The output of relay-opt for each graph."""
        command = [*self.relay_opt, *self.target, *(["-split-input-file"] if len(batch) > 1 else []), *flags]
        return self.run(command, SEPARATOR.join(batch)).split(SEPARATOR)

    def compare(self, what, first, second, *commands):
        if first != second:
            raise Broken(what, [[*self.relay_opt, *self.target, *flags] for flags in commands])

    def check_pass(self, batch, name):
        flags = (f"-passes={name}", "-verify-each", "-verify-analysis-invalidation")
        once = self.opt(batch, *flags, *([] if name in ROUNDING else [SEMANTICS]))
        threads = self.opt(batch, *flags, "-threads=4", "-min-parallel-work=0")
        self.compare("four threads print another text than one", threads, once, flags)
        self.compare("the text does not read back to the same bytes", self.opt(once), once, flags, ())
        typed = self.opt(batch, f"-passes={name},infer-type")
        self.compare("inference through text finds other types", self.opt(once, "-passes=infer-type"), typed, flags,
                     ("-passes=infer-type",))
        return once

    def check_pair(self, batch, first, second, after_first, files):
        """Compares `second` on the text of `first` with both in one process. Names and numbers may differ. So may a
        scalar constant with several uses, since text repeats it for each use; the results then decide."""
        together = self.opt(batch, f"-passes={first},{second}")
        apart = self.opt(after_first, f"-passes={second}")
        for text, left, right, arrays in zip(after_first, together, apart, files):
            if left == right or self.are_equal(left, right):
                continue
            if not repeats_scalar(text) or outputs.compare(self.evaluate(left, arrays), self.evaluate(right, arrays)):
                raise Broken("two passes through text give another module than in one process",
                             [[*self.relay_opt, *self.target, f"-passes={passes}"]
                              for passes in (f"{first},{second}", first, second)])

    def are_equal(self, left, right):
        with tempfile.NamedTemporaryFile(dir=self.folder, suffix=".relay") as file:
            file.write(left)
            file.flush()
            return limited.run([self.relay_diff, "-", file.name], self.folder, right, (1, 2)).status == 0

    def evaluate(self, text, arrays):
        """The result of @main for these inputs; the same text is evaluated once."""
        if text not in self.results:
            self.results[text] = self.run([self.relay_run, "-", arrays], text).decode()
        return self.results[text]

    def check(self, batch, passes, source):
        self.results.clear()
        self.target = source.choice(TARGETS)
        files = [os.path.join(self.folder, f"inputs{index}.npz") for index in range(len(batch))]
        for file, text in zip(files, batch):
            inputs.write(file, text, 1)
        for name in passes:
            once = self.check_pass(batch, name)
            second = source.choice([other for other in passes if other not in NEED_CONSTANTS])
            self.check_pair(batch, name, second, once, files)


def repeats_scalar(text):
    """Whether a literal occurs twice in the text."""
    literals = SCALAR.findall(text)
    return len(set(literals)) < len(literals)


def make_graph(number):
    """Every fourth has one data type and a few operators, every fourth is a program with effects."""
    ops = str(random.Random(number).choice(SIZES))
    model = {0: ["random"], 1: ["effects"]}.get(number % 4, ["random", "--kinds", "all"])
    args = relay_models.parse_arguments("", [*model, "--seed", str(number), "--ops", ops])
    text = io.StringIO()
    args.write(args, text)
    return text.getvalue().encode()


def keep_inputs(name, text, commands, folder):
    """Writes the inputs of a graph to --out if the commands read them, and names that file in the commands."""
    if not any(word.endswith(".npz") for command in commands for word in command):
        return commands
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, name.replace(" ", "-") + ".npz")
    inputs.write(path, text, 1)
    return [[path if word.endswith(".npz") else word for word in command] for command in commands]


def check_batch(checker, passes, first, count, folder):
    """Problems of the graphs from `first` on. A batch with a problem is checked again graph by graph."""
    batch = [make_graph(number) for number in range(first, first + count)]
    try:
        checker.check(batch, passes, random.Random(first))
        return
    except Broken as broken:
        problem = f"graphs {first} to {first + count - 1}", str(broken), broken.commands, SEPARATOR.join(batch)
    found = False
    for index, text in enumerate(batch):
        try:
            checker.check([text], passes, random.Random(first))
        except Broken as broken:
            found, name = True, f"graph {first + index}"
            yield name, str(broken), keep_inputs(name, text, broken.commands, folder), text
    if not found:  # Only together do they break it.
        yield problem


def work(options, passes, numbers, checked, problems):
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # main() is interrupted, and ends this process
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # removes the folder
    limited.limit_resources()
    with tempfile.TemporaryDirectory(prefix="relay-properties") as folder:
        checker = Checker(folder, os.path.abspath(options.bin))
        while True:
            with numbers.get_lock():
                first, count = numbers.value, BATCH
                if options.graphs is not None:
                    count = min(count, options.first + options.graphs - first)
                if count <= 0 or options.seconds is not None and time.monotonic() > options.end:
                    return
                numbers.value += count
            for problem in check_batch(checker, passes, first, count, options.out):
                problems.put(problem)
            with checked.get_lock():
                checked.value += count


def describe(count, passes, found):
    return f"{count} graphs, {len(passes)} passes, {found} broken properties"


def collect(options, passes, workers, checked, problems):
    """Collects problems until all workers have ended, or the user interrupts them. Returns their number."""
    found, shown = 0, time.monotonic()
    try:
        while any(worker.is_alive() for worker in workers) or not problems.empty():
            if time.monotonic() - shown >= options.progress:
                shown = time.monotonic()
                print(describe(checked.value, passes, found), file=sys.stderr, flush=True)
            if problems.empty():
                time.sleep(0.05)
                continue
            keep(options, *problems.get())
            found += 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        for worker in workers:
            worker.terminate()
            worker.join()
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    parser.add_argument("--graphs", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", default="broken-properties")
    parser.add_argument("--progress", type=float, default=60, help="seconds between lines of progress (default 60)")
    options = parser.parse_args()
    if options.graphs is None and options.seconds is None:
        options.graphs = 100
    options.end = time.monotonic() + (options.seconds or 0)

    listed = list_passes(print_passes(os.path.join(options.bin, "relay-opt")))
    names = listed["Module passes:"] + listed["Function passes:"] + listed["Pipelines:"]
    passes = [variant for name in names if name not in NEED_GRADIENTS | NEED_PLAIN_FUNCTIONS
              for variant in VARIANTS.get(name, [name])]
    context = multiprocessing.get_context("fork")
    numbers, checked, problems = context.Value("q", options.first), context.Value("q", 0), context.SimpleQueue()
    arguments = options, passes, numbers, checked, problems
    workers = [context.Process(target=work, args=arguments) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    found = collect(options, passes, workers, checked, problems)
    return finish(describe(checked.value, passes, found), found, workers)


if __name__ == "__main__":
    sys.exit(main())
