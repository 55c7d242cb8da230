# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of relay_opt.html."""

import html.parser
import importlib.util
import subprocess
import sys
import unittest
import unittest.mock

import relay_opt
from relay_opt import html as relay_html

TEXT = """def @main(%x: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] {
  @f(%x)
}
def @f(%y: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] {
  add(%y, %y)
}
"""


class Reader(html.parser.HTMLParser):
    """Collects the text of a page, and checks that its elements nest."""

    def __init__(self, page):
        super().__init__()
        self.open = []
        self.text = ""
        self.count = {}
        self.feed(page)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.count[tag] = self.count.get(tag, 0) + 1

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text += data


def chain(count):
    body = "".join(f"  %{i} = abs({'%x' if i == 0 else f'%{i - 1}'});\n" for i in range(count))
    return relay_opt.parse(f"def @main(%x: float32) {{\n{body}  %{count - 1}\n}}\n")


class Modules(unittest.TestCase):
    def test_functions_fold(self):
        page = Reader(relay_opt.parse(TEXT)._repr_html_())
        self.assertEqual(page.count["details"], 2)
        self.assertIn("def @main(%x: Tensor[(2, 2), float32] /* ty=", page.text)
        self.assertIn("add(%y, %y)", page.text)
        self.assertIn(" 3 lines", page.text)

    def test_long_functions_are_folded(self):
        self.assertIn("<details open>", chain(10)._repr_html_())
        page = chain(100)._repr_html_()
        self.assertIn("<details>", page)
        self.assertNotIn("<details open>", page)

    def test_longest_functions_are_cut(self):
        page = Reader(chain(relay_html.MAX_LINES + 100)._repr_html_()).text
        self.assertEqual(page.count(" = "), relay_html.MAX_LINES)
        self.assertEqual(page.split("\n")[-1], "… 101 more lines; print the object for all")

    def test_text_is_that_of_the_printer(self):
        mod = relay_opt.parse(TEXT)
        shown = Reader(mod._repr_html_()).text.replace(" 3 lines", "\n").split()
        self.assertEqual(shown, mod._print(False, False, False, 16).split())

    def test_empty_module(self):
        self.assertEqual(Reader(relay_opt.IRModule()._repr_html_()).text.strip(), "")

    @unittest.skipUnless(importlib.util.find_spec("numpy"), "numpy is not installed")
    def test_constants_are_elided(self):
        import numpy

        constant = relay_opt.const(numpy.zeros((64, 64), "float32"))
        page = Reader(relay_opt.from_expr(relay_opt.Function([], constant))._repr_html_()).text
        self.assertIn("elided: Tensor[(64, 64), float32]", page)
        self.assertLess(len(page), 200)


class Expressions(unittest.TestCase):
    def test_short(self):
        mod = relay_opt.parse(TEXT)
        page = Reader(mod["f"].body._repr_html_())
        self.assertNotIn("details", page.count)
        self.assertIn("add(%y, %y)", page.text)

    def test_function_folds(self):
        page = chain(100)["main"]._repr_html_()
        self.assertIn("<details><summary>", page)

    def test_differences_are_colored(self):
        page = relay_opt.diff(relay_opt.parse("def @main() { 1f }"), relay_opt.parse("def @main() { 2f }"))._repr_html_()
        for tag in ("ins", "del"):
            self.assertIn(f"<{tag}>", page)
            self.assertRegex(page, rf"\.relay-opt {tag}\{{background:#\w+\}}")
        self.assertIn("text-decoration:none", page)  # browsers would strike text out

    def test_every_kind(self):
        for expr in [relay_opt.var("x"), relay_opt.Tuple([relay_opt.var("a"), relay_opt.var("b")]), relay_opt.parse(TEXT)["main"]]:
            with self.subTest(type(expr).__name__):
                Reader(expr._repr_html_())


class Escaping(unittest.TestCase):
    SOURCE = '"</pre><script>alert(1)</script>" & < > \''

    def test_colored(self):
        self.check(relay_html.text_html(self.SOURCE))

    def test_plain(self):
        with unittest.mock.patch.dict(sys.modules, {"relay_opt.lexer": None}):
            page = relay_html.text_html(self.SOURCE)
        self.assertNotIn("<", page)
        self.check(page)

    def check(self, page):
        self.assertNotIn("<script", page)
        self.assertEqual(Reader(page).text, self.SOURCE)

    def test_in_a_module(self):
        text = 'def @main(%x: float32, k="</pre><script>") -> float32 {\n  %x\n}\n'
        page = relay_opt.parse(text)._repr_html_()
        self.assertNotIn("<script", page)
        self.assertIn("</pre><script>", Reader(page).text)


@unittest.skipUnless(importlib.util.find_spec("pygments"), "pygments is not installed")
class Colors(unittest.TestCase):
    def test_classes(self):
        self.assertEqual(
            relay_html.text_html("let %x = nn.relu(1f) /* a */;"),
            '<b>let </b><span class="v">%x </span>= <span class="o">nn.relu</span>(<span class="n">1f</span>) '
            '<span class="c">/* a */</span>;',
        )


class Import(unittest.TestCase):
    def test_import_is_lazy(self):
        code = "import sys, relay_opt; print([m for m in ('pygments', 'relay_opt.html', 'sqlite3', 'concurrent') if m in sys.modules])"
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        self.assertEqual(out, "[]\n")


if __name__ == "__main__":
    unittest.main()
