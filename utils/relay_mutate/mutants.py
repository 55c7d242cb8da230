"""A mutant: one small wrong change at one place; and the choice of some mutants at random."""
import random
from dataclasses import dataclass, field
from typing import List, Union


@dataclass(frozen=True)
class Span:
    """A part of a source, in bytes."""
    start: int
    end: int

    def contains(self, other):
        return self.start <= other.start and other.end <= self.end


@dataclass
class Mutant:
    """`parts` replace `span`: strings and spans of the source; `{on}` in a string is replaced by the switch."""
    path: str
    span: Span
    line: int      # the first line of the span, from 1
    last_line: int
    function: str
    change: str    # what a reader sees: "`A < B` -> `A <= B`"
    parts: List[Union[str, Span]] = field(repr=False)
    number: int = 0

    def covers(self, line):
        return self.line <= line <= self.last_line

    def __str__(self):
        where = f" in {self.function}" if self.function else ""
        return f"{self.path}:{self.line}:{where}: {self.change}"


def choose(candidates, count, seed):
    """`count` random mutants, at most one for each line and each span, in order and numbered from 1."""
    by_line = {}
    for mutant in candidates:
        by_line.setdefault((mutant.path, mutant.line), []).append(mutant)
    generator = random.Random(seed)
    lines = sorted(by_line)
    generator.shuffle(lines)
    chosen = [generator.choice(by_line[line]) for line in lines[:count]]
    chosen.sort(key=lambda mutant: (mutant.path, mutant.span.start, -mutant.span.end))
    for number, mutant in enumerate(chosen, 1):
        mutant.number = number
    return chosen
