# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notebook of docs/examples runs and shows what its text says."""

import contextlib
import importlib.util
import io
import json
import unittest
from pathlib import Path

PATH = Path(__file__).resolve().parents[2] / "docs" / "examples" / "notebook" / "passes.ipynb"


def read_code():
    cells = json.loads(PATH.read_text())["cells"]
    return ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]


class Notebook(unittest.TestCase):
    def test_cells(self):
        names = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for code in read_code():
                exec(compile(code, PATH.name, "exec"), names)
        self.assertEqual(names["folded"].op_counts(), {"multiply": 1, "nn.conv2d": 1, "nn.relu": 2})
        self.assertEqual(names["merged"].op_counts(), {"multiply": 1, "nn.conv2d": 1, "nn.relu": 1})
        self.assertIn(("FoldConstant", {"add": -1}), names["counter"].changes)

    @unittest.skipUnless(
        importlib.util.find_spec("nbclient") and importlib.util.find_spec("ipykernel"), "nbclient or ipykernel is not installed"
    )
    def test_in_a_kernel(self):
        import nbclient
        import nbformat

        notebook = nbformat.read(PATH, as_version=4)
        nbformat.validate(notebook)
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
        shown = [output["data"].get("text/html", "") for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]
        self.assertIn("<details", shown[0])
        self.assertIn("<ins>", shown[1])
        self.assertTrue(shown[-1].startswith("<iframe "))


if __name__ == "__main__":
    unittest.main()
