# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one pipeline on one model, and describes what happened."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.util
import io
import re
import time
from pathlib import Path
from typing import Any, Callable, NamedTuple, Sequence, Union

from .. import _relay_opt as _ext
from .. import comparison, reading
from .._relay_opt import IRModule, Pass, PassContext

__all__ = ["Item", "Result", "build_id", "check_spec", "run_item"]

#: The opt level of relay-opt.
OPT_LEVEL = 3
#: The checks with a name, and the flags of relay-opt that do the same.
NAMED_CHECKS = {"idempotent": "-verify-idempotent", "roundtrip": "-verify-roundtrip"}

# The printer puts a space before each call. The space first makes the search several times as fast.
_CALLS = re.compile(r" ([a-z_][\w.]*)\(").findall
_STRINGS = re.compile(r'"(?:\\.|[^"\\])*"')

Check = Callable[[IRModule, IRModule], Union[bool, str, None]]


class Item(NamedTuple):
    """A model and a pipeline. The model is a text, or the path of a file."""

    model: str
    name: str
    path: str | None
    text: str | None
    pipeline: str


class Result(NamedTuple):
    """The row of a model and a pipeline in the database."""

    model: str
    pipeline: str
    status: str
    message: str
    #: The operations whose counts changed: [before, after] of each.
    changed: dict[str, list[int]]
    output: str
    seconds: float


@functools.lru_cache(maxsize=None)
def build_id() -> str:
    """Returns the version of the library and a digest of its extension module."""
    digest = hashlib.sha256(Path(_ext.__file__).read_bytes()).hexdigest()[:16]
    return f"{_ext.__version__}-{digest}"


def check_spec(check: Any) -> str:
    """Returns a check as text, by which other processes find it."""
    if isinstance(check, str):
        if check not in NAMED_CHECKS and ":" not in check:
            raise ValueError(f"unknown check '{check}'; expected {', '.join(NAMED_CHECKS)}, 'module:function' or a function")
        return check
    module, name = getattr(check, "__module__", None), getattr(check, "__qualname__", "")
    if module == "__main__":
        module = getattr(importlib.import_module(module), "__file__", None)
        module = module and str(Path(module).resolve())
    if not module or not name.isidentifier():
        raise ValueError(f"workers cannot import the check {check!r}; define it at the top level of a module")
    return f"{module}:{name}"


def _idempotent(pipeline: str, after: IRModule) -> str | None:
    with PassContext(opt_level=OPT_LEVEL):
        again = _run(pipeline, after)
    difference = comparison.difference(after, again)
    return None if difference is None else f"a second run changes the module: {difference}"


def _roundtrip(after: IRModule) -> str | None:
    difference = comparison.difference(after, reading.parse(after.astext()))
    return None if difference is None else f"the printed module reads back as another: {difference}"


@functools.lru_cache(maxsize=None)
def _load_check(spec: str) -> Check:
    place, _, name = spec.rpartition(":")
    if not place.endswith(".py"):
        return getattr(importlib.import_module(place), name)
    found = importlib.util.spec_from_file_location("relay_opt_sweep_checks", place)
    if found is None or found.loader is None:
        raise ImportError(f"cannot import '{place}'")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return getattr(module, name)


def _run_check(spec: str, pipeline: str, before: IRModule, after: IRModule) -> str | None:
    """Returns why a check fails, or None."""
    if spec == "idempotent":
        return _idempotent(pipeline, after)
    if spec == "roundtrip":
        return _roundtrip(after)
    found = _load_check(spec)(before, after)
    if found is None or found is True:
        return None
    return found if isinstance(found, str) else "the check returned a false value"


def _split(pipeline: str) -> list[str]:
    """Returns the elements of a list of passes; commas in options and groups do not divide it."""
    elements, depth = [""], 0
    for character in pipeline:
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            elements.append("")
        else:
            elements[-1] += character
    return elements


@functools.lru_cache(maxsize=1)
def _skipped_passes() -> frozenset[str]:
    """Returns the passes that a sequence leaves out at our opt level."""
    return frozenset(argument for argument, _, level in _ext.pass_infos() if level > OPT_LEVEL)


@functools.lru_cache(maxsize=256)
def _passes(pipeline: str) -> tuple[Pass, ...]:
    """Returns passes that do what relay-opt does with a pipeline.

    A list is a sequence in Python, to which opt levels apply; relay-opt runs all passes of a list.
    """
    if _skipped_passes().isdisjoint(re.findall(r"[\w-]+", pipeline)):
        return (Pass(pipeline),)
    return tuple(Pass(element) for element in _split(pipeline))


def _run(pipeline: str, mod: IRModule) -> IRModule:
    for step in _passes(pipeline):
        mod = step(mod)
    return mod


class _Input(NamedTuple):
    """A model that was read, its printed text, and how often it calls each operator."""

    mod: IRModule
    text: str
    counts: dict[str, int]


@functools.lru_cache(maxsize=1)
def _read(model: str, path: str | None, text: str | None) -> _Input:
    """Reads a model. The pipelines of one model follow each other, so that it is read once."""
    if path is not None:
        with open(path, "rb") as file:
            data = file.read()
        if hashlib.sha256(data).hexdigest() != model:
            raise RuntimeError("the file changed during the sweep")
    source = text if path is None else data
    assert source is not None
    mod = reading.parse(source, path or "<model>")
    before = printed(mod)
    return _Input(mod, before, op_counts(before))


def printed(mod: IRModule) -> str:
    """Returns the text of a module, with digests of constants."""
    return mod._print(True, False, False, 0)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def op_counts(text: str) -> dict[str, int]:
    """Returns how often each operator is called in a printed module."""
    counts: dict[str, int] = {}
    if '"' in text:
        text = _STRINGS.sub('""', text)
    if not text.startswith(("def ", "type ", "extern ")):  # an expression is not indented
        text = " " + text.replace("\n", "\n ")
    for name in _CALLS(text):
        counts[name] = counts.get(name, 0) + 1
    return counts


def changed_counts(old: dict[str, int], new: dict[str, int]) -> dict[str, list[int]]:
    """Returns the operators whose numbers differ."""
    if old == new:
        return {}
    numbers = ((op, old.get(op, 0), new.get(op, 0)) for op in sorted(old.keys() | new.keys()))
    return {op: [before, after] for op, before, after in numbers if before != after}


def run_item(item: Item, checks: Sequence[str]) -> Result:
    """Runs a pipeline on a model. Exceptions are results."""
    start = time.perf_counter()
    status, message, output = "ok", "", ""
    changed: dict[str, list[int]] = {}
    # Remarks on each model are no part of a result.
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            mod, before, counts = _read(item.model, item.path, item.text)
            with PassContext(opt_level=OPT_LEVEL):
                after_mod = _run(item.pipeline, mod)
            after = printed(after_mod)
            if after != before:
                changed = changed_counts(counts, op_counts(after))
            output = _digest(after)
            for check in checks:
                found = _run_check(check, item.pipeline, mod, after_mod)
                if found is not None:
                    status, message = "failed", f"{check}: {found}"
                    break
        except Exception as error:
            status, message = "failed", f"{type(error).__name__}: {error}"
    return Result(item.model, item.pipeline, status, message, changed, output, time.perf_counter() - start)


class _Frame:
    """A running pass, and the passes that ran in it."""

    def __init__(self, name: str):
        self.name = name
        # Sequences and pipelines run other passes. Most passes infer types at the end, and remain one step.
        self.is_group = name.islower()
        self.steps: list[list[str]] = []


class _Tracer:
    """An instrument that records a digest of the module after each pass."""

    def __init__(self) -> None:
        self.frames = [_Frame("sweep")]

    def run_before_pass(self, mod: IRModule, info: Any) -> None:
        if info.name != "InferType":
            self.frames[-1].is_group = True
        self.frames.append(_Frame(info.name))

    def run_after_pass(self, mod: IRModule, info: Any) -> None:
        frame = self.frames.pop()
        if frame.is_group:
            self.frames[-1].steps += frame.steps
        else:
            self.frames[-1].steps.append([frame.name, _digest(printed(mod))[:16]])

    def finish(self) -> list[list[str]]:
        """Returns the steps, the one of a failed pass included."""
        steps = [step for frame in self.frames for step in frame.steps]
        if len(self.frames) > 1:
            steps.append([self.frames[-1].name, "failed"])
        return steps


def trace_item(item: Item) -> list[list[str]]:
    """Returns the passes that run, each with a digest of the module after it. The first step is the input."""
    tracer = _Tracer()
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            mod, before, _ = _read(item.model, item.path, item.text)
            tracer.frames[0].steps.append(["", _digest(before)[:16]])
            with PassContext(opt_level=OPT_LEVEL, instruments=[tracer]):
                _run(item.pipeline, mod)
        except Exception:
            pass  # finish() names the pass
    return tracer.finish()
