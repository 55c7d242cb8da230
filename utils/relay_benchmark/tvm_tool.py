"""TVM as a measured tool: a child under the oracle's Python that answers requests, so that the time of a pass excludes
the import and the reading of the module."""
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path

from .process import Sample, explain, run

SERVER = Path(__file__).with_name("tvm_server.py")


class Child:
    """A process that reads and answers lines of JSON."""

    def __init__(self, command, limits):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        limits.apply(self.process)
        self.buffer = b""

    def receive(self, timeout):
        """The next answer; None if the child has ended, which is then reaped. Raises TimeoutError."""
        deadline = time.monotonic() + timeout
        output = self.process.stdout.fileno()
        while b"\n" not in self.buffer:
            if not select.select([output], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError
            data = os.read(output, 65536)
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return json.loads(line)

    def send(self, request):
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # receive() will tell.

    def end(self):
        """Ends the process and its children; returns its exit status as from waitpid."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        code = self.process.wait()
        return -code if code < 0 else code << 8


class Tvm:
    name = "TVM"

    def __init__(self, python, limits):
        """Raises OSError if TVM cannot be imported."""
        self.python = str(python)
        self.path = self.python
        self.limits = limits
        self.child = None
        self.loaded = None
        self.version = ""
        if self.start() is not None:
            raise OSError(f"{python} cannot import TVM")

    def start(self):
        """Starts a child unless there is one; returns a sample of the failure, or None."""
        if self.child:
            return None
        self.child = Child([self.python, str(SERVER)], self.limits)
        self.loaded = None
        answer = self.receive()
        if isinstance(answer, Sample):
            return answer
        self.version = answer["version"]
        return None

    def receive(self, patience=1):
        """The child's answer, or a sample of the failure, which ends the child. Waits `patience` times the limit."""
        seconds = self.limits.seconds
        try:
            answer = self.child.receive(patience * seconds)
        except TimeoutError:
            self.close()
            return Sample("timeout", seconds, note=f"more than {seconds:g} s")
        if answer is None:
            status, note = explain(self.child.end(), "")
            self.child = None
            return Sample(status, note=note)
        return answer

    def close(self):
        if self.child:
            self.child.end()
            self.child = None

    def ask(self, patience=1, **request):
        start = time.perf_counter()
        problem = self.start()
        if problem:
            return problem
        self.child.send(request)
        answer = self.receive(patience)
        wall = time.perf_counter() - start
        if isinstance(answer, Sample):
            return answer._replace(wall=wall)
        return Sample(answer["status"], answer.get("seconds"), answer["peak_bytes"], answer.get("note", ""), wall)

    def startup(self):
        return run([self.python, "-c", "import tvm"], self.limits)[0]

    def whole(self, graph):
        code = (f"from tvm import relay; module = relay.fromtext(open({graph.relay!r}).read()); "
                "print(relay.transform.InferType()(module).astext())")
        return run([self.python, "-c", code], self.limits)[0]

    def read(self, graph, do):
        """Makes a new child read the graph."""
        if self.loaded != graph:
            self.close()
        sample = self.ask(do=do, path=graph.relay)
        self.loaded = graph if sample.status == "ok" else None
        return sample

    def text(self, graph):
        """In process: the import is measured as start-up, and excluded here."""
        return self.read(graph, "text")

    def one_pass(self, argument, graph):
        if not self.child or self.loaded != graph:
            sample = self.read(graph, "load")
            if sample.status != "ok":
                return sample
        return self.ask(patience=4, do="pass", name=argument, limit=self.limits.seconds)  # It looks at the clock.
