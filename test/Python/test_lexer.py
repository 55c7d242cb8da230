# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of relay_opt.lexer."""

import importlib.util
import pathlib
import unittest

import relay_opt

ROOT = pathlib.Path(__file__).resolve().parents[1]

if importlib.util.find_spec("pygments") is None:
    raise unittest.SkipTest("pygments is not installed")

from pygments.token import Comment, Error, Keyword, Name, Number, Operator, Punctuation, String, Whitespace
from relay_opt.lexer import RelayLexer


def lex(text):
    """Returns the tokens of text that are not white space."""
    return [(kind, value) for kind, value in RelayLexer().get_tokens(text) if kind is not Whitespace]


def models():
    """Yields the modules in the test files: those that the library reads."""
    for path in sorted(ROOT.rglob("*.relay")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for part in text.split("// -----\n"):
            try:
                relay_opt.parse(part, infer=False)
            except relay_opt.Error:
                continue
            yield path, part


class Tokens(unittest.TestCase):
    def test_statement(self):
        self.assertEqual(
            lex("let %x: Tensor[(2, ?), float32] = nn.conv2d(%p.0, meta[relay.Constant][3], padding=[1, -1]) /* a /* b */ c */;"),
            [
                (Keyword, "let"),
                (Name.Variable, "%x"),
                (Punctuation, ":"),
                (Keyword.Type, "Tensor"),
                (Punctuation, "["),
                (Punctuation, "("),
                (Number.Integer, "2"),
                (Punctuation, ","),
                (Operator, "?"),
                (Punctuation, ")"),
                (Punctuation, ","),
                (Keyword.Type, "float32"),
                (Punctuation, "]"),
                (Operator, "="),
                (Name.Builtin, "nn.conv2d"),
                (Punctuation, "("),
                (Name.Variable, "%p"),
                (Punctuation, "."),
                (Number.Integer, "0"),
                (Punctuation, ","),
                (Keyword.Pseudo, "meta"),
                (Punctuation, "["),
                (Name.Class, "relay.Constant"),
                (Punctuation, "]"),
                (Punctuation, "["),
                (Number.Integer, "3"),
                (Punctuation, "]"),
                (Punctuation, ","),
                (Name.Attribute, "padding"),
                (Operator, "="),
                (Punctuation, "["),
                (Number.Integer, "1"),
                (Punctuation, ","),
                (Operator, "-"),
                (Number.Integer, "1"),
                (Punctuation, "]"),
                (Punctuation, ")"),
                (Comment.Multiline, "/*"),
                (Comment.Multiline, " a "),
                (Comment.Multiline, "/*"),
                (Comment.Multiline, " b "),
                (Comment.Multiline, "*/"),
                (Comment.Multiline, " c "),
                (Comment.Multiline, "*/"),
                (Punctuation, ";"),
            ],
        )

    def test_numbers(self):
        for text, kind in {
            "1f": Number.Float,
            "1.5f": Number.Float,
            "1e-05f": Number.Float,
            "2.5e+3f64": Number.Float,
            "3f16": Number.Float,
            "12": Number.Integer,
            "3i64": Number.Integer,
            "7u8": Number.Integer,
        }.items():
            with self.subTest(text):
                self.assertEqual(lex(text), [(kind, text)])

    def test_names(self):
        for text in ["%0", "%x", "%resnet/conv1:0", "%a::b", "%b.c", "%x-1", "%größe"]:
            with self.subTest(text):
                self.assertEqual(lex(text), [(Name.Variable, text)])
        self.assertEqual(lex("@f.g")[0], (Name.Function, "@f.g"))
        self.assertEqual(lex("%x:int32"), [(Name.Variable, "%x"), (Punctuation, ":"), (Keyword.Type, "int32")])
        self.assertEqual(lex("%x/* c */")[0], (Name.Variable, "%x"))
        self.assertEqual(lex("%x->")[0], (Name.Variable, "%x"))

    def test_frame_and_strings(self):
        self.assertEqual(
            lex('#[version = "0.0.5"]\n"a\\"b" // c\n#[metadata]\n{"k": [1, null]}'),
            [
                (Comment.Preproc, '#[version = "0.0.5"]'),
                (String.Double, '"a\\"b"'),
                (Comment.Single, "// c"),
                (Comment.Preproc, "#[metadata]"),
                (Punctuation, "{"),
                (Name.Tag, '"k"'),
                (Punctuation, ":"),
                (Punctuation, "["),
                (Number, "1"),
                (Punctuation, ","),
                (Keyword.Constant, "null"),
                (Punctuation, "]"),
                (Punctuation, "}"),
            ],
        )

    def test_attribute_named_like_a_keyword(self):
        self.assertEqual(lex("ref=1")[0], (Name.Attribute, "ref"))
        self.assertEqual(lex("if (%x == 1)")[0], (Keyword, "if"))

    def test_invalid_text_is_an_error_token(self):
        self.assertIn((Error, "`"), lex("add(%x, `)"))


class Corpus(unittest.TestCase):
    def test_models_have_no_error_tokens(self):
        count = 0
        for path, text in models():
            count += 1
            errors = [value for kind, value in RelayLexer().get_tokens(text) if kind is Error]
            self.assertEqual(errors, [], path)
        self.assertGreater(count, 500)

    def test_tokens_are_the_text(self):
        path, text = next(models())
        self.assertEqual("".join(v for _, v in RelayLexer(stripnl=False, ensurenl=False).get_tokens(text)), text, path)


if __name__ == "__main__":
    unittest.main()
