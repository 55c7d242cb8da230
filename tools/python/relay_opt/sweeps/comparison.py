# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the results of two builds or two pipelines, and groups the differences by cause."""

from __future__ import annotations

import html
import os
from typing import Iterator, NamedTuple

from .store import Row, Store
from .work import build_id, trace_item

__all__ = ["Comparison", "Difference", "compare", "trace"]

_EXAMPLES = 5

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#1c2024;background:#fff}
code{font-family:ui-monospace,monospace;font-size:.92em;overflow-wrap:anywhere}
details{border:1px solid #d5d9de;border-radius:6px;margin:.6em 0;padding:.5em .9em}summary{cursor:pointer}
table{border-collapse:collapse;margin:.6em 0;width:100%}td,th{text-align:left;vertical-align:top;padding:.2em 1em .2em 0;border-top:1px solid #d5d9de}
.count{font-variant-numeric:tabular-nums;font-weight:600}
@media (prefers-color-scheme:dark){body{color:#e3e6ea;background:#16191d}details,td,th{border-color:#3a4048}}
"""


class Difference(NamedTuple):
    """A model whose results differ."""

    model: str
    name: str
    pipeline: str
    #: "ok to failed", or empty.
    status: str
    #: The operators that the outputs hold in different numbers: [first, second].
    counts: dict[str, list[int]]
    #: The first pass after which the modules differ; empty if there are no traces.
    first_pass: str
    messages: tuple[str, str]
    reproducers: tuple[str, str]

    @property
    def cause(self) -> tuple[str, ...]:
        """The key by which differences are grouped."""
        operators = [("+" if new > old else "-") + op for op, (old, new) in sorted(self.counts.items())]
        return (self.pipeline, self.status, self.first_pass, " ".join(operators))


class Comparison:
    """The differences of two sweeps over the same models."""

    def __init__(self, names: tuple[str, str], common: int, differences: list[Difference]):
        self.names = names
        #: The number of models and pipelines that both have results of.
        self.common = common
        self.differences = differences
        groups: dict[tuple[str, ...], list[Difference]] = {}
        for difference in differences:
            groups.setdefault(difference.cause, []).append(difference)
        #: The differences of each cause, the most frequent cause first.
        self.groups = dict(sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])))

    @property
    def summary(self) -> str:
        if not self.differences:
            return f"no differences in {_count(self.common, 'result')}"
        return f"{_count(len(self.differences), 'difference')}, {_count(len(self.groups), 'cause')}, in {_count(self.common, 'result')}"

    def __str__(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield self.summary
        yield f"first:  {self.names[0]}"
        yield f"second: {self.names[1]}"
        for cause, members in self.groups.items():
            yield ""
            yield f"{_count(len(members), 'difference')}: {_describe(cause)}"
            yield f"  pipeline: {cause[0]}"
            for member in members[:_EXAMPLES]:
                yield f"  {member.name}{_changes(member)}"
                for message in filter(None, member.messages):
                    yield f"    {message.splitlines()[0]}"
            if len(members) > _EXAMPLES:
                yield f"  and {len(members) - _EXAMPLES:,} more"

    def html(self) -> str:
        """Returns the comparison as a page without references to other files."""
        parts = [
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(self.summary)}</title>',
            f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>',
            f"<h1>{html.escape(self.summary)}</h1>",
            f"<p>First: <code>{html.escape(self.names[0])}</code><br>Second: <code>{html.escape(self.names[1])}</code></p>",
        ]
        for cause, members in self.groups.items():
            parts.append(
                f'<details><summary><span class="count">{_count(len(members), "difference")}</span>: '
                f"{html.escape(_describe(cause))}<br><code>{html.escape(cause[0])}</code></summary>"
                "<table><tr><th>Model<th>Operators<th>Messages and reproducers</tr>"
            )
            parts += [_table_row(member) for member in members]
            parts.append("</table></details>")
        return "\n".join(parts) + "\n</body></html>\n"

    _repr_html_ = html


def _count(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _describe(cause: tuple[str, ...]) -> str:
    _, status, first_pass, operators = cause
    parts = [status, operators and f"operators {operators}", first_pass and f"first differing pass {first_pass}"]
    return ", ".join(filter(None, parts)) or "same operators, different output"


def _changes(member: Difference) -> str:
    if not member.counts:
        return ""
    return ": " + ", ".join(f"{op} {old} -> {new}" for op, (old, new) in sorted(member.counts.items()))


def _table_row(member: Difference) -> str:
    notes = [html.escape(message) for message in member.messages if message]
    notes += [f"<code>{html.escape(command)}</code>" for command in dict.fromkeys(filter(None, member.reproducers))]
    cells = [f"<code>{html.escape(member.name)}</code>", html.escape(_changes(member)[2:]), "<br>".join(notes)]
    return "<tr><td>" + "<td>".join(cells) + "</tr>"


def _differing_counts(first: Row, second: Row) -> dict[str, list[int]]:
    """Returns how often both outputs call the operators that differ; unchanged ones are equal in both."""
    counts = {}
    for op in sorted(first.changed.keys() | second.changed.keys()):
        # A side that did not change the operator still has the number of the input.
        before = (first.changed.get(op) or second.changed[op])[0]
        old, new = (row.changed.get(op, [before, before])[1] for row in (first, second))
        if old != new:
            counts[op] = [old, new]
    return counts


def _first_pass(first: list[list[str]] | None, second: list[list[str]] | None) -> str:
    """Returns the first pass after which two traces differ."""
    if first is None or second is None:
        return ""
    if [name for name, _ in first] != [name for name, _ in second]:
        first, second = _changing(first), _changing(second)
    for one, other in zip(first, second):
        if one != other:
            return one[0] if one[0] == other[0] else f"{one[0]} or {other[0]}"
    longer = max(first, second, key=len)
    shorter = min(len(first), len(second))
    return longer[shorter][0] if len(longer) > shorter else ""


def _changing(steps: list[list[str]]) -> list[list[str]]:
    """Returns the steps that changed the module."""
    return [step for index, step in enumerate(steps) if index == 0 or step[1] != steps[index - 1][1]]


def _pairs(store: Store, builds: tuple[str, str], pipelines: tuple[str, str] | None) -> Iterator[tuple[Row, Row]]:
    """Yields the results of the same model, pipeline and checks."""

    def key(row: Row) -> tuple[str, ...]:
        return (row.model, row.checks) if pipelines else (row.model, row.checks, row.pipeline)

    seconds = {key(row): row for row in store.rows(builds[1]) if pipelines is None or row.pipeline == pipelines[1]}
    for first in store.rows(builds[0]):
        if pipelines is None or first.pipeline == pipelines[0]:
            second = seconds.get(key(first))
            if second is not None:
                yield first, second


def _differs(first: Row, second: Row) -> bool:
    return (first.status, first.output, first.message) != (second.status, second.output, second.message)


def compare(
    database: str | os.PathLike[str],
    build_a: str,
    build_b: str,
    pipelines: tuple[str, str] | None = None,
) -> Comparison:
    """Compares the results of two builds; with pipelines, those of the first pipeline in build_a and the second in build_b."""
    differences = []
    common = 0
    with Store(database) as store:
        for build in (build_a, build_b):
            if build not in store.builds():
                raise ValueError(f"'{store.path}' has no results of build '{build}'; it has those of {store.builds()}")
        for first, second in _pairs(store, (build_a, build_b), pipelines):
            common += 1
            if not _differs(first, second):
                continue
            traces = [store.trace(row.build, row.pipeline, row.model) for row in (first, second)]
            differences.append(
                Difference(
                    first.model,
                    first.name,
                    first.pipeline if pipelines is None else f"{pipelines[0]} | {pipelines[1]}",
                    "" if first.status == second.status else f"{first.status} to {second.status}",
                    _differing_counts(first, second) if first.output and second.output else {},
                    _first_pass(*traces),
                    (first.message, second.message),
                    (first.reproducer, second.reproducer),
                )
            )
    names = (build_a, build_b) if pipelines is None else (f"{build_a}: {pipelines[0]}", f"{build_b}: {pipelines[1]}")
    return Comparison(names, common, differences)


def trace(
    database: str | os.PathLike[str],
    build_a: str,
    build_b: str,
    pipelines: tuple[str, str] | None = None,
) -> int:
    """Records the module after each pass for the results that differ, as far as they are of this build.

    Run it with each of both builds; compare() then finds the first differing pass. Models that crashed or timed out
    are skipped. Returns the number of new traces.
    """
    count = 0
    with Store(database) as store:
        for pair in list(_pairs(store, (build_a, build_b), pipelines)):
            if not _differs(*pair):
                continue
            for row in pair:
                if row.build != build_id() or row.status in ("crashed", "timeout"):
                    continue
                item = store.item(row.model, row.pipeline)
                if item is not None and store.trace(row.build, row.pipeline, row.model) is None:
                    store.add_trace(row.build, row.pipeline, row.model, trace_item(item))
                    count += 1
    return count
