"""Prints TVM's parameter dictionary FILE: its names, then type, shape and data of each array."""
import struct
import sys

file = open(sys.argv[1], "rb")
take = lambda form: struct.unpack("<" + form, file.read(struct.calcsize("<" + form)))

magic, reserved, count = take("QQQ")
assert (magic, reserved) == (0xF7E58D4F05049CB7, 0)
names = [file.read(take("Q")[0]).decode() for _ in range(count)]
print(count, "names:", *names)
assert take("Q") == (count,)
for _ in range(count):
    magic, reserved, device, index, rank, code, bits, lanes = take("QQIIIBBH")
    assert (magic, reserved, device, index, lanes) == (0xDD5E40F096B4A13F, 0, 1, 0, 1)
    shape = take(f"{rank}q")
    print(["int", "uint", "float"][code] + str(bits), shape, file.read(take("Q")[0]).hex())
assert not file.read()
