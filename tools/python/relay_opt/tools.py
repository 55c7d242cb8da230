# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command-line tools: relay-opt, relay-run and relay-diff.

A wheel holds their executables in relay_opt/bin. The environment variable
RELAY_OPT_BIN names another directory, for instance that of a build.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import NoReturn

__all__ = ["find", "relay_diff", "relay_opt", "relay_run"]


def find(tool: str) -> str:
    """Returns the path of the executable of a tool. Raises FileNotFoundError."""
    directory = os.environ.get("RELAY_OPT_BIN")
    folder = Path(directory) if directory else Path(__file__).resolve().parent / "bin"
    path = folder / (tool + ".exe" if os.name == "nt" else tool)
    if not path.is_file():
        hint = "RELAY_OPT_BIN names its directory" if directory else "set RELAY_OPT_BIN to its directory"
        raise FileNotFoundError(f"{tool}: there is no executable '{path}'; {hint}")
    return str(path)


def _run(tool: str) -> NoReturn:
    """Replaces this process by a tool, which gets the arguments of this process."""
    path = ""
    try:
        path = find(tool)
        # Python ignores these signals, and the tool would inherit that.
        for name in ("SIGPIPE", "SIGXFSZ"):
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), signal.SIG_DFL)
        if os.name == "nt":  # a process cannot be replaced there
            import subprocess

            sys.exit(subprocess.run([path, *sys.argv[1:]]).returncode)
        os.execv(path, [path, *sys.argv[1:]])
    except OSError as error:
        # The statuses of shells for a command that cannot run and for one that is absent.
        found = not isinstance(error, FileNotFoundError)
        print(f"{tool}: cannot run '{path}': {error.strerror}" if found else error, file=sys.stderr)
        sys.exit(126 if found else 127)


def relay_opt() -> NoReturn:
    """Runs relay-opt."""
    _run("relay-opt")


def relay_run() -> NoReturn:
    """Runs relay-run."""
    _run("relay-run")


def relay_diff() -> NoReturn:
    """Runs relay-diff."""
    _run("relay-diff")
