"""Residual networks for ImageNet: the units of He et al., "Deep Residual Learning for Image Recognition", with
activations first, as in their "Identity Mappings in Deep Residual Networks"."""
from .arguments import add_image
from .nn import Net

CHANNELS = (64, 128, 256, 512)
EPSILON = 2e-05


def normalized(net, data, name):
    return net.relu(net.batch_norm(data, name, epsilon=EPSILON))


def basic(net, active, name, channels, stride):
    """Two convolutions."""
    conv1 = net.conv2d(active, f"{name}_conv1", channels, kernel=3, stride=stride, padding=1)
    return net.conv2d(normalized(net, conv1, f"{name}_bn2"), f"{name}_conv2", channels, kernel=3, padding=1)


def bottleneck(net, active, name, channels, stride):
    """Three convolutions, the middle one on a quarter of the channels; the first one strides, as in TVM's model."""
    conv1 = net.conv2d(active, f"{name}_conv1", channels // 4, kernel=1, stride=stride)
    conv2 = net.conv2d(normalized(net, conv1, f"{name}_bn2"), f"{name}_conv2", channels // 4, kernel=3, padding=1)
    return net.conv2d(normalized(net, conv2, f"{name}_bn3"), f"{name}_conv3", channels, kernel=1)


# Convolutions of a unit, the ratio of its output channels to those of its stage, and units of the four stages.
NETWORKS = {
    "resnet-18": (basic, 1, (2, 2, 2, 2)),
    "resnet-34": (basic, 1, (3, 4, 6, 3)),
    "resnet-50": (bottleneck, 4, (3, 4, 6, 3)),
    "resnet-101": (bottleneck, 4, (3, 4, 23, 3)),
    "resnet-152": (bottleneck, 4, (3, 8, 36, 3)),
}


def stem(net, data):
    """From the image to a quarter of its size."""
    with net.layer("stem"):
        data = net.batch_norm(data, "bn_data", epsilon=EPSILON, scale=False)
        body = net.conv2d(data, "conv0", CHANNELS[0], kernel=7, stride=2, padding=3)
        return net.max_pool2d(normalized(net, body, "bn0"), kernel=3, stride=2, padding=1)


def stage(net, data, convolutions, name, units, channels, stride):
    """Units of one size; the first one's shortcut is a 1x1 convolution, since it changes the shape."""
    for index in range(1, units + 1):
        unit, first = f"{name}_unit{index}", index == 1
        step = stride if first else 1
        with net.layer(unit):
            active = normalized(net, data, f"{unit}_bn1")
            body = convolutions(net, active, unit, channels, step)
            shortcut = net.conv2d(active, f"{unit}_sc", channels, kernel=1, stride=step) if first else data
            data = net.add(body, shortcut)
    return data


def writer(convolutions, expansion, units_per_stage):
    def write(args, out):
        net = Net(out, args.layout, args.dtype, args.spans)
        body = stem(net, net.image(args.batch, args.image))
        for number, (units, channels) in enumerate(zip(units_per_stage, CHANNELS), 1):
            stride = 1 if number == 1 else 2
            body = stage(net, body, convolutions, f"stage{number}", units, channels * expansion, stride)
        with net.layer("head"):
            pooled = net.batch_flatten(net.global_avg_pool2d(normalized(net, body, "bn1")))
            net.finish(net.softmax(net.dense(pooled, "fc1", args.classes)))
    return write


MODELS = {
    name: (f"{name.replace('resnet', 'ResNet')}, a residual network for images", add_image, writer(*network))
    for name, network in NETWORKS.items()
}
