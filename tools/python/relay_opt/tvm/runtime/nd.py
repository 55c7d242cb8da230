# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tvm.nd: arrays, which are immutable here."""

from ..._relay_opt import Array as NDArray
from ...values import array_from_numpy


class Device(tuple):
    """A device, by type and number. Everything is computed on the processor."""

    def __new__(cls, device_type: str = "cpu", device_id: int = 0):
        return super().__new__(cls, (device_type, device_id))

    device_type = property(lambda self: self[0])
    device_id = property(lambda self: self[1])

    def __repr__(self) -> str:
        return f"{self[0]}({self[1]})"


def device(dev_type: str, dev_id: int = 0) -> Device:
    """Returns a device."""
    return Device(dev_type, dev_id)


def cpu(dev_id: int = 0) -> Device:
    """Returns the processor."""
    return Device("cpu", dev_id)


def array(arr, device=None, mem_scope=None) -> NDArray:
    """Copies a numpy array, or what numpy makes one of."""
    return arr if isinstance(arr, NDArray) else array_from_numpy(arr)
