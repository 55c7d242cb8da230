#!/usr/bin/env python3
"""Writes files that are no text, and texts with tabs and other characters than ASCII, for binary.test.

usage: binary.py DIR
"""
import sys
from pathlib import Path

BEGIN = "def @main(%x: float32) {\n"
FILES = {
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
