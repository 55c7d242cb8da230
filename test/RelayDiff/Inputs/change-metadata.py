"""Changes each part of each node of the metadata of a text, one at a time, and prints what relay-diff tells of that and of
the text as it is.

usage: change-metadata.py RELAY-DIFF FILE
"""
import json
import subprocess
import sys

tool, path = sys.argv[1:]
before, mark, after = open(path).read().rpartition("#[metadata]\n")
document = json.loads(after)
nodes = document["nodes"]


def compare(text):
    done = subprocess.run([tool, path, "-"], input=text, capture_output=True, text=True)
    return (done.stdout + done.stderr).partition("\n")[0] or f"exit status {done.returncode}"


def change(number, name, part, key, *values):
    for value in values:
        if part[key] == value:
            continue
        old, part[key] = part[key], value
        print(f"{number} {name} = {json.dumps(value)}: {compare(before + mark + json.dumps(document))}")
        part[key] = old


for number, node in enumerate(nodes):
    if not node["type_key"]:
        continue
    change(number, "type_key", node, "type_key", "X.New")
    for key in ("repr_str", "repr_bytes"):
        if key in node:
            change(number, key, node, key, "other")
    for name in node.get("attrs", {}):
        change(number, name, node["attrs"], name, "0", "6", "7", "999", "other")
    if "attrs" in node:
        change(number, "attrs", node, "attrs", {}, node["attrs"] | {"more": "1"})
    for key in ("data", "keys"):
        old = node.get(key, [])
        if old:
            change(number, key, node, key, old[:-1], old + old[-1:], old[::-1])
