# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python -m relay_opt.tvm [--force] script.py [arguments]: runs a script of TVM with relay_opt."""

import runpy
import sys

from .alias import install


def main() -> None:
    arguments = sys.argv[1:]
    force = arguments[:1] == ["--force"]
    if force:
        arguments = arguments[1:]
    if not arguments:
        sys.exit("usage: python -m relay_opt.tvm [--force] script.py [arguments]")
    install(force)
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    main()
