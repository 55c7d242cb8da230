"""Writes a closure whose parameter has no written type and whose result is a tuple in a tuple, so many deep.

usage: nested-tuples.py LEVELS FIELDS
"""
import sys

levels, fields = map(int, sys.argv[1:])
print('#[version = "0.0.5"]\ndef @main(%y: float32) {\n  let %f = fn (%x) {\n    %0 = (tanh(%x),);')
for i in range(levels):
    print(f"    %{i + 1} = ({f'%{i},' * fields});")
print(f"    %{levels}\n  }};\n  %f(%y)\n}}")
