"""Prints functions with many type parameters: one and a call of it, and one that takes such a function.

usage: type-parameters.py COUNT
"""
import sys


def main():
    names = [f"A{i}" for i in range(int(sys.argv[1]))]
    variables = ", ".join(names)
    print(f"def @f[{variables}]({', '.join(f'%{name}: {name}' for name in names)}) -> A7 {{ %A7 }}")
    print(f"def @g(%f: fn [{variables}](A0, A7) -> A7) {{ %f }}")
    print(f"def @main(%x: float32) {{ @f({', '.join(['%x'] * len(names))}) }}")


if __name__ == "__main__":
    main()
