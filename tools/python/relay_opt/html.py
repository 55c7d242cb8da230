# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HTML of modules, expressions and differences, for notebooks.

Functions fold; long ones are folded at first. Text is colored where Pygments is
installed. Constants are shown by type, without data.
"""

from __future__ import annotations

import html
import re
from typing import Any, Iterator

from . import _relay_opt as _ext
from ._relay_opt import Expr, IRModule
from .errors import Error

__all__ = ["ELIDE", "FOLD_LINES", "MAX_LINES", "diff_html", "expr_html", "module_html", "page_html", "text_html"]

#: Constants of more elements than this are printed as their type.
ELIDE = 16
#: Functions of more lines than this are folded at first.
FOLD_LINES = 40
#: Only this many lines of a function are shown.
MAX_LINES = 2000

_STYLE = """<style>
.relay-opt{--k:#7b2fa8;--t:#00707a;--o:#1a56b8;--v:#8a4b00;--n:#0a7a2f;--s:#a31515;--c:#6a737d}
@media (prefers-color-scheme:dark){.relay-opt{--k:#d19cf0;--t:#5fd0d8;--o:#84b6ff;--v:#f0b47a;--n:#7fdc9a;--s:#ff9c94;--c:#9aa4ae}}
[data-jp-theme-light="true"] .relay-opt{--k:#7b2fa8;--t:#00707a;--o:#1a56b8;--v:#8a4b00;--n:#0a7a2f;--s:#a31515;--c:#6a737d}
[data-jp-theme-light="false"] .relay-opt{--k:#d19cf0;--t:#5fd0d8;--o:#84b6ff;--v:#f0b47a;--n:#7fdc9a;--s:#ff9c94;--c:#9aa4ae}
.relay-opt pre{margin:0;padding:0;white-space:pre;overflow-x:auto;background:none}
.relay-opt summary{cursor:pointer;font-family:monospace;white-space:pre-wrap}
.relay-opt ins,.relay-opt del{text-decoration:none;color:inherit;display:inline-block;min-width:100%}
.relay-opt ins{background:#2da44e33}.relay-opt del{background:#cf222e33}
.relay-opt b{color:var(--k);font-weight:600}
.relay-opt .t{color:var(--t)}.relay-opt .o{color:var(--o)}.relay-opt .v{color:var(--v)}
.relay-opt .n{color:var(--n)}.relay-opt .s{color:var(--s)}.relay-opt .c{color:var(--c)}
</style>"""


def _classes() -> dict[Any, str]:
    """Maps kinds of tokens to classes of the style; kinds that are absent have no color."""
    from pygments.token import Comment, Keyword, Name, Number, String

    return {
        Comment: "c",
        Keyword: "k",
        Keyword.Type: "t",
        Name.Builtin: "o",
        Name.Function: "o",
        Name.Class: "t",
        Name.Variable: "v",
        Number: "n",
        String: "s",
    }


def _class_of(kind: Any, classes: dict[Any, str]) -> str:
    while kind is not None:
        if kind in classes:
            return classes[kind]
        kind = kind.parent
    return ""


def _spans(text: str) -> Iterator[tuple[str, str]]:
    """Yields the parts of text with their classes; neighbors differ in class."""
    try:
        from .lexer import RelayLexer
    except ImportError:
        yield "", text
        return
    classes = _classes()
    pending: list[str] = []
    last = ""
    for kind, value in RelayLexer(stripnl=False, ensurenl=False).get_tokens(text):
        name = last if value.isspace() else _class_of(kind, classes)
        if name != last:
            yield last, "".join(pending)
            pending = []
        last = name
        pending.append(value)
    yield last, "".join(pending)


def text_html(text: str) -> str:
    """Returns Relay text as HTML, colored where Pygments is installed."""
    parts = []
    for name, value in _spans(text):
        escaped = html.escape(value)
        if name == "k":
            parts.append(f"<b>{escaped}</b>")
        else:
            parts.append(f'<span class="{name}">{escaped}</span>' if name else escaped)
    return "".join(parts)


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _body(lines: list[str]) -> str:
    """Returns lines as one block, cut after MAX_LINES."""
    cut = len(lines) - MAX_LINES
    text = text_html("\n".join(lines[:MAX_LINES]))
    if cut > 0:
        text += f'\n<span class="c">… {cut:,} more lines; print the object for all</span>'
    return f"<pre>{text}</pre>"


def _definition(lines: list[str]) -> str:
    """Returns a definition; one of several lines folds into its first."""
    if len(lines) < 2:
        return _body(lines)
    is_open = "" if len(lines) > FOLD_LINES else " open"
    count = f'<span class="c"> {_plural(len(lines), "line")}</span>'
    return f"<details{is_open}><summary>{text_html(lines[0])}{count}</summary>{_body(lines[1:])}</details>"


def _definitions(text: str) -> Iterator[list[str]]:
    """Yields the lines of each definition of a printed module."""
    lines: list[str] = []
    for line in text.splitlines():
        if re.match(r"(def|type|extern)\b", line) and lines:
            yield lines
            lines = []
        if line or lines:
            lines.append(line)
    if lines:
        yield lines


def _without_end(lines: list[str]) -> list[str]:
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _frame(content: str) -> str:
    return f'{_STYLE}<div class="relay-opt">{content}</div>'


def module_html(mod: IRModule) -> str | None:
    """Returns a module as HTML; None if it cannot be printed."""
    try:
        text = mod._print(False, False, False, ELIDE)
    except Error:
        return None
    return _frame("\n".join(_definition(_without_end(lines)) for lines in _definitions(text)))


def expr_html(expr: Expr) -> str | None:
    """Returns an expression as HTML; None if it cannot be printed."""
    try:
        text = _ext.print_expr(expr, False, False)
    except Error:
        return None
    lines = _without_end(text.splitlines())
    return _frame(_definition(lines) if len(lines) > FOLD_LINES else _body(lines))


def _diff_line(line: str) -> str:
    """Returns a line of a unified diff; `<del>` and `<ins>` mark changes."""
    tag = {"-": "del", "+": "ins"}.get(line[:1])
    if line.startswith("@@"):
        return f'<span class="c">{html.escape(line)}</span>'
    text = html.escape(line[:1]) + text_html(line[1:])
    return f"<{tag}>{text}</{tag}>" if tag else text


def diff_html(reason: str | None, lines: list[str]) -> str:
    """Returns the lines of a unified diff below the first structural difference."""
    if reason is None:
        return _frame("no difference")
    cut = len(lines) - MAX_LINES
    shown = [_diff_line(line) for line in lines[:MAX_LINES]]
    if cut > 0:
        shown.append(f'<span class="c">… {cut:,} more lines; print the object for all</span>')
    return _frame(f"<p>{html.escape(reason)}</p><pre>" + "\n".join(shown) + "</pre>")


def page_html(page: str, title: str) -> str:
    """Returns a whole page in a frame of its own, whose scripts cannot reach the notebook."""
    return (
        f'<iframe title="{html.escape(title)}" sandbox="allow-scripts" srcdoc="{html.escape(page)}"'
        ' style="width:100%;height:36em;border:1px solid #8888"></iframe>'
    )
