#!/usr/bin/env python3
"""Prints the events of a trace as they begin, those that lie within another behind dots.

usage: print-trace.py FILE [--sorted]. With --sorted by name and without dots, as for several threads. Fails when the file
is not JSON or an event lacks something.
"""
import json
import sys


def depth_of(event, events):
    end = event["ts"] + event["dur"]
    return sum(e["ts"] <= event["ts"] and end <= e["ts"] + e["dur"] for e in events if e is not event)


def text_of(event):
    return event["name"] + (f" on {event['args']['unit']}" if "args" in event else "")


with open(sys.argv[1], encoding="utf-8") as file:
    all_events = json.load(file)["traceEvents"]
names = {event["tid"]: event["args"]["name"] for event in all_events if event["name"] == "thread_name"}
events = [event for event in all_events if event["ph"] == "X"]
assert names[0] == "main" and all(event["pid"] == 1 and event["tid"] in names for event in events)
if "--sorted" in sys.argv:
    lines = sorted(map(text_of, events))
else:
    lines = [". " * depth_of(e, events) + text_of(e) for e in sorted(events, key=lambda e: e["ts"])]
print("\n".join(lines))
