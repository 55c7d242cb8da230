#!/usr/bin/env python3
"""Looks at a page of -pass-report in a browser: does it show what it should, on all kinds of screens?

usage: report-page.py CHROMIUM PAGE. The page is that of pass-report-page.test. Exit status 1, with a line a finding,
when something is wrong; script errors and attempts to load anything are.
"""
import sys
import tempfile
from pathlib import Path

import screens
from browser import Browser

# Names of the passes that can be seen.
VISIBLE = """
[...document.querySelectorAll('#modules summary.row')].filter((row) => row.checkVisibility())
    .map((row) => row.querySelector('.name').firstChild.textContent)
"""
OPEN_ALL = "document.getElementById('open-all').click()"


class Checker:
    def __init__(self, browser, page):
        self.browser = browser
        self.page = page
        self.failures = []

    def expect(self, what, found, wanted):
        if found != wanted:
            self.failures.append(f"{what}: {found!r}, wanted {wanted!r}")

    def expect_that(self, what, good, found=""):
        if not good:
            self.failures.append(f"{what} {found}")

    def evaluate(self, expression):
        return self.browser.evaluate(expression)

    def text(self, selector):
        return self.evaluate(f"document.querySelector({selector!r}).innerText")

    def check_content(self):
        self.browser.resize(1400, 1000)
        self.browser.open(self.page)
        self.expect("passes", self.evaluate(VISIBLE),
                    ["sequential", "InferType", "SimplifyInference", "InferType", "EliminateCommonSubexpr", "Verify"])
        self.expect("title", self.evaluate("document.title").startswith("Pass report: "), True)
        signature = ("def @main(%x: Tensor[(1, 2, 4, 4), float32] /* ty=Tensor[(1, 2, 4, 4), float32] */, "
                     + ", ".join(f"%{name}: Tensor[(2), float32] /* ty=Tensor[(2), float32] */"
                                 for name in ("gamma", "beta", "mean", "var")) + ")")
        # InferType writes the type of the result; the second one finds it there.
        self.expect("changes of InferType", self.changes(0),
                    [[signature + " {"], [signature + " -> Tensor[(1, 2, 4, 4), float32] {"]])
        self.expect("removed by SimplifyInference", self.changes(1)[0],
                    ["  %0 = nn.batch_norm(%x, %gamma, %beta, %mean, %var) "
                     "/* ty=(Tensor[(1, 2, 4, 4), float32], Tensor[(2), float32], Tensor[(2), float32]) */;",
                     "  %1 = %0.0 /* ty=Tensor[(1, 2, 4, 4), float32] */;",
                     "  %2 = nn.relu(%1) /* ty=Tensor[(1, 2, 4, 4), float32] */;"])
        self.expect("changes of EliminateCommonSubexpr", self.changes(2),
                    [["  %4 = tanh(%2) /* ty=Tensor[(1, 2, 4, 4), float32] */;",
                      "  add(%3, %4) /* ty=Tensor[(1, 2, 4, 4), float32] */"],
                     ["  add(%3, %3) /* ty=Tensor[(1, 2, 4, 4), float32] */"]])
        # The same operation before and after; only its operand is marked.
        row = ("[...document.querySelectorAll('.diff')[1].querySelectorAll('tr')]"
               ".find((row) => row.innerText.includes('nn.relu'))")
        self.expect("marks", self.evaluate(f"[...{row}.querySelectorAll('mark')].map((mark) => mark.textContent)"),
                    ["1", "15"])
        self.expect_that("no side of the diff is hidden",
                         self.evaluate(f"{row}.querySelectorAll('td')[3].offsetLeft > {row}.offsetWidth / 2"))

    def changes(self, number):
        """The removed and the added lines of a diff."""
        return [self.evaluate(f"[...document.querySelectorAll('.diff')[{number}].querySelectorAll('td.{side}')]"
                              ".map((cell) => cell.textContent)") for side in ("removed", "added")]

    def check_bars(self):
        """The bars of times start at the left edge of their cells and are as long as the share of the time."""
        bars = self.evaluate("[...document.querySelectorAll('summary.row .share')].map((cell) => {"
                             "  const style = getComputedStyle(cell);"
                             "  return [cell.title, style.backgroundPositionX, style.backgroundSize]; })")
        self.expect("bars", len(bars), 6)
        for title, position, size in bars:
            self.expect("start of a bar", position, "0%")
            self.expect_that("length of a bar:", abs(float(size.split("%")[0]) - float(title[:-1])) < 0.06, (title, size))

    def filter(self, text):
        self.evaluate("document.getElementById('filter').value = ''; document.activeElement.blur()")
        self.browser.type("/" + text)  # the first key moves the focus
        return self.evaluate(VISIBLE)

    def check_filter(self):
        self.expect("filter by pass", self.filter("simplify"), ["sequential", "SimplifyInference"])
        self.expect("matches", self.text("#matches"), "1 of 5 passes")
        self.expect("filter by operator", self.filter("NN.BATCH"),
                    ["sequential", "InferType", "SimplifyInference"])
        self.expect("filter by function", self.filter("@other"), [])
        self.expect("filter by nothing that is there", self.filter("xyzzy"), [])
        self.expect("matches", self.text("#matches"), "0 of 5 passes")
        self.filter("")
        self.evaluate("document.getElementById('filter').value = '';"
                      "document.getElementById('filter').dispatchEvent(new Event('input'));"
                      "document.getElementById('only-changed').click()")
        self.expect("only changed", self.evaluate(VISIBLE),
                    ["sequential", "InferType", "SimplifyInference", "EliminateCommonSubexpr"])
        self.evaluate("document.getElementById('only-changed').click()")

    def check_buttons(self):
        self.evaluate("document.getElementById('close-all').click()")
        self.expect("diffs after closing", self.evaluate(
            "[...document.querySelectorAll('.diff')].filter((diff) => diff.checkVisibility()).length"), 0)
        self.evaluate(OPEN_ALL)
        self.expect("diffs after opening", self.evaluate(
            "[...document.querySelectorAll('.diff')].filter((diff) => diff.checkVisibility()).length"), 3)

    def check_screens(self):
        self.failures += screens.find_problems(self.browser, self.page, OPEN_ALL)

    def check_print(self):
        self.browser.resize(1400, 1000)
        with tempfile.TemporaryDirectory() as directory:
            pdf = Path(directory) / "page.pdf"
            self.browser.print_pdf(pdf)
            self.expect("printed", pdf.read_bytes()[:5], b"%PDF-")

    def check_quiet(self):
        self.failures += self.browser.problems
        address = Path(self.page).resolve().as_uri()
        self.failures += [f"loads {url}" for url in self.browser.requests if url != address]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with Browser(sys.argv[1]) as browser:
        checker = Checker(browser, sys.argv[2])
        checker.check_content()
        checker.check_bars()
        checker.check_filter()
        checker.check_buttons()
        checker.check_screens()
        checker.check_print()
        checker.check_quiet()
    for failure in checker.failures:
        print(failure)
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
