"""Prints every candidate for a mutant of a source. usage: mutate-places.py UTILS SOURCE"""
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

from relay_mutate.places import find_places

source = Path(sys.argv[2]).read_bytes()
lines = set(range(1, source.count(b"\n") + 2))
for mutant in sorted(find_places("sample.cpp", source, lines), key=lambda mutant: (mutant.line, mutant.change)):
    print(mutant)
