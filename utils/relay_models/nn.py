"""Layers of neural networks: each makes the operations, and parameters named as TVM's models name them."""
from .graph import Call, Var


def conv_size(size, kernel, stride, padding):
    return (size + 2 * padding - kernel) // stride + 1


def conv2d(data, name, channels, kernel, stride=1, padding=0):
    """data: [N, C, H, W]; weight: [O, C, K, K]."""
    batch, in_channels, height, width = data.shape
    weight = Var(f"{name}_weight", (channels, in_channels, kernel, kernel), data.dtype)
    attrs = {"strides": [stride] * 2} if stride != 1 else {}
    attrs |= {"padding": [padding] * 4, "channels": channels, "kernel_size": [kernel] * 2}
    size = [conv_size(extent, kernel, stride, padding) for extent in (height, width)]
    return Call("nn.conv2d", [data, weight], attrs, (batch, channels, *size), data.dtype)


def batch_norm(data, name, scale=True):
    """data: [N, C, ...]; the normalised tensor, the first field of the operator's result."""
    stats = [Var(f"{name}_{part}", (data.shape[1],), data.dtype)
             for part in ("gamma", "beta", "moving_mean", "moving_var")]
    attrs = {"epsilon": 2e-05} | ({} if scale else {"scale": False})
    norm = Call("nn.batch_norm", [data, *stats], attrs)
    return Call(None, [norm], shape=data.shape, dtype=data.dtype, field=0)


def elementwise(op, *operands):
    return Call(op, list(operands), shape=operands[0].shape, dtype=operands[0].dtype)


def relu(data):
    return elementwise("nn.relu", data)


def add(left, right):
    return elementwise("add", left, right)


def softmax(data):
    return elementwise("nn.softmax", data)


def max_pool2d(data, kernel, stride, padding):
    batch, channels, height, width = data.shape
    attrs = {"pool_size": [kernel] * 2, "strides": [stride] * 2, "padding": [padding] * 4}
    size = [conv_size(extent, kernel, stride, padding) for extent in (height, width)]
    return Call("nn.max_pool2d", [data], attrs, (batch, channels, *size), data.dtype)


def global_avg_pool2d(data):
    return Call("nn.global_avg_pool2d", [data], {}, (*data.shape[:2], 1, 1), data.dtype)


def batch_flatten(data):
    """data: [N, ...] to [N, product of the rest]."""
    features = 1
    for extent in data.shape[1:]:
        features *= extent
    return Call("nn.batch_flatten", [data], {}, (data.shape[0], features), data.dtype)


def dense(data, name, units):
    """data: [N, I]; weight: [O, I]; bias: [O]."""
    batch, features = data.shape
    weight = Var(f"{name}_weight", (units, features), data.dtype)
    bias = Var(f"{name}_bias", (units,), data.dtype)
    product = Call("nn.dense", [data, weight], {"units": units}, (batch, units), data.dtype)
    return Call("nn.bias_add", [product, bias], {"axis": -1}, product.shape, data.dtype)
