# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Pygments lexer for Relay text.

Pygments finds it as `relay` and for files named `*.relay`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

__all__ = ["RelayLexer"]

# A name may contain characters that begin other tokens: a comment, the type of `%x:T` and an arrow end it. A final
# `.<number>` is a projection.
_NAME = (
    r"(?:[A-Za-z0-9_'$~^|!#\x80-\U0010ffff]"
    r"|/(?![/*])"
    r"|:(?=[:0-9])|(?<=:):"
    r"|-(?!>)"
    r"|\.(?!\d+(?![A-Za-z0-9_/.:])))+"
)
_ELEMENT = r"(?:(?:float|bfloat|int|uint)\d+(?:_\w+)?(?:x\d+)?|bool|void|handle|custom\[\w+\]\d+)"


class RelayLexer(RegexLexer):
    """Splits Relay text, metadata included, into tokens."""

    name = "Relay"
    aliases = ["relay"]
    filenames = ["*.relay"]
    mimetypes = ["text/x-relay"]
    url = "https://tvm.apache.org"
    version_added = ""

    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (r"\s+", Whitespace),
            (r"/\*", Comment.Multiline, "comment"),
            (r"//[^\n]*", Comment.Single),
            (r"#\[version\s*=\s*\"[^\"\n]*\"\]", Comment.Preproc),
            (r"#\[metadata\]", Comment.Preproc, "metadata"),
            (r'"(?:\\.|[^"\\\n])*"', String.Double),
            ("%" + _NAME, Name.Variable),
            ("@" + _NAME, Name.Function),
            (
                r"(meta)(\s*)(\[)([\w.]+)(\])(\[)(\d+)(\])",
                bygroups(
                    Keyword.Pseudo, Whitespace, Punctuation, Name.Class, Punctuation, Punctuation, Number.Integer, Punctuation
                ),
            ),
            (r"\d+(?:\.\d+(?:[eE][-+]?\d+)?|[eE][-+]?\d+)\w*", Number.Float),
            (r"\d+f\d*\b", Number.Float),
            (r"\d+\w*", Number.Integer),
            (words(("def", "type", "extern"), suffix=r"\b"), Keyword.Declaration),
            (words(("True", "False"), suffix=r"\b"), Keyword.Constant),
            # Attributes come before keywords: `ref=1` sets an attribute.
            (r"[A-Za-z_]\w*(?=\s*=(?![=>]))", Name.Attribute),
            (words(("let", "fn", "if", "else", "match", "ref", "ref_read", "ref_write", "free_var"), suffix=r"\b"), Keyword),
            (words(("Tensor", "TupleType"), suffix=r"\b"), Keyword.Type),
            (_ELEMENT + r"(?![\w.(])", Keyword.Type),
            (r"[A-Z]\w*(?!\.)", Name.Class),
            (r"[A-Za-z_][\w.]*(?=\s*\()", Name.Builtin),
            (r"[A-Za-z_][\w.]*", Name),
            (r"->|=>|==|!=|<=|>=|[-+*/<>=?]", Operator),
            (r"[(){}\[\],;:.]", Punctuation),
        ],
        "comment": [
            (r"[^*/]+", Comment.Multiline),
            (r"/\*", Comment.Multiline, "#push"),
            (r"\*/", Comment.Multiline, "#pop"),
            (r"[*/]", Comment.Multiline),
        ],
        # JSON, to the end of the text.
        "metadata": [
            (r"\s+", Whitespace),
            (r'("(?:\\.|[^"\\])*")(\s*)(:)', bygroups(Name.Tag, Whitespace, Punctuation)),
            (r'"(?:\\.|[^"\\])*"', String.Double),
            (r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", Number),
            (r"(?:true|false|null)\b", Keyword.Constant),
            (r"[{}\[\],:]", Punctuation),
            (r"/\*", Comment.Multiline, "comment"),
            (r"//[^\n]*", Comment.Single),
        ],
    }
