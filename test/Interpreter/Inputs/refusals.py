#!/usr/bin/env python3
"""Evaluates calls on tensors of ones and prints the errors.

usage: refusals.py RELAY-RUN FILE. A line of the file holds a call and its operands, as shapes with data types:
`op(%a, %b) with a: 2, 3; b: 4 int32`. The types that type inference sees have the ranks only, so that kernels have to
check the shapes.
"""
import re
import subprocess
import sys


def make_program(line):
    """The text of a module whose @main calls a function with the call of `line`."""
    call, _, operands = line.partition(" with ")
    params, arguments = [], []
    for operand in operands.split(";"):
        if not operand.strip():
            continue
        name, shape, dtype = re.fullmatch(r" *(\w+): *([\d, ]*?) *((?:u?int|float|bool)\d*)? *", operand).groups()
        dims = [dim.strip() for dim in shape.split(",") if dim.strip()]
        dtype = dtype or "float32"
        params.append(f"%{name}: Tensor[({', '.join('?' for _ in dims)}), {dtype}]" if dims else f"%{name}: {dtype}")
        arguments.append(f"ones(shape=[{', '.join(dims)}], dtype=\"{dtype}\")")
    return f"def @main() {{ @f({', '.join(arguments)}) }}\ndef @f({', '.join(params)}) {{ {call} }}\n"


def main():
    with open(sys.argv[2]) as file:
        for line in file:
            run = subprocess.run([sys.argv[1], "-"], input=make_program(line.strip()), capture_output=True, text=True)
            error = re.match(r"<stdin>:\d+:\d+: error: (.*)", run.stderr)
            print(error[1] if error else f"no error of {line.strip()}: {run.stderr or run.stdout}")


main()
