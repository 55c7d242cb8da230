"""Changes each part of each kind of node of a JSON file, or of the metadata of a text, one at a time, and prints what
relay-opt says of it, or the first line that reads otherwise.

usage: change-nodes.py RELAY-OPT FILE
"""
import json
import subprocess
import sys

opt, path = sys.argv[1:]
lines = [line for line in open(path) if not line.startswith("//")]
before, mark, after = "".join(lines).rpartition("#[metadata]\n")
document = json.loads(after)
nodes = document["nodes"]


def read():
    """The error, or the text. Each node is in a line of its own."""
    lines = ",\n".join(json.dumps(node) for node in nodes)
    rest = {key: value for key, value in document.items() if key != "nodes"}
    text = before + mark + '{"nodes": [\n' + lines + "], " + json.dumps(rest)[1:]
    done = subprocess.run([opt, "-no-infer", "-print-spans", "-"], input=text, capture_output=True, text=True)
    if done.returncode == 0 and not done.stderr:
        return done.stdout.splitlines()
    return done.stderr.partition("\n")[0].removeprefix("<stdin>:") or f"exit status {done.returncode}"


original = read()


def change(node, number, name, part, key, *values):
    for value in values:
        old = part[key]
        if old == value:
            continue
        part[key] = value
        found = read()
        part[key] = old
        if isinstance(found, list):
            pairs = zip(found + ["end"], original + ["end"])
            found = next((f"reads {line.strip()[:100]}" for line, before in pairs if line != before), "reads the same")
        print(f"{node['type_key']} {number}, {name} = {json.dumps(value)}: {found}")


seen = {}
for number, node in enumerate(nodes):
    kind = node["type_key"]
    seen[kind] = seen.get(kind, 0) + 1
    if seen[kind] > 2 or not kind:
        continue
    first = seen[kind] == 1
    change(node, number, "type_key", node, "type_key", *(["", "relay.Nothing"] if first else ["Span"]))
    if "repr_str" in node:
        change(node, number, "repr_str", node, "repr_str", *["", "a b"][:2 if first else 1])
    for name in node.get("attrs", {}):
        change(node, number, name, node["attrs"], name, *(["0", "2", "999", "x"] if first else ["0", "2"]))
    data = node.get("data", [])
    if data:
        values = [data[:-1], [0] + data[1:], [2] + data[1:], data + data, [], [999] + data[1:]]
        change(node, number, "data", node, "data", *values[: 6 if first else 4])
