"""Prints, for each module of a file, how its closure's attribute `a` is written, then the nodes from the array on, one a line."""
import json, re, sys

for part in open(sys.argv[1]).read().split("// -----\n"):
    print("a =", re.search(r"fn \(a=(.*?)\)", part)[1])
    _, found, text = part.partition("#[metadata]\n")
    for i, node in enumerate(json.loads(text)["nodes"] if found else []):
        if i > 2 and node["type_key"] != "":
            print(" ", i, node.pop("type_key"), json.dumps(node))
