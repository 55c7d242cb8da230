"""Prints closures of which each calls the previous one twice: a chain of argv[1] of them."""
import sys

count = int(sys.argv[1])
print('#[version = "0.0.5"]\ndef @main(%x: int32) {\n  let %f0 = fn (%y: int32) -> int32 { add(%y, %x) };')
for number in range(1, count):
    print(f"  let %f{number} = fn (%y: int32) -> int32 {{ %f{number - 1}(%f{number - 1}(%y)) }};")
print(f"  %f{count - 1}(%x)\n}}")
