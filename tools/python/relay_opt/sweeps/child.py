# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs chunks of items in a process of their own.

The function that an executor calls, run_chunk, starts a child process and reads
its results. The item on which the child crashes or hangs is therefore known,
whatever the executor is, and its worker stays alive.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any, NamedTuple, Sequence

from .work import Item, Result, build_id, run_item

__all__ = ["Chunk", "run_chunk", "watch_parent"]

#: The seconds between two writes of the results of a child.
FLUSH_SECONDS = 0.05
#: Seconds for the start of a child.
START_SECONDS = 60.0
#: A child runs so many chunks.
CHUNKS_OF_CHILD = 50
#: How often an item runs, or a child starts, that others ended by one of the signals below.
KILL_ATTEMPTS = 4
_FOREIGN_SIGNALS = (-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT, -signal.SIGHUP)

_CHILD = "import sys; sys.path[:] = {path!r}; from relay_opt.sweeps.child import serve; serve()"


class Chunk(NamedTuple):
    """Items for one call of an executor."""

    items: list[Item]
    checks: list[str]
    timeout: float
    build: str


def watch_parent() -> None:
    """Ends this process when its parent ends, and only then. An initializer of a process pool."""
    import multiprocessing

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    parent = multiprocessing.parent_process()

    def wait() -> None:
        assert parent is not None
        parent.join()
        os._exit(1)

    if parent is not None:
        threading.Thread(target=wait, daemon=True).start()


class _Child:
    """A child process that runs items."""

    def __init__(self) -> None:
        code = _CHILD.format(path=sys.path)
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            start_new_session=True,  # signals of the terminal are for the parent
        )
        self.buffer = bytearray()
        self.ready = False
        self.chunks = 0

    def send(self, chunk: Chunk, items: Sequence[Item], flush: float) -> None:
        """Gives the child items to run."""
        self.chunks += 1
        # A pickle holds each text once, however many items have it.
        work = {"items": [tuple(i) for i in items], "checks": chunk.checks, "flush": flush, "build": chunk.build}
        assert self.process.stdin is not None
        try:
            # The input stays open: its end tells the child that this process has ended.
            self.process.stdin.write(_frame(work))
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # its status tells why it ended

    def read(self, timeout: float) -> list[Any] | None:
        """Returns the next results, none at the end; None after timeout seconds without any."""
        output = self.process.stdout
        assert output is not None
        deadline = time.monotonic() + timeout
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while True:
                size = int.from_bytes(self.buffer[:8], "little")
                if len(self.buffer) >= 8 + size > 8:
                    message = pickle.loads(self.buffer[8 : 8 + size])
                    del self.buffer[: 8 + size]
                    return message
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    return None
                data = os.read(output.fileno(), 1 << 20)
                if not data:
                    return []
                self.buffer += data

    def end(self) -> None:
        """Closes the input of the child, at whose end it exits."""
        if self.errors.closed:
            return
        assert self.process.stdin is not None and self.process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.errors.close()

    def __del__(self) -> None:
        if hasattr(self, "process"):  # the thread that had the child has ended
            self.end()

    def wait(self) -> str | int:
        """Returns the status of a child that has ended; raises RuntimeError if it could not start by itself."""
        status = self.process.wait()
        if self.ready:
            return status
        if status in _FOREIGN_SIGNALS:
            return "not started"
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        raise RuntimeError(f"a process of the sweep could not start: {_describe(status)}\n{text}")


_threads = threading.local()


def _take_child() -> _Child:
    """Returns the child of this thread, a new one if there is none."""
    child: _Child | None = getattr(_threads, "child", None)
    _threads.child = None
    if child is not None and (child.chunks >= CHUNKS_OF_CHILD or child.process.poll() is not None):
        child.end()
        child = None
    return child or _Child()


def _run_child(chunk: Chunk, items: Sequence[Item], flush: float, results: list[Result]) -> str | int:
    """Appends the results of a child; returns "done", "timeout", "not started" or the status of a child that died."""
    child = _take_child()
    expected = len(results) + len(items)
    try:
        child.send(chunk, items, flush)
        while len(results) < expected:
            messages = child.read(chunk.timeout + flush if child.ready else START_SECONDS)
            if messages is None:
                child.process.kill()
                return "timeout" if child.ready else "not started"
            if not messages:
                return child.wait()
            child.ready = True
            for message in messages:
                if isinstance(message, str):
                    raise RuntimeError(message)
                if message is not None:  # None says that the child is ready
                    results.append(Result(*message))
        _threads.child = child
        return "done"
    finally:
        if _threads.child is not child:
            child.end()


def _lost(chunk: Chunk, item: Item, outcome: str | int, seconds: float) -> Result:
    """Returns the result of an item that gave none."""
    if isinstance(outcome, int):
        return Result(item.model, item.pipeline, "crashed", _describe(outcome), {}, "", seconds)
    return Result(item.model, item.pipeline, "timeout", f"no result after {chunk.timeout:g} seconds", {}, "", seconds)


def _describe(status: int) -> str:
    if status >= 0:
        return f"the process ended with status {status}"
    try:
        return f"the process ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"the process ended by signal {-status}"


def run_chunk(chunk: Chunk) -> list[Result]:
    """Runs the items of a chunk in children; returns one result for each."""
    results: list[Result] = []
    careful = False  # write each result at once, so that the item of a crash is known
    kills = 0
    while len(results) < len(chunk.items):
        before = len(results)
        start = time.perf_counter()
        outcome = _run_child(chunk, chunk.items[before:], 0.0 if careful else FLUSH_SECONDS, results)
        if outcome == "done":
            break
        if len(results) != before:
            kills = 0
        if outcome == "not started" or outcome in _FOREIGN_SIGNALS:
            kills += 1
            if kills < KILL_ATTEMPTS or not careful:
                careful = outcome != "not started"
                continue
        if outcome == "not started":
            raise RuntimeError("a process of the sweep could not start: it was ended or did not answer")
        if careful:
            results.append(_lost(chunk, chunk.items[len(results)], outcome, time.perf_counter() - start))
            kills = 0
        careful = not careful
    return results


def _frame(message: Any) -> bytes:
    data = pickle.dumps(message)
    return len(data).to_bytes(8, "little") + data


def _read_input(size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        more = os.read(0, min(size - len(data), 1 << 20))
        if not more:
            os._exit(0)  # the parent has ended, or needs this process no longer
        data += more
    return bytes(data)


def _read_works(works: queue.SimpleQueue[dict[str, Any]]) -> None:
    while True:
        works.put(pickle.loads(_read_input(int.from_bytes(_read_input(8), "little"))))


def serve() -> None:
    """Runs the items that standard input holds; writes their results. The main function of a child."""
    # Output of passes and checks goes to standard error.
    out = os.dup(1)
    os.dup2(2, 1)
    works: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_read_works, args=(works,), daemon=True).start()
    while True:
        work = works.get()
        if work["build"] == build_id():
            _serve_items(out, work)
        else:
            _write(out, [f"a worker has build {build_id()}, and the sweep was started with {work['build']}"])


def _write(out: int, messages: list[Any]) -> None:
    data = _frame(messages)
    while data:
        data = data[os.write(out, data) :]


def _serve_items(out: int, work: dict[str, Any]) -> None:
    _write(out, [None])
    results: list[Any] = []
    written = time.monotonic()
    for entry in work["items"]:
        results.append(tuple(run_item(Item(*entry), work["checks"])))
        now = time.monotonic()
        if now - written >= work["flush"]:
            _write(out, results)
            results = []
            written = now
    if results:
        _write(out, results)
