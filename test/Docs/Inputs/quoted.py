#!/usr/bin/env python3
"""quoted.py PAGE FILE...: checks that each block of C++ on PAGE is part of one of the files."""
import re
import sys

page, *files = sys.argv[1:]
texts = [open(file).read() for file in files]
blocks = re.findall(r"```cpp\n(.*?)```", open(page).read(), re.DOTALL)
missing = [block for block in blocks if not any(block in text for text in texts)]
if missing:
    sys.exit("not in the files:\n" + "\n".join(missing))
print(len(blocks), "blocks of code, all in the files")
