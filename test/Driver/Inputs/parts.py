"""Writes N parts of -split-input-file, five lines each with the marker.

usage: parts.py N
"""
import sys

for i in range(int(sys.argv[1])):
    if i:
        print("// -----")
    print(f"def @main{i}(%x: Tensor[({i + 1}), float32]) {{")
    print(f"  let %c = add({i}f, 2f);")
    print("  let %s = add(%x, %c);")
    print("  %s }")
