# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ResNets with normalization before activation (He et al., 2016), with the names and the sizes of TVM's test models."""

from ....expr import Function, TupleGetItem, make_call, var
from ....module import free_vars
from .init import create_workload


class _Layers:
    """Makes layers whose parameters are named by their layer."""

    def __init__(self, layout: str):
        self.layout = layout
        self.axis = layout.index("C")
        self.kernel_layout = "OIHW" if layout == "NCHW" else "HWIO"

    def norm(self, data, name: str, scale: bool = True):
        parts = [var(f"{name}_{part}") for part in ("gamma", "beta", "moving_mean", "moving_var")]
        attrs = {"axis": self.axis, "epsilon": 2e-5, "center": True, "scale": scale}
        return TupleGetItem(make_call("nn.batch_norm", (data, *parts), attrs), 0)

    def relu(self, data):
        return make_call("nn.relu", (data,), {})

    def conv(self, data, name: str, channels: int, kernel: int, stride: int, pad: int):
        attrs = {
            "channels": channels,
            "kernel_size": (kernel, kernel),
            "strides": (stride, stride),
            "padding": (pad,) * 4,
            "data_layout": self.layout,
            "kernel_layout": self.kernel_layout,
        }
        return make_call("nn.conv2d", (data, var(f"{name}_weight")), attrs)

    def pool(self, data):
        attrs = {"pool_size": (3, 3), "strides": (2, 2), "padding": (1,) * 4, "layout": self.layout}
        return make_call("nn.max_pool2d", (data,), attrs)


def _unit(layers: _Layers, data, filters: int, stride: int, same_size: bool, name: str, bottle_neck: bool):
    """One residual unit: a bottleneck of three convolutions, or two convolutions."""
    first = layers.relu(layers.norm(data, f"{name}_bn1"))
    if bottle_neck:
        inner = filters // 4
        out = layers.conv(first, f"{name}_conv1", inner, 1, stride, 0)
        out = layers.conv(layers.relu(layers.norm(out, f"{name}_bn2")), f"{name}_conv2", inner, 3, 1, 1)
        out = layers.conv(layers.relu(layers.norm(out, f"{name}_bn3")), f"{name}_conv3", filters, 1, 1, 0)
    else:
        out = layers.conv(first, f"{name}_conv1", filters, 3, stride, 1)
        out = layers.conv(layers.relu(layers.norm(out, f"{name}_bn2")), f"{name}_conv2", filters, 3, 1, 1)
    shortcut = data if same_size else layers.conv(first, f"{name}_sc", filters, 1, stride, 0)
    return make_call("add", (out, shortcut), {})


def _get_units(num_layers: int, height: int) -> tuple[list[int], list[int], bool]:
    """Returns the units of each stage, the channels, and whether units are bottlenecks."""
    if height <= 28:
        if (num_layers - 2) % 9 == 0 and num_layers >= 164:
            return [(num_layers - 2) // 9] * 3, [16, 64, 128, 256], True
        if (num_layers - 2) % 6 == 0 and num_layers < 164:
            return [(num_layers - 2) // 6] * 3, [16, 16, 32, 64], False
    else:
        known = {
            18: [2, 2, 2, 2],
            34: [3, 4, 6, 3],
            50: [3, 4, 6, 3],
            101: [3, 4, 23, 3],
            152: [3, 8, 36, 3],
            200: [3, 24, 36, 3],
            269: [3, 30, 48, 8],
        }
        if num_layers in known:
            bottle_neck = num_layers >= 50
            filters = [64, 256, 512, 1024, 2048] if bottle_neck else [64, 64, 128, 256, 512]
            return known[num_layers], filters, bottle_neck
    raise ValueError(f"no experiments done on num_layers {num_layers}")


def get_net(batch_size, num_classes, num_layers=50, image_shape=(3, 224, 224), layout="NCHW", dtype="float32", **kwargs) -> Function:
    """Returns a ResNet as a function of `data` and its parameters."""
    height = image_shape[layout.index("H") - 1]
    units, filters, bottle_neck = _get_units(num_layers, height)
    layers = _Layers(layout)
    data = var("data", shape=(batch_size, *image_shape), dtype=dtype)
    out = layers.norm(data, "bn_data", scale=False)
    if height <= 32:
        out = layers.conv(out, "conv0", filters[0], 3, 1, 1)
    else:
        out = layers.conv(out, "conv0", filters[0], 7, 2, 3)
        out = layers.pool(layers.relu(layers.norm(out, "bn0")))
    for stage, count in enumerate(units):
        for unit in range(count):
            stride = 2 if unit == 0 and stage > 0 else 1
            out = _unit(layers, out, filters[stage + 1], stride, unit > 0, f"stage{stage + 1}_unit{unit + 1}", bottle_neck)
    out = layers.relu(layers.norm(out, "bn1"))
    out = make_call("nn.global_avg_pool2d", (out,), {"layout": layout})
    out = make_call("nn.batch_flatten", (out,), {})
    out = make_call("nn.dense", (out, var("fc1_weight")), {"units": num_classes})
    out = make_call("nn.bias_add", (out, var("fc1_bias")), {"axis": -1})
    out = make_call("nn.softmax", (out,), {})
    return Function(free_vars(out), out)


def get_workload(batch_size=1, num_classes=1000, num_layers=18, image_shape=(3, 224, 224), layout="NCHW", dtype="float32", **kwargs):
    """Returns the module of a ResNet and its parameters."""
    return create_workload(get_net(batch_size, num_classes, num_layers, image_shape, layout, dtype))
