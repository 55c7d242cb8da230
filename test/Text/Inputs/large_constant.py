"""Writes to FILE a module with one float32 constant of COUNT elements: 0, 1, 2, ... 255, 0, ..., and zeros at the end.

usage: large_constant.py FILE COUNT
"""
import base64
import json
import struct
import sys

file, count = sys.argv[1], int(sys.argv[2])
elements = struct.pack("<256f", *range(256)) * (count // 256 + 1)
data = elements[:4 * (count - 16)] + bytes(64)
array = struct.pack("<QQiiiBBHqQ", 0xDD5E40F096B4A13F, 0, 1, 0, 1, 2, 32, 1, count, len(data)) + data
graph = {
    "root": 1,
    "nodes": [
        {"type_key": ""},
        {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]},
        {"type_key": "Array", "data": [3]},
        {"type_key": "relay.Constant",
         "attrs": {"_checked_type_": "0", "data": "0", "span": "0", "virtual_device_": "0"}},
    ],
    "b64ndarrays": [base64.b64encode(array).decode()],
    "attrs": {"tvm_version": "0.18.0"},
}
with open(file, "w") as out:
    out.write('#[version = "0.0.5"]\ndef @main() {\n  meta[relay.Constant][0]\n}\n\n#[metadata]\n')
    json.dump(graph, out, indent=2)
    out.write("\n")
