# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pipelines as text, with the instrumentations of relay-opt."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

from ._relay_opt import IRModule
from ._relay_opt import Pipeline as _Pipeline


#: Runs the pipeline of a PassRun again with other flags; returns its output.
_RunAgain = Callable[[IRModule, list[str]], str]


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

    def __init__(self, source: IRModule, module: IRModule, output: str, runs: list[Run], again: _RunAgain):
        self.source = source
        self.module = module
        self.output = output
        self.runs = runs
        self._again = again
        self._version = source._version

    def __repr__(self) -> str:
        return f"PassRun({len(self.runs)} runs, {len(self.changed)} of them with changes)"

    def _check_source(self) -> None:
        if self.source._version != self._version:
            raise ValueError("the source of the run has been changed since")

    @property
    def changed(self) -> list[Run]:
        """The runs that changed something."""
        return [run for run in self.runs if run.changed]

    @property
    def op_difference(self) -> dict[str, int]:
        """How many more calls of each operator the result has; those with as many are left out."""
        self._check_source()
        before, after = self.source.op_counts(), self.module.op_counts()
        both = {name: after.get(name, 0) - before.get(name, 0) for name in sorted({*before, *after})}
        return {name: count for name, count in both.items() if count}

    def why(self, *names: str) -> str:
        """Returns which passes and rules made operations of the result, by their printed names.

        A name is `%12`, `%x`, `@f` for the result of a function, or `layer:NAME`.
        Runs the pipeline again. Raises PassError for an unknown name.
        """
        self._check_source()
        if not names:
            raise ValueError("why() needs a name such as '%12'")
        return self._again(self.source, [f"-why={','.join(names)}"])

    def report(self) -> str:
        """Returns the page of `-pass-report`. Runs the pipeline again."""
        import os
        import tempfile

        self._check_source()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            self._again(self.source, [f"-pass-report={path}"])
            with open(path, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self) -> str:
        from .html import page_html

        return page_html(self.report(), "pass report")


class PassManager:
    """A pipeline, `default<O2>` or `fold-constant,fuse-ops`, that runs as often as wanted."""

    def __init__(self, pipeline: _Pipeline):
        self._pipeline = pipeline

    @classmethod
    def parse(cls, text: str, flags: Any = ()) -> PassManager:
        """Returns the pipeline of text, with flags of relay-opt's instrumentations such as `-print-after-all`.

        Raises PipelineError.
        """
        return cls(_Pipeline(text, [str(flag) for flag in flags]))

    def run(self, mod: IRModule, opt_level: int = 3, config: Any = None, target: Any = None) -> PassRun:
        """Runs the pipeline on a copy of mod. Raises PassError."""
        settings = dict(config or {})

        def again(source: IRModule, flags: list[str]) -> str:
            return _Pipeline(self._pipeline.text, flags).run(source, opt_level, settings, target)[1]

        module, output, runs = self._pipeline.run(mod, opt_level, settings, target)
        return PassRun(mod, module, output, [Run(*run) for run in runs], again)

    def __str__(self) -> str:
        return self._pipeline.text

    def __repr__(self) -> str:
        return f"PassManager.parse({self._pipeline.text!r})"
