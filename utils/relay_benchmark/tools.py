"""The tools that are measured: what each is called with, and where it says how long a pass took.

Each tool has a name, a version, and startup(), text(graph) and one_pass(argument, graph), which measure once. What a
tool cannot do is a sample of status `absent`.
"""
import re
import subprocess

from .process import Sample, run

# A row of the report, `  0.0012 ( 40.0%)  3  Name`; the last time before the name being the wall time.
TIMING = re.compile(r"\s+(?:\d+\.\d+ +\([^)]*\)\s+)*(\d+\.\d+) +\([^)]*\)\s+(?:\d+\s+)?(\S.*)")

ABSENT = Sample("absent", note="no such pass")


def first_line(command):
    output = subprocess.run(command, capture_output=True, text=True).stdout
    return next((line.strip() for line in output.splitlines() if re.search(r"\d\.\d", line)), "")


def reported(text, name):
    """Seconds that a timing report on standard error gives for a row, None where there is none.

    What is below the report's last digit is taken as that digit: an upper limit."""
    for match in map(TIMING.fullmatch, text.splitlines()):
        if match and match[2] == name:
            resolution = 10.0 ** -len(match[1].split(".")[1])
            return max(float(match[1]), resolution)
    return None


class Tool:
    def __init__(self, path, limits):
        self.path = path
        self.limits = limits
        self.version = first_line([path, "--version"])

    def startup(self):
        return run([self.path, "--version"], self.limits)[0]

    def whole(self, graph):
        """From start to exit, start-up included."""
        return self.text(graph)

    def timed_pass(self, command, name):
        """One run of a command that reports the time of passes, of which the row of this name counts."""
        sample, errors = run(command, self.limits)
        if sample.status != "ok":
            return sample
        seconds = reported(errors, name)
        if seconds is None:
            return Sample("failed", note=f"no time of '{name}' in the report", wall=sample.wall)
        return sample._replace(seconds=seconds)

    def close(self):
        pass


class RelayOpt(Tool):
    name = "relay-opt"
    # Of passes that do nothing without; tvm_server.py has the same.
    OPTIONS = {"eta-expand": "<expand-global-var>", "split-args": "<max-function-args=10>"}

    def passes(self):
        """The passes that -print-passes lists."""
        listing = subprocess.run([self.path, "-print-passes"], capture_output=True, text=True, check=True).stdout
        section = re.search(r"^Module passes:\n(.*?)^Groups:", listing, re.S | re.M)
        return re.findall(r"^  ([a-z][a-z0-9-]*) ", section[1], re.M) if section else []

    def text(self, graph):
        return run([self.path, graph.relay, "-o", "/dev/null"], self.limits)[0]

    def one_pass(self, argument, graph):
        text = argument + self.OPTIONS.get(argument, "")
        command = [self.path, f"-passes={text}", "-time-passes", graph.relay, "-o", "/dev/null"]
        return self.timed_pass(command, "Total")


class MlirOpt(Tool):
    name = "mlir-opt"
    # Those of its passes that do the same work.
    PASSES = {"eliminate-common-subexpr": ("cse", "CSE"), "inline": ("inline", "Inliner"),
              "remove-unused-functions": ("symbol-dce", "SymbolDCE")}

    def text(self, graph):
        return run([self.path, graph.tosa, "-o", "/dev/null"], self.limits)[0] if graph.tosa else ABSENT

    def one_pass(self, argument, graph):
        if argument not in self.PASSES or not graph.tosa:
            return ABSENT
        argument, name = self.PASSES[argument]
        command = [self.path, f"--{argument}", "--mlir-timing", "--mlir-timing-display=list", graph.tosa, "-o",
                   "/dev/null"]
        return self.timed_pass(command, name)
