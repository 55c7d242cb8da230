"""Runs mutants against the tests that reach them."""
import sys
import time
from dataclasses import dataclass, field
from typing import List

# The tests are run in portions, so that the first failure ends it soon.
PORTIONS = (10, 50)
NO_MUTANT = 0


@dataclass
class Outcome:
    mutant: object
    reached_by: List[str] = field(default_factory=list)
    noticed_by: str = ""


def portions(tests):
    start = 0
    for size in PORTIONS:
        yield tests[start:start + size]
        start += size
    yield tests[start:]


class Trial:
    """Tries mutants with one suite, and remembers the tests that passed without a mutant when they were asked."""

    def __init__(self, suite):
        self.suite = suite
        self.trusted = set()

    def fails_anyway(self, tests, name):
        """Returns true if a test fails without a mutant as well, so that its failure means nothing."""
        if name in self.trusted:
            return False
        if self.suite.find_failure([test for test in tests if test.name == name], NO_MUTANT) is not None:
            return True
        self.trusted.add(name)
        return False

    def find_noticing(self, tests, mutant):
        """The name of a test that notices `mutant`, or an empty string."""
        for portion in portions(tests):
            portion = list(portion)
            while portion and (name := self.suite.find_failure(portion, mutant.number)):
                if not self.fails_anyway(portion, name):
                    return name
                portion = [test for test in portion if test.name != name]
        return ""


def try_mutants(suite, mutants, minutes, select=lambda tests: tests):
    """Outcomes of `mutants`, in order, of as many as `minutes` or an interrupt allow. `select` chooses among the tests
    that reach one."""
    outcomes, start, trial = [], time.monotonic(), Trial(suite)
    for mutant in mutants:
        if time.monotonic() - start > 60 * minutes:
            break
        tests = suite.reaching(mutant)
        try:
            noticed_by = trial.find_noticing(select(tests), mutant)
        except KeyboardInterrupt:
            break
        outcomes.append(Outcome(mutant, [test.name for test in tests], noticed_by))
        print(f"{len(outcomes)}/{len(mutants)} {time.monotonic() - start:.0f} s: {mutant}: "
              f"{'noticed by ' + noticed_by if noticed_by else 'survives ' + str(len(tests)) + ' tests'}",
              file=sys.stderr, flush=True)
    if len(outcomes) != len(mutants):
        print(f"{len(mutants) - len(outcomes)} mutants are not tried", file=sys.stderr)
    return outcomes
