"""Runs mutants against the tests that reach them."""
import sys
import time
from dataclasses import dataclass, field
from typing import List

# The tests run in portions of so many seconds of processor time, so that the first failure ends a trial soon.
PORTIONS = (2, 8, 32)
NO_MUTANT = 0


@dataclass
class Outcome:
    mutant: object
    reached_by: List[str] = field(default_factory=list)
    noticed_by: str = ""
    equivalent: bool = False


def portions(tests):
    """Parts of `tests` in order; each takes about the next time of PORTIONS, the last one has the rest."""
    limits, portion, seconds = list(PORTIONS), [], 0
    for test in tests:
        portion.append(test)
        seconds += test.seconds
        if limits and seconds >= limits[0]:
            yield portion
            limits.pop(0)
            portion, seconds = [], 0
    if portion:
        yield portion


class Trial:
    """Tries mutants with one suite, and remembers the tests that passed without a mutant when they were asked."""

    def __init__(self, suite):
        self.suite = suite
        self.trusted = set()

    def is_due_to(self, mutant, failure):
        """Returns true if the test fails again with the mutant and not without it."""
        if failure.timed_out:
            return True
        if self.suite.find_failure([failure.test], mutant.number) is None:
            return False
        if failure.test.name not in self.trusted and self.suite.find_failure([failure.test], NO_MUTANT) is not None:
            return False
        self.trusted.add(failure.test.name)
        return True

    def find_noticing(self, tests, mutant):
        """The name of a test that notices `mutant`, or an empty string."""
        for portion in portions(tests):
            while portion and (failure := self.suite.find_failure(portion, mutant.number)):
                if self.is_due_to(mutant, failure):
                    return failure.test.name
                portion = [test for test in portion if test is not failure.test]
        return ""


def describe(outcome):
    if outcome.noticed_by:
        return f"noticed by {outcome.noticed_by}"
    return "is equivalent" if outcome.equivalent else f"survives {len(outcome.reached_by)} tests"


def try_mutants(suite, mutants, minutes, select=lambda tests: tests, is_equivalent=lambda mutant: False):
    """Tries `mutants` in order, as many as `minutes` or an interrupt allow, and yields each outcome as soon as it is
    known. `select` chooses among the tests that reach a mutant. No test runs for equivalent ones."""
    start, trial, count = time.monotonic(), Trial(suite), 0
    for mutant in mutants:
        if time.monotonic() - start >= 60 * minutes:
            break
        tests = suite.reaching(mutant)
        outcome = Outcome(mutant, [test.name for test in tests], equivalent=is_equivalent(mutant))
        try:
            if not outcome.equivalent:
                outcome.noticed_by = trial.find_noticing(select(tests), mutant)
        except KeyboardInterrupt:
            break
        count += 1
        print(f"{count}/{len(mutants)} {time.monotonic() - start:.0f} s: {mutant}: {describe(outcome)}",
              file=sys.stderr, flush=True)
        yield outcome
    if count != len(mutants):
        print(f"{len(mutants) - count} mutants are not tried; --resume goes on", file=sys.stderr)
