"""The figures, and the survivors with the tests that reached them."""
from .equivalents import key

SHOWN_TESTS = 4


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def name_tests(names):
    if not names:
        return "no test reaches it"
    more = f", {len(names) - SHOWN_TESTS} more" if len(names) > SHOWN_TESTS else ""
    return f"reached by {', '.join(names[:SHOWN_TESTS])}{more}"


def make_report(outcomes, reasons):
    """Lines of text. `reasons`: of equivalent mutants, by key."""
    noticed = [outcome for outcome in outcomes if outcome.noticed_by]
    equivalent = [outcome for outcome in outcomes if not outcome.noticed_by and key(outcome.mutant) in reasons]
    survivors = [outcome for outcome in outcomes if not outcome.noticed_by and key(outcome.mutant) not in reasons]
    lines = [f"{len(outcomes)} mutants, {len(equivalent)} of them equivalent",
             f"{len(noticed)} noticed, {len(survivors)} survive: {percent(len(noticed), len(noticed) + len(survivors))}"]
    for outcome in survivors:
        lines += ["", str(outcome.mutant), f"    RELAY_MUTANT={outcome.mutant.number}, {name_tests(outcome.reached_by)}"]
    return lines
