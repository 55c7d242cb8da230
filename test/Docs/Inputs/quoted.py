#!/usr/bin/env python3
"""quoted.py [--only=TEXT] PAGE FILE...: checks that each block of C++ on PAGE, or each that contains TEXT, is part of one of
the files."""
import argparse
import re
import sys

parser = argparse.ArgumentParser()
parser.add_argument("--only", default="")
parser.add_argument("page")
parser.add_argument("files", nargs="+")
args = parser.parse_args()
texts = [open(file).read() for file in args.files]
blocks = [block for block in re.findall(r"```cpp\n(.*?)```", open(args.page).read(), re.DOTALL) if args.only in block]
missing = [block for block in blocks if not any(block in text for text in texts)]
if missing:
    sys.exit("not in the files:\n" + "\n".join(missing))
print(len(blocks), "blocks of code, all in the files")
