"""Neural networks except convolutions and pooling, and algebra: calls for op-numbers.py."""


def list_text(values):
    return "[" + ", ".join(map(str, values)) + "]"


def along_axis(least=1, special=False, dtypes=None):
    """A call with a tensor of any rank and the attribute axis."""
    def make(Call, r):
        rank = r.randint(least, 4)
        dtype = dtypes(r) if dtypes else r.floats()
        return Call([r.array(r.shape(rank), dtype, special)], f"axis={r.randint(-rank, rank - 1)}")
    return make


def relu(Call, r):
    return Call([r.array(r.shape(r.randint(0, 4)), r.dtypes(), True)])


def leaky_relu(Call, r):
    return Call([r.array(r.shape(r.randint(0, 4)), r.dtypes(), True)], f"alpha={round(r.uniform(0, 2), 3)}f64")


def with_vector(negative):
    def make(Call, r):
        rank = r.randint(1, 4)
        shape, axis, dtype = r.shape(rank), r.randrange(rank), r.dtypes()
        written = axis - rank if negative and r.random() < 0.5 else axis
        return Call([r.array(shape, dtype), r.array([shape[axis]], dtype)], f"axis={written}")
    return make


def mixed(r):
    """Types of two operands and of the result."""
    return r.choice([("float32", "float32", "")] * 5 + [("float64", "float64", ""), ("int8", "int8", "int32"), ("uint8", "int8", "int32"), ("int32", "int32", ""), ("int64", "int64", "")])


def dense(Call, r):
    k, units = r.randint(1, 40), r.randint(1, 20)
    a, b, out = mixed(r)
    shape = [r.randint(1, 6), k]
    return Call([r.array(shape, a), r.array([units, k], b)], f"units={units}" + (f', out_dtype="{out}"' if out else ""))


def matmul(Call, r):
    m, k, n = r.randint(1, 9), r.randint(1, 40), r.randint(1, 20)
    a, b, out = mixed(r)
    ta, tb = r.random() < 0.5, r.random() < 0.5
    return Call([r.array([k, m] if ta else [m, k], a), r.array([n, k] if tb else [k, n], b)], f"units={n}, transpose_a={ta}, transpose_b={tb}" + (f', out_dtype="{out}"' if out else ""))


def batch_matmul(Call, r):
    m, k, n, batch = r.randint(1, 9), r.randint(1, 40), r.randint(1, 20), r.randint(1, 3)
    a, b, out = mixed(r)
    ta, tb = r.random() < 0.5, r.random() < 0.5
    return Call([r.array([batch] + ([k, m] if ta else [m, k]), a), r.array([r.choice([1, batch])] + ([n, k] if tb else [k, n]), b)], f"transpose_a={ta}, transpose_b={tb}" + (f', out_dtype="{out}"' if out else ""))


def batch_norm(Call, r):
    shape = r.shape(r.randint(2, 4))
    axis, dtype = r.randrange(len(shape)), r.floats()
    vectors = [r.array([shape[axis]], dtype) for _ in range(3)] + [r.positive([shape[axis]], dtype)]
    return Call([r.array(shape, dtype), *vectors], f"axis={axis}, epsilon=0.001f64, center={r.random() < 0.7}, scale={r.random() < 0.7}", 0)


def norm(rank, axes):
    def make(Call, r):
        shape = r.shape(r.randint(rank, 4), 2)
        axis, dtype = axes(r, len(shape)), r.floats()
        return Call([r.array(shape, dtype), r.array([shape[axis]], dtype), r.array([shape[axis]], dtype)], f"axis={axis}, epsilon=0.001f64, center={r.random() < 0.7}, scale={r.random() < 0.7}")
    return make


def group_norm(Call, r):
    groups, each = r.randint(1, 3), r.randint(1, 3)
    shape = [r.randint(1, 2), groups * each, *r.shape(2, 2)]
    return Call([r.array(shape), r.array([shape[1]]), r.array([shape[1]])], f"num_groups={groups}, axis=1, epsilon=0.001f64, center={r.random() < 0.7}, scale={r.random() < 0.7}")


def l2_normalize(Call, r):
    rank = r.randint(1, 4)
    return Call([r.array(r.shape(rank), r.floats())], f"eps=0.0001f64, axis={list_text(sorted(r.sample(range(rank), r.randint(1, rank))))}")


def lrn(Call, r):
    return Call([r.array(r.shape(4))], f"size={r.choice([1, 3, 5])}, axis={r.choice([1, 3])}, bias={round(r.uniform(1, 3), 2)}f64, alpha=0.01f64, beta=0.75f64")


def entropy(Call, r):
    shape = r.shape(2)
    return Call([r.positive(shape), r.array(shape)])


def nll_loss(Call, r):
    shape = r.shape(r.randint(2, 4))
    shape[0] += 1
    targets = r.numpy.integers(0, shape[1], [shape[0], *shape[2:]]).astype("int32")
    return Call([r.array(shape), targets, r.positive([shape[1]])], f'reduction="{r.choice(["mean", "sum", "none"])}", ignore_index={r.choice([-100, 0])}')


def pad(Call, r):
    shape, mode = r.shape(r.randint(1, 4), 3), r.choice(["constant", "constant", "edge", "reflect"])
    least = -1 if mode == "constant" else 0
    width = [[r.randint(least, 2), r.randint(least, 2)] for _ in shape]
    dtype = r.dtypes()
    return Call([r.array(shape, dtype), r.array([], dtype)], f'pad_width={list_text(map(list_text, width))}, pad_mode="{mode}"')


def mirror_pad(Call, r):
    shape = r.shape(r.randint(1, 4), 3)
    width = [[r.randint(0, 2), r.randint(0, 2)] for _ in shape]
    return Call([r.array(shape, r.dtypes())], f'mode="{r.choice(["SYMMETRIC", "REFLECT"])}", pad_width={list_text(map(list_text, width))}')


def depth_to_space(Call, r):
    block, (n, c, h, w) = r.randint(1, 3), r.shape(4, 1, 3)
    layout = r.choice(["NCHW", "NHWC"])
    shape = [n, c * block * block, h, w] if layout == "NCHW" else [n, h, w, c * block * block]
    return Call([r.array(shape, r.dtypes())], f'block_size={block}, layout="{layout}", mode="{r.choice(["DCR", "CRD"])}"')


def space_to_depth(Call, r):
    block, (n, c, h, w) = r.randint(1, 3), r.shape(4, 1, 3)
    layout = r.choice(["NCHW", "NHWC"])
    shape = [n, c, h * block, w * block] if layout == "NCHW" else [n, h * block, w * block, c]
    return Call([r.array(shape, r.dtypes())], f'block_size={block}, layout="{layout}"')


def space_to_batch(Call, r):
    count = r.randint(1, 2)
    blocks, pads = r.shape(count, 1, 3), [[r.randint(0, 2), r.randint(0, 2)] for _ in range(count)]
    spatial = [b * r.randint(2, 3) + (-sum(p)) % b for b, p in zip(blocks, pads)]
    return Call([r.array([r.randint(1, 2), *spatial, *r.shape(r.randint(0, 2))], r.dtypes())], f"block_shape={list_text(blocks)}, paddings={list_text(map(list_text, pads))}, pad_value={r.randint(0, 3)}f64")


def batch_to_space(Call, r):
    count = r.randint(1, 2)
    blocks, crops = r.shape(count, 1, 3), [[r.randint(0, 1), r.randint(0, 1)] for _ in range(count)]
    batch = r.randint(1, 2)
    for b in blocks:
        batch *= b
    return Call([r.array([batch, *r.shape(count, 3), *r.shape(r.randint(0, 2))], r.dtypes())], f"block_shape={list_text(blocks)}, crops={list_text(map(list_text, crops))}")


def upsampling(Call, r):
    layout = r.choice(["NCHW", "NHWC"])
    method = r.choice(["nearest_neighbor", "bilinear", "bicubic"])
    return Call([r.array(r.shape(4, 2))], f'scale_h={r.choice([1.5, 2.0, 3.0])}f64, scale_w={r.choice([1.5, 2.0, 3.0])}f64, layout="{layout}", method="{method}", align_corners={r.choice(["True", "False"])}')


def upsampling3d(Call, r):
    layout = r.choice(["NCDHW", "NDHWC"])
    return Call([r.array(r.shape(5, 2, 4))], f'scale_d=2f64, scale_h=1.5f64, scale_w=3f64, layout="{layout}", method="{r.choice(["nearest_neighbor", "trilinear"])}", coordinate_transformation_mode="{r.choice(["half_pixel", "align_corners", "asymmetric"])}"')


def fifo_buffer(Call, r):
    shape = r.shape(r.randint(1, 3), 2)
    axis = r.randrange(len(shape))
    data = [r.randint(1, s) if i == axis else s for i, s in enumerate(shape)]
    return Call([r.array(data), r.array(shape)], f"axis={axis}")


def batch_flatten(Call, r):
    return Call([r.array(r.shape(r.randint(1, 4)), r.dtypes())])


def einsum(Call, r):
    equation = r.choice(["ij,jk->ik", "bij,bjk->bik", "i,j->ij", "ij->ji", "ij->", "ij,ij->i", "ijk,jil->kl", "ij,jk,kl->il", "...ij,...jk->...ik", "abc,cd", "ij,ij"])
    sizes = {letter: r.randint(1, 5) for letter in "abcdijkl"}
    inputs = equation.split("->")[0].split(",")
    shapes = [[2, 3] * ("..." in text) + [sizes[c] for c in text.replace("...", "")] for text in inputs]
    return Call([[r.array(shape) for shape in shapes]], f'equation="{equation}"')


def get_operators(Call, Operator):
    def by(make, ulps=4, greatest=False):
        return Operator(lambda r: make(Call, r), ulps, greatest)
    return {
        "nn.relu": by(relu, 0),
        "nn.leaky_relu": by(leaky_relu, 0),
        "nn.prelu": by(with_vector(False), 0),
        "nn.bias_add": by(with_vector(True), 0),
        "nn.softmax": by(along_axis(special=True), 8),
        "nn.log_softmax": by(along_axis(), 8, True),
        "nn.dense": by(dense, 16, True),
        "nn.matmul": by(matmul, 16, True),
        "nn.batch_matmul": by(batch_matmul, 16, True),
        "nn.batch_norm": by(batch_norm, 4, True),
        "nn.layer_norm": by(norm(1, lambda r, rank: r.choice([-1, r.randrange(rank)])), 32, True),
        "nn.instance_norm": by(norm(3, lambda r, rank: r.randrange(1, rank)), 32, True),
        "nn.group_norm": by(group_norm, 32, True),
        "nn.l2_normalize": by(l2_normalize),
        "nn.lrn": by(lrn, 8),
        "nn.cross_entropy": by(entropy, 64),
        "nn.cross_entropy_with_logits": by(entropy, 64),
        "nn.nll_loss": by(nll_loss, 64),
        "nn.pad": by(pad, 0),
        "nn.mirror_pad": by(mirror_pad, 0),
        "nn.depth_to_space": by(depth_to_space, 0),
        "nn.space_to_depth": by(space_to_depth, 0),
        "nn.space_to_batch_nd": by(space_to_batch, 0),
        "nn.batch_to_space_nd": by(batch_to_space, 0),
        "nn.upsampling": by(upsampling, 64, True),
        "nn.upsampling3d": by(upsampling3d, 64, True),
        "nn.fifo_buffer": by(fifo_buffer, 0),
        "nn.batch_flatten": by(batch_flatten, 0),
        "einsum": by(einsum, 16, True),
    }
