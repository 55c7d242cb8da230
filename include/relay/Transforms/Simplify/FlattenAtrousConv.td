//===- FlattenAtrousConv.td - Rules of flatten-atrous-conv -*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution with holes, spelled out by blocks of space.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_FLATTENATROUSCONV_TD
#define RELAY_TRANSFORMS_SIMPLIFY_FLATTENATROUSCONV_TD

include "relay/Ops/Conv.td"
include "relay/Ops/NN.td"
include "relay/Ops/QNN.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// True if the three operators pad, cut and step so that they are one
// convolution, whose result has the extents of its data; and its padding.
def isAtrous : Constraint<"isAtrousConv">;
def samePadding : NativeCode<"getSamePadding", "SmallVector<int64_t>">;

def FlattenAtrous
    : Rewrite<(BatchToSpaceNDOp
                  (Conv2DOp:$conv
                      (SpaceToBatchNDOp $x, $block, $paddings, $pad_value), $w,
                      (attrs ints<[1, 1]>:$strides, ints<[1, 1]>:$dilation,
                             "NHWC":$data_layout)),
                  $block, $crops),
              (Conv2DOp $x, $w, (attrs $conv,
                                       (samePadding $conv, $block):$padding,
                                       (value $block):$dilation)),
              [(isAtrous $conv, $block, $paddings, $pad_value, $crops)]> {
  let SharesInner = 1;
}

// The same for quantized data, which is padded with its zero point.
def isAtrousQnn : Constraint<"isAtrousQnnConv">;
def sameQnnPadding : NativeCode<"getSameQnnPadding", "SmallVector<int64_t>">;

def FlattenAtrousQnn
    : Rewrite<(BatchToSpaceNDOp
                  (QnnConv2DOp:$conv
                      (SpaceToBatchNDOp $x, $block, $paddings, $pad_value), $w,
                      $x_zero_point, $w_zero_point, $x_scale, $w_scale,
                      (attrs ints<[1, 1]>:$strides, ints<[1, 1]>:$dilation,
                             "NHWC":$data_layout)),
                  $block, $crops),
              (QnnConv2DOp $x, $w, $x_zero_point, $w_zero_point, $x_scale,
                           $w_scale,
                           (attrs $conv,
                                  (sameQnnPadding $conv, $block):$padding,
                                  (value $block):$dilation)),
              [(isAtrousQnn $conv, $block, $paddings, $pad_value, $crops)]> {
  let SharesInner = 1;
}

#endif // RELAY_TRANSFORMS_SIMPLIFY_FLATTENATROUSCONV_TD
