"""The table of ratios, as text."""
from .results import growth_ratio

STARTUPS = {"--version": "--version; import tvm", "resnet-18": "ResNet-18: start, read, print, exit"}


def significant(value):
    """Three digits that count."""
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


def layout(title, header, rows):
    """A table whose first column is to the left; nothing where there are no rows."""
    if not rows:
        return ""
    lines = [header, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    text = ["  ".join(cell.ljust(width) if not column else cell.rjust(width)
                      for column, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines]
    return "\n".join([title, "-" * len(title), *text, "", ""])


class Table:
    def __init__(self, results):
        self.results = results
        self.ours, *self.others = results.tools

    def time_cell(self, task, tool):
        found = self.results.get(task, tool)
        if not found:
            return "-"
        if found.status == "timeout":
            return f">{duration(found.seconds)}"
        return duration(found.seconds) if found.status == "ok" else found.status

    def ratio_cell(self, task, tool, field="seconds"):
        found = self.results.get(task, tool)
        return times(self.results.ratio(task, tool, field), bool(found) and found.status == "timeout")

    def memory_cell(self, task, tool):
        found = self.results.get(task, tool)
        return memory(found.peak_bytes) if found and found.status == "ok" else "-"

    def ns_cell(self, task):
        value = self.results.ns_per_op(task, self.ours)
        return "-" if value is None else f"{significant(value)}"

    def startup(self):
        header = ["start-up", self.ours] + [cell for tool in self.others for cell in (tool, "ratio")]
        rows = []
        for task in self.results.tasks("startup"):
            row = [STARTUPS[task.subject], self.time_cell(task, self.ours)]
            for tool in self.others:
                row += [self.time_cell(task, tool), self.ratio_cell(task, tool)]
            rows.append(row)
        return layout("Start-up, from start to exit", header, rows)

    def text(self):
        header = ["graph", "ops", self.ours, "ns/op", "memory"]
        header += [cell for tool in self.others for cell in (tool, "ratio", "memory", "ratio")]
        rows = []
        for task in self.results.tasks("text"):
            row = [task.subject, count(task.ops), self.time_cell(task, self.ours), self.ns_cell(task),
                   self.memory_cell(task, self.ours)]
            for tool in self.others:
                row += [self.time_cell(task, tool), self.ratio_cell(task, tool),
                        self.memory_cell(task, tool), self.ratio_cell(task, tool, "peak_bytes")]
            rows.append(row)
        return layout("Parse, infer types, verify, print; peak memory", header, rows)

    def passes(self):
        tasks = self.results.tasks("pass")
        graphs = dict.fromkeys((task.subject, task.ops) for task in tasks)
        return "".join(self.passes_on(subject, ops, [task for task in tasks if task[1:3] == (subject, ops)])
                       for subject, ops in graphs)

    def passes_on(self, subject, ops, tasks):
        header = ["pass", self.ours, "ns/op"] + [cell for tool in self.others for cell in (tool, "ratio")]
        rows = []
        for task in tasks:
            if self.results.get(task, self.ours).status == "failed":
                continue  # It needs options; the notes say so.
            row = [task.pass_name, self.time_cell(task, self.ours), self.ns_cell(task)]
            for tool in self.others:
                row += [self.time_cell(task, tool), self.ratio_cell(task, tool)]
            rows.append(row)
        return layout(f"Passes on {subject}, {count(ops)} operations: time in the pass", header, rows)

    def growth(self):
        curves = self.results.growth()
        sizes = sorted({size for *_, curve in curves for size in curve})
        header = ["task", "graph", "tool"] + [count(size) for size in sizes] + ["growth"]
        rows = [[pass_name or "text", subject, tool]
                + [significant(curve[size]) if size in curve else "-" for size in sizes]
                + [times(growth_ratio(curve))] for _, subject, pass_name, tool, curve in curves]
        return layout("Growth: ns per operation, start-up subtracted; the largest size by the one before", header, rows)

    def notes(self):
        """What did not go well; a line for each tool and reason."""
        reasons = {}
        for (task, tool), found in self.results.figures.items():
            if found.status != "ok":
                what = task.pass_name or task.kind
                places = reasons.setdefault((tool, what, found.status, found.note), [])
                places.append(f"{task.subject} {count(task.ops)}" if task.ops else task.subject)
        return "".join(f"{tool}, {what}: {status} ({', '.join(places)}): {note}\n"
                       for (tool, what, status, note), places in reasons.items())

    def render(self):
        notes = self.notes()
        return "".join([self.startup(), self.text(), self.passes(), self.growth(),
                        f"Notes\n-----\n{notes}" if notes else ""])
