"""Modules with constants: the metadata section, as TVM writes it."""
import base64
import json
import struct

from ..builder import HEADER, Module

CODES = {"int": 0, "uint": 1, "float": 2, "bfloat": 4, "bool": 1}
FORMATS = {"bool": "B", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H",
           "uint32": "I", "uint64": "Q", "float16": "e", "float32": "f", "float64": "d"}
MAGIC = 0xDD5E40F096B4A13F
DEVICE = {"device_type_int": "-1", "memory_scope": "5", "target": "0", "virtual_device_id": "-1"}


def elements(dtype, values):
    """The bytes of elements; bfloat16 is the upper half of float32."""
    if dtype == "bfloat16":
        return b"".join(struct.pack("<f", value)[2:] for value in values)
    return struct.pack(f"<{len(values)}{FORMATS[dtype]}", *values)


def array(shape, dtype, values):
    """An array as TVM saves it, in base64."""
    name = dtype.rstrip("0123456789")
    width = int(dtype[len(name):] or 1)
    data = elements(dtype, values)
    head = struct.pack("<QQiii", MAGIC, 0, 1, 0, len(shape)) + struct.pack("<BBH", CODES[name], width, 1)
    sizes = struct.pack(f"<{len(shape)}q", *shape) + struct.pack("<q", len(data))
    return base64.b64encode(head + sizes + data).decode("ascii")


class Constants(Module):
    """A module with types first, constants, and functions that are written after all others."""

    def __init__(self, out):
        super().__init__(out)
        self.types = ""
        self.arrays = []
        self.tail = []

    def begin(self, head):
        if not self.functions:
            self.out.write(HEADER + (self.types and self.types + "\n"))
        else:
            self.out.write("\n")
        self.out.write(head)
        self.functions += 1

    def constant(self, shape, dtype, values):
        """The text of a new constant."""
        self.arrays.append(array(shape, dtype, values))
        return f"meta[relay.Constant][{len(self.arrays) - 1}]"

    def finish(self):
        """Writes the text after the functions."""
        self.out.writelines(self.tail)
        if not self.arrays:
            return
        first = 3
        nodes = [{"type_key": ""}, {"type_key": "Map", "keys": ["relay.Constant"], "data": [2]},
                 {"type_key": "Array", "data": [first + index for index in range(len(self.arrays))]}]
        device = first + len(self.arrays)
        nodes += [{"type_key": "relay.Constant",
                   "attrs": {"_checked_type_": "0", "data": str(index), "span": "0", "virtual_device_": str(device)}}
                  for index in range(len(self.arrays))]
        nodes.append({"type_key": "VirtualDevice", "attrs": DEVICE | {"memory_scope": str(device + 1)}})
        nodes.append({"type_key": "runtime.String"})
        graph = {"root": 1, "nodes": nodes, "b64ndarrays": self.arrays, "attrs": {"tvm_version": "0.18.0"}}
        self.out.write("\n#[metadata]\n" + json.dumps(graph, indent=2) + "\n")
