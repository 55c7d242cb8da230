#!/usr/bin/env python3
"""links.py TREE: checks that relative links of all pages lead to files, and their anchors to headings, and that
docs/README.md lists each page of docs."""
import os
import pathlib
import re
import sys


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    return re.sub(r"^    .*$", "", text, flags=re.M)


def targets(text):
    return re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", without_code(text)))


def anchors(path):
    """The anchors that GitHub makes of headings: lower case, punctuation dropped, spaces as hyphens."""
    headings = re.findall(r"^#+ +(.*)$", without_code(open(path).read()), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def problems(path):
    for target in targets(open(path).read()):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        other = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
        if not os.path.exists(other):
            yield f"{path}: no file {target}"
        elif anchor and anchor not in anchors(other):
            yield f"{path}: no heading {target}"


def unlisted(docs):
    listed = targets((docs / "README.md").read_text())
    for page in sorted(docs.glob("*.md")):
        if page.name not in listed and page.name != "README.md":
            yield f"{docs}/README.md: does not list {page.name}"


def main(tree):
    pages = [path for folder in ("docs", "test") for path in pathlib.Path(tree, folder).rglob("*.md")]
    pages = [path for path in pages if "Inputs" not in path.parts] + list(pathlib.Path(tree).glob("*.md"))
    found = [problem for page in sorted(pages) for problem in problems(str(page))]
    found += unlisted(pathlib.Path(tree, "docs"))
    sys.exit("\n".join(found) or 0)


main(sys.argv[1])
