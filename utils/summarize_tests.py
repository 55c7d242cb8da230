#!/usr/bin/env python3
"""Sums up one run of the tests for utils/check; the last line is 'N passed, N failed, N skipped'.

Counts each test of lit (unit tests are among them), each conformance group and each step: a group passes when at least
as many of its cases pass as its floor records, and is skipped when it was not run or has no floor; a step passes with
exit status 0 and is skipped with 77. Exit status 1 when anything failed, or when lit or a conformance runner left no
results.
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
    """Groups without passing cases get no floor."""
    groups = {group: passed for group, passed in sorted(passed_by_group(results).items()) if passed}
    path.write_text(json.dumps(groups, indent=2) + "\n")
    print(f"recorded {len(groups)} conformance groups")


def count_groups(results_path, floor_path, counts, is_recording):
    """The groups of a runner that was not run are skipped: its `results_path` is `-`."""
    if results_path == "-":
        counts["skipped"] += len(load(floor_path, {}))
        return
    results = load(Path(results_path), None)
    if results is None:
        print(f"no results in {results_path}")
        counts["failed"] += 1
        return
    if is_recording:
        record(results, floor_path)
    count_conformance(results, load(floor_path, {}), counts)


def count_step(name, status, counts):
    kind = {"0": "passed", "77": "skipped"}.get(status, "failed")
    counts[kind] += 1
    if kind == "failed":
        print(f"failed with exit status {status}: {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lit", type=Path, required=True, help="what lit -o wrote")
    parser.add_argument("--conformance", nargs=2, action="append", default=[], metavar=("RESULTS", "FLOOR"),
                        help="what a runner's --json wrote, `-` if it was not run, and its floor")
    parser.add_argument("--step", nargs=2, action="append", default=[], metavar=("NAME", "STATUS"))
    parser.add_argument("--record", action="store_true", help="first write the floors from this run")
    args = parser.parse_args()
    counts = collections.Counter()
    count_lit(args.lit, counts)
    for results, floor in args.conformance:
        count_groups(results, Path(floor), counts, args.record)
    for name, status in args.step:
        count_step(name, status, counts)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
