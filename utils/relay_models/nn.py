"""Layers of neural networks: each appends its operations, and parameters named as TVM's models name them."""
from math import prod

from .builder import Module, Tensor, Tuple

# Kernels of convolutions, and of depthwise ones, for each layout of images.
KERNELS = {"NCHW": ("OIHW", "OIHW"), "NHWC": ("HWIO", "HWOI")}


def window(size, kernel, stride, padding):
    """The number of positions of a window along an axis."""
    return (size + 2 * padding - kernel) // stride + 1


class Net:
    """One function that maps images to class scores, in a layout and dtype."""

    def __init__(self, out, layout, dtype, spans):
        self.function = Module(out, spans).function("main")
        self.layer = self.function.module.layer
        self.layout = layout
        self.dtype = dtype
        self.axis = layout.index("C")

    def param(self, name, *shape):
        return self.function.param(name, Tensor(shape, self.dtype))

    def image(self, batch, size):
        return self.param("data", *self.shape(batch, 3, size, size))

    def shape(self, batch, channels, height, width):
        sizes = {"N": batch, "C": channels, "H": height, "W": width}
        return tuple(sizes[axis] for axis in self.layout)

    def slide(self, data, channels, kernel, stride, padding):
        """The type of the result of a square window over the image."""
        sizes = dict(zip(self.layout, data.shape))
        size = [window(sizes[axis], kernel, stride, padding) for axis in "HW"]
        return Tensor(self.shape(sizes["N"], channels, *size), data.dtype)

    def conv2d(self, data, name, channels, kernel, stride=1, padding=0, depthwise=False):
        inputs = data.shape[self.axis]
        kernel_layout = KERNELS[self.layout][depthwise]
        sizes = {"O": channels, "I": 1 if depthwise else inputs, "H": kernel, "W": kernel}
        weight = self.param(f"{name}_weight", *(sizes[axis] for axis in kernel_layout))
        attrs = {"strides": [stride] * 2} if stride != 1 else {}
        attrs["padding"] = [padding] * 4
        attrs |= {"groups": inputs} if depthwise else {}
        attrs |= {"channels": channels, "kernel_size": [kernel] * 2}
        attrs |= {"data_layout": self.layout, "kernel_layout": kernel_layout} if self.layout != "NCHW" else {}
        type = self.slide(data, channels, kernel, stride, padding)
        with self.layer(name):
            return self.function.call("nn.conv2d", [data, weight], type, **attrs)

    def batch_norm(self, data, name, **attrs):
        channels = data.shape[self.axis]
        stats = [self.param(f"{name}_{part}", channels) for part in ("gamma", "beta", "moving_mean", "moving_var")]
        attrs = ({"axis": self.axis} if self.axis != 1 else {}) | attrs
        type = Tuple((data.type, stats[2].type, stats[3].type))
        with self.layer(name):
            return self.function.project(self.function.call("nn.batch_norm", [data, *stats], type, **attrs), 0)

    def bias_add(self, data, name, axis):
        bias = self.param(f"{name}_bias", data.shape[axis])
        with self.layer(name):
            return self.function.like("nn.bias_add", data, bias, **({"axis": axis} if axis != 1 else {}))

    def relu(self, data):
        return self.function.like("nn.relu", data)

    def add(self, left, right):
        return self.function.like("add", left, right)

    def softmax(self, data):
        return self.function.like("nn.softmax", data)

    def dropout(self, data):
        return self.function.project(self.function.call("nn.dropout", [data], Tuple((data.type, data.type))), 0)

    def max_pool2d(self, data, kernel, stride, padding):
        attrs = {"pool_size": [kernel] * 2, "strides": [stride] * 2, "padding": [padding] * 4}
        type = self.slide(data, data.shape[self.axis], kernel, stride, padding)
        return self.function.call("nn.max_pool2d", [data], type, **attrs, **self.pool_layout())

    def global_avg_pool2d(self, data):
        type = Tensor(self.shape(data.shape[0], data.shape[self.axis], 1, 1), data.dtype)
        return self.function.call("nn.global_avg_pool2d", [data], type, **self.pool_layout())

    def pool_layout(self):
        return {"layout": self.layout} if self.layout != "NCHW" else {}

    def batch_flatten(self, data):
        """data: [N, ...] to [N, product of the rest]."""
        return self.function.call("nn.batch_flatten", [data], Tensor((data.shape[0], prod(data.shape[1:])), data.dtype))

    def dense(self, data, name, units, axis=-1):
        """data: [N, I]; weight: [O, I]; bias: [O], added along `axis`."""
        batch, features = data.shape
        weight = self.param(f"{name}_weight", units, features)
        with self.layer(name):
            product = self.function.call("nn.dense", [data, weight], Tensor((batch, units), data.dtype), units=units)
        return self.bias_add(product, name, axis)

    def finish(self, result):
        self.function.finish(result)
