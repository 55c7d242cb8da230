"""Prints two functions of which one is inlined into the innermost closure of the other; each nests as deep as asked."""
import sys


def nest(body, letter, depth):
    opening = "".join(f"let %{letter}{i} = fn (%y{i}: float32) {{ " for i in range(depth))
    closing = "".join(f" }}; %{letter}{i}(%x)" for i in reversed(range(depth)))
    return opening + body + closing


depth = int(sys.argv[1])
print('#[version = "0.0.5"]')
print(f"def @g(%x: float32, Inline=1) {{ {nest('%x', 'f', depth)} }}")
print(f"def @main(%x: float32) {{ {nest('@g(%x)', 'h', depth)} }}")
