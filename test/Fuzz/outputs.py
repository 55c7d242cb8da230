"""Reads the results that relay-run prints, and compares two of them within a tolerance."""
import math
import re

# The largest difference of floats, relative to the greatest finite element of their tensor and to the element.
TOLERANCES = {"float16": 2e-2, "bfloat16": 6e-2, "float32": 1e-4, "float64": 1e-9}
NUMBER = re.compile(r"[-+]?(?:nan|inf|\d[\d.]*(?:e[-+]?\d+)?)|True|False", re.IGNORECASE)
HEAD = re.compile(r"^output_\d+: .*$", re.MULTILINE)


def split(text):
    """(head, elements) of each output."""
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [(head[0], text[head.end():end]) for head, end in zip(heads, ends)]


def differ(left, right, tolerance):
    """The first two elements that differ, or None."""
    left, right = (NUMBER.findall(text) for text in (left, right))
    if len(left) != len(right):
        return f"{len(left)} elements", f"{len(right)} elements"
    if tolerance is None:
        return next((pair for pair in zip(left, right) if pair[0] != pair[1]), None)
    numbers = [(float(a), float(b)) for a, b in zip(left, right)]
    scale = max((abs(a) for a, _ in numbers if math.isfinite(a)), default=0)
    for a, b in numbers:
        if a != b and not (math.isnan(a) and math.isnan(b)) and not abs(a - b) <= tolerance * max(scale, abs(a), 1e-3):
            return a, b
    return None


def compare(before, after):
    """The difference of two printed results, in a few words; None if they agree: integers are equal, floats close."""
    if before == after:
        return None
    before, after = split(before), split(after)
    if [head for head, _ in before] != [head for head, _ in after]:
        return "the outputs have other types"
    for (head, left), (_, right) in zip(before, after):
        dtype = re.search(r"\b(b?float\d+)\b", head)
        if left != right and (parted := differ(left, right, TOLERANCES[dtype[1]] if dtype else None)):
            return f"{head}: {parted[0]} became {parted[1]}"
    return None
