//===- FoldExplicitPadding.td - Rules of fold-explicit-padding *- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// nn.pad below what pads itself.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_SIMPLIFY_FOLDEXPLICITPADDING_TD
#define RELAY_TRANSFORMS_SIMPLIFY_FOLDEXPLICITPADDING_TD

include "relay/Ops/Conv.td"
include "relay/Ops/NN.td"
include "relay/Ops/Pool.td"
include "relay/Ops/QNN.td"
include "relay/Pattern/Rewrite/RewriteBase.td"

// padsSpace is true if `width` pads only spatial axes, given the padding and
// the layout of the operator; addPadding is the sum of both paddings.
def padsSpace : Constraint<"padsOnlySpace">;
def addPadding : NativeCode<"addPadding", "SmallVector<int64_t>">;
def isZero : Constraint<"isZeroConstant">;
// isLowest is true if a constant is the least finite number of the data type of
// a tensor; areEqual is true if two constants hold the same single number.
def isLowest : Constraint<"isLowestConstant">;
def areEqual : Constraint<"areEqualConstants">;
// True if the mean of windows already counts padding, or there is none.
def countsPadding : Constraint<"countsPadding">;

foreach op = [Conv1DOp, Conv2DOp, Conv3DOp] in
  def FoldPadOf#op
      : Rewrite<(op:$conv (PadOp $x, (Constant:$v), $width, "constant"), $w,
                  (attrs $padding, $data_layout)),
                (op $x, $w, (attrs $conv, (addPadding $padding, $data_layout,
                                                      $width):$padding)),
                [(isZero $v), (padsSpace $padding, $data_layout, $width)]>;

def FoldPadOfQnnConv2DOp
    : Rewrite<(QnnConv2DOp:$conv
                  (PadOp $x, (Constant:$v), $width, "constant"), $w,
                  (Constant:$zero_point), $weight_zero_point, $scale,
                  $weight_scale, (attrs $padding, $data_layout)),
              (QnnConv2DOp $x, $w, $zero_point, $weight_zero_point, $scale,
                  $weight_scale,
                  (attrs $conv, (addPadding $padding, $data_layout,
                                            $width):$padding)),
              [(areEqual $v, $zero_point),
               (padsSpace $padding, $data_layout, $width)]>;

// Max pooling ignores padding, so results differ for windows that contain only
// the least number, NaN and minus infinity.
let Except = [NotFinite] in
foreach op = [MaxPool1DOp, MaxPool2DOp, MaxPool3DOp] in
  def FoldPadOf#op
      : Rewrite<(op:$pool (PadOp $x, (Constant:$v), $width, "constant"),
                  (attrs $padding, $layout)),
                (op $x, (attrs $pool, (addPadding $padding, $layout,
                                                  $width):$padding)),
                [(isLowest $v, $x), (padsSpace $padding, $layout, $width)]>;

// With `ceil_mode` windows may reach beyond the padding, which is counted
// otherwise.
foreach op = [AvgPool1DOp, AvgPool2DOp, AvgPool3DOp] in
  def FoldPadOf#op
      : Rewrite<(op:$pool (PadOp $x, (Constant:$v), $width, "constant"),
                  (attrs $padding, $layout, false:$ceil_mode,
                         $count_include_pad)),
                (op $x, (attrs $pool, (addPadding $padding, $layout,
                                                  $width):$padding,
                               true:$count_include_pad)),
                [(isZero $v), (countsPadding $count_include_pad, $padding),
                 (padsSpace $padding, $layout, $width)]>;

#endif // RELAY_TRANSFORMS_SIMPLIFY_FOLDEXPLICITPADDING_TD
