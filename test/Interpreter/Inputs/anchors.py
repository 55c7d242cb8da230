"""Writes scores, locations and anchors of vision.multibox_transform_loc to FOLDER. usage: anchors.py FOLDER"""
import struct
import sys
from pathlib import Path

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def save(name, shape, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}".ljust(117) + "\n"
    data = struct.pack(f"<{len(values)}f", *values)
    (folder / name).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


# Two images, four classes of which the first is the background, three anchors.
save("scores.npy", (2, 4, 3), [0.1, 0.8, 0.6, 0.7, 0.1, 0.15, 0.2, 0.1, 0.25, 0, 0, 0,
                               0.9, 0.1, 0.2, 0.05, 0.2, 0.005, 0.05, 0.7, 0.008, 0, 0, 0])
save("locations.npy", (2, 12), [0] * 16 + [1, -2, 0, 0, 4, 4, 0, 0])
save("anchors.npy", (1, 3, 4), [0, 0, 1, 1, 0.25, 0.25, 0.75, 0.75, 0.5, 0.5, 1, 0.75])
