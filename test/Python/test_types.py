# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mypy finds no error in the package, and sees the members that Python adds to classes of the extension module."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import relay_opt

PACKAGE = Path(relay_opt.__file__).parent
CONFIG = Path(__file__).resolve().parents[2] / "tools" / "python" / "pyproject.toml"
USE = """
import relay_opt as ro

mod = ro.parse("")
text: str = mod.astext()
count: int = mod["main"].params[0].name_hint
"""

STRICT_USE = """
import relay_opt as ro

@ro.module_pass(opt_level=0)
def identity(mod: ro.IRModule, ctx: ro.PassContext) -> ro.IRModule:
    return mod

@ro.rewrite_rule("nn.relu(%inner@nn.relu(*))")
def merge(inner: ro.Expr) -> ro.Expr:
    return inner

mod = ro.Sequential([identity, merge, ro.Pass("fuse-ops")])(ro.parse(""))
print(ro.diff(mod, mod), ro.explain_match(mod, "*"), mod.match("*"), ro.free_vars(ro.var("x")), ro.Call, ro.__version__)
try:
    ro.PassManager.parse("fuse-ops").run(mod)
except ro.PassError as error:
    print(error.line)
"""


@unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
@unittest.skipUnless((PACKAGE / "_relay_opt.pyi").exists(), "the stub is not built: target _relay_opt_stub")
class Types(unittest.TestCase):
    def run_mypy(self, *arguments):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        environment = dict(os.environ)
        if PACKAGE.parent.name != "site-packages":  # where mypy looks itself, and refuses a path
            environment["MYPYPATH"] = str(PACKAGE.parent)
        command = [sys.executable, "-m", "mypy", f"--config-file={CONFIG}", f"--cache-dir={folder.name}", *arguments]
        done = subprocess.run(command, cwd=folder.name, env=environment, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def test_package(self):
        code, output = self.run_mypy("-p", "relay_opt")
        self.assertEqual(code, 0, output)

    def test_strict_use(self):
        code, output = self.run_mypy("--strict", "-c", STRICT_USE)
        self.assertNotIn("<string>:", output)

    def test_use(self):
        code, output = self.run_mypy("-c", USE)
        self.assertEqual(code, 1, output)
        self.assertIn('expression has type "str", variable has type "int"', output)
        self.assertIn("Found 1 error", output)


if __name__ == "__main__":
    unittest.main()
