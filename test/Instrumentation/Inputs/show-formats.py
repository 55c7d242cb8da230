#!/usr/bin/env python3
"""Prints what a report of -pass-report says on layouts and data types, an entry a line, with passes by name.

usage: show-formats.py REPORT.json
"""
import json
import sys


def walk(passes):
    for each in passes:
        yield each
        yield from walk(each["passes"])


def text(value):
    return json.dumps(value, separators=(", ", ": "))


def total(sums):
    """`2 of 64 bytes`; a plus where some have unknown bytes."""
    return f"{sums['count']} of {sums['bytes']}{'+' if sums.get('unknown') else ''} bytes"


def show_changes(sums):
    return ", ".join(f"{name} {total(sums[name])}" for name in sums if sums[name]["count"])


def show_module(module):
    names = {each["id"]: each["name"] for each in walk(module["passes"])}
    formats = module["formats"]
    for kind in ("layouts", "dtypes"):
        for step in formats[kind]:
            print(f"{kind}: {step['before']} -> {step['after']}: {step['layers']}")
    for each in walk(module["passes"]):
        for kind, sums in each["conversions"].items():
            print(f"{each['name']}: {kind}: {show_changes(sums)}")
    for kind, sums in formats["totals"].items():
        if changes := show_changes(sums):
            print(f"total: {kind}: {changes}")
    for layer in formats["layers"]:
        layer["changedBy"] = [names[each] for each in layer["changedBy"]]
        for reason in layer["reasons"]:
            reason["pass"] = names[reason["pass"]]
        print("layer:", text(layer))
    for conversion in formats["conversions"]:
        if "pass" in conversion:
            conversion["pass"] = names[conversion["pass"]]
        print("conversion:", text(conversion))
    for name in ("layersOmitted", "conversionsOmitted"):
        if formats[name]:
            print(f"{name}: {formats[name]}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        for module in json.load(file)["modules"]:
            print("module:", module["status"])
            show_module(module)


if __name__ == "__main__":
    main()
