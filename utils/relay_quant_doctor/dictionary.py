"""Reads the parameter dictionaries of TVM, which -constants-file writes."""
import struct

import numpy

from .error import DoctorError

LIST_MAGIC, ARRAY_MAGIC = 0xF7E58D4F05049CB7, 0xDD5E40F096B4A13F
KINDS = {0: "i", 1: "u", 2: "f", 4: "V", 6: "b"}  # The type codes of DLPack; 4 is bfloat16.


class Reader:
    def __init__(self, path):
        self.path = path
        self.data = path.read_bytes()
        self.offset = 0

    def take(self, size):
        part = self.data[self.offset:self.offset + size]
        self.offset += size
        if len(part) != size:
            raise DoctorError(f"{self.path}: the file is truncated")
        return part

    def unpack(self, layout):
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout)))

    def check(self, magic):
        if self.unpack("QQ")[0] != magic:
            raise DoctorError(f"{self.path} is not a parameter dictionary")

    def name(self):
        return self.take(self.unpack("Q")[0]).decode()

    def array(self):
        self.check(ARRAY_MAGIC)
        _, _, rank, code, bits, _ = self.unpack("iiiBBH")
        shape = self.unpack(f"{rank}q")
        data = self.take(self.unpack("q")[0])
        kind = KINDS[1 if code == 1 and bits > 1 else code]
        dtype = numpy.dtype(bool) if bits == 1 or kind == "b" else numpy.dtype(f"<{kind}{bits // 8}")
        return numpy.frombuffer(data, dtype).reshape(shape)


def read_dictionary(path):
    """The arrays by name."""
    reader = Reader(path)
    reader.check(LIST_MAGIC)
    names = [reader.name() for _ in range(reader.unpack("Q")[0])]
    return {name: reader.array() for name, _ in zip(names, range(reader.unpack("Q")[0]))}
