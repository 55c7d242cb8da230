#!/usr/bin/env python3
"""Opens a page in a browser and prints the value of JavaScript expressions, then what was wrong with the page.

usage: evaluate.py CHROMIUM PAGE [EXPRESSION...]
"""
import sys

from browser import Browser


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with Browser(sys.argv[1]) as browser:
        browser.open(sys.argv[2])
        for expression in sys.argv[3:]:
            print(browser.evaluate(expression))
        for problem in browser.problems:
            print("problem:", problem)


if __name__ == "__main__":
    main()
