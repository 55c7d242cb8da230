"""show-passes.py REPORT: the modules and passes of a -pass-report, a line each, indented as they nest."""
import json
import sys


def show(entry, depth):
    print("  " * depth + entry.get("name", "module") + ": " + entry["status"])
    for inner in entry["passes"]:
        show(inner, depth + 1)


with open(sys.argv[1]) as file:
    for module in json.load(file)["modules"]:
        show(module, 0)
