#!/usr/bin/env python3
"""folders.py TREE PAGE: checks that the table of PAGE has a line for each room and each folder of lib, and no other."""
import pathlib
import re
import sys


def main(tree, page):
    lib = pathlib.Path(tree, "lib")
    folders = {str(path.relative_to(lib)) for pattern in ("*/", "*/*/") for path in lib.glob(pattern) if path.is_dir()}
    lines = set(re.findall(r"^\| \**([\w/]+)\** \|", pathlib.Path(page).read_text(), flags=re.M))
    found = [f"no line: {name}" for name in sorted(folders - lines)]
    found += [f"no folder: {name}" for name in sorted(lines - folders - {"room"})]
    sys.exit("\n".join(found) or 0)


main(*sys.argv[1:])
