#!/usr/bin/env python3
"""Sums up one run of the tests for utils/check; the last line is 'N passed, N failed, N skipped'.

Counts each test of lit (unit tests are among them) and each conformance group: a group passes when at least as many
of its cases pass as floor.json records, and is skipped when it was not run or has no floor. Exit status 1 when
anything failed, or when lit or the conformance runner left no results.
"""
import argparse
import collections
import json
import sys
from pathlib import Path

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def load(path, default):
    return json.loads(path.read_text()) if path.exists() else default


def count_lit(path, counts):
    """Counts into passed, failed, skipped; prints the name of each test that failed."""
    results = load(path, None)
    if results is None:
        print("lit left no results")
        counts["failed"] += 1
        return
    for test in results["tests"]:
        kind = "passed" if test["code"] in PASSED else "skipped" if test["code"] in SKIPPED else "failed"
        counts[kind] += 1
        if kind == "failed":
            print(f"{test['code']}: {test['name']}")


def passed_by_group(results):
    groups = collections.Counter()
    for case in results:
        groups[case["group"]] += case["ok"]
    return groups


def count_conformance(results, floor, counts):
    groups = passed_by_group(results)
    for group in sorted(set(groups) | set(floor)):
        if group not in floor:
            counts["skipped"] += 1
        elif groups[group] >= floor[group]:
            counts["passed"] += 1
        else:
            counts["failed"] += 1
            print(f"below the floor: {group}: {groups[group]} passed, {floor[group]} recorded")


def record(results, path):
    """Groups of which no case passes yet get no floor."""
    groups = {group: passed for group, passed in sorted(passed_by_group(results).items()) if passed}
    path.write_text(json.dumps(groups, indent=2) + "\n")
    print(f"recorded {len(groups)} conformance groups")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lit", type=Path, required=True, help="what lit -o wrote")
    parser.add_argument("--conformance", type=Path, help="what run.py --json wrote; not given: not run")
    parser.add_argument("--floor", type=Path, required=True)
    parser.add_argument("--record", action="store_true", help="first write the floor from this run")
    args = parser.parse_args()
    counts = collections.Counter()
    count_lit(args.lit, counts)
    if not args.conformance:
        counts["skipped"] += len(load(args.floor, {}))
    elif not args.conformance.exists():
        print("the conformance runner left no results")
        counts["failed"] += 1
    else:
        results = load(args.conformance, [])
        if args.record:
            record(results, args.floor)
        count_conformance(results, load(args.floor, {}), counts)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
