#!/usr/bin/env python3
"""Writes the CHECK lines of lit tests anew from what the tools print now, for review by eye.

usage: utils/update_relay_checks.py [--bin DIR] TEST...

Each RUN line of the form 'relay-opt ARGUMENTS %s | FileCheck %s [OPTIONS]' is run; its output becomes the lines of its
prefix (CHECK, or --check-prefix=P) at the end of the test, before its metadata: the first PREFIX, the others
PREFIX-NEXT. Of several prefixes (--check-prefixes=ALL,FAST) a RUN line gets the lines of the first on which all RUN lines
that have it agree. Lines of these prefixes that were there go. Other RUN lines that name %t are run before, since they may
write what these read; the rest are left alone. Substitutions are those of test/lit.cfg.py. Exit status: 1 when a tool fails
or a prefix gets no lines, 2 for wrong usage.
"""
import argparse
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NOTE = "// NOTE: the lines below are written by utils/update_relay_checks.py"
METADATA = "#[metadata]"  # nothing may follow the section
RUN = re.compile(r"^\s*// RUN:\s*(relay-(?:opt|diff|run)\b.*?)\s*\|\s*FileCheck\b(?=.*%s)(.*)$")
ANY_RUN = re.compile(r"^\s*// RUN:\s*(.*)$")
PREFIX = re.compile(r"--?check-prefix(?:es)?[= ]([\w,-]+)")


def join_continued(lines):
    """The RUN lines of a test; lines that end with a backslash are joined with the next."""
    text = "\n".join(lines)
    return re.sub(r"\\\n\s*// RUN:", "", text).split("\n")


def escape(line):
    """`line`, escaped so that FileCheck reads it literally."""
    return line.replace("{{", "{{[{][{]}}").replace("[[", "{{\\[\\[}}")


def check_lines(prefix, output):
    """The CHECK lines for `output`; blank lines are matched by PREFIX-EMPTY."""
    result, first = [], True
    for line in output.rstrip("\n").split("\n"):
        if first and not line:
            continue
        kind = prefix if first else prefix + ("-NEXT" if line else "-EMPTY")
        result.append(f"// {kind}:" + (" " + escape(line) if line else ""))
        first = False
    return result


def substitute(command, test, bin_dir, scratch):
    """`command` after substitution of lit's variables and those of test/lit.cfg.py."""
    values = {
        "relay_src": ROOT, "relay_include": ROOT / "include", "relay_build": bin_dir.parent, "python": sys.executable,
        "s": test, "S": test.parent, "p": test.parent, "t": scratch / f"{test.name}.tmp", "T": scratch,
        "basename_t": test.name, "%": "%",
    }
    names = "|".join(sorted(map(re.escape, values), key=len, reverse=True))
    return re.sub(f"%({names})", lambda m: "%" if m[1] == "%" else shlex.quote(str(values[m[1]])), command)


def output_of(command, test, bin_dir, scratch):
    command = substitute(command, test, bin_dir, scratch)
    env = dict(os.environ, PATH=f"{bin_dir}{os.pathsep}{os.environ['PATH']}")
    run = subprocess.run(command, shell=True, capture_output=True, text=True, env=env)
    if run.returncode:
        sys.exit(f"{test}: '{command}' exits with {run.returncode}\n{run.stderr}")
    return run.stdout


def preparations(text):
    """The commands of a test that name %t and whose output is not checked."""
    commands = [m[1] for line in join_continued(text.split("\n")) if (m := ANY_RUN.match(line))]
    return [command for command in commands if re.search(r"%t\b", command) and "FileCheck" not in command]


def assign(test, runs):
    """The output for each prefix; `runs` are pairs of prefixes and an output."""
    groups = {}
    for prefixes, output in runs:
        for prefix in prefixes:
            if all(other == output for names, other in runs if prefix in names):
                groups[prefix] = output
                break
        else:
            sys.exit(f"{test}: RUN lines with {' and '.join(prefixes)} print different things: add a prefix")
    unused = sorted({prefix for prefixes, _ in runs for prefix in prefixes} - set(groups))
    if unused:
        sys.exit(f"{test}: nothing is left for {', '.join(unused)}, which FileCheck refuses: take it out")
    return groups


def update(test, bin_dir):
    """Rewrites `test`; returns whether it changed."""
    old = test.read_text()
    runs = [m.groups() for line in join_continued(old.split("\n")) if (m := RUN.match(line))]
    if not runs:
        sys.exit(f"{test}: no RUN line of the form 'relay-opt ... %s | FileCheck %s'")
    prefixes = [",".join(PREFIX.findall(options)).split(",") for _, options in runs]
    with tempfile.TemporaryDirectory() as scratch:
        for command in preparations(old):
            output_of(command, test, bin_dir, Path(scratch))
        outputs = [output_of(command, test, bin_dir, Path(scratch)) for command, _ in runs]
    groups = assign(test, [([p for p in names if p] or ["CHECK"], out) for names, out in zip(prefixes, outputs)])
    written = re.compile(r"^\s*// (?:%s)(?:-\w+)*:" % "|".join(map(re.escape, groups)))
    kept = [line for line in old.split("\n") if not written.match(line) and line != NOTE]
    end = kept.index(METADATA) if METADATA in kept else len(kept)
    parts = ["\n".join(kept[:end]).rstrip("\n"), NOTE]
    parts += ["\n".join(check_lines(prefix, output)) for prefix, output in groups.items()]
    if end != len(kept):
        parts.append("\n".join(kept[end:]).rstrip("\n"))
    new = "\n\n".join(parts) + "\n"
    test.write_text(new)
    return new != old


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/release/bin", help="where the tools are")
    parser.add_argument("tests", nargs="+", type=Path, metavar="TEST")
    arguments = parser.parse_args()
    for test in arguments.tests:
        print(f"{test}: {'updated' if update(test.resolve(), arguments.bin.resolve()) else 'unchanged'}")


if __name__ == "__main__":
    main()
