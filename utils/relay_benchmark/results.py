"""The measurements, and their form as JSON.

Schema `relay-benchmark`, version 2: `tools` (name, version, path), `machine`, `settings`, and
- `results`, one a tool and task: `kind` (see Task), `subject`, `pass` (the pipeline's name of it, or null), `ops`,
  `tool`, `status` (ok, timeout, crashed, failed, absent, skipped), `seconds` (wall time, the minimum of `runs`; for a
  timeout the limit), `median_seconds`, `runs`, `peak_bytes` or null, `process_cpu_seconds` (minimum over whole
  processes, all threads; null where it is not known), `ratio` (seconds by those of relay-opt, or null),
  `memory_ratio` likewise, `note`;
- `growth`, one a tool, graph and pass: `sizes`, `ns_per_op` (start-up subtracted), `ratio` (of the largest size to the
  one before it, or null), `whole_ratio` (of the largest to the smallest), `constant` (see Growth);
- `instructions`, one a pass of relay-opt, graph and size: `pass`, `subject`, `ops`, `per_op` (executed by a process with
  the pass, less those of one with an empty pipeline).
A new field may come without a new version; what is there keeps its meaning.
"""
import os
import platform
from statistics import median
from typing import NamedTuple, Optional

SCHEMA = "relay-benchmark"
VERSION = 2
UNREAD = "not even read and printed"  # Why a pass was not measured.


class Task(NamedTuple):
    """`kind` is startup (subject: the program), text or pass (the graph), threads (their number), changes (the flag),
    manager (the pipeline), walk (the graph): visits each operation without work, rules (the operations of a chain), or
    evaluation (the network; the pass is the measured quantity)."""
    kind: str
    subject: str
    ops: int = 0
    pass_name: Optional[str] = None


class Figure(NamedTuple):
    """The runs of one tool on one task. Other load of the machine only adds to them: the minimum is the best
    estimate."""
    status: str
    runs: tuple = ()
    peak_bytes: Optional[int] = None
    note: str = ""
    cpu: Optional[float] = None

    @property
    def seconds(self):
        return min(self.runs, default=None)


class Growth(NamedTuple):
    """Nanoseconds per operation by the number of operations."""
    kind: str
    subject: str
    pass_name: Optional[str]
    tool: str
    curve: dict

    STEP_LIMIT = 1.3   # From the size before the largest to the largest,
    WHOLE_LIMIT = 2.0  # and from the smallest: linear, with what caches make of it.
    CONSTANT = 10_000  # Nanoseconds that a pass takes at most, whatever the size, that does not look at operations.

    def ratio(self, size, base):
        """Time per operation at `size`, relative to that at `base`, if both exist."""
        small, large = self.curve.get(base), self.curve.get(size)
        return large / small if small and large is not None else None

    def is_constant(self):
        return self.kind == "pass" and all(ns * ops < self.CONSTANT for ops, ns in self.curve.items())


def figure(samples):
    """Sums up samples, of which only the last may have failed; it then determines the status."""
    last = samples[-1]
    good = [sample for sample in samples if sample.status == last.status and sample.seconds is not None]
    peaks = [sample.peak_bytes for sample in good if sample.peak_bytes]
    cpu = [sample.cpu for sample in good if sample.cpu is not None]
    return Figure(last.status, tuple(sample.seconds for sample in good), max(peaks, default=None), last.note,
                  min(cpu, default=None))


class Results:
    """Figures by task and tool; ratios are to the first tool."""

    def __init__(self, tools):
        self.tools = tools
        self.figures = {}
        self.instructions = {}  # (pass, graph, ops) to those executed for each operation.

    def get(self, task, tool):
        return self.figures.get((task, tool))

    def tasks(self, kind):
        return list(dict.fromkeys(task for task, _ in self.figures if task.kind == kind))

    def tools_of(self, tasks):
        """The tools with figures in any of the tasks."""
        return [tool for tool in self.tools if any(self.get(task, tool) for task in tasks)]

    def ratio(self, task, tool, field="seconds"):
        """The ratio of the tool's figure to the first tool's; a lower bound if it timed out."""
        ours, theirs = self.get(task, self.tools[0]), self.get(task, tool)
        if not ours or not theirs or ours.status != "ok" or theirs.status not in ("ok", "timeout"):
            return None
        if field == "peak_bytes" and theirs.status != "ok":
            return None
        ours, theirs = getattr(ours, field), getattr(theirs, field)
        return theirs / ours if ours and theirs else None

    def startup(self, tool):
        """The start-up time of a process in seconds, which does not belong to a task."""
        if tool == "TVM":  # Measured in process.
            return 0
        started = self.get(Task("startup", "--version"), tool)
        return started.seconds if started and started.status == "ok" else 0

    def ns_per_op(self, task, tool):
        found = self.get(task, tool)
        if not found or found.status != "ok" or not task.ops:
            return None
        start = self.startup(tool) if task.kind == "text" else 0
        return max(0, found.seconds - start) / task.ops * 1e9

    def curves(self):
        """A Growth of each tool, graph and pass."""
        curves = {}
        for task, tool in self.figures:
            value = self.ns_per_op(task, tool)
            if task.kind in ("text", "pass", "walk") and value is not None:
                curves.setdefault((task.kind, task.subject, task.pass_name, tool), {})[task.ops] = value
        return [Growth(*key, curve) for key, curve in curves.items()]

    def growth(self):
        """The growth of tools measured at two or more sizes."""
        return [growth for growth in self.curves() if len(growth.curve) > 1]


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def machine():
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"processor": processor(), "cores": os.cpu_count(), "memory_bytes": memory, "system": platform.platform()}


def result_json(results, task, tool):
    found = results.get(task, tool)
    return {"kind": task.kind, "subject": task.subject, "pass": task.pass_name, "ops": task.ops, "tool": tool,
            "status": found.status, "seconds": found.seconds,
            "median_seconds": median(found.runs) if found.runs else None, "runs": list(found.runs),
            "peak_bytes": found.peak_bytes, "process_cpu_seconds": found.cpu, "ratio": results.ratio(task, tool),
            "memory_ratio": results.ratio(task, tool, "peak_bytes"), "note": found.note}


def growth_json(growth):
    sizes = sorted(growth.curve)
    return {"kind": growth.kind, "subject": growth.subject, "pass": growth.pass_name, "tool": growth.tool,
            "sizes": sizes, "ns_per_op": [growth.curve[size] for size in sizes],
            "ratio": growth.ratio(sizes[-1], sizes[-2]), "whole_ratio": growth.ratio(sizes[-1], sizes[0]),
            "constant": growth.is_constant()}


def to_json(results, tools, settings):
    return {"schema": SCHEMA, "version": VERSION, "machine": machine(), "settings": settings,
            "tools": [{"name": tool.name, "version": tool.version, "path": str(tool.path)} for tool in tools],
            "results": [result_json(results, *key) for key in results.figures],
            "growth": [growth_json(growth) for growth in results.growth()],
            "instructions": [{"pass": pass_name, "subject": subject, "ops": ops, "per_op": per_op}
                             for (pass_name, subject, ops), per_op in results.instructions.items()]}
