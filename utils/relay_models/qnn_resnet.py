"""ResNets as float models, quantized in the form of TVM's importers, and with fake quantization: batch normalization is
part of the convolutions, weights have a scale per channel, and activations are int8. Scales are calibrated on one random
image with random weights, which --save-params writes for all forms.
"""
import importlib.util
import sys
from typing import NamedTuple

from .arguments import add_batch, add_number, at_least, natural
from .builder import Module, Tensor, Value, constant

FORMS = ("float", "qnn", "fake")
LOGITS = 0.15  # The gain of the last layer, so that softmax does not saturate.


class Activation(NamedTuple):
    """A value with its numbers, which the scale is calibrated on."""
    value: Value
    array: object
    scale: float
    zero_point: int


def rounded(number):
    """To three digits, so that the scale is the same on every machine."""
    return float(f"{number:.3g}")


def windows(array, kernel, stride):
    """[N, C, H, W] to [N, C, H', W', kernel, kernel]."""
    from numpy.lib.stride_tricks import sliding_window_view
    return sliding_window_view(array, (kernel, kernel), (2, 3))[:, :, ::stride, ::stride]


class Net:
    """Appends layers in one of the forms, and computes their floats; `arrays` are the parameters of both forms."""

    def __init__(self, out, form, seed):
        import numpy
        self.numpy = numpy
        self.random = numpy.random.RandomState(seed)
        self.function = Module(out, spans=True).function("main")
        self.layer = self.function.module.layer
        self.quantized = form == "qnn"
        self.fake = form == "fake"
        self.arrays = {}

    def normal(self, *shape):
        return self.random.standard_normal(shape).astype("float32")

    def param(self, name, array):
        self.arrays[name] = array
        return name

    def declare(self, name):
        array = self.arrays[name]
        return self.function.param(name, Tensor(array.shape, array.dtype.name))

    def activation(self, array, value, quantize):
        """The activation of these numbers: the float value, or what quantize(scale, zero point) appends. int8 from -128
        on unless there are negative numbers."""
        signed = array.min() < 0
        scale = rounded(abs(array).max() / (127 if signed else 255))
        zero_point = 0 if signed else -128
        if self.quantized:
            value = quantize(constant(scale), constant(zero_point, "int32"))
        elif self.fake:
            value = self.round_to(value, array.shape, scale, zero_point)
        return Activation(value, array, scale, zero_point)

    def round_to(self, value, shape, scale, zero_point=0, dtype="int8"):
        """The float value, rounded to a multiple of the scale."""
        affine = constant(scale), constant(zero_point, "int32")
        value = self.function.call("qnn.quantize", [value, *affine], Tensor(shape, dtype), out_dtype=dtype)
        return self.function.call("qnn.dequantize", [value, *affine], Tensor(shape, "float32"), out_dtype="float32")

    def scales(self, *activations):
        """Scale and zero point of each, as operands."""
        return [part for data in activations
                for part in (constant(data.scale), constant(data.zero_point, "int32"))]

    def image(self, batch, size):
        array = self.normal(batch, 3, size, size)
        self.param("data", array)
        data, type = self.declare("data"), Tensor(array.shape, "int8")
        with self.layer("quantize"):
            return self.activation(array, data, lambda *scale: self.function.call(
                "qnn.quantize", [data, *scale], type, out_dtype="int8", axis=1))

    def weights(self, data, name, shape, gain=1):
        """Adds weight and bias in both forms; returns the floats."""
        numpy = self.numpy
        weight = self.normal(*shape) * numpy.float32(gain * (2 / numpy.prod(shape[1:])) ** 0.5)
        bias = self.normal(shape[0]) * numpy.float32(0.1)
        scale = (abs(weight).reshape(shape[0], -1).max(1) / 127).astype("float32")
        product = (scale * numpy.float32(data.scale)).astype("float32")
        self.param(f"{name}_weight", weight)
        self.param(f"{name}_bias", bias)
        self.param(f"{name}_weight_int8",
                   numpy.rint(weight / scale.reshape(-1, *[1] * (len(shape) - 1))).astype("int8"))
        self.param(f"{name}_weight_scale", scale)
        self.param(f"{name}_bias_int32", numpy.rint(bias.astype("float64") / product).astype("int32"))
        self.param(f"{name}_bias_scale", product)
        return weight, bias

    def float_params(self, data, name):
        """Weight and bias; with fake quantization, both have one scale."""
        weight, bias = self.declare(f"{name}_weight"), self.declare(f"{name}_bias")
        if not self.fake:
            return weight, bias
        scale = rounded(abs(self.arrays[f"{name}_weight"]).max() / 127)
        return (self.round_to(weight, weight.shape, scale),
                self.round_to(bias, bias.shape, data.scale * scale, dtype="int32"))

    def product(self, operator, data, name, array, **attrs):
        """A convolution or dense layer with bias; `array` has the floats of the result."""
        call, type = self.function.call, Tensor(array.shape, "float32")
        if not self.quantized:
            weight, bias = self.float_params(data, name)
            body = call(f"nn.{operator}", [data.value, weight], type, **attrs)
            return self.function.like("nn.bias_add", body, bias)
        weight, weight_scale = self.declare(f"{name}_weight_int8"), self.declare(f"{name}_weight_scale")
        scale, zero_point = self.scales(data)
        body = call(f"qnn.{operator}", [data.value, weight, zero_point, constant(0, "int32"), scale, weight_scale],
                    Tensor(array.shape, "int32"), **attrs, out_dtype="int32")
        return self.function.like("nn.bias_add", body, self.declare(f"{name}_bias_int32"))

    def finish_product(self, body, name, array, relu):
        """The activation after a product."""
        array, type = (array.clip(0) if relu else array), Tensor(array.shape, "int8")
        if not self.quantized:
            return self.activation(array, self.function.like("nn.relu", body) if relu else body, None)
        scale = self.declare(f"{name}_bias_scale")
        return self.activation(array, None, lambda *result: self.function.call(
            "qnn.requantize", [body, scale, constant(0, "int32"), *result], type, axis=1, out_dtype="int8"))

    def conv2d(self, data, name, channels, kernel, stride=1, relu=True):
        numpy, padding = self.numpy, kernel // 2
        weight, bias = self.weights(data, name, (channels, data.array.shape[1], kernel, kernel))
        padded = numpy.pad(data.array, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
        array = numpy.einsum("nchwij,ocij->nohw", windows(padded, kernel, stride), weight, optimize=True)
        array = array + bias.reshape(-1, 1, 1)
        attrs = {"strides": [stride] * 2} if stride != 1 else {}
        with self.layer(name):
            body = self.product("conv2d", data, name, array, **attrs, padding=[padding] * 4, channels=channels,
                                kernel_size=[kernel] * 2)
            return self.finish_product(body, name, array, relu)

    def dense(self, data, name, units):
        weight, bias = self.weights(data, name, (units, data.array.shape[1]), LOGITS)
        array = data.array @ weight.T + bias
        with self.layer(name):
            body = self.product("dense", data, name, array, units=units)
            return self.finish_product(body, name, array, relu=False)

    def add(self, left, right, name):
        """With an activation, which int8 from -128 on includes."""
        array, type = (left.array + right.array).clip(0), Tensor(left.array.shape, "int8")
        with self.layer(name):
            if self.quantized:
                return self.activation(array, None, lambda *result: self.function.call(
                    "qnn.add", [left.value, right.value, *self.scales(left, right), *result], type))
            total = self.function.like("add", left.value, right.value)
            return self.activation(array, self.function.like("nn.relu", total), None)

    def max_pool2d(self, data, name):
        padded = self.numpy.pad(data.array, ((0, 0), (0, 0), (1, 1), (1, 1)))  # After an activation.
        array = windows(padded, 3, 2).max((-2, -1))
        with self.layer(name):
            value = self.function.call("nn.max_pool2d", [data.value], Tensor(array.shape, data.value.dtype),
                                       pool_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1])
        return data._replace(value=value, array=array)

    def average(self, data, name):
        """Of all pixels; in int32 for integers."""
        array = data.array.mean((2, 3))
        pooled = (*array.shape, 1, 1)
        with self.layer(name):
            value, call = data.value, self.function.call
            if self.quantized:
                value = call("cast", [value], Tensor(value.shape, "int32"), dtype="int32")
            value = call("nn.global_avg_pool2d", [value], Tensor(pooled, value.dtype))
            if self.quantized:
                value = call("cast", [value], Tensor(pooled, "int8"), dtype="int8")
            elif self.fake:
                value = self.round_to(value, pooled, data.scale, data.zero_point)
            value = call("nn.batch_flatten", [value], Tensor(array.shape, value.dtype))
        return data._replace(value=value, array=array)

    def finish(self, data):
        value, type = data.value, Tensor(data.array.shape, "float32")
        if self.quantized:
            with self.layer("dequantize"):
                value = self.function.call("qnn.dequantize", [value, *self.scales(data)], type, out_dtype="float32")
        with self.layer("softmax"):
            self.function.finish(self.function.like("nn.softmax", value))


def basic(net, data, name, channels, stride):
    """Two convolutions."""
    body = net.conv2d(data, f"{name}_conv1", channels, 3, stride)
    return net.conv2d(body, f"{name}_conv2", channels, 3, relu=False)


def bottleneck(net, data, name, channels, stride):
    """Three convolutions, the last one to four times as many channels."""
    body = net.conv2d(data, f"{name}_conv1", channels, 1)
    body = net.conv2d(body, f"{name}_conv2", channels, 3, stride)
    return net.conv2d(body, f"{name}_conv3", channels * 4, 1, relu=False)


def unit(net, convolutions, data, name, channels, stride):
    """Convolutions and a shortcut, which is a convolution if the shape changes."""
    body = convolutions(net, data, name, channels, stride)
    if data.array.shape != body.array.shape:
        data = net.conv2d(data, f"{name}_sc", body.array.shape[1], 1, stride, relu=False)
    return net.add(body, data, f"{name}_add")


def writer(convolutions, units_per_stage):
    def write(args, out):
        net = Net(out, args.form, args.seed)
        body = net.conv2d(net.image(args.batch, args.image), "conv0", args.channels, 7, 2)
        body = net.max_pool2d(body, "pool0")
        for stage, units in enumerate(units_per_stage):
            for index in range(1, units + 1):
                stride = 2 if stage and index == 1 else 1
                body = unit(net, convolutions, body, f"stage{stage + 1}_unit{index}", args.channels << stage, stride)
        net.finish(net.dense(net.average(body, "pool1"), "fc", args.classes))
        if args.save_params:
            net.numpy.savez(args.save_params, **net.arrays)
    return write


def check(args):
    if not importlib.util.find_spec("numpy"):
        return f"{sys.executable} has no numpy (Ubuntu: python3-numpy)"
    if args.save_params and not args.save_params.endswith(".npz"):
        return f"argument --save-params: '{args.save_params}' does not end in .npz"
    return None


def add_arguments(parser):
    add_batch(parser)
    parser.add_argument("--form", choices=FORMS, default="qnn", help="the float model, the quantized one, or the float one with fake quantization (default: qnn)")
    parser.add_argument("--save-params", metavar="FILE.npz",
                        help="write the image and the parameters of all forms here")
    add_number(parser, "seed", 0, "of weights and image", natural, shown="0")
    add_number(parser, "image", 64, "height and width of the image", at_least(32))
    add_number(parser, "channels", 16, "channels of the first stage; 64 in the paper")
    add_number(parser, "classes", 10, "number of classes")
    parser.set_defaults(check=check)


MODELS = {"qnn-resnet-18": ("ResNet-18, quantized by random weights and image", add_arguments,
                            writer(basic, (2, 2, 2, 2))),
          "qnn-resnet-50": ("ResNet-50, likewise", add_arguments, writer(bottleneck, (3, 4, 6, 3)))}
