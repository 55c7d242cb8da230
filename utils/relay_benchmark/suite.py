"""The order of measurements: tools that are compared take turns (A B C A B C …), so that all see the same machine."""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from . import evaluation, graphs, rules
from .results import UNREAD, Figure, Results, Task, figure

PARTS = ("graphs", "walk", "instructions", "network", "threads", "changes", "manager", "rules", "evaluation")
# A task is not measured again once its runs took this long in total: seconds.
ENOUGH = 2
FEWEST = 3            # Of relay-opt's own runs: one alone may have been disturbed.
ENOUGH_OF_NOISE = 15  # Where two runs are to be compared that differ by little.
COUNTED_SIZES = (3_000, 30_000)  # Valgrind takes fifty times as long.
# Passes on quantized networks, by the form of the network.
QUANTIZED = {"qnn": ["qnn-legalize", "qnn-canonicalize"], "fake": ["fake-quantization-to-integer"]}
FUNCTION_PASSES = "function(simplify-inference,eliminate-common-subexpr,fuse-ops,defuse-ops)"


def is_done(taken, fewest, enough):
    if any(sample.status != "ok" for sample in taken):
        return True
    return len(taken) >= fewest and sum(sample.wall for sample in taken) > enough


def take_turns(calls, runs, enough):
    """Samples by key: of each call until it fails or took long enough; if the first call fails, only of that."""
    samples = {key: [] for key in calls}
    for _ in range(runs):
        for index, (key, taken) in enumerate(samples.items()):
            if is_done(taken, 1 if index else FEWEST, enough):
                continue
            taken.append(calls[key]())
            if index == 0 and taken[-1].status != "ok":
                return {key: taken}
    return samples


def printed_costs(program, tests, unit):
    """Names and nanoseconds from the lines `what: 1.5 ns a unit` that unit tests print."""
    print(f"measuring {tests}", file=sys.stderr, flush=True)
    output = subprocess.run([program, f"--gtest_filter={tests}"], capture_output=True, text=True).stdout
    return [(what, float(cost)) for what, cost in re.findall(rf"^(.+): ([\d.]+) ns {unit}$", output, re.M)]


class Suite:
    """`tools`: relay-opt first; `opt`: a list with LLVM's opt, if any; `timeout`: the limit of a run in seconds."""

    def __init__(self, tools, opt, runs, timeout, folder):
        self.tools = tools
        self.opt = opt
        self.runs = runs
        self.timeout = timeout
        self.folder = folder
        self.results = Results([tool.name for tool in [*tools, *opt]])
        self.given_up = {}  # (tool, kind, graph, pass) to why, at a smaller size,
        self.costs = {}     # and to the seconds of a run for each operation there.

    def measure(self, calls, enough=ENOUGH):
        """Records figures; calls: (task, name of the tool) to a function that measures once."""
        calls = {key: call for key, call in calls.items() if not self.skip(*key)}
        for (task, tool), taken in take_turns(calls, self.runs, enough).items():
            self.record(task, tool, taken)

    def compare(self, task, call):
        """Measures a task with all tools; call(tool) measures once."""
        size = f", {task.ops} operations" if task.ops else ""
        print(f"measuring {task.pass_name or task.kind}: {task.subject}{size}", file=sys.stderr, flush=True)
        self.measure({(task, tool.name): partial(call, tool) for tool in self.tools})

    def reason_to_skip(self, task, tool):
        read = self.results.get(Task("text", task.subject, task.ops), tool)
        if task.kind == "pass" and read and read.status != "ok":
            return UNREAD
        key = tool, task.kind, task.subject, task.pass_name
        expected = self.costs.get(key, 0) * task.ops
        if expected > self.timeout:
            return f"would take more than {self.timeout} s, going by a smaller size"
        return self.given_up.get(key)

    def skip(self, task, tool):
        reason = self.reason_to_skip(task, tool)
        if reason:
            self.results.figures[task, tool] = Figure("skipped", note=reason)
        return bool(reason)

    def record(self, task, tool, samples):
        found = figure(samples) if samples else Figure("absent")
        if found.status == "absent":  # Nothing to show.
            return
        self.results.figures[task, tool] = found
        key = tool, task.kind, task.subject, task.pass_name
        if task.ops and found.status == "ok":
            self.costs[key] = min(sample.wall for sample in samples) / task.ops
        elif task.ops:
            self.given_up[key] = f"{found.status} at {task.ops} operations"

    def startup(self):
        self.compare(Task("startup", "--version"), lambda tool: tool.startup())
        model = graphs.network("resnet-18", self.folder)
        self.compare(Task("startup", "resnet-18"), lambda tool: tool.whole(model))

    def passes(self, graph, names):
        for name in names:
            self.compare(Task("pass", graph.name, graph.ops, name), lambda tool: tool.one_pass(name, graph))

    def network(self, names):
        self.passes(graphs.network("resnet-50", self.folder), names)
        for form, passes in QUANTIZED.items():
            chosen = [name for name in passes if name in names]
            graph = graphs.quantized(form, self.tools[0].path, self.folder) if chosen else None
            if graph:
                self.passes(graph, chosen)

    def graphs(self, sizes, shapes, names):
        """Each graph is written once, for all tools and passes."""
        self.startup()
        for ops in sorted(sizes):
            for shape in shapes:
                graph = graphs.synthetic(shape, ops, self.folder, any(tool.name == "mlir-opt" for tool in self.tools))
                self.compare(Task("text", graph.name, graph.ops), lambda tool: tool.text(graph))
                self.passes(graph, names)
                graphs.remove(graph)

    def instructions(self, valgrind, shapes, names):
        """The instructions that passes execute per operation, which noise and caches do not change."""
        relay = self.tools[0]
        for ops in COUNTED_SIZES:
            for shape in shapes:
                print(f"measuring instructions: {shape}, {ops} operations", file=sys.stderr, flush=True)
                graph = graphs.synthetic(shape, ops, self.folder, tosa=False)
                with ThreadPoolExecutor(os.cpu_count()) as pool:  # Nothing is timed.
                    empty, *counts = pool.map(partial(relay.instructions, valgrind, graph), ["sequential()", *names])
                for name, counted in zip(names, counts):
                    if empty and counted:
                        self.results.instructions[name, shape, ops] = (counted - empty) / ops
                graphs.remove(graph)

    def threads(self, number=2):
        """Function passes on one thread and on several."""
        print("measuring threads", file=sys.stderr, flush=True)
        graph, relay = graphs.functions(1000, 200, self.folder), self.tools[0]
        self.measure({(Task("threads", str(threads), graph.ops), relay.name):
                      partial(relay.function_passes, graph, FUNCTION_PASSES, threads) for threads in (1, number)},
                     ENOUGH_OF_NOISE)
        graphs.remove(graph)

    def changes(self):
        """-print-changed=quiet where a pass changes one function of many, and the plain run."""
        print("measuring changes", file=sys.stderr, flush=True)
        graph = graphs.one_to_change(1000, 100, self.folder)
        self.measure({(Task("changes", " ".join(flags), graph.ops), tool.name): partial(tool.changes, graph, flags)
                      for tool in [self.tools[0], *self.opt] for flags in ((), ("-print-changed=quiet",))},
                     ENOUGH_OF_NOISE)
        graphs.remove(graph)

    def rules(self, large):
        """Many rules compared with one, rules that apply, and patterns of ten nodes compared with dead-code-elimination
        of the same operations bound by `let`, without which that pass has no work."""
        one, hundred = (f"rewrite<rules={rules.write(text, name, self.folder)}>"
                        for text, name in ((rules.ONE, "one.rules"), (rules.hundred(), "hundred.rules")))
        for name, lines in rules.QUIET.items():
            self.rules_on(rules.chain(name, lines, max(1, large * 3 // 10), self.folder),
                          {"one rule": one, "simplify-expr": "simplify-expr"})
        for name, lines in rules.BUSY.items():
            self.rules_on(rules.chain(name, lines, max(1, large // 100), self.folder), {"simplify-expr": "simplify-expr"})
        for shape, what, argument in (("let", "dead-code-elimination", "dead-code-elimination"),
                                      ("chain", "100 patterns", hundred)):
            self.rules_on(graphs.synthetic(shape, large, self.folder, tosa=False), {what: argument})

    def rules_on(self, graph, passes):
        print(f"measuring rules: {graph.name}", file=sys.stderr, flush=True)
        relay = self.tools[0]
        self.measure({(Task("rules", graph.name, graph.ops, what), relay.name): partial(relay.one_pass, argument, graph)
                      for what, argument in passes.items()})
        graphs.remove(graph)

    def evaluation(self, relay_run, others, number=2):
        """Networks by relay-run, on one thread and on several; others: onnxruntime and TVM, if available."""
        for name in evaluation.NETWORKS:
            print(f"measuring evaluation: {name}", file=sys.stderr, flush=True)
            model = evaluation.network(name, self.tools[0].path, self.folder)
            whole, *kernels = [Task("evaluation", name, 0, what) for what in (
                "start to result, 1 thread", "kernels, 1 thread", f"kernels, {number} threads")]
            calls = {(whole, relay_run.name): partial(relay_run.whole, model, 1)}
            for threads, task in zip((1, number), kernels):
                for tool in (relay_run, *others):
                    if hasattr(tool, "kernels"):
                        calls[task, tool.name] = partial(tool.kernels, model, threads)
            for tool in others:
                if hasattr(tool, "whole"):
                    calls[whole, tool.name] = partial(tool.whole, model)
            self.measure(calls, ENOUGH_OF_NOISE)

    def manager(self, program):
        """The CPU time of the pass manager, as measured by the unit test."""
        for pipeline, nanoseconds in printed_costs(program, "ManagerCost*", "a pass and function"):
            seconds = nanoseconds * 1e-9
            self.results.figures[Task("manager", pipeline), self.tools[0].name] = Figure("ok", (seconds,), cpu=seconds)

    def walk(self, program):
        """The cost of visiting each operation, as measured by the unit test."""
        for what, nanoseconds in printed_costs(program, "WalkCost*", "an operation"):
            ops = int(re.search(r"\d+", what)[0])
            seconds = nanoseconds * ops * 1e-9
            self.results.figures[Task("walk", "chain", ops), self.tools[0].name] = Figure("ok", (seconds,))
