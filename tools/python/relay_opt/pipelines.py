# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pipelines as text, with the instrumentations of relay-opt."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._relay_opt import IRModule
from ._relay_opt import Pipeline as _Pipeline
from .analysis import list_op_freqs


class Run(NamedTuple):
    """One run of a pass on a module or on a function."""

    name: str
    unit: str
    depth: int
    changed: bool
    skipped: bool
    skipped_by: str
    nanoseconds: int


class PassRun:
    """What a pipeline did: its result, its runs, and what instrumentations printed."""

    def __init__(self, source: IRModule, module: IRModule, output: str, runs: list[Run]):
        self.source = source
        self.module = module
        self.output = output
        self.runs = runs

    @property
    def changed(self) -> list[Run]:
        """The runs that changed something."""
        return [run for run in self.runs if run.changed]

    @property
    def op_difference(self) -> dict[str, int]:
        """How many more calls of each operator the result has; those with as many are left out."""
        before, after = list_op_freqs(self.source), list_op_freqs(self.module)
        both = {name: after.get(name, 0) - before.get(name, 0) for name in sorted({*before, *after})}
        return {name: count for name, count in both.items() if count}


class PassManager:
    """A pipeline, `default<O2>` or `fold-constant,fuse-ops`, that runs as often as wanted."""

    def __init__(self, pipeline: Any):
        self._pipeline = pipeline

    @classmethod
    def parse(cls, text: str, flags: Any = ()) -> PassManager:
        """Returns the pipeline of text, with flags of relay-opt's instrumentations such as `-print-after-all`.

        Raises PipelineError.
        """
        return cls(_Pipeline(text, [str(flag) for flag in flags]))

    def run(self, mod: IRModule, opt_level: int = 3, config: Any = None, target: Any = None) -> PassRun:
        """Runs the pipeline on a copy of mod. Raises PassError."""
        module, output, runs = self._pipeline.run(mod, opt_level, dict(config or {}), target)
        return PassRun(mod, module, output, [Run(*run) for run in runs])

    def __str__(self) -> str:
        return self._pipeline.text

    def __repr__(self) -> str:
        return f"PassManager.parse({self._pipeline.text!r})"
