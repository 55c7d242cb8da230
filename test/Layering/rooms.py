#!/usr/bin/env python3
"""Checks that the files of each room include only the rooms that it may see.

usage: rooms.py SOURCE_TREE. One line per violation on standard error; exit status 1 when there is any.
"""
import re
import sys
from pathlib import Path

# Bottom to top (section 3 of the design): a room sees itself and what stands before it ...
ROOMS = ["Support", "IR", "Ops", "Text", "Pass", "Analysis", "Interpreter", "Pattern", "Transforms",
         "Instrumentation", "Session", "Driver", "Python"]
# ... but for these: instrumentation knows no particular pass, and the package is not a command line.
HIDDEN = {"Instrumentation": {"Transforms"}, "Python": {"Driver"}}

INCLUDE = re.compile(r'^\s*#?\s*include\s*["<](relay/(\w+)/[^">]*)[">]')


def visible(room):
    return set(ROOMS[:ROOMS.index(room) + 1]) - HIDDEN.get(room, set())


def files_of(tree, room):
    for base in (tree / "include" / "relay" / room, tree / "lib" / room):
        for path in sorted(base.rglob("*")):
            if path.suffix in (".h", ".cpp", ".td", ".def", ".inc"):
                yield path


def violations(tree, room):
    for path in files_of(tree, room):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and match[2] not in visible(room):
                yield f'{path.relative_to(tree)}:{number}: error: {room} may not include {match[2]} ("{match[1]}")'


def unknown_rooms(tree):
    for base in (tree / "include" / "relay", tree / "lib"):
        for path in sorted(base.iterdir()) if base.is_dir() else []:
            if path.is_dir() and path.name not in ROOMS:
                yield f"{path.relative_to(tree)}: error: not a room of the table in test/Layering/rooms.py"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree = Path(sys.argv[1])
    found = list(unknown_rooms(tree))
    for room in ROOMS:
        found += violations(tree, room)
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
