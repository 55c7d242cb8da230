"""What is measured, in which order: the tools take turns (A B C A B C …), so that all see the same machine."""
import sys

from . import graphs
from .results import Figure, Results, Task, figure

# A tool is not run again in a task once its runs took this long together: seconds.
ENOUGH = 20


class Suite:
    def __init__(self, tools, runs, folder):
        self.tools = tools
        self.runs = runs
        self.folder = folder
        self.results = Results([tool.name for tool in tools])
        self.given_up = {}  # (tool, kind, graph, pass) to why, at a smaller size.

    def measure(self, task, call):
        """Takes the figures of a task; call(tool) measures once."""
        size = f", {task.ops} operations" if task.ops else ""
        print(f"measuring {task.pass_name or task.kind}: {task.subject}{size}", file=sys.stderr, flush=True)
        samples = {tool: [] for tool in self.tools if not self.skip(task, tool)}
        for _ in range(self.runs):
            self.round(samples, call)
        for tool, taken in samples.items():
            self.record(task, tool, figure(taken))

    def round(self, samples, call):
        """One more sample of each tool, unless it did badly or has enough; of relay-opt alone where that does badly."""
        for tool, taken in list(samples.items()):
            if taken and (taken[-1].status != "ok" or sum(sample.wall for sample in taken) > ENOUGH):
                continue
            taken.append(call(tool))
            if tool is self.tools[0] and taken[-1].status != "ok":
                for other in self.tools[1:]:
                    samples.pop(other, None)
                return

    def key(self, task, tool):
        return tool.name, task.kind, task.subject, task.pass_name

    def reason_to_skip(self, task, tool):
        read = self.results.get(Task("text", task.subject, task.ops), tool.name)
        if task.kind == "pass" and read and read.status != "ok":
            return f"{read.status} when only reading and printing"
        return self.given_up.get(self.key(task, tool))

    def skip(self, task, tool):
        reason = self.reason_to_skip(task, tool)
        if reason:
            self.results.figures[task, tool.name] = Figure("skipped", note=reason)
        return bool(reason)

    def record(self, task, tool, found):
        if found.status == "absent":  # Nothing to show.
            return
        self.results.figures[task, tool.name] = found
        if found.status != "ok" and task.ops:
            self.given_up[self.key(task, tool)] = f"{found.status} at {task.ops} operations"

    def startup(self):
        self.measure(Task("startup", "--version"), lambda tool: tool.startup())
        model = graphs.network("resnet-18", self.folder)
        self.measure(Task("startup", "resnet-18"), lambda tool: tool.whole(model))

    def text(self, graph):
        self.measure(Task("text", graph.name, graph.ops), lambda tool: tool.text(graph))

    def passes(self, graph, names):
        for name in names:
            self.measure(Task("pass", graph.name, graph.ops, name), lambda tool: tool.one_pass(name, graph))

    def network(self, names):
        """The passes that work without options."""
        graph = graphs.network("resnet-50", self.folder)
        self.passes(graph, names)
        figures = {name: self.results.get(Task("pass", graph.name, graph.ops, name), self.tools[0].name)
                   for name in names}
        return [name for name, found in figures.items() if found.status == "ok"]

    def synthetic(self, shape, ops, names):
        graph = graphs.synthetic(shape, ops, self.folder, any(tool.name == "mlir-opt" for tool in self.tools))
        self.text(graph)
        self.passes(graph, names)
        graphs.remove(graph)

    def run(self, sizes, shapes, names):
        self.startup()
        names = self.network(names)
        for ops in sorted(sizes):
            for shape in shapes:
                self.synthetic(shape, ops, names)
        return self.results
