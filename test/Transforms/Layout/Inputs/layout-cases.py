"""Writes operators that follow a layout, each behind an operator whose result is in the layout SOURCE.

usage: layout-cases.py SOURCE

A part, for -split-input-file, evaluates one operator; an operator that names axes is written once for each of them.
The axes have different lengths, so that one that takes the place of another is noticed.
"""
import itertools
import sys

EXTENTS = {"N": 2, "C": 8, "D": 4, "H": 3, "W": 5}
KERNELS = {"NCHW": "OIHW", "NHWC": "HWIO", "HWNC": "HWOI", "NCDHW": "OIDHW", "NDHWC": "DHWIO"}
UNARY = """abs acos acosh asin asinh atan atanh ceil copy cos cosh erf exp fast_erf fast_exp fast_tanh floor isfinite
    isinf isnan log log10 log2 negative nn.relu nn.leaky_relu ones_like round rsqrt sigmoid sign sin sinh sqrt tan tanh
    trunc zeros_like annotation.stop_fusion annotation.checkpoint""".split()
BINARY = """add divide equal floor_divide floor_mod greater greater_equal less less_equal maximum minimum mod multiply
    not_equal power trunc_divide trunc_mod""".split()
BITWISE = "bitwise_and bitwise_or bitwise_xor left_shift right_shift".split()
REDUCTIONS = "max argmax sum argmin min mean prod variance all any".split()


def get_shape(layout):
    """The extents along the axes of `layout`; `NCHW4c` has blocks of 4 channels."""
    block = int("".join(filter(str.isdigit, layout)) or 1)
    extents = [EXTENTS[axis] // (block if axis == "C" else 1) for axis in layout if axis.isupper()]
    return extents + [block] * any(axis.islower() for axis in layout)


def tensor(shape, dtype="float32"):
    return f"Tensor[({', '.join(map(str, shape))}), {dtype}]"


def replace(values, index, value):
    return values[:index] + [value] + values[index + 1:]


class Cases:
    """Calls on %c, the result in `layout`, each with the types of its other operands by name."""

    def __init__(self, layout):
        self.layout = layout
        self.shape = get_shape(layout)
        self.rank = len(self.shape)
        self.calls = []

    def add(self, expression, **operands):
        self.calls.append((expression, operands))

    def add_elementwise(self):
        for name in UNARY:
            self.add(f"{name}(%c)")
        self.add("clip(%c, a_min=-0.5f, a_max=0.5f)")
        self.add("nn.dropout(%c, rate=0.5f).0")
        self.add('cast_like(cast(%c, dtype="int32"), %a)', a=[1])
        self.add('logical_not(cast(%c, dtype="bool"))')
        self.add('bitwise_not(cast(%c, dtype="int32"))')
        self.add('fixed_point_multiply(cast(%c, dtype="int32"), multiplier=1073741824, shift=2)')
        self.add('reinterpret(%c, dtype="int32")')

    def add_broadcasts(self):
        shapes = [self.shape, [], [3] + self.shape]
        for rank in range(1, self.rank):
            shapes += [self.shape[-rank:], [1] * rank]
        for axis in range(self.rank):
            shapes.append(replace(self.shape, axis, 1))
            shapes.append(replace([1] * self.rank, axis, self.shape[axis]))
        for shape in shapes:
            self.add("subtract(%c, %a)", a=shape)
            self.add("subtract(%a, %c)", a=shape)
        for name in BINARY:
            self.add(f"{name}(%c, %a)", a=self.shape[-2:])
        for name in BITWISE:
            self.add(f'{name}(cast(abs(%c), dtype="int32"), %a)', a=(self.shape[-2:], "int32"))
        for name in "logical_and logical_or logical_xor".split():
            self.add(f'{name}(cast(%c, dtype="bool"), %a)', a=(self.shape[-2:], "bool"))
        self.add("where(greater(%c, 0f), %c, %a)", a=self.shape)
        self.add("subtract(%c, multiply(%c, %a))", a=self.shape[-1:])

    def add_norms(self):
        for axis in range(-self.rank, self.rank):
            length = [self.shape[axis]]
            if axis >= -1:
                self.add(f"nn.batch_norm(%c, %a, %a, %a, abs(%a), axis={axis}).0", a=length)
            if axis >= 0:
                self.add(f"nn.prelu(%c, %a, axis={axis})", a=length)
            for name in ("instance", "layer"):
                self.add(f"nn.{name}_norm(%c, %a, %b, axis={axis})", a=length, b=length)
            self.add(f"nn.l2_normalize(%c, eps=0.01f, axis=[{axis}])")
            self.add(f"nn.softmax(%c, axis={axis})")
            self.add(f"nn.log_softmax(%c, axis={axis})")
            self.add(f"nn.bias_add(%c, %a, axis={axis})", a=length)
            if self.rank == 4:
                self.add(f"nn.lrn(%c, size=3, axis={axis}, alpha=0.5f)")
        self.add("nn.l2_normalize(%c, eps=0.01f, axis=[1, 2])")
        self.add("nn.l2_normalize(%c, eps=0.01f, axis=None)")
        if self.shape[1] % 2 == 0:
            self.add("nn.group_norm(%c, %a, %b, num_groups=2)", a=[self.shape[1]], b=[self.shape[1]])

    def add_along_axes(self):
        for axis in range(-self.rank, self.rank):
            place, length = axis % self.rank, self.shape[axis]
            self.add(f'topk(%c, k={min(2, length)}, axis={axis}, dtype="int64")')
            self.add(f'topk(%c, k=1, axis={axis}, ret_type="values", is_ascend=True)')
            self.add(f'argsort(%c, axis={axis}, dtype="int32")')
            self.add(f"cumsum(%c, axis={axis})")
            self.add(f"reverse(%c, axis={axis})")
            self.add(f"repeat(%c, repeats=2, axis={axis})")
            self.add(f"expand_dims(%c, axis={axis})")
            self.add(f"stack((%c, %a), axis={axis})", a=self.shape)
            self.add(f"concatenate((%c, %a), axis={axis})", a=self.shape)
            self.add(f"concatenate((%c, nn.relu(%c)), axis={axis})")
            if length > 1:
                self.add(f"split(%c, indices_or_sections=[1], axis={axis})")
                self.add(f"split(%c, indices_or_sections={length}, axis={axis}).1")
            self.add(f'take(%c, %i, axis={axis}, mode="clip")', i=([3], "int32"))
            self.add(f"squeeze(max(%c, axis=[{axis}], keepdims=True), axis=[{axis}])")
            self.add(f"squeeze(sum(%c, axis=[{axis}], keepdims=True))")
            self.add(f"strided_slice(%c, begin=[1], end=[{length}], strides=[1], axes=[{place}])")
            self.add('fixed_point_multiply_per_axis(cast(%c, dtype="int32"), %m, %s, %s, '
                     f"is_lshift_required=False, is_rshift_required=False, axes=[{place}])",
                     m=([length], "int32"), s=([length], "int32"))

    def add_reductions(self):
        choices = [[]] + [list(axes) for count in range(1, self.rank)
                          for axes in itertools.combinations(range(self.rank), count)]
        for i, name in enumerate(REDUCTIONS):
            data = 'cast(%c, dtype="bool")' if name in ("all", "any") else "%c"
            for axes in choices[::1 if i < 3 else 3]:
                operands = f"{data}, mean(%c, axis={axes}, keepdims=True)" if name == "variance" else data
                for options in ("", ", keepdims=True", ", exclude=True")[:2 if name == "variance" else 3]:
                    self.add(f"{name}({operands}, axis={axes}{options})")

    def add_permutations(self):
        for axes in list(itertools.permutations(range(self.rank)))[::1 if self.rank < 5 else 7]:
            self.add(f"transpose(%c, axes={list(axes)})")
        self.add("transpose(%c, axes=None)")

    def add_shapes(self):
        zeros, ones = [0] * self.rank, [1] * self.rank
        for axis, length in enumerate(self.shape):
            widths = replace([[0, 0]] * self.rank, axis, [1, 2])
            self.add(f"nn.pad(%c, 1f, pad_width={widths})")
            self.add(f'nn.pad(%c, 1f, pad_width={widths}, pad_mode="edge")')
            if length > 2:
                self.add(f'nn.pad(%c, 1f, pad_width={widths}, pad_mode="reflect")')
            self.add(f"slice_like(%c, %a, axes=[{axis}])", a=replace(self.shape, axis, 1))
            for begin in (1, length // 2):
                self.add(f"strided_slice(%c, begin={replace(zeros, axis, begin)}, end={self.shape}, strides={ones})")
            self.add(f"strided_slice(%c, begin={replace(zeros, axis, length)}, end={replace(self.shape, axis, -9)}, "
                     f"strides={replace(ones, axis, -2)})")
            self.add(f'strided_slice(%c, begin={zeros}, end={replace([-1] * self.rank, axis, 1)}, strides=[1], '
                     'slice_mode="size")')
        self.add("slice_like(%c, negative(%c), axes=None)")
        self.add("strided_slice(%c, begin=[0, 1], end=[2, 3], strides=[1, 2])")
        self.add("strided_slice(%c, begin=[1], end=[2], strides=[1])")
        self.add("reshape(%c, newshape=[0, -1])")
        self.add("nn.batch_flatten(%c)")
        size = 1
        for length in self.shape[1:]:
            size *= length
        self.add("nn.dense(nn.batch_flatten(%c), %a, units=3)", a=[3, size])
        self.add("nn.batch_matmul(reshape(%c, newshape=[0, 0, -1]), %a, transpose_b=True)",
                 a=[self.shape[0], 2, size // self.shape[1]])
        self.add("tile(%c, reps=[1, 2])")
        self.add(f"broadcast_to(%c, shape={[3] + self.shape})")
        self.add('shape_of(%c, dtype="int32")')
        self.add('ndarray_size(%c, dtype="int32")')

    def add_images(self):
        layout = f'layout="{self.layout}"'
        for kind in ("max", "avg"):
            self.add(f"nn.{kind}_pool2d(%c, pool_size=[2, 3], strides=[1, 2], padding=[1, 0, 0, 2], {layout})")
            self.add(f"nn.global_{kind}_pool2d(%c, {layout})")
            self.add(f"nn.adaptive_{kind}_pool2d(%c, output_size=[2, 3], {layout})")
        self.add(f"nn.avg_pool2d(%c, pool_size=[2, 3], padding=[1, 0, 0, 2], count_include_pad=True, {layout})")
        self.add(f"nn.upsampling(%c, scale_h=2f, scale_w=3f, {layout})")
        for method in ("nearest_neighbor", "linear", "cubic"):
            self.add(f'image.resize2d(%c, size=[5, 4], roi=[0f, 0f, 0f, 0f], {layout}, method="{method}")')
        if self.layout in ("NCHW", "NHWC"):
            self.add(f"nn.depth_to_space(%c, block_size=2, {layout})")
            widths = [[0, 1] if axis in "HW" else [0, 0] for axis in self.layout]
            self.add(f"nn.space_to_depth(nn.pad(%c, 0f, pad_width={widths}), block_size=2, {layout})")
            self.add(f"image.crop_and_resize(%c, %a, %i, crop_size=[2, 3], {layout})", a=[1, 4], i=([1], "int32"))
        if self.layout == "NCHW":
            for name, options in (("align", ", sample_ratio=2"), ("pool", "")):
                self.add(f"vision.roi_{name}(%c, clip(%a, a_min=0f, a_max=1f), pooled_size=[2, 2], spatial_scale=1f"
                         f"{options})", a=[3, 5])
            self.add("image.grid_sample(%c, %a)", a=[2, 2, 3, 2])
            self.add("nn.space_to_batch_nd(%c, block_shape=[2, 1], paddings=[[0, 0], [0, 1]])")
            self.add("nn.correlation(%c, %a, kernel_size=1, max_displacement=1, stride1=1, stride2=1, "
                     "padding=[1, 1, 1, 1], is_multiply=True, layout=\"NCHW\")", a=self.shape)

    def add_all(self):
        self.add_elementwise()
        self.add_broadcasts()
        self.add_norms()
        self.add_along_axes()
        self.add_reductions()
        self.add_permutations()
        self.add_shapes()
        if self.rank == 4:
            self.add_images()


def write_source(layout):
    """The operands and the expression of the value in `layout`."""
    x = f"%x: {tensor(get_shape(layout))}"
    if layout in KERNELS:
        rank = len(layout) - 2
        w = f"%w: {tensor([8 if axis in 'IO' else 1 for axis in KERNELS[layout]])}"
        return [x, w], (f"nn.conv{rank}d(%x, %w, channels=8, kernel_size={[1] * rank}, padding={[0] * rank}, "
                        f'data_layout="{layout}", kernel_layout="{KERNELS[layout]}")')
    if "H" not in layout:
        return [x], f'image.resize1d(%x, size=[5], roi=[0f, 0f], layout="{layout}", method="linear")'
    return [x], f'nn.max_pool2d(%x, pool_size=[1, 1], layout="{layout}")'


def write_part(layout, expression, operands):
    params, source = write_source(layout)
    for name, kind in operands.items():
        params.append(f"%{name}: " + (tensor(*kind) if isinstance(kind, tuple) else tensor(kind)))
    return f"def @main({', '.join(params)}) {{\n  %0 = {source};\n  {expression.replace('%c', '%0')}\n}}\n"


def main():
    cases = Cases(sys.argv[1])
    cases.add_all()
    print("// -----\n".join(write_part(cases.layout, *call) for call in cases.calls), end="")


if __name__ == "__main__":
    main()
