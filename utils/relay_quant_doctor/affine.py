"""Scales and zero points of integers."""
from typing import NamedTuple

from .module import Operand, is_integer

PRODUCTS = {"qnn.conv2d": "NCHW", "qnn.conv2d_transpose": "NCHW", "qnn.dense": None, "qnn.batch_matmul": None,
            "qnn.contrib_dense_pack": None}
# Operators whose result has the scale of the first operand; those of the second line may move the axis of scales.
KEEP_SHAPE = {"nn.bias_add", "add", "maximum", "minimum", "clip", "nn.relu", "cast", "copy", "nn.dropout",
              "annotation.stop_fusion", "annotation.cast_hint"}
CHANGE_SHAPE = {"nn.max_pool2d", "nn.avg_pool2d", "nn.global_avg_pool2d", "nn.adaptive_avg_pool2d", "nn.pad", "mean",
                "nn.global_max_pool2d", "nn.adaptive_max_pool2d", "nn.batch_flatten", "reshape", "transpose",
                "squeeze", "expand_dims", "strided_slice", "layout_transform", "max", "min", "take", "split"}


class Affine(NamedTuple):
    """Scale and zero point as parts of expressions; `axis` is that of a scale of rank 1."""
    scale: list
    zero_point: list
    axis: str


def is_scalar(scale, module):
    return all(isinstance(part, str) or not module.type(part.name).startswith("Tensor") for part in scale)


def of_product(statement):
    _, _, _, _, left, right = statement.arguments()[:6]
    layout = PRODUCTS[statement.operator]
    axis = (statement.attribute("data_layout") or f'"{layout}"').strip('"').index("C") if layout else -1
    return Affine(["multiply(", *left, ", ", *right, ")"], ["0"], str(axis))


def of_call(statement):
    """The affine type of a qnn operator's result."""
    axis = statement.attribute("axis", "-1")
    operands = [argument for argument in statement.arguments()
                if not (isinstance(argument[0], str) and "=" in argument[0])]
    if statement.operator in PRODUCTS:
        return of_product(statement)
    if statement.operator == "qnn.quantize":
        return Affine(*operands[1:3], axis)
    return Affine(*operands[-2:], axis)


def affine_type(module, name):
    """The affine type of an integer value; None if it is not known."""
    while (statement := module.statements.get(name)) and is_integer(statement.type):
        operator = statement.operator
        if operator.startswith("qnn."):
            return of_call(statement)
        follows = operator in KEEP_SHAPE or operator in CHANGE_SHAPE or not operator
        if not follows or not statement.operands:
            return None
        if operator in CHANGE_SHAPE and not keeps_axis(module, statement):
            return None
        name = statement.operands[0]
    return None


def keeps_axis(module, statement):
    """Returns true unless the operand's scale varies along an axis, which the operator may move."""
    affine = affine_type(module, statement.operands[0])
    return affine is None or is_scalar(affine.scale, module)
