"""The tests of a build: what each reaches, and whether it notices a mutant.

A test is a file of lit or a test of a GoogleTest program. All run under limits of processor time and memory, so that
endless loops and endless allocation of a mutant are detected and do no harm.
"""
import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 20         # processor time of a process while tests are recorded
# Processor time of a process with a mutant: a constant for the start, and a multiple of the time without one.
START, TIMES = 3, 10
ADDRESSES = 6 << 30  # bytes
FILE_SIZE = 1 << 30
# Longer tests are omitted: for each mutant they would take more time than all others.
SLOWEST = 8
# lit tests that compile or inspect the sources; unit tests, which run separately.
LEFT_OUT = r"^Relay-Unit|\b(Layering|Package)/|Docs/adding-"
WALL = 60            # seconds that a run may wait, besides 30 times the processor time of its tests


@dataclass
class Test:
    name: str      # of lit: the path below test; of GoogleTest: "Program:Suite.Test"
    seconds: float
    reached: set = field(default_factory=set, repr=False)

    @property
    def program(self):
        return self.name.partition(":")[0] if ":" in self.name else None


@dataclass
class Failure:
    """`test` failed, or its program did not end in time."""
    test: Test
    timed_out: bool = False


def make_failure(tests, status, name):
    """The failure of the test `name` among `tests`, or of the first one if there is no such test; None for status 0."""
    if status == 0:
        return None
    return Failure(next((test for test in tests if test.name == name), tests[0]), status is None)


def limit_resources(processor_seconds):
    os.setsid()
    for kind, limit in ((resource.RLIMIT_CPU, processor_seconds), (resource.RLIMIT_AS, ADDRESSES),
                        (resource.RLIMIT_FSIZE, FILE_SIZE), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (limit, limit))


def run_limited(command, environment, seconds, processor_seconds=SECONDS):
    """Exit status, or None after `seconds`, and the output. Each process has `processor_seconds`."""
    process = subprocess.Popen(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, errors="replace",
                               preexec_fn=lambda: limit_resources(processor_seconds))
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except (subprocess.TimeoutExpired, KeyboardInterrupt) as reason:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        if isinstance(reason, KeyboardInterrupt):
            raise
        return None, ""


def allowed_seconds(seconds):
    """The limit of processor time of a process with a mutant, if it takes `seconds` without one."""
    return START + math.ceil(TIMES * seconds)


def read_reached(path):
    return {number for number, byte in enumerate(path.read_bytes()) if byte}


class LitTests:
    """lit tests below `folder`, the test folder of a build; `lit` is lit.py."""

    def __init__(self, lit, folder, record, jobs):
        self.lit = lit
        self.folder = folder
        self.record_folder = record
        self.jobs = jobs

    def run_lit(self, names, environment, seconds, test_seconds, *flags):
        """`test_seconds`: the processor time of each process of a test. lit itself is not limited."""
        paths = [str(self.folder / name) for name in names] or [str(self.folder)]
        return run_limited([sys.executable, str(self.lit), "-q", "-j", str(self.jobs), *flags, *paths],
                           {"RELAY_MUTATE_SECONDS": str(test_seconds), **environment}, seconds, resource.RLIM_INFINITY)

    def record(self, size, names=()):
        """Runs all tests, or some, without a mutant; returns the passing ones."""
        self.record_folder.mkdir(parents=True, exist_ok=True)
        for old in self.record_folder.iterdir():
            old.unlink()
        self.run_lit(names, {"RELAY_MUTATE_RECORD": str(self.record_folder), "RELAY_MUTATE_SIZE": str(size)}, None,
                     SECONDS, "--filter-out=" + LEFT_OUT)
        tests = []
        for path in sorted(self.record_folder.glob("*.result")):
            result = json.loads(path.read_text())
            if result["code"] == "PASS":
                tests.append(Test(result["name"], result["seconds"], read_reached(path.with_suffix(".reached"))))
        return tests

    def find_failure(self, tests, mutant):
        """The first failure with `mutant`, or None."""
        limit = WALL + 30 * sum(test.seconds for test in tests)
        status, output = self.run_lit([test.name for test in tests], {"RELAY_MUTANT": str(mutant)}, limit,
                                      allowed_seconds(max(test.seconds for test in tests)), "--max-failures=1")
        match = re.search(r"^(?:FAIL|TIMEOUT|UNRESOLVED): [^:]+ :: (\S+)", output, re.M)
        return make_failure(tests, status, match and match[1])


class UnitTests:
    """GoogleTest tests: the programs Relay*Tests below `folder`."""

    def __init__(self, folder, record, jobs):
        self.folder = folder
        self.record_folder = record
        self.jobs = jobs

    def programs(self):
        return {path.name: path for path in sorted(self.folder.rglob("*Tests")) if os.access(path, os.X_OK) and path.is_file()}

    @staticmethod
    def list_tests(program):
        """The full names of the tests of a program, without disabled ones."""
        listing = subprocess.run([program, "--gtest_list_tests"], capture_output=True, text=True, check=True).stdout
        names, suite = [], ""
        for line in listing.splitlines():
            name = line.split("#")[0].strip()
            if not line.startswith(" "):
                suite = name
            elif not (suite + name).startswith("DISABLED_") and "DISABLED_" not in name:
                names.append(suite + name)
        return [name for name in names if "." in name]

    def run_program(self, program, names, environment, seconds, processor_seconds, *flags):
        return run_limited([str(program), "--gtest_filter=" + ":".join(names), *flags],
                           environment, seconds, processor_seconds)

    def record_test(self, size, name, program, test):
        """Runs a test alone, without a mutant; returns it if it passes. One test per process."""
        reached = self.record_folder / f"{name},{test.replace('/', ',')}.unit"
        reached.write_bytes(bytes(size))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        status, _ = self.run_program(program, [test], {"RELAY_MUTANTS_REACHED": str(reached)}, 30 * SECONDS, SECONDS)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if status != 0:
            return None
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Test(f"{name}:{test}", seconds, read_reached(reached))

    def record(self, size, only=None):
        """Runs every test alone, without a mutant; returns the passing ones. `only` names programs."""
        self.record_folder.mkdir(parents=True, exist_ok=True)
        programs = [item for item in self.programs().items() if only is None or item[0] in only]
        with ProcessPoolExecutor(self.jobs) as pool:
            runs = [pool.submit(self.record_test, size, name, program, test)
                    for name, program in programs for test in self.list_tests(program)]
        return [test for run in runs if (test := run.result())]

    def find_failure(self, tests, mutant):
        programs = self.programs()
        for name in dict.fromkeys(test.program for test in tests):
            own = [test for test in tests if test.program == name]
            seconds = sum(test.seconds for test in own)
            status, output = self.run_program(programs[name], [test.name.partition(":")[2] for test in own],
                                              {"RELAY_MUTANT": str(mutant)}, WALL + 30 * seconds,
                                              allowed_seconds(seconds), "--gtest_fail_fast")
            # The last test that began is the one that failed or crashed.
            begun = re.findall(r"^\[ RUN      \] ([\w./]+)", output, re.M)
            if failure := make_failure(own, status, f"{name}:{begun[-1]}" if begun else None):
                return failure
        return None


class Suite:
    """All tests of a build, recorded with `record`."""

    def __init__(self, lit, unit):
        self.lit = lit
        self.unit = unit
        self.tests = []

    def record(self, size):
        start = time.monotonic()
        tests = self.unit.record(size) + self.lit.record(size)
        self.tests = [test for test in tests if test.seconds <= SLOWEST]
        print(f"{len(self.tests)} tests recorded in {time.monotonic() - start:.0f} s; {len(tests) - len(self.tests)} of more "
              f"than {SLOWEST} s are left out", file=sys.stderr, flush=True)

    def record_changed(self, size, lit_names, programs):
        """Records some tests again; returns them."""
        tests = self.unit.record(size, programs) + (self.lit.record(size, lit_names) if lit_names else [])
        new = {test.name for test in tests}
        self.tests = [test for test in self.tests if test.name not in new] + tests
        return tests

    def reaching(self, mutant):
        """The tests that reach a mutant, those most likely to detect it first: unit tests, which start faster, then
        tests whose path is most similar to the source's, cheap ones first."""
        folders = set(Path(mutant.path).parts) | {re.sub(r"(?<=[a-z])(?=[A-Z])", "-", Path(mutant.path).stem).lower()}

        def rank(test):
            return -len(folders & set(Path(test.name).with_suffix("").parts)), test.seconds
        return sorted((test for test in self.tests if mutant.number in test.reached), key=rank)

    def find_failure(self, tests, mutant):
        for kind, own in ((self.unit, [t for t in tests if t.program]), (self.lit, [t for t in tests if not t.program])):
            if own and (failure := kind.find_failure(own, mutant)):
                return failure
        return None
