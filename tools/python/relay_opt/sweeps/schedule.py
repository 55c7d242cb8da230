# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Divides the items of a sweep into chunks and hands these to an executor."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import sys
import time
from collections import deque
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, Callable, Iterable, Sequence

from .child import Chunk, run_chunk, watch_parent
from .work import Item, Result

__all__ = ["Progress", "run_items"]

#: Items of the first chunks, whose time is not known.
FIRST_ITEMS = 16
#: Chunks of this time are not divided further.
MIN_SECONDS = 2.0
#: How often in succession the executor may lose chunks without any result.
MAX_LOSSES = 8


class Progress:
    """A bar on standard error, if that is a terminal and show is not given."""

    def __init__(self, total: int, show: bool | None = None):
        self.total = total
        self.count = 0
        self.others = 0
        self.start = self.last = time.monotonic()
        self.show = sys.stderr.isatty() if show is None else show

    def add(self, results: Sequence[Result]) -> None:
        self.count += len(results)
        self.others += sum(r.status != "ok" for r in results)
        if self.show and (time.monotonic() - self.last > 0.1 or self.count == self.total):
            self.last = time.monotonic()
            self._write()

    def _write(self) -> None:
        rate = self.count / max(time.monotonic() - self.start, 1e-3)
        left = int((self.total - self.count) / rate) if rate else 0
        filled = 30 * self.count // max(self.total, 1)
        bar = "#" * filled + "-" * (30 - filled)
        text = f"[{bar}] {self.count:,}/{self.total:,}  {rate:,.0f}/s  {left // 60}:{left % 60:02} left"
        sys.stderr.write(f"\r{text}  {self.others:,} not ok\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        if self.show:
            sys.stderr.write("\n")


def _count_workers(executor: Executor) -> int:
    """Returns the number of workers of an executor, as far as it can be known."""
    count = getattr(executor, "_max_workers", None)
    if isinstance(count, int):
        return count
    client = getattr(executor, "_client", None)  # of distributed
    if client is not None:
        return max(sum(client.ncores().values()), 1)
    return os.cpu_count() or 1


class _Pool:
    """The default executor: a process pool, replaced when one of its processes was ended."""

    def __init__(self, workers: int | None):
        self.workers = workers or os.cpu_count() or 1
        self.executor = self._create()

    def _create(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context, initializer=watch_parent)

    def replace(self) -> None:
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self._create()

    def close(self, at_once: bool) -> None:
        if at_once:
            for process in list((getattr(self.executor, "_processes", None) or {}).values()):
                process.terminate()  # its child ends with it
        self.executor.shutdown(wait=not at_once, cancel_futures=True)


class _Scheduler:
    """Keeps an executor busy until all items have results."""

    def __init__(self, template: Chunk, items: Iterable[Item], seconds: float, workers: int):
        self.template = template
        self.items = deque(items)
        self.left = len(self.items)
        self.seconds = seconds
        self.workers = workers
        self.rate = 0.0  # items in a second, of one worker
        self.losses = 0

    def next_chunk(self) -> Chunk:
        size = int(self.rate * self.seconds) or FIRST_ITEMS
        # The last chunks are shorter, so that the workers end together.
        size = min(size, max(-(-len(self.items) // (2 * self.workers)), int(self.rate * MIN_SECONDS)))
        size = max(size, 1)
        return self.template._replace(items=[self.items.popleft() for _ in range(min(size, len(self.items)))])

    def measure(self, results: Sequence[Result]) -> None:
        seconds = sum(r.seconds for r in results)
        if seconds > 0:
            rate = len(results) / seconds
            self.rate = rate if self.rate == 0 else (self.rate + rate) / 2

    def run(self, submit: Callable[[Chunk], Future[Any]], recover: Callable[[BaseException], None], store: Callable[[list[Result]], None]) -> None:
        """Runs all items; store is called with the results of each chunk."""
        running: dict[Future[Any], Chunk] = {}
        try:
            while self.items or running:
                lost = self._submit(submit, running)
                done, _ = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED) if running else ((), ())
                for future in done:
                    chunk = running.pop(future)
                    error = future.exception()
                    if error is None:
                        self.losses = 0
                        self.measure(future.result())
                        store(future.result())
                    elif _is_loss(error):
                        self.items.extendleft(reversed(chunk.items))
                        lost = error
                    else:
                        raise error
                if lost is not None:
                    self._recover(lost, recover, running)
        finally:
            for future in running:
                future.cancel()

    def _submit(self, submit: Callable[[Chunk], Future[Any]], running: dict[Future[Any], Chunk]) -> BaseException | None:
        """Submits chunks, one more than there are workers; returns the error of an executor that takes none."""
        while self.items and len(running) <= self.workers:
            chunk = self.next_chunk()
            try:
                running[submit(chunk)] = chunk
            except concurrent.futures.BrokenExecutor as error:
                self.items.extendleft(reversed(chunk.items))
                return error
        return None

    def _recover(self, error: BaseException, recover: Callable[[BaseException], None], running: dict[Future[Any], Chunk]) -> None:
        """Takes the chunks of a broken executor back, so that its successor gets them."""
        self.losses += 1
        if self.losses > MAX_LOSSES:
            raise error
        if isinstance(error, concurrent.futures.BrokenExecutor):
            for chunk in running.values():
                self.items.extendleft(reversed(chunk.items))
            running.clear()
        recover(error)


def _is_loss(error: BaseException) -> bool:
    """Returns true if a chunk was lost with its worker."""
    if isinstance(error, (concurrent.futures.BrokenExecutor, concurrent.futures.CancelledError)):
        return True
    return type(error).__name__ in ("KilledWorker", "CancelledError", "FutureCancelledError")  # of distributed


def run_items(
    template: Chunk,
    items: Sequence[Item],
    executor: Executor | None,
    workers: int | None,
    chunk_seconds: float,
    store: Callable[[list[Result]], None],
) -> None:
    """Runs items on an executor, by default on a process pool."""
    if not items:
        return
    if executor is not None:
        scheduler = _Scheduler(template, items, chunk_seconds, workers or _count_workers(executor))
        given = executor

        def give_up(error: BaseException) -> None:
            if isinstance(error, concurrent.futures.BrokenExecutor):
                raise error  # it is not ours to replace

        scheduler.run(lambda chunk: given.submit(run_chunk, chunk), give_up, store)
        return
    pool = _Pool(workers)
    complete = False
    try:
        scheduler = _Scheduler(template, items, chunk_seconds, pool.workers)
        scheduler.run(lambda chunk: pool.executor.submit(run_chunk, chunk), lambda _: pool.replace(), store)
        complete = True
    finally:
        pool.close(at_once=not complete)
