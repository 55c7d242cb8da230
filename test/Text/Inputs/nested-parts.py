"""Writes a function in which something other than an expression is nested so many levels deep.

usage: nested-parts.py list|type|pattern|metadata LEVELS
"""
import json, sys

kind, levels = sys.argv[1], int(sys.argv[2])
print('#[version = "0.0.5"]')
if kind == "list":
    print(f"def @main() {{\n  fn (a={'[' * levels}{']' * levels}) {{ 1 }}\n}}")
elif kind == "type":
    print(f"def @main(%x:\n{'ref(' * levels}int32{')' * levels}) {{ %x }}")
elif kind == "pattern":
    print(f"type T {{ L(T), N, }}\ndef @main(%x: T) {{\n  match? (%x) {{\n{'L(' * levels}_{')' * levels} => 1,\n  }}\n}}")
else:
    nodes = [{"type_key": ""}, {"type_key": "Map", "keys": ["Array"], "data": [2]}, {"type_key": "Array", "data": [3]}]
    nodes += [{"type_key": "Array", "data": [i + 4]} for i in range(levels - 1)] + [{"type_key": "Array"}]
    metadata = json.dumps({"root": 1, "nodes": nodes, "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}})
    print(f"def @main() {{\n  fn (a=meta[Array][0]) {{ 1 }}\n}}\n\n#[metadata]\n{metadata}")
