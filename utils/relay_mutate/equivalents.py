"""Mutants that change nothing that a test could see, each with the reason: the file equivalent-mutants.txt.

An entry is a line as the report has it, without the line number, and below it the reason, indented:

    lib/IR/Block.cpp: in Block::size: drop `Cache.reserve(N);`
        reserves memory only
"""
import re
from pathlib import Path

FILE = Path(__file__).resolve().parent / "equivalent-mutants.txt"


class FormatError(Exception):
    """The file of equivalent mutants is malformed."""


def key(mutant):
    return re.sub(r"^([^:]+):\d+:", r"\1:", str(mutant), count=1)


def parse(text):
    """Reasons by key."""
    reasons, current = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            if current and not reasons[current]:
                raise FormatError(f"line {number}: the entry before has no reason")
            if line in reasons:
                raise FormatError(f"line {number}: this mutant has an entry already")
            current = line
            reasons[current] = ""
        elif current is None:
            raise FormatError(f"line {number}: a reason without a mutant")
        else:
            reasons[current] = (reasons[current] + " " + line.strip()).strip()
    if current and not reasons[current]:
        raise FormatError("the last entry has no reason")
    return reasons


def read(path=FILE):
    return parse(path.read_text()) if path.is_file() else {}
