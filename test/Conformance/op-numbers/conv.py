"""Convolutions: calls for op-numbers.py."""


def list_text(values):
    return "[" + ", ".join(map(str, values)) + "]"


def window(r, dims, transposed=False):
    """Kernel, strides, dilation and padding, and an extent of data that a window fits into, by axis."""
    kernel = [r.randint(1, 3) for _ in range(dims)]
    strides = [r.randint(1, 3 if not transposed else 2) for _ in range(dims)]
    dilation = [1 if transposed else r.choice([1, 1, 2]) for _ in range(dims)]
    padding = [r.randint(0, k - 1) if k > 1 else 0 for k in kernel] * 2
    extent = [(k - 1) * d + r.randint(1, 6) for k, d in zip(kernel, dilation)]
    attrs = f"strides={list_text(strides)}, padding={list_text(padding)}, dilation={list_text(dilation)}"
    return kernel, extent, attrs, strides


def dtypes(r):
    """Data types of data, weight and the result."""
    return r.choice([("float32", "float32", "")] * 5 + [("float64", "float64", ""), ("int8", "int8", "int32"), ("uint8", "int8", "int32"), ("int32", "int32", "")])


def conv(axes, layouts):
    def make(Call, r):
        data_layout, kernel_layout = r.choice(layouts)
        kernel, extent, attrs, _ = window(r, len(axes))
        plain = kernel_layout.startswith("OI")
        groups = r.choice([1, 1, 2, 3]) if plain and len(axes) == 2 else 1
        inner, outer = r.randint(1, 4), r.randint(1, 4)
        sizes = dict(zip(axes, extent)) | {"N": r.randint(1, 2), "C": inner * groups}
        weights = dict(zip(axes, kernel)) | {"O": outer * groups, "I": inner}
        of_data, of_weight, of_out = dtypes(r)
        attrs += f', groups={groups}, channels={outer * groups}, kernel_size={list_text(kernel)}, data_layout="{data_layout}", kernel_layout="{kernel_layout}"'
        attrs += f', out_dtype="{of_out}"' if of_out else ""
        return Call([r.array([sizes[a] for a in data_layout], of_data), r.array([weights[a] for a in kernel_layout], of_weight)], attrs)
    return make


def depthwise(Call, r):
    kernel, extent, attrs, _ = window(r, 2)
    channels, times = r.randint(2, 5), 1
    attrs += f", groups={channels}, channels={channels * times}, kernel_size={list_text(kernel)}"
    return Call([r.array([r.randint(1, 2), channels, *extent]), r.array([channels, times, *kernel])], attrs)


def transpose(axes, kernel_layout):
    def make(Call, r):
        kernel, extent, attrs, strides = window(r, len(axes), transposed=True)
        inner, outer = r.randint(1, 4), r.randint(1, 4)
        groups = r.choice([1, 1, 2]) if len(axes) == 2 else 1
        more = [r.randint(0, s - 1) for s in strides]
        attrs += f', output_padding={list_text(more)}, groups={groups}, channels={outer * groups}, kernel_size={list_text(kernel)}'
        dtype = r.choice(["float32", "float32", "float64"])
        return Call([r.array([r.randint(1, 2), inner * groups, *extent], dtype), r.array([inner * groups, outer, *kernel], dtype)], attrs)
    return make


def blocked(Call, r):
    kernel, extent, attrs, _ = window(r, 2)
    block, of_out = r.choice([2, 4]), r.choice([2, 4])
    inner, outer = r.randint(1, 2), r.randint(1, 2)
    attrs = attrs.replace(attrs[attrs.index("dilation"):], "dilation=[1, 1]")
    extent = [max(e, k) for e, k in zip(extent, kernel)]
    attrs += f', channels={outer * of_out}, kernel_size={list_text(kernel)}, data_layout="NCHW{block}c", kernel_layout="OIHW{block}i{of_out}o", out_layout="NCHW{of_out}c"'
    return Call([r.array([1, inner, *extent, block]), r.array([outer, inner, *kernel, block, of_out])], attrs)


def deformable(Call, r):
    kernel, extent, attrs, strides = window(r, 2)
    groups, moved = 1, r.choice([1, 2])  # the reference has no groups
    inner, outer = 2 * r.randint(1, 2), r.randint(1, 3)
    numbers = [[int(v) for v in part.split("]")[0].split(",")] for part in attrs.split("[")[1:]]
    out = [(e + 2 * p - (k - 1) * d - 1) // s + 1 for e, p, k, d, s in zip(extent, numbers[1], kernel, numbers[2], strides)]
    offset = r.array([1, 2 * moved * kernel[0] * kernel[1], *out])
    attrs += f", deformable_groups={moved}, groups={groups}, channels={outer * groups}, kernel_size={list_text(kernel)}"
    return Call([r.array([1, inner * groups, *extent]), offset, r.array([outer * groups, inner, *kernel])], attrs)


def correlation(Call, r):
    kernel, most = r.choice([1, 3]), r.randint(1, 2)
    pad = r.randint(0, 2)
    shape = [r.randint(1, 2), r.randint(1, 3), 2 * most + kernel + r.randint(0, 3), 2 * most + kernel + r.randint(0, 3)]
    attrs = f"kernel_size={kernel}, max_displacement={most}, stride1={r.randint(1, 2)}, stride2={r.randint(1, 2)}, padding=[{pad}, {pad}], is_multiply={r.choice(['True', 'False'])}"
    return Call([r.array(shape), r.array(shape)], attrs)


def backward_weight(Call, r):
    kernel, extent, _, _ = window(r, 2)
    stride, pad = r.randint(1, 2), [r.randint(0, k // 2) for k in kernel]
    extent = [max(e, k) for e, k in zip(extent, kernel)]
    out = [(e + 2 * p - k) // stride + 1 for e, p, k in zip(extent, pad, kernel)]
    inner, outer, batch = r.randint(1, 3), r.randint(1, 3), r.randint(1, 2)
    attrs = f'strides=[{stride}, {stride}], padding={list_text(pad * 2)}, kernel_size={list_text(kernel)}, kernel_layout="NCHW", data_layout="NCHW", out_layout="OIHW"'
    return Call([r.array([batch, outer, *out]), r.array([batch, inner, *extent])], attrs)


def get_operators(Call, Operator):
    def by(make, ulps=16):
        return Operator(lambda r: make(Call, r), ulps, True)
    return {
        "nn.conv1d": by(conv("W", [("NCW", "OIW"), ("NWC", "WIO")])),
        "nn.conv2d": by(lambda Call, r: depthwise(Call, r) if r.random() < 0.2 else conv("HW", [("NCHW", "OIHW"), ("NHWC", "HWIO")])(Call, r)),
        "nn.conv3d": by(conv("DHW", [("NCDHW", "OIDHW"), ("NDHWC", "DHWIO")])),
        "nn.conv1d_transpose": by(transpose("W", "IOW")),
        "nn.conv2d_transpose": by(transpose("HW", "IOHW")),
        "nn.conv3d_transpose": by(transpose("DHW", "IODHW")),
        "nn.contrib_conv2d_NCHWc": by(blocked),
        "nn.deformable_conv2d": by(deformable, 64),
        "nn.correlation": by(correlation),
        "nn.conv2d_backward_weight": by(backward_weight),
    }
