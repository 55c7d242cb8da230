#!/usr/bin/env python3
"""Writes files that are no text, and texts with tabs and other characters than ASCII, for binary.test.

usage: binary.py DIR
"""
import sys
from pathlib import Path

BEGIN = "def @main(%x: float32) {\n"
GRAPH = b"\x3a\x02\x12\x00"
FILES = {
    "model.onnx": b"\x08\x08\x12\x07pytorch" + GRAPH + b"\x42\x02\x10\x11",
    "no-graph.onnx": b"\x08\x08\x12\x07pytorch\x42\x02\x10\x11",
    "long.onnx": b"\x08\x08\x3a\xff\x7f" + GRAPH,
    "model.tflite": b"\x08\0\0\0TFL3\0\0\0\0",
    "offset.tflite": b"\x10\0\0\0TFL3\0\0\0\0",
    "model.h5": b"\x89HDF\r\n\x1a\n\0\0",
    "model.pt": b"PK\x03\x04\0\0\x08\x08\0\0model/data.pkl",
    "model.keras": b"PK\x03\x04\0\0\x08\x08\0\0metadata.json" + bytes(1 << 17) + b"model.weights.h5",
    "arrays.npz": b"PK\x03\x04\0\0\x08\x08\0\0x.npy",
    "old.pth": b"\x80\x02\x8a\x0al\xfc\x9cF\xf9 j\xa8P\x19.",
    "model.params": b"\xb7\x9c\x04\x05\x4f\x8d\xe5\xf7" + bytes(8),
    "elf": b"\x7fELF\x02\x01\x01\0\0\0\0\n\0\0\xc3\n",
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "utf16": b"\xff\xfe" + "def @main".encode("utf-16-le") + b"\n\0",
    "noise": b"def \x91Q\x00\xff\xc3\n\x91\n",
    "latin1": (BEGIN + "  nn.relu(\xf6)\n}\n").encode("latin-1"),
    "utf8": (BEGIN + "  /* größer 日本 */ foo(%x) }\n").encode("utf-8"),
    "tabs": (BEGIN + "\t/* a\t*/ foo(%x)\t}\n").encode("utf-8"),
    "mixed": (BEGIN + "\t/* ö\t*/ foo(%x)\t}\n").encode("utf-8"),
    "early-zero": b"\n" * 4095 + b"\0\n",
    "late-zero": b"\n" * 4096 + b"\0\n",
}

for name, data in FILES.items():
    Path(sys.argv[1], name).write_bytes(data)
