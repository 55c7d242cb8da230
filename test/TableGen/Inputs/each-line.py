#!/usr/bin/env python3
"""Runs relay-tblgen on each line of a file after another file, and prints the errors.

usage: each-line.py LINES PRELUDE RELAY-TBLGEN FLAG...
"""
import subprocess
import sys
import tempfile
from pathlib import Path

with open(sys.argv[1]) as lines, tempfile.TemporaryDirectory() as folder:
    source = Path(folder) / "Line.td"
    for line in lines:
        source.write_text(Path(sys.argv[2]).read_text() + line)
        run = subprocess.run([*sys.argv[3:], str(source)], capture_output=True, text=True)
        errors = [text.partition("error: ")[2] for text in run.stderr.splitlines() if "error: " in text]
        print("; ".join(errors) or f"no error of {line.strip()}")
