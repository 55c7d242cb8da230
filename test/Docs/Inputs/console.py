#!/usr/bin/env python3
"""console.py TREE BUILD DIR: runs the commands that README.md and the pages of docs show, and compares what they print.

In an indented block, `$ command` is run in a directory of its page below DIR, with its lines up to the end of a
here-document; the lines up to the next command are what it prints, on both streams. `...` stands for any lines, a
time or a share (`12us`, `0.000012`, `3.5%`) for any other. What a page calls build/release is BUILD, and the scripts
of utils run with the Python that runs this one.
"""
import os
import pathlib
import re
import subprocess
import sys


def blocks(page):
    """Yields the indented blocks that begin with a command."""
    block = []
    for line in page.split("\n") + ["end"]:
        if line.startswith("    "):
            block.append(line[4:])
        elif line.strip():
            if block and block[0].startswith("$ "):
                yield "\n".join(block).rstrip("\n")
            block = []
        elif block:
            block.append("")


def commands(block):
    """Yields each command with the lines that it is to print."""
    lines = block.split("\n")
    while lines:
        command = [lines.pop(0)[2:]]
        document = re.search(r"<<'(\w+)'", command[0])
        while document and command[-1] != document.group(1):
            command.append(lines.pop(0))
        expected = []
        while lines and not lines[0].startswith("$ "):
            expected.append(lines.pop(0))
        yield "\n".join(command), "\n".join(expected).strip("\n")


def matches(expected, printed):
    parts = [re.escape(part) for part in re.split(r"^\.\.\.$", expected, flags=re.M)]
    parts = [re.sub(r"(\\ )*\d+(\\\.\d+)?(us|%)|\d+\\\.\d{6}\b", r"[ \\d.]+\3", part) for part in parts]
    return re.fullmatch("(.|\n)*?".join(parts), printed.strip("\n"))


def check(page, directory):
    """Runs the commands of a page and returns how many there are."""
    count = 0
    for block in blocks(page.read_text()):
        for command, expected in commands(block):
            run = subprocess.run(["bash", "-c", command], cwd=directory, text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT)
            count += 1
            if not matches(expected, run.stdout):
                sys.exit(f"{page}: $ {command}\n--- is to print\n{expected}\n--- printed\n{run.stdout}")
    return count


def main(tree, build, out):
    (out / "bin").mkdir(parents=True)
    os.symlink(sys.executable, out / "bin" / "python3")
    os.environ["PATH"] = f"{out / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for page in [tree / "README.md"] + sorted((tree / "docs").glob("*.md")):
        directory = out / page.relative_to(tree).with_suffix("")
        (directory / "build").mkdir(parents=True)
        os.symlink(build, directory / "build" / "release")
        os.symlink(tree / "utils", directory / "utils")
        if count := check(page, directory):
            print(f"{page.name}: {count} commands")


main(*map(pathlib.Path, sys.argv[1:]))
