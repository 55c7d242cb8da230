# A region called through DEPTH levels of functions, each of which calls the next level twice: `diamond.py DEPTH`.
import sys

depth = int(sys.argv[1])
print('#[version = "0.0.5"]')
for level in range(depth):
    callee = f"f{level + 1}" if level + 1 != depth else "part"
    print(f"def @f{level}(%x: float32) -> float32 {{ add(@{callee}(%x), @{callee}(%x)) }}")
print('def @part(%p: float32, Compiler="npu", global_symbol="part") -> float32 { tanh(%p) }')
