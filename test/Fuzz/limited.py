"""Runs the tools under limits and tells how a run ended: well, with a diagnostic, or wrong."""
import os
import re
import resource
import signal
import subprocess
import tempfile

SECONDS = 20            # of processor time and of wall time a run may take
MEMORY = 1 << 30        # bytes that a run may have resident
ADDRESSES = 8 << 30     # bytes of addresses, so that a run cannot take the machine with it

# Messages of the crash handler, which turns signals into exit status 1, and of -verify-each, -verify-roundtrip and
# -verify-analysis-invalidation about a pass or the printer, which are never the input's fault.
CRASH = re.compile(r"error: (segmentation fault|bus error|illegal instruction|arithmetic exception|aborted|trap"
                   r"|bad system call|stack overflow|out of memory|signal|LLVM ERROR)|Assertion .* failed"
                   r"|AddressSanitizer|runtime error:|LeakSanitizer|ThreadSanitizer")
BROKEN = re.compile(r"^(?:\S+:\d+:\d+: )?error: ('[a-z-]+' left invalid IR|the printed module|'[a-z-]+' said that"
                    r"|'[a-z-]+' (changed|rewrote|has|did)[^']*|'[a-z-]+' .* announc)", re.MULTILINE)


class Outcome:
    """How a run ended. `problem` is None, or describes the problem in a few words."""

    def __init__(self, status, out, err, memory, expired, failures):
        self.status, self.out, self.err, self.memory = status, out, err, memory
        self.problem = self._find_problem(expired, failures)

    def _find_problem(self, expired, failures):
        if expired:
            return f"hang: more than {SECONDS} seconds"
        if self.status < 0:
            return f"signal {signal.Signals(-self.status).name}"
        for kind, pattern in (("crash", CRASH), ("broken", BROKEN)):
            if match := pattern.search(self.err):
                line = self.err[self.err.rfind("\n", 0, match.start()) + 1:].split("\n", 1)[0]
                return f"{kind}: {line[:200]}"
        if self.memory > MEMORY:
            return f"memory: {self.memory >> 20} MiB"
        if self.status and self.status not in failures:
            return f"exit status {self.status}"
        if self.status and "error:" not in self.err:
            return f"exit status {self.status} without an error"
        return None

    def kind(self):
        """The problem without details that differ between inputs: names, numbers, positions."""
        return re.sub(r"@[\w.]+|%[\w.]+|\d+|<[^>]*>|/\S+", "", self.problem or "")


def limit_resources():
    """Limits this process and its children. Address sanitizer reserves more than any limit of address space."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    if not os.environ.get("RELAY_FUZZ_SANITIZED"):
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def run(command, folder, text=None, failures=(1,)):
    """Runs `command` in `folder` with `text`, bytes, as standard input. `failures` are the statuses of a failure."""
    with tempfile.TemporaryFile(dir=folder) as out, tempfile.TemporaryFile(dir=folder) as err:
        stdin = subprocess.DEVNULL
        if text is not None:
            stdin = tempfile.TemporaryFile(dir=folder)
            stdin.write(text)
            stdin.seek(0)
        process = subprocess.Popen(command, cwd=folder, stdin=stdin, stdout=out, stderr=err)
        expired = False

        def kill(*_):
            nonlocal expired
            expired = True
            process.kill()

        signal.signal(signal.SIGALRM, kill)
        signal.alarm(SECONDS)
        _, status, usage = os.wait4(process.pid, 0)
        signal.alarm(0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return Outcome(process.returncode, out.read(), err.read().decode(errors="replace"),
                       usage.ru_maxrss * 1024, expired, failures)
