"""VGG networks for ImageNet: Simonyan and Zisserman, "Very Deep Convolutional Networks for Large-Scale Image
Recognition", configurations A, B, D and E."""
from .arguments import add_image
from .nn import Net

CHANNELS = (64, 128, 256, 512, 512)
FEATURES = 4096

# Convolutions of each of the five blocks.
NETWORKS = {
    "vgg-11": (1, 1, 2, 2, 2),
    "vgg-13": (2, 2, 2, 2, 2),
    "vgg-16": (2, 2, 3, 3, 3),
    "vgg-19": (2, 2, 4, 4, 4),
}


def block(net, data, name, convolutions, channels):
    for index in range(1, convolutions + 1):
        conv = f"{name}_{index}"
        with net.layer(conv):
            data = net.conv2d(data, conv, channels, kernel=3, padding=1)
            data = net.relu(net.bias_add(data, conv, net.axis))
    with net.layer(f"{name}_pool"):
        return net.max_pool2d(data, kernel=2, stride=2, padding=0)


def classifier(net, data, classes):
    with net.layer("flatten"):
        data = net.batch_flatten(data)
    for name in ("fc6", "fc7"):
        with net.layer(name):
            data = net.dropout(net.relu(net.dense(data, name, FEATURES)))
    with net.layer("fc8"):
        return net.softmax(net.dense(data, "fc8", classes))


def writer(convolutions_per_block):
    def write(args, out):
        net = Net(out, args.layout, args.dtype, args.spans)
        body = net.image(args.batch, args.image)
        for number, (convolutions, channels) in enumerate(zip(convolutions_per_block, CHANNELS), 1):
            body = block(net, body, f"conv{number}", convolutions, channels)
        net.finish(classifier(net, body, args.classes))
    return write


MODELS = {
    name: (f"{name.upper()}, a deep convolutional network for images", add_image, writer(blocks))
    for name, blocks in NETWORKS.items()
}
