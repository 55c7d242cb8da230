#!/usr/bin/env python3
"""Formats the C++ sources of this tree with clang-format 19, or, with --check, only says which are not formatted."""
import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ["include", "lib", "tools", "test", "examples"]


def sources():
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".h", ".cpp") and "Inputs" not in path.parts:
                yield path


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clang-format", default="clang-format-19")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    files = [str(path) for path in sources()]
    if not files:
        return 0
    mode = ["--dry-run", "--Werror"] if args.check else ["-i"]
    return subprocess.run([args.clang_format, *mode, *files]).returncode


if __name__ == "__main__":
    sys.exit(main())
