"""Runs mutants against the tests that reach them."""
import sys
import time
from dataclasses import dataclass, field
from typing import List, Set

# The tests of a mutant run in portions of this many seconds of processor time, the last one without a limit; each
# mutant gets its first portion before any gets its second.
PORTIONS = (2, 8, 32, float("inf"))
NO_MUTANT = 0


@dataclass
class Outcome:
    mutant: object
    reached_by: List[str] = field(default_factory=list)
    noticed_by: str = ""
    equivalent: bool = False
    passed: Set[str] = field(default_factory=set)  # tests that did not notice it

    def is_open(self):
        """Returns true if there are tests left that may detect the mutant."""
        return not self.noticed_by and not self.equivalent and not self.passed.issuperset(self.reached_by)

    def describe(self):
        if self.noticed_by:
            return f"noticed by {self.noticed_by}"
        if self.equivalent:
            return "is equivalent"
        return f"survives {len(self.passed & set(self.reached_by))} of {len(self.reached_by)} tests"


def take_portion(tests, seconds):
    """The first `tests` that take `seconds` in total."""
    portion = []
    for test in tests:
        if seconds <= 0:
            break
        portion.append(test)
        seconds -= test.seconds
    return portion


class Trial:
    """Tries mutants with one suite, and remembers the tests that passed when they were run without a mutant."""

    def __init__(self, suite):
        self.suite = suite
        self.trusted = set()

    def is_due_to(self, mutant, failure):
        """Returns true if the test fails again with the mutant but not without it."""
        if failure.timed_out:
            return True
        if self.suite.find_failure([failure.test], mutant.number) is None:
            return False
        if failure.test.name not in self.trusted and self.suite.find_failure([failure.test], NO_MUTANT) is not None:
            return False
        self.trusted.add(failure.test.name)
        return True

    def find_noticing(self, tests, mutant):
        """The name of a test that detects `mutant`, or an empty string."""
        while tests and (failure := self.suite.find_failure(tests, mutant.number)):
            if self.is_due_to(mutant, failure):
                return failure.test.name
            tests = [test for test in tests if test is not failure.test]
        return ""

    def run_portion(self, outcome, seconds):
        tests = [test for test in self.suite.reaching(outcome.mutant) if test.name not in outcome.passed]
        portion = take_portion(tests, seconds)
        outcome.noticed_by = self.find_noticing(portion, outcome.mutant)
        outcome.passed |= {test.name for test in portion if test.name != outcome.noticed_by}


def make_outcomes(suite, mutants, known, is_equivalent):
    """Outcomes of `mutants` in order: `known` outcomes by number, with the tests that now reach each."""
    outcomes = [known.get(mutant.number) or Outcome(mutant) for mutant in mutants]
    for outcome in outcomes:
        outcome.reached_by = [test.name for test in suite.reaching(outcome.mutant)]
        outcome.equivalent = not outcome.noticed_by and is_equivalent(outcome.mutant)
    return outcomes


def try_outcomes(suite, outcomes, minutes):
    """Runs the remaining tests for `outcomes`, until `minutes` have passed or an interrupt. Yields each changed
    outcome."""
    start, trial = time.monotonic(), Trial(suite)
    for number, seconds in enumerate(PORTIONS, 1):
        left = [outcome for outcome in outcomes if outcome.is_open()]
        for count, outcome in enumerate(left, 1):
            if time.monotonic() - start >= 60 * minutes:
                return
            try:
                trial.run_portion(outcome, seconds)
            except KeyboardInterrupt:
                return
            print(f"portion {number}, {count}/{len(left)} {time.monotonic() - start:.0f} s: {outcome.mutant}: "
                  f"{outcome.describe()}", file=sys.stderr, flush=True)
            yield outcome
