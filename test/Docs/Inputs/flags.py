#!/usr/bin/env python3
"""flags.py PAGE: checks that the table "All flags" of PAGE has each flag that -help, on standard input, lists once,
and no other. Flags stand in backticks in the first column; `-name=VALUE`, `-name[=VALUE]`."""
import re
import sys

section = open(sys.argv[1]).read().split("## All flags\n")[1].split("\n## ")[0]
cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
shown = [name for cell in cells for name in re.findall(r"`-([\w-]+)", cell)]

listed = set(re.findall(r"^  -([\w-]+)", sys.stdin.read(), re.M))

problems = [f"not shown: -{name}" for name in sorted(listed - set(shown))]
problems += [f"no flag: -{name}" for name in sorted(set(shown) - listed)]
problems += [f"shown twice: -{name}" for name in sorted({name for name in shown if shown.count(name) > 1})]
sys.exit("\n".join(problems) or 0)
