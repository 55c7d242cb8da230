"""The measured tools: their arguments, and the position of the time of a pass in their output.

Each tool except opt has a name, a version, and startup(), text(graph) and one_pass(argument, graph), which measure
once; relay-opt and opt have changes(graph, flags). An unsupported measurement is a sample of status `absent`. Passes
run on one thread.
"""
import json
import re
import subprocess
import tempfile
from pathlib import Path

from .process import Sample, run

# A row of mlir-opt's report, `  0.0012 ( 40.0%)  Name`; the last time before the name is the wall time.
TIMING = re.compile(r"\s+(?:\d+\.\d+ +\([^)]*\)\s+)*(\d+\.\d+) +\([^)]*\)\s+(\S.*)")

ABSENT = Sample("absent", note="no such pass")


def first_line(command):
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return next((line.strip() for line in output.splitlines() if re.search(r"\d\.\d", line)), "")


def row_of_report(name):
    """Reads the seconds of a row from a timing report on standard error; None if there is no such row.

    Times below the report's last digit are read as that digit: an upper limit."""
    def seconds(text):
        for match in map(TIMING.fullmatch, text.splitlines()):
            if match and match[2] == name:
                return max(float(match[1]), 10.0 ** -len(match[1].split(".")[1]))
        return None
    return seconds


def total_of_json(text):
    """Seconds of all passes from relay-opt's report, which has nanoseconds; only warnings follow it."""
    start = text.rfind("\n{") + 1
    return json.JSONDecoder().raw_decode(text[start:])[0]["total_us"] / 1e6


class Tool:
    def __init__(self, path, limits):
        self.path = path
        self.limits = limits
        self.version = first_line([path, "--version"])

    def startup(self):
        return run([self.path, "--version"], self.limits)[0]

    def whole(self, graph):
        """From start to exit, including start-up."""
        return self.text(graph)

    def timed_pass(self, command, seconds_of):
        """One run of a command that reports the time of passes on standard error."""
        sample, errors = run(command, self.limits)
        if sample.status != "ok":
            return sample
        seconds = seconds_of(errors)
        if seconds is None:
            return Sample("failed", note="no time of the pass in the report", wall=sample.wall)
        return sample._replace(seconds=seconds)

    def close(self):
        pass


class RelayOpt(Tool):
    name = "relay-opt"
    # Options of passes that do nothing without them; tvm_server.py has the same.
    OPTIONS = {"eta-expand": "<expand-global-var>", "split-args": "<max-function-args=10>",
               "pattern-table": "<targets=dnnl>"}

    def passes(self):
        """The passes that -print-passes lists, except those that need a file, and the partitioning pipeline."""
        listing = subprocess.run([self.path, "-print-passes"], capture_output=True, text=True, check=True).stdout
        section = re.search(r"^Module passes:\n(.*?)^(?:Pipelines|Groups):", listing, re.S | re.M)
        rows = re.findall(r"^  ([a-z][a-z0-9-]*) .*\n((?:    .*\n)*)", section[1], re.M) if section else []
        return [*(name for name, options in rows if not re.search(r"; file\b", options)), "pattern-table"]

    def with_options(self, argument):
        return argument + self.OPTIONS.get(argument, "")

    def pipeline(self, path, passes, *flags):
        return [self.path, path, f"-passes={passes}", *flags, "-o", "/dev/null"]

    def text(self, graph):
        return run([self.path, graph.relay, "-o", "/dev/null"], self.limits)[0]

    def one_pass(self, argument, graph):
        return self.timed_pass(self.pipeline(graph.relay, self.with_options(argument), "-threads=1",
                                             "-time-passes-format=json"), total_of_json)

    def instructions(self, valgrind, graph, argument):
        """The number of instructions that a process with a pass executes; None if it fails."""
        command = self.pipeline(graph.relay, self.with_options(argument), "-threads=1")
        _, errors = run([valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], self.limits)
        counted = re.search(r"Collected : (\d+)", errors)
        return int(counted[1]) if counted else None

    def changes(self, graph, flags):
        return run(self.pipeline(graph.relay, "eliminate-common-subexpr", "-threads=1", *flags), self.limits)[0]

    def function_passes(self, graph, passes, threads):
        """The time between the first begin and the last end of runs on functions."""
        with tempfile.TemporaryDirectory(prefix="relay-benchmark-") as folder:
            trace = Path(folder, "trace.json")
            sample, _ = run(self.pipeline(graph.relay, passes, f"-threads={threads}", f"-time-trace-file={trace}"),
                            self.limits)
            if sample.status != "ok":
                return sample
            events = [event for event in json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
                      if event.get("args", {}).get("unit", "").startswith("@")]
        begin, end = min(event["ts"] for event in events), max(event["ts"] + event["dur"] for event in events)
        return sample._replace(seconds=(end - begin) / 1e6)


class MlirOpt(Tool):
    name = "mlir-opt"
    # Its passes that do the same work.
    PASSES = {"eliminate-common-subexpr": ("cse", "CSE"), "inline": ("inline", "Inliner"),
              "remove-unused-functions": ("symbol-dce", "SymbolDCE")}

    def text(self, graph):
        return run([self.path, graph.tosa, "-o", "/dev/null"], self.limits)[0] if graph.tosa else ABSENT

    def one_pass(self, argument, graph):
        if argument not in self.PASSES or not graph.tosa:
            return ABSENT
        argument, name = self.PASSES[argument]
        command = [self.path, f"--{argument}", "--mlir-disable-threading", "--mlir-timing",
                   "--mlir-timing-display=list", graph.tosa, "-o", "/dev/null"]
        return self.timed_pass(command, row_of_report(name))


class Opt(Tool):
    """LLVM's opt, for comparison with -print-changed=quiet."""
    name = "opt"

    def changes(self, graph, flags):
        return run([self.path, graph.llvm, "-passes=early-cse", "-disable-output", *flags], self.limits)[0]
