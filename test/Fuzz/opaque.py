#!/usr/bin/env python3
"""Runs every pass on models without the data of their constants (-opaque-constants), and compares with the data.

Random values are bound to the parameters of each text but the first, and the metadata section is removed. Each pass must
then

- succeed, or report an error that names a constant, `meta[relay.Constant][N]`;
- print text that reads back to the same bytes;
- print what it prints with the data, apart from the indices of constants, unless the pass reads data (READERS).

usage: opaque.py [--bin DIR] [--passes NAME,...] [--strict] TEXT...

A text with other metadata than constants is skipped. Prints a line for each broken property, and a summary. Exit status 1
if a property was broken.
"""
import argparse
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import limited
from fuzz import ROOT, list_passes, print_passes
from properties import VARIANTS

# Passes that read elements where they can: their results with data may differ.
READERS = re.compile(r"fold|simplify|div-to-mul|fast-math|default<|flatten-atrous|canonicalize|annotate-target|rewrite|O\d")
CONSTANT = re.compile(rb"meta\[relay\.Constant\]\[\d+\]")
LIFTED = re.compile(rb"@lifted_name\d+")
OTHER = re.compile(rb"meta\[(?!relay\.Constant\])")


def strip(text):
    return text.split(b"\n#[metadata]")[0]


def generalize(text):
    """The text with all indices of constants alike, and all names that contain a hash of constants."""
    return LIFTED.sub(b"@lifted", CONSTANT.sub(b"meta[relay.Constant][*]", strip(text)))


class Checker:
    def __init__(self, relay_opt, folder, strict):
        self.relay_opt, self.folder, self.strict = relay_opt, folder, strict

    def opt(self, text, *flags):
        return limited.run([self.relay_opt, "-", *flags], self.folder, text)

    def check(self, text, opaque, name):
        """The broken property of a pass; none if there is none."""
        flags = (f"-passes={name}", "-verify-each")
        outcome = self.opt(opaque, "-opaque-constants", *flags)
        if outcome.problem:
            return outcome.problem
        with_data = self.opt(text, *flags)
        if with_data.problem:
            return None  # not a matter of opaque constants
        if outcome.status:
            if with_data.status:
                return None
            return None if CONSTANT.search(outcome.err.encode()) else outcome.err.split("\n", 1)[0]
        again = self.opt(outcome.out, "-opaque-constants")
        if again.problem or again.status or again.out != outcome.out:
            return "the text does not read back to the same bytes"
        if (self.strict or not READERS.search(name)) and generalize(outcome.out) != generalize(with_data.out):
            return "the result differs from that with data"
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/release/bin"))
    parser.add_argument("--passes", help="default: all")
    parser.add_argument("--strict", action="store_true", help="compare the results of passes that read data, too")
    parser.add_argument("texts", nargs="+")
    options = parser.parse_args()
    relay_opt = os.path.join(os.path.abspath(options.bin), "relay-opt")
    if options.passes:
        passes = options.passes.split(",")
    else:
        listed = list_passes(print_passes(relay_opt))
        names = listed["Module passes:"] + listed["Function passes:"] + listed["Pipelines:"]
        passes = [variant for name in names for variant in VARIANTS.get(name, [name])]
    checked = found = 0
    with tempfile.TemporaryDirectory(prefix="relay-opaque") as folder:
        checker = Checker(relay_opt, folder, options.strict)
        for path in options.texts:
            with open(path, "rb") as file:
                printed = checker.opt(file.read(), "-params=random", "-passes=bind-params")
            opaque = strip(printed.out)
            if printed.status or printed.problem or not CONSTANT.search(opaque) or OTHER.search(opaque):
                continue
            checked += 1
            for name in passes:
                if problem := checker.check(printed.out, opaque, name):
                    found += 1
                    print(f"{path}: {name}: {problem}", flush=True)
    print(f"{checked} texts without data, {len(passes)} passes, {found} broken properties")
    return 1 if found or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
