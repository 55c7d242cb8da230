"""Reads JSON in which one field of one node is another, and compares what is said.

usage: json-nodes.py TABLE MODULE [--update]

Lines of the table are `field KIND.FIELD VALUE => PLACE: MESSAGE`: of the first node of that kind, the field is left out (-),
null (0), the first node of another kind (KIND, or KIND/2 for the third), or a list of such a node ([KIND]). PLACE is the kind of the node at which the error is, or a line; `read` stands
where it is read. --update writes what is said now, for review by eye.
"""
import json, re, subprocess, sys

TABLE, MODULE = sys.argv[1:3]
LINE = re.compile(r"^field (\S+)\.(\w+) (\S+)(?: => (.*))?$", re.M)
whole = json.loads(subprocess.run(["relay-opt", "-emit=json", MODULE], capture_output=True, text=True, check=True).stdout)
FIRST = 3  # the line of node 0


def index(key):
    key, _, which = key.partition("/")
    return [i for i, node in enumerate(whole["nodes"]) if node["type_key"] == key][int(which or 0)]


def changed(key, field, value):
    nodes = [dict(node, attrs=dict(node.get("attrs", {}))) for node in whole["nodes"]]
    node = nodes[index(key)]
    holder = node["attrs"] if field in node["attrs"] else node
    if value == "-":
        del holder[field]
    elif value.startswith("["):
        holder[field] = str(len(nodes))
        nodes.append({"type_key": "Array", "data": [index(value[1:-1])]})
    else:
        holder[field] = "0" if value == "0" else str(index(value))
    lines = ",\n".join(json.dumps(node) for node in nodes)
    return f'{{"root": {whole["root"]}, "b64ndarrays": {json.dumps(whole["b64ndarrays"])}, "attrs": {json.dumps(whole["attrs"])},\n"nodes": [\n{lines}\n]}}\n'


def said(key, field, value):
    done = subprocess.run(["relay-opt", "-no-infer", "-", "-o", "/dev/null"], input=changed(key, field, value), capture_output=True, text=True)
    first = re.match(r"<stdin>:(\d+):(\d+): error: (.*)", done.stderr)
    if not first:
        return f"status {done.returncode}: {done.stderr}" if done.returncode or done.stderr else "read"
    line = int(first[1]) - FIRST
    place = whole["nodes"][line]["type_key"] if 0 <= line < len(whole["nodes"]) else f"line {first[1]}"
    return f"{place}: {first[3]}" + ("" if done.returncode == 1 else f" (status {done.returncode})")


table, failed = open(TABLE).read(), False
for match in LINE.finditer(table):
    *change, expected = match.groups()
    found = said(*change)
    if found != expected:
        print(f"{'.'.join(change[:2])} {change[2]}\n  expected {expected}\n  found    {found}")
        failed = True
        if "--update" in sys.argv:
            table = re.sub("^" + re.escape(match[0]) + "$", lambda _: f"field {change[0]}.{change[1]} {change[2]} => {found}", table, flags=re.M)
if "--update" in sys.argv:
    open(TABLE, "w").write(table)
sys.exit(failed)
