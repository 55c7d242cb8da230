#!/usr/bin/env python3
"""Opens a page on screens of all sizes, in light and in dark, and prints what is wrong with it.

usage: check-screens.py CHROMIUM PAGE
"""
import sys
from pathlib import Path

import screens
from browser import Browser


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    page = sys.argv[2]
    with Browser(sys.argv[1]) as browser:
        problems = screens.find_problems(browser, page, "0") + browser.problems
        address = Path(page).resolve().as_uri()
        problems += [f"loads {url}" for url in browser.requests if url != address]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
