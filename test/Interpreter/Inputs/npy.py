#!/usr/bin/env python3
"""Writes and shows .npy files, without numpy.

usage: npy.py FILE DESCR SHAPE [VALUE...] [--fortran] [--version N] [--header TEXT] [--cut BYTES]
       npy.py --show FILE...

SHAPE is Python's notation, `(2, 3)`. VALUEs are in the order in which the file has them; fewer are repeated, none are 0,
1, 2, … --header takes the place of the dictionary; --cut leaves out that many bytes at the end.
--show prints the dictionary and the values.
"""
import argparse
import ast
import math
import struct

CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H", "u4": "I",
         "u8": "Q", "b1": "?", "V2": "H"}


def get_format(descr):
    order = ">" if descr[0] == ">" else "<"
    return order, CODES[descr[1:]]


def show(path):
    data = open(path, "rb").read()
    size = 2 if data[6] == 1 else 4
    length = int.from_bytes(data[8:8 + size], "little")
    text = data[8 + size:8 + size + length].decode().strip()
    order, code = get_format(ast.literal_eval(text)["descr"])
    rest = data[8 + size + length:]
    assert (8 + size + length) % 64 == 0
    values = struct.unpack(order + code * (len(rest) // struct.calcsize(code)), rest)
    print(text, *values)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("descr", nargs="?")
    parser.add_argument("shape", nargs="?")
    parser.add_argument("values", nargs="*")
    parser.add_argument("--fortran", action="store_true")
    parser.add_argument("--version", type=int, default=1)
    parser.add_argument("--header")
    parser.add_argument("--cut", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    if args.show:
        for path in [args.path, args.descr, args.shape] + args.values:
            if path:
                show(path)
        return
    order, code = get_format(args.descr)
    count = math.prod(ast.literal_eval(args.shape))
    number = float if code in "efd" else int
    given = [number(v) for v in args.values] or list(range(count))
    values = [given[i % len(given)] for i in range(count)]
    text = args.header or (f"{{'descr': '{args.descr}', 'fortran_order': {args.fortran}, 'shape': {args.shape}, }}")
    text = text.encode() + b"\n"
    size = 2 if args.version == 1 else 4
    data = b"\x93NUMPY" + bytes([args.version, 0]) + len(text).to_bytes(size, "little") + text
    data += struct.pack(order + code * count, *values)
    open(args.path, "wb").write(data[:len(data) - args.cut])


main()
