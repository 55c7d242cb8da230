#!/usr/bin/env python3
"""Writes a dictionary for relay-text-fuzzer: operators, attributes and other tokens of the tests.

usage: dictionary.py [--bin DIR] > relay.dict
"""
import argparse
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fuzz import ROOT, read_seeds
from mutations import DTYPES, NUMBERS, OPENING, VALUES, find_tokens


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    options = parser.parse_args()
    listing = subprocess.run([os.path.join(options.bin, "relay-opt"), "-print-ops"], check=True, capture_output=True,
                             text=True).stdout
    words = set(listing.split()) | set(NUMBERS) | set(VALUES) | set(DTYPES) | set(OPENING)
    words.update(find_tokens(read_seeds([os.path.join(ROOT, "test")])))
    for word in sorted(words):
        if word.isascii() and word.isprintable() and len(word) < 40:
            print('"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"')


if __name__ == "__main__":
    main()
