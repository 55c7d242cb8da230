#!/usr/bin/env python3
"""extract.py PAGE TREE OUT: writes the files that a page of the docs shows.

A fenced block is of a file when the paragraph before it names one in backticks (`lib/Transforms/X.cpp`), the last one
counts. A file that TREE has is an edit: the block is put before the last #endif of it, or at its end.
"""
import os
import re
import sys

FENCE = "```"


def blocks(page):
    """Yields the paragraph before each fenced block, and the block."""
    lines = page.split("\n")
    paragraph, start = [], None
    for i, line in enumerate(lines):
        if start is not None:
            if line == FENCE:
                yield " ".join(paragraph), "\n".join(lines[start:i]) + "\n"
                start = None
        elif line.startswith(FENCE):
            start = i + 1
        elif line.strip():
            paragraph = (paragraph if lines[i - 1].strip() else []) + [line]


def insert(text, addition):
    at = text.rfind("#endif")
    if at < 0:
        return text + addition
    return text[:at] + addition + "\n" + text[at:]


def main(page, tree, out):
    written = {}
    for paragraph, block in blocks(open(page).read()):
        names = re.findall(r"`((?:include|lib|test)/[^` ]*\.[a-z]+)`", paragraph)
        if not names:
            continue
        name = names[-1]
        original = os.path.join(tree, name)
        if name not in written and os.path.exists(original):
            written[name] = open(original).read()
        written[name] = insert(written[name], block) if name in written else block
    for name, text in written.items():
        path = os.path.join(out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        print(name)


main(*sys.argv[1:])
