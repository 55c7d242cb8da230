# Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# mypy: disable-error-code="empty-body"
"""tvm.relay.op.image.image: operators on images."""

from __future__ import annotations

from ..declare import Any, Call, const, constant_list, Expr, make_call, operator, public_functions


@operator("image.affine_grid", 1)
def affine_grid(data: Expr, target_shape: Any = None) -> Call:
    """Computes grid of positions transformed by an affine map."""


@operator("image.crop_and_resize", 3)
def crop_and_resize(
    data: Expr,
    boxes: Expr,
    box_indices: Expr,
    crop_size: Any,
    layout: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0,
    out_dtype: Any = None,
) -> Call:
    """Computes parts of images, each in the same size."""


@operator("image.dilation2d", 2)
def dilation2d(
    data: Expr,
    weight: Expr,
    strides: Any = (1, 1),
    padding: Any = (0, 0),
    dilations: Any = (1, 1),
    data_layout: str = "NCHW",
    kernel_layout: str = "IHW",
    out_dtype: Any = "",
) -> Call:
    """Computes maximum of data + weight over windows."""


@operator("image.grid_sample", 2)
def grid_sample(
    data: Expr,
    grid: Expr,
    method: str = "bilinear",
    layout: str = "NCHW",
    padding_mode: str = "zeros",
    align_corners: bool = True,
) -> Call:
    """Computes data sampled at the positions of a grid."""


def _resize(
    dimensions: int,
    data: Expr,
    size: Any,
    roi: Any,
    layout: str,
    method: str,
    coordinate_transformation_mode: str,
    rounding_method: str,
    cubic_alpha: float,
    cubic_exclude: int,
    extrapolation_value: float,
    out_dtype: Any,
) -> Call:
    """Resizes in a number of dimensions. An expression as size or roi makes it `dyn.image.resize2d`."""
    roi = constant_list((0.0,) * 2 * dimensions if roi is None else roi)
    size = constant_list(size)
    attributes = {
        "size": size,
        "roi": roi,
        "layout": layout,
        "method": method,
        "coordinate_transformation_mode": coordinate_transformation_mode,
        "rounding_method": rounding_method,
        "cubic_alpha": cubic_alpha,
        "cubic_exclude": cubic_exclude,
        "extrapolation_value": extrapolation_value,
        "out_dtype": out_dtype,
    }
    if not isinstance(size, Expr) and not isinstance(roi, Expr):
        return make_call(f"image.resize{dimensions}d", (data,), attributes)
    if dimensions != 2:
        raise NotImplementedError(f"resize{dimensions}d has no form with an expression as size or region")
    size = size if isinstance(size, Expr) else const(list(size), "int64")
    roi = roi if isinstance(roi, Expr) else const(list(roi), "float32")
    return make_call("dyn.image.resize2d", (data, size, roi), {**attributes, "size": (), "roi": ()})


def resize1d(
    data: Expr,
    size: Any,
    roi: Any = None,
    layout: str = "NCW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    cubic_alpha: float = -0.5,
    cubic_exclude: int = 0,
    extrapolation_value: float = 0.0,
    out_dtype: Any = None,
) -> Call:
    """Resizes in one dimension."""
    return _resize(
        1,
        data,
        size,
        roi,
        layout,
        method,
        coordinate_transformation_mode,
        rounding_method,
        cubic_alpha,
        cubic_exclude,
        extrapolation_value,
        out_dtype,
    )


def resize2d(
    data: Expr,
    size: Any,
    roi: Any = None,
    layout: str = "NCHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    cubic_alpha: float = -0.5,
    cubic_exclude: int = 0,
    extrapolation_value: float = 0.0,
    out_dtype: Any = None,
) -> Call:
    """Resizes in two dimensions."""
    return _resize(
        2,
        data,
        size,
        roi,
        layout,
        method,
        coordinate_transformation_mode,
        rounding_method,
        cubic_alpha,
        cubic_exclude,
        extrapolation_value,
        out_dtype,
    )


def resize3d(
    data: Expr,
    size: Any,
    roi: Any = None,
    layout: str = "NCDHW",
    method: str = "linear",
    coordinate_transformation_mode: str = "half_pixel",
    rounding_method: str = "",
    cubic_alpha: float = -0.5,
    cubic_exclude: int = 0,
    extrapolation_value: float = 0.0,
    out_dtype: Any = None,
) -> Call:
    """Resizes in three dimensions."""
    return _resize(
        3,
        data,
        size,
        roi,
        layout,
        method,
        coordinate_transformation_mode,
        rounding_method,
        cubic_alpha,
        cubic_exclude,
        extrapolation_value,
        out_dtype,
    )


__all__ = public_functions(globals())
