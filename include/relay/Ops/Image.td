//===- Image.td - Images -----------------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that sample images and volumes at other places: `image.*`. The
// operators `nn.upsampling*` are in NN.td.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_IMAGE_TD
#define RELAY_OPS_IMAGE_TD

include "relay/IR/OpBase.td"

class ResizeAttrs<string key, string layout> : AttrsDef<key> {
  let Fields = (ins Default<DimArray, "None">:$size,
                    Default<FloatArray, "None">:$roi,
                    DefaultText<String, layout>:$layout,
                    DefaultText<String, "linear">:$method,
                    DefaultText<String, "half_pixel">:$coordinate_transformation_mode,
                    DefaultText<String, "round">:$rounding_method,
                    Default<Double, "-0.5f">:$cubic_alpha,
                    Default<Int, "0">:$cubic_exclude,
                    Default<Double, "0f">:$extrapolation_value,
                    DefaultText<DataType, "">:$out_dtype);
}
def Resize1DAttrs : ResizeAttrs<"relay.attrs.Resize1DAttrs", "NCW">;
def Resize2DAttrs : ResizeAttrs<"relay.attrs.Resize2DAttrs", "NCHW">;
def Resize3DAttrs : ResizeAttrs<"relay.attrs.Resize3DAttrs", "NCDHW">;
def CropAndResizeAttrs : AttrsDef<"relay.attrs.CropAndResizeAttrs"> {
  let Fields = (ins Default<DimArray, "None">:$crop_size,
                    DefaultText<String, "NCHW">:$layout,
                    DefaultText<String, "bilinear">:$method,
                    Default<Double, "0f">:$extrapolation_value,
                    DefaultText<DataType, "">:$out_dtype);
}
def GridSampleAttrs : AttrsDef<"relay.attrs.GridSampleAttrs"> {
  let Fields = (ins DefaultText<StringObject, "bilinear">:$method,
                    DefaultText<StringObject, "NCHW">:$layout,
                    DefaultText<StringObject, "zeros">:$padding_mode,
                    Default<Bool, "True">:$align_corners);
}
def AffineGridAttrs : AttrsDef<"relay.attrs.AffineGridAttrs"> {
  let Fields = (ins DimArray:$target_shape);
}
def Dilation2DAttrs : AttrsDef<"relay.attrs.Dilation2DAttrs"> {
  let Fields = (ins Default<DimArray, "[1, 1]">:$strides,
                    Default<DimArray, "[0, 0]">:$padding,
                    Default<DimArray, "[1, 1]">:$dilations,
                    DefaultText<String, "NCHW">:$data_layout,
                    DefaultText<String, "IHW">:$kernel_layout,
                    DefaultText<DataType, "">:$out_dtype);
}

def Resize1DOp : Op<"image.resize1d"> {
  let Summary = "data in another size, in one dimension";
  let Operands = (ins Tensor:$data);
  let Attributes = Resize1DAttrs;
  let FusionKind = Injective;
  let Relation = "inferResize1D";
  let ShapeDataDependent = [0];
}
def Resize2DOp : Op<"image.resize2d"> {
  let Summary = "data in another size, in two dimensions";
  let Operands = (ins Tensor:$data);
  let Attributes = Resize2DAttrs;
  let FusionKind = Injective;
  let Relation = "inferResize2D";
  let ShapeDataDependent = [0];
}
def Resize3DOp : Op<"image.resize3d"> {
  let Summary = "data in another size, in three dimensions";
  let Operands = (ins Tensor:$data);
  let Attributes = Resize3DAttrs;
  let FusionKind = Injective;
  let Relation = "inferResize3D";
}
def CropAndResizeOp : Op<"image.crop_and_resize"> {
  let Summary = "parts of images, each in the same size";
  let Operands = (ins Tensor:$data, Tensor:$boxes, Tensor:$box_indices);
  let Attributes = CropAndResizeAttrs;
  let FusionKind = Injective;
  let Relation = "inferCropAndResize";
  let ShapeDataDependent = [0];
}
def GridSampleOp : Op<"image.grid_sample"> {
  let Summary = "data sampled at the positions of a grid";
  let Operands = (ins Tensor:$data, Tensor:$grid);
  let Attributes = GridSampleAttrs;
  let FusionKind = Injective;
  let Relation = "inferGridSample";
  let ShapeDataDependent = [0];
}
def AffineGridOp : Op<"image.affine_grid"> {
  let Summary = "grid of positions transformed by an affine map";
  let Operands = (ins Tensor:$data);
  let Attributes = AffineGridAttrs;
  let FusionKind = Injective;
  let Relation = "inferAffineGrid";
  let ShapeDataDependent = [0];
}
def Dilation2DOp : Op<"image.dilation2d"> {
  let Summary = "maximum of data + weight over windows";
  let Operands = (ins Tensor:$data, Tensor:$weight);
  let Attributes = Dilation2DAttrs;
  let FusionKind = OutEWiseFusable;
  let Relation = "inferDilation2D";
}

#endif // RELAY_OPS_IMAGE_TD
