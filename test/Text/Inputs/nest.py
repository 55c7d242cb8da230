"""Prints a function that nests N parentheses, or that has N statements in a row.

usage: nest.py N [row]
"""
import sys

count = int(sys.argv[1])
print('#[version = "0.0.5"]\ndef @main(%x: float32) {')
if len(sys.argv) > 2:
    print("".join(f"  let %y{i} = negative(%x);\n" for i in range(count)) + "  %x")
else:
    print("  " + "(" * count + "%x" + ")" * count)
print("}")
