"""The encoder of Vaswani et al., "Attention Is All You Need", with the activation of Hendrycks and Gimpel, "Gaussian
Error Linear Units". Maps a sequence of vectors, [batch, sequence, model], to one of the same type."""
from math import sqrt

from .arguments import add_batch, add_dtype, add_number, add_spans
from .builder import Module, Tensor, constant


class Encoder:
    """Appends layers to a function; parameters are named after layer and position."""

    def __init__(self, function, heads, dtype):
        self.function = function
        self.heads = heads
        self.dtype = dtype

    def param(self, name, *shape):
        return self.function.param(name, Tensor(shape, self.dtype))

    def constant(self, number):
        return constant(number, self.dtype)

    def reshape(self, data, *shape):
        return self.function.call("reshape", [data], Tensor(shape, self.dtype), newshape=shape)

    def transpose(self, data, *axes):
        shape = tuple(data.shape[axis] for axis in axes)
        return self.function.call("transpose", [data], Tensor(shape, self.dtype), axes=axes)

    def linear(self, data, name, units):
        """data: [N * T, I] to [N * T, units]."""
        weight = self.param(f"{name}_weight", units, data.shape[1])
        type = Tensor((data.shape[0], units), self.dtype)
        with self.function.module.layer(name):
            product = self.function.call("nn.dense", [data, weight], type, units=units)
            return self.function.like("nn.bias_add", product, self.param(f"{name}_bias", units), axis=-1)

    def normalize(self, data, name):
        features = data.shape[-1]
        scale, shift = self.param(f"{name}_gamma", features), self.param(f"{name}_beta", features)
        with self.function.module.layer(name):
            return self.function.like("nn.layer_norm", data, scale, shift)

    def split_heads(self, data, batch):
        """[N * T, D] to [N * heads, T, D / heads]."""
        rows, model = data.shape
        length, depth = rows // batch, model // self.heads
        parts = self.transpose(self.reshape(data, batch, length, self.heads, depth), 0, 2, 1, 3)
        return self.reshape(parts, batch * self.heads, length, depth)

    def join_heads(self, data, batch):
        """[N * heads, T, D / heads] to [N * T, D]."""
        _, length, depth = data.shape
        parts = self.transpose(self.reshape(data, batch, self.heads, length, depth), 0, 2, 1, 3)
        return self.reshape(parts, batch * length, self.heads * depth)

    def attention(self, rows, name, batch):
        """Scaled dot-product attention of rows, [N * T, D], with themselves."""
        model = rows.shape[1]
        query = self.split_heads(self.linear(rows, f"{name}_query", model), batch)
        key = self.split_heads(self.linear(rows, f"{name}_key", model), batch)
        count, length, depth = query.shape
        scores = self.function.call("nn.batch_matmul", [query, key], Tensor((count, length, length), self.dtype),
                                    transpose_b=True)
        shares = self.function.like("nn.softmax", self.function.like("multiply", scores,
                                                                     self.constant(1 / sqrt(depth))))
        value = self.split_heads(self.linear(rows, f"{name}_value", model), batch)
        mixed = self.function.call("nn.batch_matmul", [shares, value], value.type)
        return self.linear(self.join_heads(mixed, batch), f"{name}_out", model)

    def gelu(self, data):
        """x * (erf(x / sqrt(2)) / 2 + 1 / 2)"""
        call = self.function.like
        error = call("erf", call("multiply", data, self.constant(1 / sqrt(2))))
        share = call("add", call("multiply", error, self.constant(0.5)), self.constant(0.5))
        return call("multiply", data, share)

    def layer(self, data, name, inner):
        """Attention, then two linear maps of each row; each with a shortcut, normalised."""
        batch, length, model = data.shape
        rows = self.reshape(data, batch * length, model)
        with self.function.module.layer(f"{name}_attention"):
            attended = self.reshape(self.attention(rows, f"{name}_attention", batch), *data.shape)
        data = self.normalize(self.function.like("add", attended, data), f"{name}_norm1")
        rows = self.gelu(self.linear(self.reshape(data, batch * length, model), f"{name}_inner", inner))
        mapped = self.reshape(self.linear(rows, f"{name}_outer", model), *data.shape)
        return self.normalize(self.function.like("add", mapped, data), f"{name}_norm2")


def write(args, out):
    function = Module(out, args.spans).function("main")
    encoder = Encoder(function, args.heads, args.dtype)
    data = encoder.param("data", args.batch, args.sequence, args.model)
    for index in range(1, args.layers + 1):
        with function.module.layer(f"layer{index}"):
            data = encoder.layer(data, f"layer{index}", args.inner or 4 * args.model)
    function.finish(data)


def check(args):
    if args.model % args.heads:
        return f"argument --heads: {args.heads} heads do not divide a model of {args.model} features"
    return None


def add_arguments(parser):
    add_batch(parser)
    add_dtype(parser)
    add_spans(parser)
    add_number(parser, "layers", 6, "number of layers")
    add_number(parser, "heads", 8, "number of heads of attention")
    add_number(parser, "d-model", 512, "features of each vector", dest="model")
    add_number(parser, "inner", None, "features between the two linear maps", shown="4 * d-model")
    add_number(parser, "sequence", 128, "length of the sequence")
    parser.set_defaults(check=check)


MODELS = {"transformer": ("a Transformer encoder", add_arguments, write)}
