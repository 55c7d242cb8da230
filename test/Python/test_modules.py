# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of counts, differences, reports and cached analyses of modules."""

import contextlib
import gc
import io
import os
import re
import subprocess
import sys
import tempfile
import unittest
import weakref

import relay_opt as ro

NET = "def @main(%x: Tensor[(2), float32]) { nn.relu(add(nn.relu(%x), add(1f, 2f))) }"


class Counts(unittest.TestCase):
    def test_op_counts(self):
        mod = ro.parse(NET + "\ndef @other(%x: Tensor[(2), float32]) { (nn.relu(%x), @main(%x)) }")
        self.assertEqual(mod.op_counts(), {"add": 2, "nn.relu": 3})
        self.assertEqual(ro.IRModule().op_counts(), {})


class Diffs(unittest.TestCase):
    def test_difference(self):
        before = ro.parse(NET)
        after = ro.Pass("fold-constant")(before)
        found = ro.diff(before, after)
        self.assertTrue(found)
        self.assertIn("\n-  %1 = add(1f", found.text)
        self.assertTrue(str(found).startswith(found.reason))
        page = found._repr_html_()
        self.assertIn("<del>", page)
        self.assertIn("<ins>", page)

    def test_equal(self):
        found = ro.diff(ro.parse(NET), ro.parse(NET.replace("%x", "%y")))
        self.assertFalse(found)
        self.assertEqual((found.reason, found.text, str(found)), (None, "", "no difference"))
        self.assertIn("no difference", found._repr_html_())

    def test_expressions(self):
        x = ro.var("x", shape=(2,))
        self.assertFalse(ro.diff(x + x, x + x))
        self.assertTrue(ro.diff(x + x, x * x))

    def test_html_is_escaped(self):
        other = ro.parse("def @main(%x: int32) { %x }")
        named = ro.from_expr(ro.Function([], ro.Constant(ro.const(1).data)).with_attr("Name", "<script>"))
        self.assertNotIn("<script>", ro.diff(other, named)._repr_html_())


class Runs(unittest.TestCase):
    def run_net(self):
        return ro.PassManager.parse("fold-constant,fuse-ops").run(ro.parse(NET))

    def test_why(self):
        story = self.run_net().why("@main")
        self.assertIn("FuseOps", story)
        with self.assertRaisesRegex(ro.PassError, "%77"):
            self.run_net().why("%77")
        with self.assertRaisesRegex(ValueError, "needs a name"):
            self.run_net().why()

    def test_report(self):
        page = self.run_net()._repr_html_()
        self.assertTrue(page.startswith("<iframe "))
        self.assertIn("sandbox=", page)
        self.assertIn("FuseOps", page)
        self.assertIsNone(re.search(r'srcdoc="[^"]*<', page))

    def test_report_file_of_a_flag(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            ro.PassManager.parse("fuse-ops", [f"-pass-report={path}"]).run(ro.parse(NET))
            with open(path) as file:
                self.assertIn('"relay-opt-pass-report"', file.read())
            blocked = os.path.join(folder, "folder.html")
            os.mkdir(blocked)
            with self.assertRaisesRegex(ro.Error, "[Ii]s a directory"):
                ro.PassManager.parse("fuse-ops", [f"-pass-report={blocked}"]).run(ro.parse(NET))

    def test_changed_source(self):
        run = self.run_net()
        run.source["main"] = run.source["main"]
        for use in (lambda: run.why("@main"), run._repr_html_, lambda: run.op_difference):
            with self.assertRaisesRegex(ValueError, "has been changed"):
                use()


class Analyses(unittest.TestCase):
    def test_cache(self):
        calls = []

        @ro.module_analysis
        def count(mod):
            """Counts."""
            calls.append(1)
            return mod.op_counts()["nn.relu"]

        mod = ro.parse(NET)
        self.assertEqual((count(mod), count(mod), len(calls)), (2, 2, 1))
        self.assertEqual(count(ro.parse(NET)), 2)
        self.assertEqual(len(calls), 2)
        mod["main"] = ro.parse("def @main(%x: Tensor[(2), float32]) { nn.relu(%x) }")["main"]
        self.assertEqual((count(mod), len(calls), count.__doc__), (1, 3, "Counts."))

    def test_modules_are_not_kept(self):
        @ro.module_analysis
        def count(mod):
            return 1

        mod = ro.parse(NET)
        count(mod)
        gone = weakref.ref(mod)
        del mod
        gc.collect()
        self.assertIsNone(gone())


class Log(unittest.TestCase):
    SCRIPT = (
        "from relay_opt import tvm, parse\n"
        "from relay_opt.tvm import relay\n"
        f"relay.transform.FoldConstant()(parse({NET!r}))\n"
    )

    def start(self, levels):
        environment = {**os.environ, "TVM_LOG_DEBUG": levels}
        return subprocess.run([sys.executable, "-c", self.SCRIPT], env=environment, capture_output=True, text=True)

    def test_levels(self):
        done = self.start("relay/transforms/fold_constant.cc=1")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("FoldConstant: evaluating: add(1f", done.stderr)
        self.assertIn("FoldConstant: folded to:\n", done.stderr)
        for levels in ("relay/transforms/fuse_ops.cc=1", "1", "0"):
            done = self.start(levels)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_error(self):
        done = self.start("fold_constant")
        self.assertEqual(done.returncode, 1)
        self.assertIn("TVM_LOG_DEBUG: 'fold_constant' is not of the form file=level", done.stderr)

    def test_stream_of_python(self):
        from relay_opt import _relay_opt

        _relay_opt.set_log_levels("FoldConstant=1")
        self.addCleanup(_relay_opt.set_log_levels, "")
        stream = io.StringIO()
        with contextlib.redirect_stderr(stream), ro.PassContext():
            ro.Pass("fold-constant")(ro.parse(NET))
        self.assertIn("FoldConstant: folded to:", stream.getvalue())
        _relay_opt.set_log_levels("")
        with contextlib.redirect_stderr(stream), ro.PassContext():
            stream.truncate(0)
            ro.Pass("fold-constant")(ro.parse(NET))
        self.assertEqual(stream.getvalue().strip("\0"), "")


if __name__ == "__main__":
    unittest.main()
