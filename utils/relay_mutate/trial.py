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


def fails_anyway(suite, tests, name):
    """Returns true if a test fails without a mutant as well, so that its failure means nothing."""
    return suite.find_failure([test for test in tests if test.name == name], NO_MUTANT) is not None


def find_noticing(suite, tests, mutant):
    """The name of a test that notices `mutant`, or an empty string."""
    for portion in portions(tests):
        portion = list(portion)
        while portion and (name := suite.find_failure(portion, mutant.number)):
            if not fails_anyway(suite, portion, name):
                return name
            portion = [test for test in portion if test.name != name]
    return ""


def try_mutants(suite, mutants, minutes, select=lambda tests: tests):
    """Outcomes of `mutants`, in order, of as many as `minutes` allow. `select` chooses among the tests that reach one."""
    outcomes, start = [], time.monotonic()
    for mutant in mutants:
        if time.monotonic() - start > 60 * minutes:
            print(f"{len(mutants) - len(outcomes)} mutants are not tried: the time is over", file=sys.stderr)
            break
        tests = suite.reaching(mutant)
        noticed_by = find_noticing(suite, select(tests), mutant)
        outcomes.append(Outcome(mutant, [test.name for test in tests], noticed_by))
        print(f"{len(outcomes)}/{len(mutants)} {time.monotonic() - start:.0f} s: {mutant}: "
              f"{'noticed by ' + noticed_by if noticed_by else 'survives ' + str(len(tests)) + ' tests'}",
              file=sys.stderr, flush=True)
    return outcomes
