"""Spellings of the synthetic graphs: Relay, with graph bindings or lets, and MLIR's tosa dialect, to compare with."""
from .builder import HEADER

SHAPE = (1, 56, 56, 64)
WEIGHT = (64, 3, 3, 64)


class Relay:
    """Writes functions of one type to `out`; each operation defines a new name. The last one is the result."""
    TYPE = f"Tensor[{SHAPE}, float32]"
    WEIGHT_TYPE = f"Tensor[{WEIGHT}, float32]"
    PARAMS = f"%x: {TYPE}, %w: {WEIGHT_TYPE}"

    def __init__(self, out):
        self.write = out.write
        self.number = 0
        self.pending = None
        self.separator = HEADER

    def begin(self, name):
        self.write(f"{self.separator}def @{name}({self.PARAMS}) -> {self.TYPE} {{\n")
        self.separator = "\n"
        return "%x"

    def append(self, text):
        if self.pending:
            self.write(f"  %{self.number} = {self.pending};\n")
            self.number += 1
        self.pending = text
        return f"%{self.number}"

    def end(self, result):
        self.write(f"  {self.pending or result}\n}}\n")
        self.pending = None

    def conv2d(self, data):
        return self.append(f"nn.conv2d({data}, %w, padding=[1, 1, 1, 1], channels=64, kernel_size=[3, 3], "
                           'data_layout="NHWC", kernel_layout="OHWI")')

    def clip(self, data):
        return self.append(f"clip({data}, a_min=0f, a_max=6f)")

    def add(self, left, right):
        return self.append(f"add({left}, {right})")

    def call(self, name, data):
        return self.append(f"@{name}({data}, %w)")


class Let(Relay):
    """Binds each operation by `let`."""

    def append(self, text):
        name = f"%v{self.number}"
        self.number += 1
        self.write(f"  let {name} = {text};\n")
        return name


class Tosa(Relay):
    TYPE = f"tensor<{'x'.join(map(str, SHAPE))}xf32>"
    WEIGHT_TYPE = f"tensor<{'x'.join(map(str, WEIGHT))}xf32>"
    BIAS_TYPE = f"tensor<{WEIGHT[0]}xf32>"
    OPERANDS = f"{TYPE}, {WEIGHT_TYPE}, {BIAS_TYPE}"
    WINDOW = "{dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}"
    LIMITS = "{max_fp = 6.0 : f32, max_int = 6 : i64, min_fp = 0.0 : f32, min_int = 0 : i64}"

    def begin(self, name):
        self.number = 0
        self.write(f"func.func @{name}(%x: {self.TYPE}, %w: {self.WEIGHT_TYPE}, %b: {self.BIAS_TYPE}) "
                   f"-> {self.TYPE} {{\n")
        return "%x"

    def append(self, text):
        name = f"%{self.number}"
        self.number += 1
        self.write(f"  {name} = {text} -> {self.TYPE}\n")
        return name

    def end(self, result):
        self.write(f"  return {result} : {self.TYPE}\n}}\n")

    def conv2d(self, data):
        return self.append(f"tosa.conv2d {data}, %w, %b {self.WINDOW} : ({self.OPERANDS})")

    def clip(self, data):
        return self.append(f"tosa.clamp {data} {self.LIMITS} : ({self.TYPE})")

    def add(self, left, right):
        return self.append(f"tosa.add {left}, {right} : ({self.TYPE}, {self.TYPE})")

    def call(self, name, data):
        return self.append(f"func.call @{name}({data}, %w, %b) : ({self.OPERANDS})")
