"""Gives an attribute of each kind values of each kind; prints what is said of them, or what they are read as.

usage: attribute-kinds.py RELAY-OPT
"""
import re
import subprocess
import sys

METADATA = """#[metadata]
{
  "root": 1,
  "nodes": [
    {"type_key": ""},
    {"type_key": "Map", "keys": ["tir.SizeVar", "relay.Constant", "VirtualDevice", "relay.TensorType", "Map", "tir.Any"],
      "data": [2, 6, 8, 10, 13, 15]},
    {"type_key": "Array", "data": [3]},
    {"type_key": "tir.SizeVar", "attrs": {"dtype": "int32", "name": "4", "span": "0", "type_annotation": "5"}},
    {"type_key": "runtime.String", "repr_str": "n"},
    {"type_key": "PrimType", "attrs": {"dtype": "int32"}},
    {"type_key": "Array", "data": [7]},
    {"type_key": "relay.Constant", "attrs": {"data": "0", "span": "0", "virtual_device_": "0"}},
    {"type_key": "Array", "data": [9]},
    {"type_key": "VirtualDevice",
      "attrs": {"device_type_int": "1", "memory_scope": "4", "target": "0", "virtual_device_id": "0"}},
    {"type_key": "Array", "data": [11]},
    {"type_key": "relay.TensorType", "attrs": {"dtype": "float32", "shape": "12", "span": "0"}},
    {"type_key": "Array"},
    {"type_key": "Array", "data": [14]},
    {"type_key": "Map", "keys": ["a"], "data": [4]},
    {"type_key": "Array", "data": [16]},
    {"type_key": "tir.Any", "attrs": {"dtype": "int32", "span": "0"}}
  ],
  "b64ndarrays": ["P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAJAAQABAAAAAAAAAAgAAAAAAAAAAAAAAAAA8D8="],
  "attrs": {"tvm_version": "0.18.0"}
}
"""

CALLS = [
    "nn.softmax(%x, axis=@)",
    "repeat(%x, repeats=1, axis=@)",
    "sum(%x, keepdims=@)",
    "nn.leaky_relu(%x, alpha=@)",
    'layout_transform(%x, src_layout=@, dst_layout="NC")',
    "cast(%x, dtype=@)",
    "nn.dense(%x, %x, units=@)",
    "nn.max_pool2d(%x, pool_size=@)",
    "squeeze(%x, axis=@)",
    "nn.pad(%x, 0f, pad_width=@)",
    "nn.mirror_pad(%x, pad_width=@)",
    "image.resize1d(%x, size=[2], roi=@)",
    "split(%x, indices_or_sections=@)",
    "memory.alloc_tensor(%x, %x, %x, const_shape=@, assert_shape=[1])",
    "on_device(%x, virtual_device=@)",
]

VALUES = """1 -2147483649 1.5f 1.5f16 True "a" "int8" None [] [1] [1.5f] [True] ["a"] [None] [[1]] [[1.5f]]
meta[tir.SizeVar][0] [meta[tir.SizeVar][0]] [[meta[tir.SizeVar][0]]] meta[tir.Any][0] meta[relay.Constant][0]
meta[VirtualDevice][0] meta[relay.TensorType][0] meta[Map][0]""".split()


def read(calls):
    text = "".join(f"  let %v{i} = {call};\n" for i, call in enumerate(calls))
    text = f'#[version = "0.0.5"]\ndef @main(%x: Tensor[(2, 2), float32]) {{\n{text}  %x\n}}\n{METADATA}'
    return subprocess.run([sys.argv[1], "-no-infer", "-"], input=text, capture_output=True, text=True)


def explain(calls):
    """What is said of each call, or what it is read as."""
    errors = {}
    for line, message in re.findall(r"^<stdin>:(\d+):\d+: error: (.*)$", read(calls).stderr, re.MULTILINE):
        errors.setdefault(int(line) - 3, message)
    good = [i for i in range(len(calls)) if i not in errors]
    lines = read([calls[i] for i in good]).stdout.splitlines()
    return errors | dict(zip(good, (line.split(" = ", 1)[1] for line in lines if "  let %v" in line)))


for call in CALLS:
    print(call)
    # The tool stops after 20 errors.
    for values in (VALUES[:12], VALUES[12:]):
        found = explain([call.replace("@", value) for value in values])
        for i, value in enumerate(values):
            print(f"  {value}: {found[i]}")
