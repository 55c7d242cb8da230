"""The tables, as text: one for each section of the report."""
from .results import UNREAD, Growth

STARTUPS = {"--version": "--version; import tvm", "resnet-18": "ResNet-18: start, read, print, exit"}


def significant(value):
    """Formats with three significant digits."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def duration(seconds):
    if seconds is None:
        return "-"
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{significant(seconds / size)} {unit}"
    return f"{significant(seconds / 1e-9)} ns"


def memory(size):
    return f"{significant(size / 1e6)} MB" if size else "-"


def count(number):
    for unit, size in (("M", 10**6), ("k", 10**3)):
        if number >= size and number % size == 0:
            return f"{number // size}{unit}"
    return str(number)


def times(ratio, at_least=False):
    return "-" if ratio is None else f"{'>' if at_least else ''}{significant(ratio)}x"


def limited(ratio, limit):
    """A ratio, marked if it exceeds the limit, rounded to the displayed digits."""
    return times(ratio) + ("!" if ratio and round(ratio, 2) > limit else " ")


def layout(title, header, rows):
    """A table whose first column is left-aligned; empty if there are no rows."""
    if not rows:
        return ""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    text = ["  ".join(cell.ljust(width) if not column else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines]
    return "\n".join([title, "-" * len(title), *text, ""])


class Table:
    def __init__(self, results):
        self.results = results
        self.ours = results.tools[0]

    def others(self, tasks):
        return [tool for tool in self.results.tools_of(tasks) if tool != self.ours]

    def time_cell(self, task, tool):
        found = self.results.get(task, tool)
        if not found:
            return "-"
        if found.status == "timeout":
            return f">{duration(found.seconds)}"
        return duration(found.seconds) if found.status == "ok" else found.status

    def cpu_cell(self, task, tool):
        found = self.results.get(task, tool)
        return duration(found.cpu) if found and found.status == "ok" else "-"

    def ratio_cell(self, task, tool, field="seconds"):
        found = self.results.get(task, tool)
        return times(self.results.ratio(task, tool, field), bool(found) and found.status == "timeout")

    def memory_cell(self, task, tool):
        found = self.results.get(task, tool)
        return memory(found.peak_bytes) if found and found.status == "ok" else "-"

    def ns_cell(self, task):
        value = self.results.ns_per_op(task, self.ours)
        return "-" if value is None else f"{significant(value)}"

    def compared(self, task, tools):
        return [cell for tool in tools for cell in (self.time_cell(task, tool), self.ratio_cell(task, tool))]

    def startup(self):
        tasks = self.results.tasks("startup")
        others = self.others(tasks)
        header = ["start-up", self.ours] + [cell for tool in others for cell in (tool, "ratio")]
        return layout("Start-up, from start to exit", header,
                      [[STARTUPS[task.subject], self.time_cell(task, self.ours)] + self.compared(task, others)
                       for task in tasks])

    def text(self):
        tasks = self.results.tasks("text")
        others = self.others(tasks)
        header = ["graph", "ops", self.ours, "CPU", "ns/op", "memory"]
        header += [cell for tool in others for cell in (tool, "ratio", "memory", "ratio")]
        rows = []
        for task in tasks:
            row = [task.subject, count(task.ops), self.time_cell(task, self.ours), self.cpu_cell(task, self.ours),
                   self.ns_cell(task), self.memory_cell(task, self.ours)]
            for tool in others:
                row += self.compared(task, [tool])
                row += [self.memory_cell(task, tool), self.ratio_cell(task, tool, "peak_bytes")]
            rows.append(row)
        return layout("Parse, infer types, verify, print: wall time, CPU time, peak memory", header, rows)

    def passes_on(self, subject, ops):
        tasks = [task for task in self.results.tasks("pass") if (task.subject, task.ops) == (subject, ops)]
        others = self.others(tasks)
        header = ["pass", self.ours, "ns/op"] + [cell for tool in others for cell in (tool, "ratio")]
        rows = [[task.pass_name, self.time_cell(task, self.ours), self.ns_cell(task)] + self.compared(task, others)
                for task in tasks if self.results.get(task, self.ours).status != "failed"]  # The notes say so.
        return layout(f"Passes on {subject}, {count(ops)} operations: time in the pass", header, rows)

    def network(self):
        return "\n".join(self.passes_on(*of) for of in self.graphs() if of[0].startswith("resnet"))

    def passes(self):
        return "\n".join(self.passes_on(*of) for of in self.graphs() if not of[0].startswith("resnet"))

    def graphs(self):
        return dict.fromkeys((task.subject, task.ops) for task in self.results.tasks("pass"))

    def growth(self):
        every = self.results.growth()
        curves = [growth for growth in every if not growth.is_constant()]
        sizes = sorted({size for growth in every for size in growth.curve})
        bases = [(sizes[-2], Growth.STEP_LIMIT)] if sizes else []
        bases += [(sizes[0], Growth.WHOLE_LIMIT)] if len(sizes) > 2 else []
        header = ["task", "graph", "tool"] + [count(size) for size in sizes]
        header += [f"{count(sizes[-1])}/{count(base)} " for base, _ in bases]
        rows = [[growth.pass_name or growth.kind, growth.subject, growth.tool]
                + [significant(growth.curve[size]) if size in growth.curve else "-" for size in sizes]
                + [limited(growth.ratio(sizes[-1], base), limit) for base, limit in bases] for growth in curves]
        limits = " and ".join(f"{limit}x from {count(base)}" for base, limit in bases)
        return layout(f"Growth: ns per operation, start-up subtracted; ! is more than {limits}", header,
                      rows) + self.constants([growth for growth in every if growth.is_constant()])

    def constants(self, curves):
        graphs = {}
        for growth in curves:
            graphs.setdefault((growth.pass_name, growth.tool), []).append(growth.subject)
        lines = [f"{tool}, {name}: {', '.join(subjects)}\n" for (name, tool), subjects in graphs.items()]
        bound = duration(Growth.CONSTANT * 1e-9)
        return f"\nIn less than {bound} at every size, so not by the operation:\n{''.join(lines)}" if lines else ""

    def instructions(self):
        """A row per pass: for each graph the figure of the largest size and, from ten on, its ratio to the smallest."""
        counts = self.results.instructions
        graphs = list(dict.fromkeys(subject for _, subject, _ in counts))
        sizes = sorted({ops for *_, ops in counts})
        rows = []
        for name in dict.fromkeys(name for name, *_ in counts):
            row = [name]
            for graph in graphs:
                small, large = counts.get((name, graph, sizes[0])), counts.get((name, graph, sizes[-1]))
                if small is None or large is None:
                    row += ["-", "-"]
                else:
                    row += [f"{large:.0f}", times(large / small if min(small, large) >= 10 else None)]
            rows.append(row)
        header = ["pass"] + [cell for graph in graphs for cell in (graph, "growth")]
        return layout("Growth of instructions: per operation at "
                      f"{' by that at '.join(map(count, reversed(sizes)))} operations", header, rows)

    def threads(self):
        tasks = self.results.tasks("threads")
        first = self.results.get(tasks[0], self.ours) if tasks else None
        rows = []
        for task in tasks:
            found = self.results.get(task, self.ours)
            faster = first.seconds / found.seconds if first.status == found.status == "ok" else None
            rows.append([task.subject, self.time_cell(task, self.ours), self.cpu_cell(task, self.ours), times(faster)])
        header = ["threads", "wall", "CPU", "faster"]
        return layout("Function passes over 1,000 functions of 200 operations", header, rows)

    def changes(self):
        tasks = self.results.tasks("changes")
        rows = []
        for tool in self.results.tools_of(tasks):
            plain, watched = (self.results.get(task, tool) for task in tasks)
            good = plain.status == watched.status == "ok"
            rows.append([tool, self.time_cell(tasks[0], tool), self.time_cell(tasks[1], tool),
                         times(watched.seconds / plain.seconds if good else None),
                         self.cpu_cell(tasks[0], tool), self.cpu_cell(tasks[1], tool),
                         times(watched.cpu / plain.cpu if good else None)])
        header = ["tool", "wall", "with it", "ratio", "CPU", "with it", "ratio"]
        return layout("-print-changed=quiet where a pass changes one function of 1,000, 100k operations", header, rows)

    def manager(self):
        rows = [[task.subject, duration(self.results.get(task, self.ours).seconds)]
                for task in self.results.tasks("manager")]
        return layout("The manager: CPU time a pass and function, 100 passes that do nothing, 1,000 functions",
                      ["pipeline", self.ours], rows)

    def rules(self):
        rows = [[task.subject, count(task.ops), task.pass_name, self.time_cell(task, self.ours), self.ns_cell(task)]
                for task in self.results.tasks("rules")]
        return layout("Passes that apply rules", ["chain of", "ops", "pass", "time", "ns/op"], rows)

    def evaluation(self):
        """Ratios are relative to relay-run."""
        tasks, others = self.results.tasks("evaluation"), ("onnxruntime", "TVM")
        header = ["network", "measured", "relay-run", "memory"] + [cell for tool in others for cell in (tool, "ratio")]
        rows = []
        for task in tasks:
            row = [task.subject, task.pass_name, self.time_cell(task, "relay-run"), self.memory_cell(task, "relay-run")]
            ours = self.results.get(task, "relay-run")
            for tool in others:
                theirs = self.results.get(task, tool)
                known = ours and theirs and ours.status == "ok" and theirs.seconds
                row += [self.time_cell(task, tool), times(theirs.seconds / ours.seconds if known else None,
                                                          bool(theirs) and theirs.status == "timeout")]
            rows.append(row)
        return layout("Evaluation of networks, one image", header, rows)

    def notes(self):
        """Failures; a line for each tool and reason. The failure of a graph also covers its passes."""
        reasons = {}
        for (task, tool), found in self.results.figures.items():
            if found.status != "ok" and found.note != UNREAD:
                what = task.pass_name or task.kind
                places = reasons.setdefault((tool, what, found.status, found.note), [])
                places.append(f"{task.subject} {count(task.ops)}" if task.ops else task.subject)
        lines = "".join(f"{tool}, {what}: {status} ({', '.join(places)}): {note}\n"
                        for (tool, what, status, note), places in reasons.items())
        return f"Notes\n-----\n{lines}" if lines else ""

    def sections(self):
        """The measured sections by name."""
        sections = {"start-up": self.startup(), "text": self.text(), "network": self.network(),
                    "passes": self.passes(), "growth": self.growth(), "instructions": self.instructions(),
                    "threads": self.threads(), "changes": self.changes(), "manager": self.manager(),
                    "rules": self.rules(),
                    "evaluation": self.evaluation(),
                    "notes": self.notes()}
        return {name: text for name, text in sections.items() if text}
