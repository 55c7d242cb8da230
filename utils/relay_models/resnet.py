"""Residual networks for ImageNet (He et al., "Identity Mappings in Deep Residual Networks"), NCHW."""
from .graph import Function, Module, Var
from .nn import add, batch_flatten, batch_norm, conv2d, dense, global_avg_pool2d, max_pool2d, relu, softmax

# Units of each of the four stages.
UNITS = {"resnet-18": (2, 2, 2, 2)}
CHANNELS = (64, 128, 256, 512)
CLASSES = 1000


def unit(data, name, channels, stride, same_shape):
    """A pre-activation unit of two convolutions; the shortcut is a 1x1 convolution where the shape changes."""
    active = relu(batch_norm(data, f"{name}_bn1"))
    conv1 = conv2d(active, f"{name}_conv1", channels, kernel=3, stride=stride, padding=1)
    conv2 = conv2d(relu(batch_norm(conv1, f"{name}_bn2")), f"{name}_conv2", channels, kernel=3, padding=1)
    shortcut = data if same_shape else conv2d(active, f"{name}_sc", channels, kernel=1, stride=stride)
    return add(conv2, shortcut)


def stem(data):
    """From the image to a quarter of its size."""
    body = conv2d(batch_norm(data, "bn_data", scale=False), "conv0", CHANNELS[0], kernel=7, stride=2, padding=3)
    return max_pool2d(relu(batch_norm(body, "bn0")), kernel=3, stride=2, padding=1)


def resnet(batch, units_per_stage):
    body = stem(Var("data", (batch, 3, 224, 224)))
    for stage, (units, channels) in enumerate(zip(units_per_stage, CHANNELS), 1):
        for index in range(1, units + 1):
            first = index == 1
            stride = 2 if first and stage > 1 else 1
            body = unit(body, f"stage{stage}_unit{index}", channels, stride, same_shape=not first)
    pooled = global_avg_pool2d(relu(batch_norm(body, "bn1")))
    return Module(Function("main", softmax(dense(batch_flatten(pooled), "fc1", CLASSES))))


def add_arguments(parser):
    parser.add_argument("--batch", type=int, default=1, metavar="N", help="batch size (default: 1)")


def builder(units):
    return lambda args: resnet(args.batch, units)


MODELS = {
    name: (f"{name.replace('resnet', 'ResNet')}, 224x224 images, {CLASSES} classes, float32", add_arguments,
           builder(units))
    for name, units in UNITS.items()
}
