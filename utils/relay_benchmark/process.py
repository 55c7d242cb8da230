"""Runs a program once and says how long it took, from start to exit, and how much memory it had at most."""
import ctypes
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time
from typing import NamedTuple, Optional


class Limits(NamedTuple):
    """The limits of one run: seconds, and bytes of address space."""
    seconds: float
    memory: int

    def apply(self, process):
        """Applies the limits to a child that has just started: limits set before would slow down its start."""
        try:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (self.memory, self.memory))
        except ProcessLookupError:
            pass  # It is done already.


class Sample(NamedTuple):
    """One measurement. `status` is ok, timeout, crashed, failed or absent; `note` describes all but the first."""
    status: str
    seconds: Optional[float] = None
    peak_bytes: Optional[int] = None
    note: str = ""
    wall: float = 0  # What the measurement took altogether, for runs within a budget.
    cpu: Optional[float] = None  # Of the process, with its threads: seconds.


def explain(status, errors):
    """(status, note) of a program that did not exit with 0; status: as from waitpid."""
    lines = [line for line in errors.splitlines() if line.strip()]
    marked = [line for line in lines if "error" in line.lower()]
    if os.WIFSIGNALED(status):
        return "crashed", signal.Signals(os.WTERMSIG(status)).name
    return "failed", (marked or lines or [f"exit status {os.WEXITSTATUS(status)}"])[0][:200]


def small_peak(command):
    """The peak memory, in bytes, of another run of a command that works.

    The figure of a child starts at the memory of its parent, which is larger here than a small program. A shell
    therefore starts the command and exits, so that it becomes a child of this process; only then it continues."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)
    script = 'exec 3<&0; (read -r _ <&3; exec "$@" 3<&- </dev/null >/dev/null 2>&1) & echo $!'
    with subprocess.Popen(["/bin/sh", "-c", script, "sh", *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as shell:
        child = int(shell.stdout.readline())
        shell.wait()
        shell.stdin.write("\n")
    _, _, usage = os.wait4(child, 0)
    return usage.ru_maxrss * 1024


def peak_of(command, usage):
    if usage.ru_maxrss > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss:
        return usage.ru_maxrss * 1024
    return small_peak(command)


def run(command, limits):
    """(sample, standard error) of one run; its standard output is discarded."""
    with tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
        limits.apply(child)
        expired = threading.Event()

        def expire():
            expired.set()
            child.kill()

        timer = threading.Timer(limits.seconds, expire)
        timer.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        timer.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)  # It is gone: Popen must not wait for it again.
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    if expired.is_set():
        return Sample("timeout", limits.seconds, None, f"more than {limits.seconds:g} s", seconds), text
    if status != 0:
        problem, note = explain(status, text)
        return Sample(problem, None, None, note, seconds), text
    return Sample("ok", seconds, peak_of(command, usage), "", seconds, usage.ru_utime + usage.ru_stime), text
