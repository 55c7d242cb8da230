#!/usr/bin/env python3
"""snippets.py PAGE SOURCE: checks that every C++ snippet of a page stands in SOURCE, which is compiled, word for word."""
import re
import sys


def main(page, source):
    text = open(source).read()
    snippets = re.findall(r"^```cpp\n(.*?)^```$", open(page).read(), re.M | re.S)
    for snippet in snippets:
        if snippet not in text:
            sys.exit(f"{page}: not in {source}:\n{snippet}")
    print(f"{len(snippets)} snippets")


main(*sys.argv[1:])
