"""MobileNet: Howard et al., "MobileNets: Efficient Convolutional Neural Networks for Mobile Vision Applications"."""
import argparse

from .arguments import add_image
from .nn import Net

STEM = 32
# (channels, stride) of each separable convolution.
BLOCKS = ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2), (1024, 1))


def normalized(net, data, name):
    return net.relu(net.batch_norm(data, name))


def separable(net, data, name, channels, stride):
    """A convolution of each channel alone, then one of all channels at each position."""
    inputs = data.shape[net.axis]
    with net.layer(name):
        depthwise = net.conv2d(data, name, inputs, kernel=3, stride=stride, padding=1, depthwise=True)
        pointwise = net.conv2d(normalized(net, depthwise, f"{name}_bn1"), f"{name}_conv2", channels, kernel=1)
        return normalized(net, pointwise, f"{name}_bn2")


def write(args, out):
    def scaled(channels):
        return max(1, int(channels * args.multiplier))

    net = Net(out, args.layout, args.dtype, args.spans)
    with net.layer("conv_block_1"):
        stem = net.conv2d(net.image(args.batch, args.image), "conv_block_1_conv", scaled(STEM), kernel=3, stride=2,
                          padding=1)
        body = normalized(net, stem, "conv_block_1_bn")
    for index, (channels, stride) in enumerate(BLOCKS, 1):
        body = separable(net, body, f"separable_conv_block_{index}", scaled(channels), stride)
    with net.layer("head"):
        pooled = net.batch_flatten(net.global_avg_pool2d(body))
        net.finish(net.softmax(net.dense(pooled, "fc", args.classes, axis=1)))


def multiplier(text):
    try:
        value = float(text)
    except ValueError:
        value = 0
    if not 0 < value <= 8:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number above 0 and up to 8")
    return value


def add_arguments(parser):
    add_image(parser)
    parser.add_argument("--multiplier", type=multiplier, default=1.0, metavar="X",
                        help="width multiplier: scales the number of channels (default: 1)")


MODELS = {"mobilenet": ("MobileNet v1, of depthwise separable convolutions", add_arguments, write)}
