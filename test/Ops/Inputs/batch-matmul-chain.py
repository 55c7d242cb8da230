"""Prints a chain of N products whose batch is n, then m in each: the size of the result grows by one maximum each time."""
import json, sys

NODES = [{"type_key": ""}, {"type_key": "Map", "keys": ["tir.Var"], "data": [2]}, {"type_key": "Array", "data": [3, 4]}]
NODES += [{"type_key": "tir.Var", "attrs": {"dtype": "int32", "name": name, "span": "0", "type_annotation": "7"}} for name in "56"]
NODES += [{"type_key": "runtime.String", "repr_str": name} for name in "nm"]
NODES += [{"type_key": "PrimType", "attrs": {"dtype": "int32"}}]

print('#[version = "0.0.5"]')
print("def @main(%x: Tensor[(meta[tir.Var][0], 2, 2), float32], %y: Tensor[(meta[tir.Var][1], 2, 2), float32]) {")
for i in range(int(sys.argv[1])):
    print(f"  %{i} = nn.batch_matmul({f'%{i - 1}' if i else '%x'}, %y);")
print("  %" + str(int(sys.argv[1]) - 1))
print("}\n\n#[metadata]\n" + json.dumps({"root": 1, "nodes": NODES, "b64ndarrays": [], "attrs": {"tvm_version": "0.18.0"}}))
