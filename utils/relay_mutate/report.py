"""The figures, and the survivors with the tests that reached them."""
SHOWN_TESTS = 4


def percent(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def name_tests(names):
    if not names:
        return "no test reaches it"
    more = f", {len(names) - SHOWN_TESTS} more" if len(names) > SHOWN_TESTS else ""
    return f"reached by {', '.join(names[:SHOWN_TESTS])}{more}"


def make_report(outcomes):
    """Lines of text. No figure counts mutants with remaining tests."""
    left = [outcome for outcome in outcomes if outcome.is_open()]
    tried = [outcome for outcome in outcomes if not outcome.is_open()]
    noticed = [outcome for outcome in tried if outcome.noticed_by]
    equivalent = [outcome for outcome in tried if outcome.equivalent]
    survivors = [outcome for outcome in tried if not outcome.noticed_by and not outcome.equivalent]
    lines = [f"{len(tried)} mutants, {len(equivalent)} of them equivalent",
             f"{len(noticed)} noticed, {len(survivors)} survive: {percent(len(noticed), len(noticed) + len(survivors))}"]
    if left:
        lines.append(f"{len(left)} are not tried to the end; --resume goes on")
    for outcome in survivors:
        lines += ["", str(outcome.mutant), f"    RELAY_MUTANT={outcome.mutant.number}, {name_tests(outcome.reached_by)}"]
    return lines
