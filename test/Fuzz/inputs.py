"""Makes inputs for @main of a module, in a file for relay-run, which is the same for a seed everywhere."""
import random
import re
import struct
import zipfile
from math import prod

FORMATS = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B", "uint16": "H",
           "uint32": "I", "uint64": "Q", "float16": "e", "float32": "f", "float64": "d"}
SIGNATURE = re.compile(rb"^def @main\((.*)\) -> |^def @main\((.*)\) \{", re.MULTILINE)
PARAMETER = re.compile(r"%(\w+): (?:Tensor\[\(([^)]*)\), (\w+)\]|(\w+))")


def parameters(text):
    """(name, shape, dtype) of each parameter of @main, whose types are written; each `?` becomes an extent of 3."""
    match = SIGNATURE.search(text)
    for name, shape, dtype, scalar in PARAMETER.findall((match[1] or match[2]).decode()):
        yield name, tuple(map(int, re.findall(r"\d+", shape.replace("?", "3")))), dtype or scalar


def elements(source, shape, dtype):
    """Floats are from [0.5, 1.5) in scalars and vectors, which may be scales, and from [-1.75, 1.75) otherwise.
    Integers of 8 bits have any value, others 0 to 3."""
    count = prod(shape)
    if "float" in dtype:
        low, width = (0.5, 1) if len(shape) < 2 else (-1.75, 3.5)
        values = [low + width * source.random() for _ in range(count)]
        if dtype == "bfloat16":
            return b"".join(struct.pack("<f", value)[2:] for value in values)
    elif dtype.endswith("int8"):
        values = [source.randrange(256) - 128 * (dtype == "int8") for _ in range(count)]
    else:
        values = [source.randrange(2 if dtype == "bool" else 4) for _ in range(count)]
    return struct.pack(f"<{count}{FORMATS[dtype]}", *values)


def array(source, shape, dtype):
    """A .npy file."""
    kind = "V2" if dtype == "bfloat16" else f"{'b' if dtype == 'bool' else dtype[0]}{struct.calcsize('<' + FORMATS[dtype])}"
    head = f"{{'descr': '{'|' if kind[-1] == '1' or kind == 'V2' else '<'}{kind}', 'fortran_order': False, " \
           f"'shape': ({''.join(f'{extent}, ' for extent in shape)}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + elements(source, shape, dtype)


def write(path, text, seed):
    """Writes a .npz file with an array for each parameter of the module `text`."""
    source = random.Random(seed)
    with zipfile.ZipFile(path, "w") as archive:
        for name, shape, dtype in parameters(text):
            archive.writestr(zipfile.ZipInfo(name + ".npy"), array(source, shape, dtype))
