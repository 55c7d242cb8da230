"""Writes a function without closures whose result is a tuple: its type has a depth, or a number of parts.

usage: large-tuples.py depth DEPTH | parts EXPONENT EXTRA

A type with parts has 2 ** EXPONENT + EXTRA of them: two tuples of 2 ** (EXPONENT - 1) - 1 parts each, and fields of one
part.
"""
import sys

kind, *numbers = sys.argv[1:]
numbers = [int(number) for number in numbers]
if kind == "depth":
    fields, levels, last = 1, numbers[0] - 2, []
else:
    fields, levels, last = 2, numbers[0] - 3, ["%x"] * (numbers[1] + 1)
print('#[version = "0.0.5"]\ndef @main(%x: float32) {')
print(f"  %0 = ({'%x, ' * fields});")
for i in range(levels):
    print(f"  %{i + 1} = ({f'%{i}, ' * fields});")
print(f"  ({', '.join([f'%{levels}'] * fields + last)})" if last else f"  %{levels}")
print("}")
