# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Virtual devices, as attributes hold them."""

from __future__ import annotations

import functools
from typing import Any

from ....reading import parse_expr

# The numbers of DLPack and TVM.
_DEVICE_TYPES = {
    "llvm": 1,
    "cpu": 1,
    "cuda": 2,
    "gpu": 2,
    "opencl": 4,
    "vulkan": 7,
    "metal": 8,
    "vpi": 9,
    "rocm": 10,
    "ext_dev": 12,
    "hexagon": 14,
    "webgpu": 15,
}

_TEXT = """#[version = "0.0.5"]
on_device(1, virtual_device=meta[VirtualDevice][0])
#[metadata]
{{"root": 1, "nodes": [{{"type_key": ""}},
  {{"type_key": "Map", "keys": ["VirtualDevice"], "data": [2]}},
  {{"type_key": "Array", "data": [3]}},
  {{"type_key": "VirtualDevice", "attrs":
    {{"device_type_int": "{}", "virtual_device_id": "{}", "target": "0", "memory_scope": "4"}}}},
  {{"type_key": "runtime.String"}}],
 "b64ndarrays": [], "attrs": {{"tvm_version": "0.18.0"}}}}
"""


@functools.lru_cache(maxsize=None)
def _read(device_type: int, device_id: int) -> Any:
    call: Any = parse_expr(_TEXT.format(device_type, device_id))
    return call.attrs.virtual_device


def virtual_device(device: Any) -> Any:
    """Returns the attribute value for a device, or for the name of a device such as "cuda"."""
    kind, number = (device, 0) if isinstance(device, str) else (device.device_type, device.device_id)
    if isinstance(kind, str):
        if kind not in _DEVICE_TYPES:
            raise ValueError(f"unknown device type '{kind}'; expects one of {', '.join(_DEVICE_TYPES)}")
        kind = _DEVICE_TYPES[kind]
    return _read(kind, number)
