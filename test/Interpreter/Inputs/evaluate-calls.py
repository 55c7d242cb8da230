#!/usr/bin/env python3
"""Evaluates calls on fixed numbers and prints their results.

usage: evaluate-calls.py RELAY-RUN FILE. A line of the file holds a call and its operands, as shapes with data types:
`op(%a, %b) with a: 2, 3; b: 4 int32`. Element I of operand K is (7 I + 3 K) mod 11, minus 5 and divided by 4 for floats.
"""
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

CODES = {"float32": ("<f4", "f"), "int32": ("<i4", "i"), "int64": ("<i8", "q"), "int8": ("<i1", "b")}


def write_array(path, shape, dtype, number):
    """Writes a .npy file."""
    count = 1
    for dim in shape:
        count *= dim
    values = [(7 * i + 3 * number) % 11 for i in range(count)]
    if dtype == "float32":
        values = [(value - 5) / 4 for value in values]
    descr, code = CODES[dtype]
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)}, }}\n".encode()
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + struct.pack(f"<{count}{code}", *values))


def evaluate(tool, line, folder):
    call, _, operands = line.partition(" with ")
    params, files = [], []
    for number, operand in enumerate(operands.split(";")):
        name, dims, dtype = re.fullmatch(r" *(\w+): *([\d, ]*?) *((?:int|float)\d+)? *", operand).groups()
        shape = [int(dim) for dim in dims.split(",") if dim.strip()]
        dtype = dtype or "float32"
        params.append(f"%{name}: Tensor[({', '.join(map(str, shape))}), {dtype}]" if shape else f"%{name}: {dtype}")
        files.append(folder / f"{name}.npy")
        write_array(files[-1], shape, dtype, number)
    run = subprocess.run([tool, "-", *map(str, files)], input=f"def @main({', '.join(params)}) {{ {call} }}",
                         capture_output=True, text=True)
    return re.sub(r"\s+", " ", run.stdout + run.stderr).replace("output_0: ", "").strip()


with open(sys.argv[2]) as file, tempfile.TemporaryDirectory() as directory:
    for entry in file:
        print(entry.split("(")[0] + ":", evaluate(sys.argv[1], entry.strip(), Path(directory)))
