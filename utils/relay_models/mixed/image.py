"""Operators on images and boxes, and random numbers, for mixed random graphs."""
from math import prod

from ..builder import Tensor, Tuple
from .body import LIMIT


def resize(m):
    sizes = 1 + m.random.below(3)
    data = m.within(m.pick(("float32",), sizes + 2), -8.0, 8.0)
    size = tuple(2 + m.random.below(5) for _ in range(sizes))
    if prod(size) * prod(data.shape[:2]) > LIMIT:
        return
    layout = ("NCW", "NCHW", "NCDHW")[sizes - 1]
    m.call(f"image.resize{sizes}d", [data], data.shape[:2] + size, data.dtype, 2 * data.low, 2 * data.high,
           size=list(size), roi=[0.0] * 2 * sizes, layout=layout, method="linear",
           coordinate_transformation_mode=m.random.choose(("half_pixel", "align_corners", "asymmetric")),
           rounding_method="")


def affine_grid(m):
    data = m.within(m.need((2, 2, 3), "float32"), -1.0, 1.0)
    m.call("image.affine_grid", [data], (2, 2, 3, 4), "float32", -3.0, 3.0, target_shape=[3, 4])


def grid_sample(m):
    data = m.within(m.need((2, 3, 4, 4), "float32"), -4.0, 4.0)
    grid = m.within(m.need((2, 2, 3, 3), "float32"), -0.75, 0.75)
    m.call("image.grid_sample", [data, grid], (2, 3, 3, 3), "float32", -4.0, 4.0)


def crop(m):
    data = m.within(m.need((1, 5, 5, 3), "float32"), -4.0, 4.0)
    boxes = m.constant((2, 4), "float32", [0.125, 0.125, 0.75, 0.75, 0.25, 0.125, 0.875, 0.625])
    index = m.constant((2,), "int32", [0, 0])
    m.call("image.crop_and_resize", [data, boxes, index], (2, 3, 3, 3), "float32", -4.0, 4.0, crop_size=[3, 3],
           layout="NHWC")


def dilation(m):
    data = m.within(m.need((1, 4, 4, 2), "float32"), -4.0, 4.0)
    weight = m.within(m.need((2, 2, 2), "float32"), -2.0, 2.0)
    m.call("image.dilation2d", [data, weight], (1, 3, 3, 2), "float32", -6.0, 6.0, data_layout="NHWC",
           kernel_layout="HWI", padding=[0, 0])


def reorganize(m):
    data = m.need((1, 4, 4, 4), "float32")
    m.move("vision.yolo_reorg", data, (1, 16, 2, 2), stride=2)


def regions(m):
    data = m.within(m.need((1, 3, 6, 6), "float32"), -4.0, 4.0)
    boxes = m.constant((2, 5), "float32", [0, 0.5, 1, 4, 4.5, 0, 1, 0.5, 5, 3.5])
    name = m.random.choose(("vision.roi_align", "vision.roi_pool"))
    attrs = {"sample_ratio": 2} if name == "vision.roi_align" else {}
    m.call(name, [data, boxes], (2, 3, 2, 2), "float32", -4.0, 4.0, pooled_size=[2, 2], spatial_scale=1.0, **attrs)


def priors(m):
    data = m.need((1, 3, 3, 3), "float32")
    m.call("vision.multibox_prior", [data], (1, 27, 4), "float32", -4.0, 4.0, sizes=[0.5, 1.0], ratios=[1.0, 2.0])


def suppress(m):
    """Valid boxes of constant data, then those that do not overlap: comparisons decide which boxes are kept."""
    boxes = [0, 0.75, 0.125, 0.125, 0.5, 0.5, 1, 0.5, 0.25, 0.25, 0.75, 0.875, 0, 0.875, 0.125, 0.25, 0.5, 0.625]
    data = m.constant((1, 3, 6), "float32", boxes)
    shapes = ((1,), (1, 3, 6), (1, 3))
    type = Tuple((Tensor((1,), "int32"), Tensor((1, 3, 6), "float32"), Tensor((1, 3), "int32")))
    count, kept, indices = m.fields(
        m.raw("vision.get_valid_counts", [data, m.scalar(0.25, "float32")], type, score_threshold=None, id_index=0,
              score_index=1),
        [(shapes[0], 0, 3, True), (shapes[1], -1.0, 1.0, True), (shapes[2], -1, 2, True)])
    if m.random.chance(1, 2):
        m.call("vision.non_max_suppression", [kept, count, indices, m.scalar(-1, "int32"), m.scalar(0.5, "float32")],
               shapes[1], "float32", -1.0, 1.0, True, force_suppress=True, top_k=-1, coord_start=2, score_index=1,
               id_index=0, return_indices=False)


def locate(m):
    classes = m.within(m.need((1, 2, 3), "float32"), 0.0, 1.0)
    places = m.within(m.need((1, 12), "float32"), -1.0, 1.0)
    anchors = m.constant((1, 3, 4), "float32", [0.125, 0.125, 0.5, 0.5, 0.25, 0.25, 0.75, 0.75, 0, 0.25, 0.5, 1])
    if not (classes.exact and places.exact):
        return
    type = Tuple((Tensor((1, 3, 6), "float32"), Tensor((1,), "int32")))
    m.fields(m.raw("vision.multibox_transform_loc", [classes, places, anchors], type, threshold=0.01),
             [((1, 3, 6), -1.0, 2.0), ((1,), 0, 3, True)])


def noise(m):
    """Counter-based random numbers: the same for a key everywhere."""
    key = m.raw("random.threefry_split",
                [m.constant((10,), "uint64", [1, 2, 3, 4, 0, 0, 0, 0, 1, 0])],
                Tuple((Tensor((10,), "uint64"),) * 2))
    first, second = m.fields(key, [((10,), 0, (1 << 64) - 1, True)] * 2)
    shape = m.extents(2)
    if m.random.chance(1, 2):
        type = Tuple((Tensor((10,), "uint64"), Tensor((8,), "uint64")))
        m.fields(m.raw("random.threefry_generate", [first], type, out_shape=[8]),
                 [((10,), 0, (1 << 64) - 1, True), ((8,), 0, (1 << 64) - 1, True)])
    else:
        low, high = m.scalar(0, "float32"), m.scalar(1, "float32")
        type = Tuple((Tensor((10,), "uint64"), Tensor(shape, "float32")))
        m.fields(m.raw("random.uniform", [second, low, high], type, out_shape=list(shape), out_dtype="float32"),
                 [((10,), 0, (1 << 64) - 1, True), (shape, 0.0, 1.0, False)])


OPERATORS = (resize, resize, affine_grid, grid_sample, crop, dilation, reorganize, regions, priors, suppress, locate,
             noise)
