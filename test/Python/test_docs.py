"""The examples of docs/Python.md run, one after the other, and the first prints what the page shows."""

import contextlib
import io
import re
import unittest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "Python.md"


class Docs(unittest.TestCase):
    def test_examples(self):
        text = PAGE.read_text()
        blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S)
        names = {}
        outputs = []
        shown = None
        for kind, block in blocks:
            if kind == "python":
                output = io.StringIO()
                with contextlib.redirect_stdout(output):
                    exec(compile(block, str(PAGE), "exec"), names)
                outputs.append(output.getvalue())
            elif shown is None and outputs:
                shown = block
        self.assertGreaterEqual(len(outputs), 5)
        self.assertEqual(outputs[0].rstrip(), shown.rstrip())


if __name__ == "__main__":
    unittest.main()
