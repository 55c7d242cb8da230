"""usage: diamonds.py N: a function whose N diamonds double a tensor, behind a call whose declared type is dynamic."""
import sys

print("def @main(%x: Tensor[(4), float32]) {")
print("  %0 = fn (%p: Tensor[(4), float32], Primitive=1) -> Tensor[(?), float32] { tanh(%p) };\n  %1 = %0(%x);")
last = 1
for _ in range(int(sys.argv[1])):
    print(f"  %{last + 1} = nn.relu(%{last});\n  %{last + 2} = nn.relu(%{last + 1});")
    print(f"  %{last + 3} = (%{last + 1}, %{last + 2});\n  %{last + 4} = concatenate(%{last + 3});")
    last += 4
print(f"  %{last}\n}}")
