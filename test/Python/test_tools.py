# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of relay_opt.tools."""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from relay_opt import tools


class Tools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def script(self, tool, text):
        path = self.folder / tool
        path.write_text("#!/bin/sh\n" + text)
        path.chmod(0o755)

    def start(self, tool, *arguments, **options):
        """Starts the entry point of a tool as its console script does."""
        function = tool.replace("-", "_")
        code = f"import sys; from relay_opt.tools import {function}; sys.argv[0] = {tool!r}; sys.exit({function}())"
        environment = {**os.environ, "RELAY_OPT_BIN": str(self.folder)}
        # A job in the background ignores SIGINT, and a shell cannot trap a signal that was ignored when it began.
        code = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {code}"
        return subprocess.Popen(
            [sys.executable, "-c", code, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
        )

    def run_tool(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate()
        return process.returncode, out, err

    def test_arguments_and_status(self):
        for tool in ["relay-opt", "relay-run", "relay-diff"]:
            self.script(tool, 'echo "$0"; printf "<%s>" "$@"; echo err >&2; exit 7\n')
            self.assertEqual(
                self.run_tool(tool, "a b", "", "-passes=x<y;z>"), (7, f"{self.folder}/{tool}\n<a b><><-passes=x<y;z>>", "err\n")
            )

    def test_same_process(self):
        self.script("relay-opt", "echo $$\n")
        process = self.start("relay-opt")
        self.assertEqual(int(process.communicate()[0]), process.pid)

    def test_end_by_a_signal(self):
        for name in ["SEGV", "ABRT", "KILL", "PIPE", "XFSZ", "TERM"]:
            with self.subTest(name):
                self.script("relay-opt", f"ulimit -c 0; kill -{name} $$\n")
                self.assertEqual(self.run_tool("relay-opt")[0], -getattr(signal, "SIG" + name))

    def test_signals_arrive(self):
        self.script("relay-opt", "trap 'exit 42' INT TERM; echo ready; while :; do sleep 0.05; done\n")
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = self.start("relay-opt")
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.send_signal(number)
            self.assertEqual(process.wait(10), 42)
            process.communicate()

    def test_closed_pipe_is_no_error(self):
        self.script("relay-opt", "while echo line; do :; done\n")
        process = self.start("relay-opt")
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(10), -signal.SIGPIPE)
        self.assertEqual(process.stderr.read(), "")
        process.stderr.close()

    def test_absent(self):
        path = self.folder / "relay-opt"
        self.assertEqual(
            self.run_tool("relay-opt"), (127, "", f"relay-opt: there is no executable '{path}'; RELAY_OPT_BIN names its directory\n")
        )

    def test_not_executable(self):
        self.script("relay-opt", "exit 0\n")
        (self.folder / "relay-opt").chmod(0o644)
        self.assertEqual(
            self.run_tool("relay-opt"), (126, "", f"relay-opt: cannot run '{self.folder}/relay-opt': Permission denied\n")
        )

    def test_beside_the_package(self):
        old = os.environ.pop("RELAY_OPT_BIN", None)
        if old is not None:
            self.addCleanup(os.environ.__setitem__, "RELAY_OPT_BIN", old)
        path = pathlib.Path(tools.__file__).resolve().parent / "bin" / "relay-opt"
        if path.exists():
            self.assertEqual(tools.find("relay-opt"), str(path))
        else:
            with self.assertRaisesRegex(FileNotFoundError, "set RELAY_OPT_BIN to its directory"):
                tools.find("relay-opt")


if __name__ == "__main__":
    unittest.main()
