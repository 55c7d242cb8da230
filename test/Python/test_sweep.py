# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of relay_opt.sweep."""

import contextlib
import importlib.util
import io
import os
import pathlib
import random
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

import relay_opt
from relay_opt import analysis
from relay_opt.sweep import build_id, compare, main, trace
from relay_opt.sweeps import work
from relay_opt.sweeps.comparison import _first_pass
from relay_opt.sweeps.schedule import Progress
from relay_opt.sweeps.store import Store
from relay_opt.sweeps.work import Result

TESTS = pathlib.Path(__file__).resolve().parents[1]
PIPELINES = ["fold-constant", "simplify-expr,dead-code-elimination"]

# Crashes, hangs or objects where a model holds the number of the name.
CHECKS = """
import os, signal, time

def picky(before, after):
    text = str(before)
    if "101f" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "102f" in text:
        time.sleep(1000)
    if "103f" in text:
        return "no 103, please"
    if "104f" in text:
        raise KeyError("104")
    if "105f" in text:
        os._exit(9)

def slow(before, after):
    time.sleep(0.004)
"""


def model(number):
    return (
        "def @main(%x: Tensor[(2, 2), float32]) {\n"
        "  %0 = multiply(2f, 3f);\n"
        f"  %1 = add(%x, {number}f);\n"
        "  %2 = multiply(%1, %0);\n"
        "  nn.relu(%2)\n}\n"
    )


def children(pid):
    """Returns the processes below a process."""
    found = []
    with contextlib.suppress(OSError):
        for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += [int(child), *children(child)]
    return found


class Test(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.database = str(self.folder / "sweep.db")
        self.checks = self.folder / "picky.py"
        self.checks.write_text(CHECKS)
        self.check = f"{self.checks}:picky"

    def write_models(self, numbers):
        models = self.folder / "models"
        models.mkdir(exist_ok=True)
        for number in numbers:
            (models / f"m{number:03}.relay").write_text(model(number))
        return str(models)

    def sweep(self, models, pipelines=PIPELINES, **options):
        options.setdefault("database", self.database)
        options.setdefault("workers", 2)
        return relay_opt.sweep(models, pipelines, **options)

    def dump(self, database=None):
        with Store(database or self.database) as store:
            return list(store.dump())

    def command(self, *arguments):
        """Runs the command line here; returns its status, output and errors."""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(list(arguments))
        return status, out.getvalue(), err.getvalue()


class Results(Test):
    def test_results(self):
        bad = self.folder / "bad.relay"
        bad.write_text("def @main() { %nothing }\n")
        result = self.sweep([self.write_models([1]), bad], "fold-constant")
        self.assertEqual((result.total, result.ran), (2, 2))
        self.assertEqual(result.counts, {"ok": 1, "failed": 1, "crashed": 0, "timeout": 0})
        self.assertEqual(result.build, build_id())
        self.assertEqual(str(result), f"2 results in {self.database}: 1 ok, 1 failed; 2 of them new")
        [ok] = result.rows(["ok"])
        self.assertEqual(ok.name, str(self.folder / "models/m001.relay"))
        self.assertEqual((ok.pipeline, ok.checks, ok.message, ok.reproducer), ("fold-constant", "", "", ""))
        self.assertEqual(ok.changed, {"multiply": [2, 1]})
        self.assertEqual(len(ok.output), 64)
        self.assertGreater(ok.seconds, 0)
        [failed] = result.failures()
        self.assertEqual(failed.message.splitlines()[0], "ParseError: undefined variable `%nothing`")
        self.assertEqual(failed.reproducer, f"relay-opt {bad} -passes=fold-constant -disable-output")
        self.assertEqual((failed.output, failed.changed), ("", {}))

    def test_second_start_resumes(self):
        folder = self.write_models(range(5))
        self.assertEqual(self.sweep([folder], PIPELINES[:1]).ran, 5)
        self.assertEqual(self.sweep([folder], PIPELINES[:1]).ran, 0)
        result = self.sweep([folder])
        self.assertEqual((result.total, result.ran), (10, 5))
        self.write_models([7])
        self.assertEqual(self.sweep([folder]).ran, 2)
        self.assertEqual(self.sweep([folder], checks=["roundtrip"]).ran, 12)
        self.assertEqual(self.sweep([folder], build="other").ran, 12)

    def test_modules_and_texts(self):
        module = relay_opt.parse(model(3))
        result = self.sweep([module, ("text", model(4)), ("bad", "nonsense"), ("again", model(4))], "fold-constant")
        self.assertEqual([row.name for row in result.rows(["ok"])], sorted(["again", "model-0"], key=lambda n: self.digest(n, module)))
        [bad] = result.failures()
        program, path, *flags = shlex.split(bad.reproducer)
        self.assertEqual((program, flags), ("relay-opt", ["-passes=fold-constant", "-disable-output"]))
        self.assertEqual(pathlib.Path(path).read_text(), "nonsense")

    def digest(self, name, module):
        import hashlib

        return hashlib.sha256({"again": model(4), "model-0": module.astext()}[name].encode()).hexdigest()

    def test_invalid_arguments(self):
        with self.assertRaises(relay_opt.PipelineError):
            self.sweep([], "no-such-pass")
        with self.assertRaisesRegex(ValueError, "unknown check 'no-such-check'; expected idempotent, roundtrip"):
            self.sweep([], checks=["no-such-check"])
        with self.assertRaisesRegex(ValueError, "define it at the top level of a module"):
            self.sweep([], checks=[lambda before, after: True])
        self.assertFalse(os.path.exists(self.database))

    def test_named_checks(self):
        result = self.sweep([self.write_models([1])], "fold-constant", checks=["roundtrip", "idempotent"])
        self.assertEqual(result.counts["ok"], 1)
        self.assertEqual(result.rows()[0].checks, "roundtrip,idempotent")

    def test_lists_of_passes_ignore_opt_levels(self):
        """As in relay-opt, whose command line is the reproducer."""
        text = "def @main(%x: Tensor[(2, 2), float32]) { exp(%x) }"
        pipelines = ["fast-math", "infer-type,fast-math", "sequential(infer-type,fast-math)"]
        changed = {row.pipeline: row.changed for row in self.sweep([("exp", text)], pipelines).rows()}
        replaced = {"exp": [1, 0], "fast_exp": [0, 1]}
        self.assertEqual(changed, {pipelines[0]: replaced, pipelines[1]: replaced, pipelines[2]: {}})
        self.assertEqual(work._split("a<x;y=1,2>,b(c,d),e"), ["a<x;y=1,2>", "b(c,d)", "e"])

    def test_constants_are_part_of_the_output(self):
        if importlib.util.find_spec("numpy") is None:
            self.skipTest("numpy is not installed")
        modules = [relay_opt.from_expr(relay_opt.Function([], relay_opt.const([float(i)] * 30))) for i in range(2)]
        outputs = {row.output for row in self.sweep(modules, "fold-constant").rows()}
        self.assertEqual(len(outputs), 2)


class Isolation(Test):
    def check_rows(self, result):
        rows = {row.name[-8:-6]: row for row in result.failures()}
        self.assertEqual(
            {number: (row.status, row.message) for number, row in rows.items()},
            {
                "01": ("crashed", "the process ended by SIGSEGV"),
                "02": ("timeout", "no result after 1.5 seconds"),
                "03": ("failed", f"{self.check}: no 103, please"),
                "04": ("failed", "KeyError: '104'"),
                "05": ("crashed", "the process ended with status 9"),
            },
        )
        for number, row in rows.items():
            path = self.folder / f"models/m1{number}.relay"
            self.assertEqual(row.reproducer, f"relay-opt {path} -passes=fold-constant -disable-output")
        self.assertEqual(result.counts, {"ok": 25, "failed": 2, "crashed": 2, "timeout": 1})

    def test_process_pool(self):
        folder = self.write_models(range(90, 120))
        result = self.sweep([folder], "fold-constant", checks=[self.check], timeout=1.5)
        self.check_rows(result)
        self.assertEqual(self.sweep([folder], "fold-constant", checks=[self.check], retry=["timeout"], timeout=1.5).ran, 1)

    def test_threads(self):
        with ThreadPoolExecutor(2) as executor:
            folder = self.write_models(range(90, 120))
            self.check_rows(self.sweep([folder], "fold-constant", checks=[self.check], timeout=1.5, executor=executor, workers=None))

    def test_dask_and_a_killed_worker(self):
        if importlib.util.find_spec("distributed") is None:
            self.skipTest("distributed is not installed")
        import logging

        import distributed

        logging.getLogger("distributed").setLevel(logging.CRITICAL)
        slow = f"{self.checks}:slow"
        folder = self.write_models(range(300))
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
            with distributed.Client(cluster) as client:
                pids = list(client.run(os.getpid).values())
                killer = subprocess.Popen(["sh", "-c", f"sleep 0.7; kill -9 {pids[0]}"])
                result = self.sweep([folder], checks=[slow], executor=client.get_executor(), workers=None, chunk_seconds=0.3)
                killer.wait()
        self.assertEqual(result.counts, {"ok": 600, "failed": 0, "crashed": 0, "timeout": 0})
        other = str(self.folder / "other.db")
        self.sweep([folder], checks=[slow], database=other)
        self.assertEqual(self.dump(), self.dump(other))


class Kills(Test):
    """Processes of a sweep are ended at random moments; the result is as if they had not been."""

    def arguments(self, folder, database):
        passes = [x for p in PIPELINES for x in ("--passes", p)]
        return ["run", folder, *passes, "--check", f"{self.checks}:slow", "--database", database, "--jobs", "2"]

    def test_kill(self):
        folder = self.write_models(range(150))
        undisturbed = str(self.folder / "undisturbed.db")
        self.assertEqual(self.command(*self.arguments(folder, undisturbed))[0], 0)
        seed = int(os.environ.get("SWEEP_SEED", "1"))
        choose = random.Random(seed)
        for _ in range(int(os.environ.get("SWEEP_KILLS", "3"))):
            database = str(self.folder / f"{choose.random()}.db")
            for start in range(30):
                if self.disturb(self.arguments(folder, database), choose, gentle=start > 3):
                    break
            else:
                self.fail("the sweep does not end")
            self.assertEqual(self.dump(database), self.dump(undisturbed), f"seed {seed}")

    def disturb(self, arguments, choose, gentle):
        """Starts a sweep, and ends some of its processes; returns true if it was complete."""
        process = subprocess.Popen([sys.executable, "-m", "relay_opt.sweep", *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        below = set()
        while process.poll() is None and not gentle:
            time.sleep(choose.uniform(0.05, 0.7))
            below |= set(children(process.pid))
            victims = [process.pid] * (choose.random() < 0.3) or children(process.pid)
            if victims:
                with contextlib.suppress(OSError):
                    os.kill(choose.choice(victims), signal.SIGKILL)
        process.wait(120)
        self.assert_gone(below)
        return process.returncode == 0

    def assert_gone(self, pids):
        """Checks that no process outlives the sweep."""
        for _ in range(100):
            pids = {pid for pid in pids if pathlib.Path(f"/proc/{pid}/cmdline").exists() and b"relay_opt" in self.read(pid)}
            if not pids:
                return
            time.sleep(0.1)
        self.fail(f"processes {pids} still run")

    @staticmethod
    def read(pid):
        with contextlib.suppress(OSError):
            return pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        return b""


class Comparisons(Test):
    def fill(self):
        """Adds results of builds a and b: 4 differences with 3 causes."""
        with Store(self.database) as store:
            store.add_models(work.Item(f"{i:02}", f"model {i} <b>", None, "text", "p") for i in range(6))
            rows = {
                "a": [("ok", "", {"add": [4, 3]}, "x")] * 6,
                "b": [
                    ("ok", "", {"add": [4, 3]}, "x"),
                    ("ok", "", {"add": [4, 2]}, "y"),
                    ("ok", "", {"add": [4, 1], "abs": [0, 0]}, "z"),
                    ("ok", "", {"add": [4, 3]}, "w"),
                    ("crashed", "the process ended by SIGSEGV", {}, ""),
                    ("ok", "", {"add": [4, 3]}, "x"),
                ],
            }
            for build, results in rows.items():
                store.add(
                    build, "", [(Result(f"{i:02}", "p", s, m, c, o, 0.1), "relay-opt m" if s != "ok" else "") for i, (s, m, c, o) in enumerate(results)]
                )

    def test_builds(self):
        self.fill()
        found = compare(self.database, "a", "b")
        self.assertEqual(
            str(found),
            """4 differences, 3 causes, in 6 results
first:  a
second: b

2 differences: operators -add
  pipeline: p
  model 1 <b>: add 3 -> 2
  model 2 <b>: add 3 -> 1

1 difference: same operators, different output
  pipeline: p
  model 3 <b>

1 difference: ok to crashed
  pipeline: p
  model 4 <b>
    the process ended by SIGSEGV
""",
        )
        self.assertEqual(str(compare(self.database, "a", "a")), "no differences in 6 results\nfirst:  a\nsecond: a\n")
        with self.assertRaisesRegex(ValueError, r"no results of build 'c'; it has those of \['a', 'b'\]"):
            compare(self.database, "a", "c")

    def test_page(self):
        self.fill()
        page = compare(self.database, "a", "b").html()
        self.assertIn("<h1>4 differences, 3 causes, in 6 results</h1>", page)
        self.assertIn("<code>model 1 &lt;b&gt;</code>", page)
        self.assertIn("<code>relay-opt m</code>", page)
        for reference in ["src=", "href=", "url(", "@import", "model 1 <b>"]:
            self.assertNotIn(reference, page)
        self.assertEqual(page.count("<details>"), 3)

    def test_pipelines_and_traces(self):
        pipelines = ("infer-type,fold-constant", "infer-type,simplify-expr")
        self.sweep([self.write_models(range(1, 5))], pipelines)
        build = build_id()
        found = compare(self.database, build, build, pipelines)
        self.assertIn("\n4 differences: operators +multiply\n", str(found))
        self.assertEqual(trace(self.database, build, build, pipelines), 8)
        self.assertEqual(trace(self.database, build, build, pipelines), 0)
        found = compare(self.database, build, build, pipelines)
        self.assertEqual(len(found.groups), 1)
        self.assertIn("\n4 differences: operators +multiply, first differing pass FoldConstant\n", str(found))


class CommandLine(Test):
    def test_run_and_dump(self):
        folder = self.write_models([1, 103])
        status, out, _ = self.command(
            "run", folder, "--passes", "fold-constant", "--check", self.check, "--database", self.database, "--jobs", "1"
        )
        self.assertEqual(status, 1)
        self.assertEqual(
            out,
            f"2 results in {self.database}: 1 ok, 1 failed; 2 of them new\n"
            f"failed: {folder}/m103.relay: {self.check}: no 103, please\n"
            f"  relay-opt {folder}/m103.relay -passes=fold-constant -disable-output\n",
        )
        self.assertEqual(self.command("dump", self.database), (0, "".join(line + "\n" for line in self.dump()), ""))
        self.assertEqual(self.command("builds", self.database), (0, build_id() + "\n", ""))

    def test_compare(self):
        Comparisons.fill(self)
        page = self.folder / "page.html"
        status, out, _ = self.command("compare", self.database, "a", "b", "--html", str(page))
        self.assertEqual((status, out), (1, str(compare(self.database, "a", "b"))))
        self.assertEqual(page.read_text(encoding="utf-8"), compare(self.database, "a", "b").html())
        self.assertEqual(self.command("compare", self.database, "a", "a")[0], 0)

    def test_printed_commands(self):
        folder = self.write_models(range(20))
        arguments = ["run", folder, "--passes", "fold-constant", "--database", self.database]
        status, out, _ = self.command(*arguments, "--print-commands", "3")
        self.assertEqual(status, 0)
        self.assertFalse(os.path.exists(self.database))
        lines = out.splitlines()
        self.assertEqual(len(lines), 3)
        parts = []
        for index, line in enumerate(lines, 1):
            self.assertIn(f"--shard {index}/3", line)
            subprocess.run(line, shell=True, check=True, stdout=subprocess.DEVNULL)
            parts.append(str(self.folder / f"sweep-{index}.db"))
        merged = str(self.folder / "merged.db")
        self.assertEqual(self.command("merge", merged, *parts), (0, "", ""))
        self.assertEqual(self.command(*arguments)[0], 0)
        self.assertEqual(self.dump(merged), self.dump())
        self.assertLess(max(len(self.dump(part)) for part in parts), 20)

    def test_models_file(self):
        folder = self.write_models([1, 2, 3])
        names = self.folder / "names"
        names.write_text(f"{folder}/m001.relay\n{folder}/m003.relay\n")
        self.assertEqual(self.command("run", "--models-file", str(names), "--passes", "fold-constant", "--database", self.database)[0], 0)
        self.assertEqual(len(self.dump()), 2)

    def test_errors(self):
        absent = str(self.folder / "absent")
        self.assertEqual(self.command("dump", absent), (2, "", f"relay_opt.sweep: there is no database '{absent}'\n"))
        self.assertEqual(
            self.command("run", absent, "--passes", "fold-constant", "--database", self.database),
            (2, "", f"relay_opt.sweep: [Errno 2] No such file or directory: '{absent}'\n"),
        )
        status, out, err = self.command("run", absent, "--passes", "nope", "--database", self.database)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("relay_opt.sweep: ", err)


class Parts(Test):
    def test_op_counts(self):
        count = 0
        for path in sorted((TESTS / "Transforms").rglob("*.relay")):
            for part in path.read_text(errors="replace").split("// -----\n"):
                try:
                    with contextlib.redirect_stderr(io.StringIO()):
                        mod = relay_opt.parse(part, infer=False)
                except relay_opt.Error:
                    continue
                count += 1
                found = work.op_counts(work.printed(mod))
                for other in ["ref", "ref_read", "ref_write"]:
                    found.pop(other, None)
                self.assertEqual(found, analysis.list_op_freqs(mod), path)
        self.assertGreater(count, 100)

    def test_first_differing_pass(self):
        first = [["", "0"], ["A", "1"], ["B", "1"], ["C", "2"]]
        self.assertEqual(_first_pass(first, [["", "0"], ["A", "1"], ["B", "3"], ["C", "4"]]), "B")
        self.assertEqual(_first_pass(first, [["", "0"], ["A", "1"], ["C", "2"], ["D", "5"]]), "D")
        self.assertEqual(_first_pass(first, [["", "0"], ["A", "1"], ["D", "5"]]), "C or D")
        self.assertEqual(_first_pass(first, first), "")
        self.assertEqual(_first_pass(first, None), "")

    def test_traces_are_of_whole_passes(self):
        item = work.Item("m", "m", None, model(1), "infer-type,function(fold-constant,simplify-expr)")
        steps = work.trace_item(item)
        self.assertEqual([name for name, _ in steps], ["", "InferType", "FoldConstant", "InferType", "SimplifyExpr"])

    def test_progress(self):
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            bar = Progress(4, show=True)
            bar.add([Result("m", "p", status, "", {}, "", 0.0) for status in ["ok", "ok", "failed", "ok"]])
            bar.close()
        self.assertRegex(err.getvalue(), r"^\r\[#{30}\] 4/4  [\d,]+/s  0:00 left  1 not ok\x1b\[K\n$")
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            bar = Progress(1)
            bar.add([Result("m", "p", "ok", "", {}, "", 0.0)])
            bar.close()
        self.assertEqual(err.getvalue(), "")


if __name__ == "__main__":
    unittest.main()
