#!/usr/bin/env python3
"""Prints the modules of a report of -partition-report with one line for each target, region and operation."""
import json
import sys

with open(sys.argv[1]) as file:
    report = json.load(file)
for module in report["modules"]:
    print("host", json.dumps(module["host"]))
    for kind in ("targets", "regions", "operations"):
        for entry in module[kind]:
            print(kind, json.dumps(entry))
