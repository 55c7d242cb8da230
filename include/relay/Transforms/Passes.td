//===- Passes.td - The passes ------------------------------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pass of room Transforms, by TVM's names and opt levels. A pass is its
// record here, lib/Transforms/<Record>.cpp and test/Transforms/<argument>.relay.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_PASSES_TD
#define RELAY_TRANSFORMS_PASSES_TD

include "relay/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Types, checks and printing
//===----------------------------------------------------------------------===//

def InferType : ModulePass<"infer-type"> {
  let Summary = "infers the types of all values";
  let Description = [{
    Infers the type of every value again from the types of parameters, the type
    relations of operators and the annotations, and reports conflicts. Then
    annotates parameters, variables of `let` and of patterns, and results of
    functions with the inferred types. Reading infers types too, but writes no
    annotations.

    ```
    def @main(%x: Tensor[(2, 3), float32]) {
      let %a = add(%x, 1f);
      %a
    }
    ```
    becomes
    ```
    def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
      let %a: Tensor[(2, 3), float32] = add(%x, 1f);
      %a
    }
    ```
  }];
  let Tolerance = Exact;
  let Preserves = ["FunctionAnalysisManagerModuleProxy"];
}

def Print : ModulePass<"print"> {
  let Summary = "prints the module on standard error";
  let Description = [{
    Prints the module with its metadata. The text reads back.
  }];
  let Tolerance = Exact;
  let IsRequired = 1;
}

def CapturePostDfsIndexInSpans
    : FunctionPass<"capture-post-dfs-index-in-spans"> {
  let Summary = "makes numbers of expressions and their post-dominators the spans";
  let Description = [{
    Numbers the expressions of each function, operators, symbols and `let`s
    included, depth first in post-order: callee before arguments, value of a
    `let` before its variable. Gives each operation and parameter the span
    `index:number:post-dominator`, which `-print-spans` prints. The
    post-dominator is the number of the first expression through which all uses
    of the value pass, or -1. Layers stay, after the number; other spans are
    dropped.

    ```
    def @main(%x: float32) -> float32 {
      log(%x)
    }
    ```
    becomes
    ```
    def @main(%x: float32 /* span=index:0:2 */) -> float32 {
      log(%x) /* span=index:2:3 */
    }
    ```
  }];
  let Tolerance = Exact;
  let Statistics = [Statistic<"NumCaptured", "values with a new span">];
}

def AnnotateSpans : ModulePass<"annotate-spans"> {
  let Summary = "makes positions in the printed text the spans of operations";
  let Description = [{
    Gives each operation, parameter and variable of a pattern the line and
    column where its text begins if the module is printed, as the span
    `GeneratedSource:line:column`, which `-print-spans` prints. Layers stay,
    after the position; other spans are dropped. Later passes keep the spans, so
    that the printed result refers to the lines of the input of this pass.

    ```
    def @main(%x: float32) -> float32 {
      log(%x)
    }
    ```
    becomes
    ```
    def @main(%x: float32 /* span=GeneratedSource:2:11 */) -> float32 {
      log(%x) /* span=GeneratedSource:3:3 */
    }
    ```
  }];
  let Tolerance = Exact;
  let Preserves = ["FunctionAnalysisManagerModuleProxy"];
  let Statistics = [Statistic<"NumAnnotated", "values with a new span">];
}

def OpStats : ModulePass<"op-stats"> {
  let Summary = "prints the number of calls of each operator";
  let Description = [{
    Prints on standard error, for each function, the number of operations, and
    the number of each operator and each construct of the language, by name.
  }];
  let Tolerance = Exact;
  let IsRequired = 1;
}

def Verify : ModulePass<"verify"> {
  let Summary = "checks that the module is valid";
  let Description = [{
    Checks operands, attributes, scopes, canonical order, symbols and types, and
    fails with a diagnostic for each violation.
  }];
  let Tolerance = Exact;
  let IsRequired = 1;
  let Options = [
    BoolOption<"allow-undefined-globals", 0, "allow undefined functions, types and constructors">
  ];
}

//===----------------------------------------------------------------------===//
// Redundancy elimination
//===----------------------------------------------------------------------===//

def DeadCodeElimination : ModulePass<"dead-code-elimination"> {
  let Summary = "removes unused bindings";
  let Description = [{
    Removes each `let` whose value has no effect and whose variable has no uses
    outside removed bindings. With `inline-once`, a pure value with one use
    replaces its variable, unless the use is in a closure that does not contain
    the binding.

    ```
    let %a = add(%x, 1f);
    let %b = multiply(%x, 2f);
    nn.relu(%b)
    ```
    becomes
    ```
    let %b = multiply(%x, 2f);
    nn.relu(%b)
    ```
    and with `inline-once`
    ```
    %0 = multiply(%x, 2f);
    nn.relu(%0)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Requires = [InferType];
  let Preserves = ["FunctionAnalysisManagerModuleProxy"];
  let Options = [
    BoolOption<"inline-once", 0, "inline values that are used once">,
    BoolOption<"ignore-impurity", 0, "treat all operations as pure, also writes of references that are still read">
  ];
  let Statistics = [
    Statistic<"NumRemoved", "bindings removed">,
    Statistic<"NumInlined", "bindings inlined">
  ];
}

def EliminateCommonSubexpr : FunctionPass<"eliminate-common-subexpr"> {
  let Summary = "merges equal operations";
  let Description = [{
    Merges calls of one operator with equal attributes and operands, and
    projections of the same field of the same tuple.

    ```
    %0 = nn.relu(%x);
    %1 = nn.relu(%x);
    add(%0, %1)
    ```
    becomes
    ```
    %0 = nn.relu(%x);
    add(%0, %0)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 3;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumMerged", "operations merged">];
}

//===----------------------------------------------------------------------===//
// Simplification
//===----------------------------------------------------------------------===//

def BindParams : ModulePass<"bind-params"> {
  let Summary = "binds parameters of @main to their values";
  let Description = [{
    Replaces each parameter of `@main` that has a value in `-params` by a
    constant. Other parameters, and `@main` without `-params`, are unchanged.

    ```
    def @main(%x: Tensor[(1, 2), float32], %w: Tensor[(3, 2), float32]) {
      nn.dense(%x, %w)
    }
    ```
    becomes, with a value for `%w`,
    ```
    def @main(%x: Tensor[(1, 2), float32]) {
      nn.dense(%x, meta[relay.Constant][0])
    }
    ```
  }];
  let Tolerance = NotCompared<"parameters become constants">;
  let Statistics = [Statistic<"NumBound", "parameters bound">];
}

def FoldConstant : FunctionPass<"fold-constant"> {
  let Summary = "folds operations whose operands are constants";
  let Description = [{
    Folds

    - calls of operators on constants or tuples of constants, also on a device
      (`on_device`); the result is the same on every machine;
    - `shape_of` and `ndarray_size` of operands with a static shape;
    - projections of tuples;
    - `if` with a constant condition;
    - variables that a `let` binds to a constant.

    Does not fold primitive functions, operators with a state, `device_copy`,
    annotations, calls without operands, and quantized operators (`qnn.*`)
    without `fold-qnn`. A call that cannot be evaluated (no kernel, an index out
    of range, not enough memory) is unchanged. `-debug-log=FoldConstant=1` prints
    each evaluated expression and its result, level 2 also the reasons against
    folding.

    ```
    let %a = multiply(2f, 3f);
    %0 = add(%x, %a);
    if (True) {
      nn.relu(%0)
    } else {
      %x
    }
    ```
    becomes
    ```
    %0 = add(%x, 6f);
    nn.relu(%0)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 2;
  let ModuleAnalyses = ["ConstantBudgetAnalysis"];
  let Options = [BoolOption<"fold-qnn", 0, "fold operators of the qnn dialect too">];
  let Statistics = [
    Statistic<"NumEvaluated", "calls evaluated">,
    Statistic<"NumBranches", "branches decided">
  ];
}

def DynamicToStatic : ModulePass<"dynamic-to-static"> {
  let Summary = "replaces operators of constant shapes by static ones";
  let Description = [{
    Replaces operators of the dialect `dyn` whose shapes, counts or factors are
    constants, or are computed from constants and from shapes of tensors that
    are known; then folds constants like `fold-constant`. Variables of `let` are
    not constants, as in TVM. Results of functions become less dynamic.

    If a constant shape is invalid for the operator itself, the operator stays
    dynamic. If it contradicts an operator that uses the result, the pass fails,
    even if that operator is in a branch that is never evaluated.

    ```
    %0 = shape_of(%y, dtype="int32");
    dyn.reshape(%x, %0, newshape=[])
    ```
    becomes, where `%y` is of shape (8, 3),
    ```
    reshape(%x, newshape=[8, 3])
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 2;
  let Statistics = [
    Statistic<"NumReplaced", "operators replaced">,
    Statistic<"NumEvaluated", "calls evaluated">
  ];
}

def SimplifyInference : FunctionPass<"simplify-inference"> {
  let Summary = "expands batch_norm, dropout, ... into inference-time arithmetic";
  let Description = [{
    Expands batch normalization into a scale and a shift, and dropout into its
    operand, where the first result is used; expands layer, instance, group and
    l2 normalization into arithmetic.

    ```
    %0 = nn.dropout(%x);
    nn.relu(%0.0)
    ```
    becomes
    ```
    nn.relu(%x)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-5", "batch_norm becomes a multiplication and an addition of derived constants">;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumSimplified", "operations expanded">];
}

def BackwardFoldScaleAxis : FunctionPass<"backward-fold-scale-axis"> {
  let Summary = "folds scales of results into weights";
  let Description = [{
    Folds a scale along the channels, which multiplies the result of a
    convolution or of `nn.dense`, into the weight. `nn.bias_add`, `nn.relu`,
    `nn.leaky_relu`, and `add` of such layers or of tensors along the channels
    may stand between. If there is a rectifier, the scale must be a constant that
    is not negative.

    ```
    %0 = nn.conv2d(%x, %w, channels=4, kernel_size=[3, 3]);
    multiply(%0, %s)
    ```
    becomes, where `%s` is of shape (4, 1, 1),
    ```
    %0 = squeeze(%s, axis=[1, 2]);
    %1 = expand_dims(%0, axis=1, num_newaxis=3);
    %2 = multiply(%w, %1);
    nn.conv2d(%x, %2, channels=4, kernel_size=[3, 3])
    ```
  }];
  let Tolerance = Approximates<"1e-4", "1e-5", "weights are multiplied instead of results">;
  let OptLevel = 3;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumScales", "scales folded">];
}

def ForwardFoldScaleAxis : FunctionPass<"forward-fold-scale-axis"> {
  let Summary = "folds scales of inputs into weights";
  let Description = [{
    Folds a multiplication by a scale along the channels into the weights of the
    convolutions and `nn.dense` that use the product. Sums, `nn.relu` and
    `nn.leaky_relu` may stand between. The scale must then be a constant that is
    not negative, if there is a rectifier, or not zero, if there is a sum.

    ```
    %0 = multiply(%x, %s);
    nn.dense(%0, %w, units=2)
    ```
    becomes
    ```
    %0 = multiply(%w, %s);
    nn.dense(%x, %0, units=2)
    ```
  }];
  let Tolerance = Approximates<"1e-4", "1e-5", "weights are multiplied instead of inputs">;
  let OptLevel = 3;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumScales", "scales folded">];
}

def CanonicalizeOps : FunctionPass<"canonicalize-ops"> {
  let Summary = "replaces operators by canonical equivalents";
  let Description = [{
    Replaces `nn.bias_add` by `add`. The bias gets one axis of length 1 for each
    axis of the data after the axis of the bias.

    ```
    nn.bias_add(%x, %b)
    ```
    becomes, where `%x` has four axes,
    ```
    %0 = expand_dims(%b, axis=1, num_newaxis=2);
    add(%x, %0)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 3;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumReplaced", "operators replaced">];
}

def CanonicalizeCast : FunctionPass<"canonicalize-cast"> {
  let Summary = "duplicates widening casts, one for each user";
  let Description = [{
    Duplicates a `cast` to a wider type that several elementwise or broadcasting
    operations use, so that each user can be fused with its own cast.

    ```
    %0 = cast(%x, dtype="int32");
    %1 = add(%0, %a);
    %2 = add(%0, %b);
    (%1, %2)
    ```
    becomes, where `%x` is of `int8`,
    ```
    %0 = cast(%x, dtype="int32");
    %1 = cast(%x, dtype="int32");
    %2 = add(%0, %a);
    %3 = add(%1, %b);
    (%2, %3)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 3;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumCopied", "casts copied">];
}

def SimplifyFCTranspose : ModulePass<"simplify-fc-transpose"> {
  let Summary = "replaces transposed weights of dense layers by transposed parameters";
  let Description = [{
    Replaces the weight of a dense layer that is the transpose of a parameter
    `%w` by a parameter `%w.T` with the transposed value. The parameters of a
    changed function are in the order of their first uses, new ones last, and
    unused ones are removed. Functions that have callers are unchanged.

    ```
    def @main(%x: Tensor[(1, 4), float32], %w: Tensor[(4, 5), float32]) {
      %0 = transpose(%w, axes=[1, 0]);
      nn.dense(%x, %0, units=5)
    }
    ```
    becomes
    ```
    def @main(%x: Tensor[(1, 4), float32], %w.T: Tensor[(5, 4), float32]) {
      nn.dense(%x, %w.T, units=5)
    }
    ```
  }];
  let Tolerance = NotCompared<"parameters are transposed">;
  let OptLevel = 4;
  let Requires = [DeadCodeElimination];
  let Options = [ListOption<"target-weight-name", [], "parameters to transpose; empty means all candidates">];
  let Statistics = [Statistic<"NumLayers", "layers with a transposed parameter">];
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

def ManifestLifetimes : FunctionPass<"manifest-lifetimes"> {
  let Summary = "frees variables after their last uses";
  let Description = [{
    Inserts `memory.kill` after the last binding of a block that uses a variable,
    if the variable is not used later. A variable that only one branch uses is
    freed there. `let %b = %a` is removed. If the value is a graph node
    (`let %b = %0`), the variable stays and lives as long as the node. Unused
    variables and variables of closures are not freed, and neither are graph
    nodes: run `to-a-normal-form` first. Run the pass last: other passes may move
    a use of a variable past its `memory.kill`.

    ```
    let %a = exp(%x);
    let %b = exp(%a);
    %b
    ```
    becomes
    ```
    let %a = exp(%x);
    let %x1 = memory.kill(%x);
    let %b = exp(%a);
    let %x2 = memory.kill(%a);
    %b
    ```
  }];
  let Tolerance = Exact;
  let Statistics = [Statistic<"NumKills", "variables freed">];
}

def PlanDevices : ModulePass<"plan-devices"> {
  let Summary = "puts every value on a device";
  let Description = [{
    Finds the device of every value and writes it down: in the parameters and the
    results of functions, in an `on_device` around each value of a `let`, and
    around each operand whose device is another than that of the operation. A
    `device_copy` is inserted between different devices.

    `on_device` requires a device for its body, and leaves that of its users open;
    as the value of a `let` or as a function's result it requires the device for
    these, too. The operands and the result of an operator are on one device. The
    parameters and the result of a function are on devices of their own, the same
    for all calls. Shapes are on the host. Where no device is required, the result
    of a function is on `default-device`, parameters are on the device of the
    result, and the value of a `let` is on the device of its body.

    With `targets=llvm,cuda;default-device=cuda`, where `cpu` stands for a virtual
    device of the metadata,
    ```
    def @main(%x: Tensor[(5), float32], %y: Tensor[(5), float32]) {
      %0 = on_device(add(%x, %x), virtual_device=cpu);
      subtract(%0, %y)
    }
    ```
    becomes
    ```
    def @main(%x {virtual_device=cpu}: Tensor[(5), float32], %y {virtual_device=cuda}: Tensor[(5), float32], virtual_device=cuda) {
      %0 = on_device(add(%x, %x), virtual_device=cpu, constrain_result=True);
      %1 = device_copy(%0, src_virtual_device=cpu, dst_virtual_device=cuda);
      subtract(%1, %y)
    }
    ```
    Devices that conflict where no `on_device` allows a copy, and a device without
    a target, are errors.
  }];
  let Tolerance = Exact;
  let Requires = [InferType];
  let Options = [
    ListOption<"targets", [], "targets to compile for, with their options as in -target: llvm,mcpu=skylake,cuda; without this option -target, or llvm">,
    ListOption<"host", [], "the target of shapes and of the code that calls others; without this option the first of targets for a processor, or llvm">,
    StringOption<"default-device", "", "the device of values without constraints, such as cpu or cuda; the default is the device of the only target, or cpu">,
    BoolOption<"only-with-target", 0, "change nothing without -target">
  ];
  let Statistics = [Statistic<"NumCopies", "copies inserted">];
}

//===----------------------------------------------------------------------===//
// Sparse weights
//===----------------------------------------------------------------------===//

defvar SparseWeightOptions = [
  ListOption<"weight-name", [], "names of the parameters, without `%`">,
  ListOption<"weight-shape", [], "extents of each: BLOCKSxROWSxCOLUMNSxBLOCKSxSTARTS">
];
defvar SparseConv2DOptions = [
  EnumOption<"layout", ["NHWC", "NCHW"], "NHWC", "layout of the convolutions">,
  IntOption<"kernel-size", 1, "height and width of the kernels: 1, or 3 in NHWC", Between<1, 3>>
];

def DenseToSparse : ModulePass<"dense-to-sparse"> {
  let Summary = "replaces dense layers by layers with sparse parameters";
  let Description = [{
    Replaces each `nn.dense` whose weight is one of the parameters `weight-name`
    by `nn.sparse_dense`. The weight `%w` becomes the parameters `%w.data`,
    `%w.indices` and `%w.indptr`, a matrix in blocks of rows (BSR) like those of
    scipy. `weight-shape` has the extents of each weight: three of the data, that
    of the indices, and that of indptr. The parameters of a changed function are
    in the order of their first uses, new ones last, and unused ones are
    removed. Functions that have callers are unchanged.

    With `weight-name=w;weight-shape=10x8x1x10x5`,
    ```
    def @main(%x: Tensor[(1, 64), float32], %w: Tensor[(32, 64), float32]) {
      nn.dense(%x, %w, units=None)
    }
    ```
    becomes
    ```
    def @main(%x: Tensor[(1, 64), float32], %w.data: Tensor[(10, 8, 1), float32], %w.indices: Tensor[(10), int32], %w.indptr: Tensor[(5), int32]) {
      nn.sparse_dense(%x, %w.data, %w.indices, %w.indptr)
    }
    ```
    A matrix that differs from the weight in its number of rows, blocks that do
    not divide its columns, more blocks than it has, an incomplete
    `weight-shape`, and another parameter with the name of a part are errors.
  }];
  let Tolerance = NotCompared<"parameters are replaced">;
  let OptLevel = 4;
  let Requires = [DeadCodeElimination];
  let Options = SparseWeightOptions;
  let Remarks = ["dense-layer"];
  let Statistics = [Statistic<"NumLayers", "layers replaced">];
}

def Conv2dToSparse : ModulePass<"conv2d-to-sparse"> {
  let Summary = "replaces convolutions by convolutions with sparse parameters";
  let Description = [{
    Like `dense-to-sparse`, for `nn.conv2d` and `nn.sparse_conv2d`. The rows of
    the matrix are the filters, its columns the elements of the kernel by
    height, width and input channel. Convolutions of another `layout` or
    `kernel-size`, and those with strides, dilation, groups or a padding that
    changes the height or the width, stay.
  }];
  let Tolerance = NotCompared<"parameters are replaced">;
  let OptLevel = 4;
  let Requires = [DeadCodeElimination];
  let Options = SparseWeightOptions # SparseConv2DOptions;
  let Remarks = ["dense-layer"];
  let Statistics = [Statistic<"NumLayers", "layers replaced">];
}

def Conv2dToSparse2 : FunctionPass<"conv2d-to-sparse2"> {
  let Summary = "makes constant weights of convolutions sparse";
  let Description = [{
    Replaces `nn.conv2d` with a constant weight by `nn.sparse_conv2d`, if at least
    `sparsity-threshold` of the weight is in blocks of `blocksize` that are zero.

    `-pass-remarks-missed=conv2d-to-sparse2` prints the convolutions that stay,
    and why.
  }];
  let Tolerance = Approximates<"1e-4", "1e-5", "products are summed up in another order, without those by zero">;
  let OptLevel = 5;
  let Options = SparseConv2DOptions # [
    ListOption<"blocksize", ["1", "1"], "rows and columns of a block", IntType<AtLeast<1>>>,
    FloatOption<"sparsity-threshold", "0.5", "smallest part of the weight that is in zero blocks", Between<0, 1>>
  ];
  let Remarks = ["dense-layer"];
  let Statistics = [Statistic<"NumLayers", "layers replaced">];
}

def AlterOpLayout : FunctionPass<"alter-op-layout"> {
  let Summary = "converts operators to the layouts that the target computes with";
  let Description = [{
    Converts `nn.conv2d` and `nn.dense` to the layouts and operators of the
    target (`-target`); other operators follow, as in `convert-layout`. For
    `llvm` and `c`, channels are in blocks as wide as the vectors of the
    processor (`mcpu`, `mattr`), as in TVM without tuning, unless one of the
    target's `libs` computes the layer. Arm and other targets keep their layouts.

    With `-target=llvm,mcpu=core-avx2`,
    ```
    %0 = nn.conv2d(%x, %w, padding=[1, 1], channels=64, kernel_size=[3, 3]);
    nn.relu(%0)
    ```
    becomes
    ```
    %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NCHW8c");
    %1 = layout_transform(%w, src_layout="OIHW", dst_layout="OIHW8i8o");
    %2 = nn.contrib_conv2d_NCHWc(%0, %1, padding=[1, 1, 1, 1], channels=64, kernel_size=[3, 3], data_layout="NCHW8c", kernel_layout="OIHW8i8o", out_layout="NCHW8c");
    %3 = nn.relu(%2);
    layout_transform(%3, src_layout="NCHW8c", dst_layout="NCHW")
    ```
  }];
  let Tolerance = Within<"1e-4", "1e-5", "products are summed up in another order">;
  let OptLevel = 3;
  let Requires = [InferType];
  let Remarks = ["kept-layout"];
  let Statistics = [
    Statistic<"NumAltered", "operators converted">,
    Statistic<"NumFollowed", "operators that follow the layouts of their operands">,
    Statistic<"NumTransforms", "layout_transform operations created">
  ];
}

def ConvertLayout : FunctionPass<"convert-layout"> {
  let Summary = "converts operators to the requested layouts";
  let Description = [{
    Converts each operator in `desired-layouts` to the layouts listed for it:
    the layout of the data, and for convolutions and regions of interest also
    that of the weight or the regions; `default` selects the layout that matches
    the data. Layout-agnostic operators follow their operands. The pass inserts
    `layout_transform` only between different layouts, and `expand_dims` for the
    operand of lower rank where an operator broadcasts.

    With `desired-layouts=nn.conv2d:NHWC:default`,
    ```
    %0 = nn.conv2d(%x, %w, channels=16, kernel_size=[3, 3]);
    nn.relu(%0)
    ```
    becomes
    ```
    %0 = layout_transform(%x, src_layout="NCHW", dst_layout="NHWC");
    %1 = layout_transform(%w, src_layout="OIHW", dst_layout="HWIO");
    %2 = nn.conv2d(%0, %1, channels=16, kernel_size=[3, 3], data_layout="NHWC", kernel_layout="HWIO");
    %3 = nn.relu(%2);
    layout_transform(%3, src_layout="NHWC", dst_layout="NCHW")
    ```
    Variables of `let`, parameters and results keep their layouts.
  }];
  let Tolerance = Within<"1e-5", "1e-6", "convolutions in another layout sum in another order">;
  let OptLevel = 3;
  let Requires = [InferType, CanonicalizeOps];
  let Remarks = ["kept-layout"];
  let Options = [MapOption<"desired-layouts", [], "requested layouts by operator">];
  let Statistics = [
    Statistic<"NumConverted", "operators converted to a requested layout">,
    Statistic<"NumFollowed", "operators that follow the layouts of their operands">,
    Statistic<"NumTransforms", "layout_transform operations created">
  ];
}

def Legalize : FunctionPass<"legalize"> {
  let Summary = "replaces operators by forms for which the target has code";
  let Description = [{
    For any target, and without one:

    - `nn.conv2d_transpose` and `nn.conv3d_transpose` with the channels last
      become ones with the channels first, between transpositions, with a weight
      of the layout `IOHW` or `IODHW`;
    - `nn.conv2d_backward_weight` becomes an `nn.conv2d` with a group for each
      channel of each sample;
    - `take` of data of a dynamic shape gets an `annotation.stop_fusion`;
    - a `clip` of a `qnn.requantize` to all numbers of its type is removed.

    For targets with the key `cpu`, `erf` of other types than float32 is computed
    in float32. For x86, `nn.conv2d` (with SSE4.2), `nn.dense` and
    `nn.batch_matmul` (with AVX512BW or AMX) of int8 get data of uint8, and axes
    are filled up to multiples of 4 and 16. TVM's rules for `cuda`, `arm_cpu` and
    `hexagon`, which depend on the kernels that TVM selects, are left out.
    Hooks of the kind `Legalization` add rules.

    ```
    nn.dense(%x, %w, units=None, out_dtype="int32")
    ```
    becomes, for int8 and with `-target=llvm,mcpu=skylake-avx512`,
    ```
    %0 = cast(%x, dtype="int32");
    %1 = add(%0, 128);
    %2 = cast(%1, dtype="uint8");
    %3 = cast(%w, dtype="int32");
    %4 = sum(%3, axis=[-1]);
    %5 = nn.dense(%2, %w, units=None, out_dtype="int32");
    %6 = multiply(128, %4);
    subtract(%5, %6)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-5", "erf is computed in float32; sums are in another order">;
  let OptLevel = 1;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumLegalized", "operators replaced">];
}

def QnnLegalize : FunctionPass<"qnn-legalize"> {
  let Summary = "adapts quantized operators to a target";
  let Description = [{
    Replaces unary operators (`qnn.tanh`, ...) by tables of their results, and
    `qnn.conv2d_transpose` by `nn.conv2d_transpose` of int16. With a target,
    also changes `qnn.conv2d` and `qnn.dense` to the data types that it
    multiplies fast. [Quantization](../Quantization.md) has the details.

    ```
    qnn.conv2d(%x, %w, 3, 5, 0.5f, 0.2f, channels=4, kernel_size=[2, 2], out_dtype="int32")
    ```
    becomes, with `-target=llvm`,
    ```
    %0 = cast(%x, dtype="int16");
    %1 = cast(3, dtype="int16");
    %2 = cast(%w, dtype="int16");
    %3 = cast(5, dtype="int16");
    %4 = subtract(%0, %1);
    %5 = subtract(%2, %3);
    nn.conv2d(%4, %5, channels=4, kernel_size=[2, 2], out_dtype="int32")
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumLegalized", "operators replaced">];
}

def QnnCanonicalizeOps : FunctionPass<"qnn-canonicalize"> {
  let Summary = "replaces quantized operators by operators on integers and floats";
  let Description = [{
    Replaces the operators of the `qnn` dialect by the operators that compute
    them. `qnn.conv2d_transpose` and the simulated operators stay, as in TVM;
    `qnn.contrib_dense_pack` is an error. The options apply to changes of scale
    that do not state a method (`rounding` and `compute_dtype` of
    `qnn.requantize`). [Quantization](../Quantization.md) has the details.

    ```
    qnn.requantize(%x, 0.5f, 3, 0.2f, 0, out_dtype="int8")
    ```
    becomes
    ```
    %0 = reshape(3, newshape=[-1]);
    %1 = cast(%x, dtype="int32");
    %2 = cast(%0, dtype="int32");
    %3 = subtract(%1, %2);
    %4 = fixed_point_multiply(%3, multiplier=1342177260, shift=2);
    %5 = clip(%4, a_min=-128f, a_max=127f);
    cast(%5, dtype="int8")
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Requires = [InferType];
  let Options = [
    EnumOption<"rounding", ["upward", "tonearest"], "upward",
               "how halves are rounded: to the larger number, or away from zero">,
    EnumOption<"compute-dtype", ["target", "int64", "float32", "float64"], "target",
               "the data type of the computation; target: float32 for x86 with SSE4.1, else int64">
  ];
  let Statistics = [Statistic<"NumLowered", "operators replaced">];
}

def ToMixedPrecision : ModulePass<"to-mixed-precision"> {
  let Summary = "lets operators compute in float16 or bfloat16";
  let Description = [{
    Casts the operands of calls to `dtype`, by the category of the operator
    (fact `MixedPrecision`):

    - `always`: the operator computes in `dtype`;
    - `follow`: it does if the floats of all operands have this type. Variables
      and constants are cast to it;
    - `never`: it computes in float32.

    An operator without category follows its operands; `missing-op-mode` tells
    whether this is an error (0), a warning (1) or neither (2). The file
    `categories`, in the format of `-op-facts`, changes categories for this pass.
    `accumulation-dtype` is the type in which operators that can state the type
    of their result, such as `nn.conv2d`, compute it; it is cast to `dtype` where an operator needs
    that.

    Parameters keep their types. `let` variables get the types of their values.
    The result of a function gets the type of its body, unless another function
    refers to it or `keep-orig-output-dtype` is true; then it is cast back.
    Arguments of functions and contents of references are cast back, too.
    Operators that do not take `dtype` keep their types.

    ```
    %0 = nn.dense(%x, %w, units=8);
    nn.softmax(nn.relu(%0))
    ```
    becomes
    ```
    %0 = cast(%x, dtype="float16");
    %1 = cast(%w, dtype="float16");
    %2 = nn.dense(%0, %1, units=8, out_dtype="float16");
    %3 = nn.relu(%2);
    %4 = cast(%3, dtype="float32");
    nn.softmax(%4)
    ```
  }];
  let Requires = [InferType];
  let Tolerance = InOtherFloats<"0.25", "0.25",
                                "operators round to another data type">;
  let Options = [
    EnumOption<"dtype", ["float16", "bfloat16", "float32", "float64"], "float16",
               "the data type in which operators compute">,
    EnumOption<"accumulation-dtype", ["dtype", "float16", "bfloat16", "float32", "float64"], "dtype",
               "the data type of results before they are cast; dtype: that of the option dtype">,
    IntOption<"missing-op-mode", 1, "how operators without category are treated: 0 as errors, 1 with a warning, 2 silently", Between<0, 2>>,
    OptionalOption<"keep-orig-output-dtype", BoolType,
                   "cast results to their types; without the option relay.ToMixedPrecision.keep_orig_output_dtype">,
    FileOption<"categories", "file of facts of kind MixedPrecision that override the categories of operators">
  ];
  let Statistics = [
    Statistic<"NumLowered", "calls converted to the lower precision">,
    Statistic<"NumKept", "calls with floats kept in float32">
  ];
  let Remarks = ["full-precision"];
}

def FastMath : FunctionPass<"fast-math"> {
  let Summary = "replaces operators by fast approximations";
  let Description = [{
    Replaces `exp`, `tanh`, `erf` and `nn.softmax` of floats by `fast_exp`,
    `fast_tanh`, `fast_erf` and `nn.fast_softmax`.

    ```
    exp(%x)
    ```
    becomes
    ```
    fast_exp(%x)
    ```
  }];
  let Tolerance = Approximates<"1e-3", "1e-3", "functions are replaced by approximations">;
  let OptLevel = 4;
  let Requires = [InferType];
}

def ApplyRules : FunctionPass<"rewrite"> {
  let Summary = "applies the rewrite rules of a file";
  let Description = [{
    Reads rules from the file `rules` and applies them until no rule matches.
    Patterns in the file are ignored. A rule does not apply where it would change
    the type of a value. Calls of constants that a rule creates are folded unless
    `fold-constants=false` is given. Each rule is a statistic of the pass. [Rules](../Rules.md#rules-as-text) describes the file.

    With
    ```
    rule "square" = multiply(%x, %x) -> power(%x, 2f)
    ```
    ```
    multiply(%x, %x)
    ```
    becomes
    ```
    power(%x, 2f)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-5", "rules may compute in another order">;
  let Requires = [InferType];
  let Options = [
    FileOption<"rules", "file of rules">,
    BoolOption<"fold-constants", 1, "fold calls of constants that rules create">
  ];
}

def MergeComposite : FunctionPass<"merge-composite"> {
  let Summary = "outlines the matches of a pattern table into composite functions";
  let Description = [{
    Reads a pattern table from the file `patterns`, in the format of
    `-match-file`, and adds the tables of `targets`. Partitions each function by
    the patterns, in order. Each match is replaced by the call of a closure with the attributes
    `PartitionedFromPattern` and `Composite`, the name of the pattern. Constants
    that the pattern requires stay in the closure; other leaves become
    parameters. A match is unchanged if a part of it has other uses. Each name is
    a statistic of the pass. [Patterns](../Patterns.md#composites) has more.

    With
    ```
    pattern "my.add_relu" = nn.relu(add(*, const))
    ```
    ```
    %0 = add(%x, 1f);
    nn.relu(%0)
    ```
    becomes
    ```
    %1 = fn (%FunctionVar_0_0: Tensor[(4), float32], PartitionedFromPattern="add_nn.relu_", Composite="my.add_relu") -> Tensor[(4), float32] {
      %0 = add(%FunctionVar_0_0, 1f);
      nn.relu(%0)
    };
    %1(%x)
    ```
  }];
  let Tolerance = Exact;
  let Options = [
    FileOption<"patterns", "file of patterns">,
    ListOption<"targets", [], "targets whose pattern tables follow, in this order">
  ];
  let Remarks = ["no-composite"];
}

//===----------------------------------------------------------------------===//
// Partitioning for other compilers
//===----------------------------------------------------------------------===//

def AnnotateTarget : ModulePass<"annotate-target"> {
  let Summary = "marks the operations that targets support";
  let Description = [{
    Puts each call that a target of `targets` supports between
    `annotation.compiler_begin` at its arguments and `annotation.compiler_end`
    at its result. The first target that supports a call takes it; other calls
    get the target `default`, the host. A target supports

    - calls of operators with the fact `TargetSupport` under the key of its name,
      unless a hook of kind `SupportCheck` refuses the call; the file `support`,
      in the format of `-op-facts`, changes these facts for this pass; and
    - composites (`merge-composite`) whose name begins with its name and a dot.

    With `include-non-call-ops`, tuples, projections, references and calls of
    variables are annotated, too: for the target of all of their operands, or
    else for the host. Functions with the attribute `Compiler`, `Extern` or
    `SkipOptimization` are skipped. The pass may run several times: it leaves
    regions of other targets than `default` unchanged.

    ```
    tanh(nn.relu(%x))
    ```
    becomes, with `targets=npu` for a target that supports `nn.relu`,
    ```
    %0 = annotation.compiler_begin(%x, compiler="npu");
    %1 = nn.relu(%0);
    %2 = annotation.compiler_end(%1, compiler="npu");
    %3 = annotation.compiler_begin(%2, compiler="default");
    %4 = tanh(%3);
    annotation.compiler_end(%4, compiler="default")
    ```
  }];
  let Tolerance = Exact;
  let Options = [
    ListOption<"targets", [], "targets, in the order of their preference">,
    FileOption<"support", "file of facts of kind TargetSupport that override the facts of the targets">,
    BoolOption<"include-non-call-ops", 1, "annotate tuples, projections, references and calls of variables">
  ];
  let Statistics = [Statistic<"NumAnnotated", "calls annotated for a target other than default">];
  let Remarks = ["unsupported"];
}

def MergeCompilerRegions : FunctionPass<"merge-compiler-regions"> {
  let Summary = "merges adjacent annotated regions of the same compiler";
  let Description = [{
    Merges the regions that `annotate-target` marked where one reads the result
    of the other and both have the same compiler, and removes the annotations
    between them. Regions stay apart if the merged region would depend on
    itself: through another region, an operation outside of regions, or the
    order of `let`s. Regions with effects stay apart.

    ```
    %1 = nn.relu(%0);
    %2 = annotation.compiler_end(%1, compiler="npu");
    %3 = annotation.compiler_begin(%2, compiler="npu");
    %4 = exp(%3);
    ```
    becomes
    ```
    %1 = nn.relu(%0);
    %2 = exp(%1);
    ```
  }];
  let Tolerance = Exact;
  let Statistics = [Statistic<"NumMerged", "regions merged into others">];
  let Remarks = ["not-merged"];
}

def PartitionGraph : ModulePass<"partition-graph"> {
  let Summary = "outlines annotated regions into functions of their compilers";
  let Description = [{
    Replaces each annotated region by the call of a new global function with the
    attributes `Compiler`, `Primitive`, `Inline` and `global_symbol`. Its name is
    `tvmgen_<mod-name>_<compiler>_<function>_<number>`. The begins of the region
    become its parameters, with `bind-constants` except for constants, and its
    ends the result, a tuple if several values are used outside. Annotations for
    `default` and annotations of variables are removed.

    ```
    %0 = annotation.compiler_begin(%x, compiler="npu");
    %1 = nn.relu(%0);
    %2 = annotation.compiler_end(%1, compiler="npu");
    tanh(%2)
    ```
    becomes
    ```
    def @main(%x: Tensor[(4), float32]) {
      %0 = @tvmgen_default_npu_main_0(%x);
      tanh(%0)
    }
    def @tvmgen_default_npu_main_0(%npu_0_i0: Tensor[(4), float32], Compiler="npu", Primitive=1, Inline=1, global_symbol="tvmgen_default_npu_main_0") -> Tensor[(4), float32] {
      nn.relu(%npu_0_i0)
    }
    ```
  }];
  let Tolerance = Exact;
  let Options = [
    StringOption<"mod-name", "default", "a part of the names of the functions; may be empty">,
    BoolOption<"bind-constants", 1, "keep constants in the functions instead of passing them">
  ];
  let Statistics = [
    Statistic<"NumRegions", "functions created">,
    Statistic<"NumOutlined", "operations moved into them">
  ];
}

def OutlineCompilerFunctions
    : ModulePass<"outline-compiler-functions-with-existing-global-symbols"> {
  let Summary = "outlines closures of compilers into functions named by their global_symbol";
  let Description = [{
    Moves each closure with the attribute `Compiler` that is called into a global
    function whose name is the closure's `global_symbol`. With
    `compiler-filter`, only closures of this compiler are moved. Closures with
    equal bodies may share a symbol. A closure without `global_symbol`, one that
    uses variables of the code around it, and a symbol that names another
    function are errors. Other uses of a closure than calls keep the closure.
    Functions with the attribute `Compiler`, `Extern` or `SkipOptimization` are
    skipped.

    ```
    %0 = fn (%y: Tensor[(4), float32], Compiler="npu", global_symbol="npu_0") -> Tensor[(4), float32] {
      nn.relu(%y)
    };
    %0(%x)
    ```
    becomes
    ```
    def @main(%x: Tensor[(4), float32]) {
      @npu_0(%x)
    }
    def @npu_0(%y: Tensor[(4), float32], Compiler="npu", global_symbol="npu_0") -> Tensor[(4), float32] {
      nn.relu(%y)
    }
    ```
  }];
  let Tolerance = Exact;
  let Options = [StringOption<"compiler-filter", "", "the compiler; empty for all">];
  let Statistics = [
    Statistic<"NumOutlined", "closures outlined">,
    Statistic<"NumFunctions", "functions created">
  ];
}

def MarkCompilerFunctionsAsExtern
    : ModulePass<"mark-compiler-functions-as-extern"> {
  let Summary = "replaces the attributes of compiled functions by Extern";
  let Description = [{
    Replaces all attributes of each global function with the attribute `Compiler`
    by `Extern=1`: another compiler has compiled it, and its body only determines
    its type. With `compiler-filter`, only functions of this compiler are marked.

    ```
    def @f(%x: Tensor[(4), float32], Compiler="npu", Primitive=1, global_symbol="f") -> Tensor[(4), float32] {
      nn.relu(%x)
    }
    ```
    becomes
    ```
    def @f(%x: Tensor[(4), float32], Extern=1) -> Tensor[(4), float32] {
      nn.relu(%x)
    }
    ```
  }];
  let Tolerance = Exact;
  let Options = [StringOption<"compiler-filter", "", "the compiler; empty for all">];
  let Statistics = [Statistic<"NumMarked", "functions marked">];
}

def InlineCompilerFunctionsBoundTo
    : ModulePass<"inline-compiler-functions-bound-to"> {
  let Summary = "inlines functions of compilers by name";
  let Description = [{
    The inverse of `partition-graph` and `merge-composite` for the functions
    `global-vars`: replaces each call by the body, in which composites are
    inlined, too, and each other use by a closure, and removes the functions. A
    function that is missing, has no attribute `Compiler` or is recursive is an
    error.

    With `global-vars=f`,
    ```
    def @f(%x: Tensor[(4), float32], Compiler="npu") -> Tensor[(4), float32] { nn.relu(%x) }
    def @main(%x: Tensor[(4), float32]) { tanh(@f(%x)) }
    ```
    becomes
    ```
    def @main(%x: Tensor[(4), float32]) {
      %0 = nn.relu(%x);
      tanh(%0)
    }
    ```
  }];
  let Tolerance = Exact;
  let Options = [ListOption<"global-vars", [], "names of the functions, without `@`">];
  let Statistics = [
    Statistic<"NumInlined", "uses inlined">,
    Statistic<"NumRemoved", "functions removed">
  ];
}

def DivToMul : FunctionPass<"div-to-mul"> {
  let Summary = "replaces divisions by constants by multiplications";
  let Description = [{
    Replaces divisions of floats by a constant without zeros by multiplications
    by the inverse.

    ```
    divide(%x, 4f)
    ```
    becomes
    ```
    multiply(%x, 0.25f)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-5", "the inverse of the constant is rounded">;
  let Requires = [InferType, FoldConstant];
}

def FoldExplicitPadding : FunctionPass<"fold-explicit-padding"> {
  let Summary = "folds nn.pad into convolutions and pooling";
  let Description = [{
    Folds `nn.pad` of spatial axes into the padding of its user if both pad with
    the same value: zero for `nn.conv1d`, `nn.conv2d`, `nn.conv3d` and
    `nn.avg_pool1d` to `3d`, the zero point for `qnn.conv2d`, and the least
    number of the data type for `nn.max_pool1d` to `3d`.

    ```
    %0 = nn.pad(%x, 0f, pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]);
    nn.conv2d(%0, %w, padding=[0, 0, 0, 0])
    ```
    becomes
    ```
    nn.conv2d(%x, %w, padding=[1, 1, 1, 1])
    ```
  }];
  let Tolerance = Exact;
  let Requires = [InferType];
}

def SimplifyExpr : FunctionPass<"simplify-expr"> {
  let Summary = "simplifies arithmetic, casts, shapes and layouts";
  let Description = [{
    - Replaces `zeros_like` and the like by operators with an explicit shape.
    - Removes sums with zeros and products with ones; replaces broadcast tensors
      of one number by scalars.
    - Merges constants that are added or multiplied one after the other.
    - Replaces `x + x` by a product, a division by a square root by a product
      with `rsqrt`, and a quadratic form of two values by its factors.
    - Merges consecutive reshapes, transposes, layout transforms and casts, and
      removes casts, transposes and clips without effect.

    ```
    %0 = ones_like(%x);
    %1 = multiply(%x, %0);
    %2 = transpose(%1, axes=[1, 0]);
    transpose(%2, axes=[1, 0])
    ```
    becomes
    ```
    %x
    ```
  }];
  let Tolerance = Within<"1e-4", "1e-4", "sums and products are computed in another order">;
  let Requires = [InferType];
}

def SimplifyExprPostAlterOp : FunctionPass<"simplify-expr-post-alter-op"> {
  let Summary = "simplifies arithmetic, casts and reshapes, but not layouts";
  let Description = [{
    Applies the rules of `simplify-expr` that TVM applies again after
    `alter-op-layout`: it removes sums with zeros, products with ones, and casts
    and clips without effect, and merges consecutive reshapes and casts.

    ```
    %0 = reshape(%x, newshape=[2, 8]);
    reshape(%0, newshape=[4, 4])
    ```
    becomes
    ```
    reshape(%x, newshape=[4, 4])
    ```
  }];
  let Tolerance = Exact;
  let Requires = [InferType];
}

def FlattenAtrousConv : FunctionPass<"flatten-atrous-conv"> {
  let Summary = "folds space_to_batch_nd and batch_to_space_nd into a dilated conv2d";
  let Description = [{
    Replaces a convolution between `nn.space_to_batch_nd` and
    `nn.batch_to_space_nd` by a convolution whose dilation is the block shape.

    ```
    %0 = nn.space_to_batch_nd(%x, block_shape=[2, 2], paddings=[[2, 2], [2, 2]]);
    %1 = nn.conv2d(%0, %w, kernel_size=[3, 3], data_layout="NHWC", kernel_layout="HWIO");
    nn.batch_to_space_nd(%1, block_shape=[2, 2], crops=[[0, 0], [0, 0]])
    ```
    becomes
    ```
    nn.conv2d(%x, %w, padding=[2, 2, 2, 2], dilation=[2, 2], kernel_size=[3, 3], data_layout="NHWC", kernel_layout="HWIO")
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-5", "sums are in another order">;
  let Requires = [InferType];
}

//===----------------------------------------------------------------------===//
// Merging of parallel operators
//===----------------------------------------------------------------------===//

class CombineParallel<string argument> : FunctionPass<argument> {
  let OptLevel = 4;
  let Requires = [InferType];
  let Options = [IntOption<"min-num-branches", 3, "smallest number of calls to merge", AtLeast<1>>];
  let Statistics = [
    Statistic<"NumGroups", "groups of calls merged">,
    Statistic<"NumCalls", "calls merged">
  ];
}

def CombineParallelConv2d : CombineParallel<"combine-parallel-conv2d"> {
  let Summary = "merges convolutions of the same input";
  let Description = [{
    Merges convolutions (`nn.conv2d`) of the same data that differ only in
    weights and numbers of channels. The weights are concatenated. Equal
    elementwise operations that follow each convolution are merged too if their
    other operands have the axis of the channels. `strided_slice` extracts the
    results.

    Does not merge grouped convolutions, packed layouts and weights of unknown
    shape, nor convolutions in different branches or closures, nor convolutions
    whose weight depends on another of them or is bound after it.

    ```
    %0 = nn.conv2d(%x, %w1);
    %1 = nn.conv2d(%x, %w2);
    (nn.relu(%0), nn.relu(%1))
    ```
    becomes, with `min-num-branches=2` and 8 and 16 channels,
    ```
    %0 = (%w1, %w2);
    %1 = concatenate(%0);
    %2 = nn.conv2d(%x, %1, channels=24);
    %3 = nn.relu(%2);
    %4 = strided_slice(%3, begin=[0, 0], end=[-1, 8], strides=[1, 1], slice_mode="size");
    %5 = strided_slice(%3, begin=[0, 8], end=[-1, 16], strides=[1, 1], slice_mode="size");
    (%4, %5)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-6", "a wider convolution may sum in another order">;
}

def CombineParallelDense : CombineParallel<"combine-parallel-dense"> {
  let Summary = "merges dense layers of the same input";
  let Description = [{
    Merges dense layers (`nn.dense`) of the same data into a `nn.batch_matmul` of
    their stacked weights, which must have the same shape, or, with
    `to-batch=false`, into one dense layer with all units. Equal elementwise
    operations that follow each layer are merged too.

    ```
    %0 = nn.dense(%x, %w1, units=4);
    %1 = nn.dense(%x, %w2, units=4);
    (%0, %1)
    ```
    becomes, with `min-num-branches=2`,
    ```
    %0 = (%x, %x);
    %1 = (%w1, %w2);
    %2 = stack(%0);
    %3 = stack(%1);
    %4 = nn.batch_matmul(%2, %3, transpose_b=True);
    %5 = split(%4, indices_or_sections=2);
    %6 = %5.0;
    %7 = %5.1;
    %8 = squeeze(%6, axis=[0]);
    %9 = squeeze(%7, axis=[0]);
    (%8, %9)
    ```
    and with `to-batch=false` too
    ```
    %0 = (%w1, %w2);
    %1 = concatenate(%0);
    %2 = nn.dense(%x, %1, units=8);
    %3 = strided_slice(%2, begin=[0, 0], end=[-1, 4], strides=[1, 1], slice_mode="size");
    %4 = strided_slice(%2, begin=[0, 4], end=[-1, 4], strides=[1, 1], slice_mode="size");
    (%3, %4)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-6", "a wider product may sum in another order">;
  let Options = [
    IntOption<"min-num-branches", 3, "smallest number of calls to merge", AtLeast<1>>,
    BoolOption<"to-batch", 1, "create a batch_matmul instead of a dense layer">
  ];
}

def CombineParallelBatchMatmul : CombineParallel<"combine-parallel-batch-matmul"> {
  let Summary = "merges batch_matmuls of the same left operand";
  let Description = [{
    Merges `nn.batch_matmul`s of the same left operand with transposed right
    operands of the same batch. The right operands are concatenated. Equal
    elementwise operations that follow each product are merged too.

    ```
    %0 = nn.batch_matmul(%x, %y1, transpose_b=True);
    %1 = nn.batch_matmul(%x, %y2, transpose_b=True);
    (%0, %1)
    ```
    becomes, with `min-num-branches=2` and results of 5 columns,
    ```
    %0 = (%y1, %y2);
    %1 = concatenate(%0, axis=1);
    %2 = nn.batch_matmul(%x, %1, transpose_b=True);
    %3 = strided_slice(%2, begin=[0, 0, 0], end=[-1, -1, 5], strides=[1, 1, 1], slice_mode="size");
    %4 = strided_slice(%2, begin=[0, 0, 5], end=[-1, -1, 5], strides=[1, 1, 1], slice_mode="size");
    (%3, %4)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-6", "a wider product may sum in another order">;
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

def FuseOps : FunctionPass<"fuse-ops"> {
  let Summary = "groups operations into primitive functions";
  let Description = [{
    Groups operations by their fusion kind (elementwise, broadcast, injective,
    reduction, ...) and outlines each group into a function with the attribute
    `Primitive`, whose parameters are the inputs of the group in the order of
    their first use. `annotation.stop_fusion` separates groups and is removed.
    Level 0 outlines each operation alone.

    ```
    %0 = nn.conv2d(%x, %w);
    nn.relu(%0)
    ```
    becomes
    ```
    %1 = fn (%p0, %p1, Primitive=1) {
      %0 = nn.conv2d(%p0, %p1);
      nn.relu(%0)
    };
    %1(%x, %w)
    ```
  }];
  let Tolerance = Exact;
  let Requires = [InferType];
  let Options = [
    IntOption<"fuse-opt-level", -1, "fusion level; -1 means the opt level of the context", AtLeast<-1>>,
    IntOption<"max-depth", -1, "largest number of operations in a function; -1 means relay.FuseOps.max_depth", AtLeast<-1>>];
  let Statistics = [Statistic<"NumFunctions", "functions created">];
}

def DefuseOps : FunctionPass<"defuse-ops"> {
  let Summary = "inlines fused functions (the inverse of fuse-ops)";
  let Description = [{
    Inlines calls whose callee is a closure expression, if the body of the
    closure is a graph without `let`.

    ```
    %1 = fn (%p0, %p1, Primitive=1) {
      %0 = nn.conv2d(%p0, %p1);
      nn.relu(%0)
    };
    %1(%x, %w)
    ```
    becomes
    ```
    %0 = nn.conv2d(%x, %w);
    nn.relu(%0)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 3;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumInlined", "calls inlined">];
}

def SplitArgs : FunctionPass<"split-args"> {
  let Summary = "splits concatenations with too many operands";
  let Description = [{
    Splits a concatenation of more tensors than a function of the target can take
    into a chain of concatenations, separated by `annotation.stop_fusion`. An
    unknown dimension counts as a further argument, and so do the strides of a
    tensor that has one.

    ```
    %0 = (%a, %b, %c);
    concatenate(%0)
    ```
    becomes, with `max-function-args=3`,
    ```
    %0 = (%a, %b);
    %1 = annotation.stop_fusion(%0);
    %2 = concatenate(%1);
    %3 = (%2, %c);
    %4 = annotation.stop_fusion(%3);
    concatenate(%4)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Requires = [InferType];
  let Options = [IntOption<"max-function-args", 0, "largest number of arguments and results of a function; 0 means no limit", AtLeast<0>>];
  let Statistics = [Statistic<"NumSplit", "concatenations split">];
}

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

def ToANormalForm : ModulePass<"to-a-normal-form"> {
  let Summary = "let-binds every intermediate value (A-normal form)";
  let Description = [{
    Binds each call, tuple, constant, closure and branch by `let`, in the order of
    evaluation, so that operands are variables. A `let` within an expression
    becomes part of the enclosing chain, and the result of each `let` expression
    gets a name of its own. Primitive functions are unchanged. A value on a
    device is bound in an `on_device` of its own.

    ```
    %0 = add(%x, 1f);
    multiply(%0, %0)
    ```
    becomes
    ```
    let %x1 = 1f;
    let %x2 = add(%x, %x1);
    let %x3 = multiply(%x2, %x2);
    %x3
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Preserves = ["FunctionAnalysisManagerModuleProxy"];
  let Statistics = [Statistic<"NumBound", "bindings created">];
}

def ToBasicBlockNormalForm : ModulePass<"to-basic-block-normal-form"> {
  let Summary = "let-binds values shared by branches before the branches";
  let Description = [{
    Binds each node by `let` whose first use is in a branch or a closure and which
    has a use outside it too, so that it is evaluated before. A value on a device
    is bound in an `on_device` of its own.

    ```
    if (%c) {
      %0 = add(%x, 1f);
      nn.relu(%0)
    } else {
      %0
    }
    ```
    becomes
    ```
    let %x1 = add(%x, 1f);
    if (%c) {
      nn.relu(%x1)
    } else {
      %x1
    }
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Preserves = ["FunctionAnalysisManagerModuleProxy"];
  let Statistics = [Statistic<"NumBound", "bindings created">];
}

def ToGraphNormalForm : ModulePass<"to-graph-normal-form"> {
  let Summary = "turns let bindings into dataflow";
  let Description = [{
    Replaces variables of `let` by their values, and removes unused bindings.
    Values that have an effect or refer to themselves stay bound. Functions with
    the attribute `SkipOptimization` are skipped.

    ```
    let %a = add(%x, 1f);
    let %b = multiply(%a, %a);
    %b
    ```
    becomes
    ```
    %0 = add(%x, 1f);
    multiply(%0, %0)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Preserves = ["FunctionAnalysisManagerModuleProxy"];
  let Statistics = [Statistic<"NumUnbound", "bindings removed">];
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def EtaExpand : ModulePass<"eta-expand"> {
  let Summary = "wraps functions and constructors in closures";
  let Description = [{
    Replaces constructors that are values, uses of global functions, or both, by
    closures that call them. Uses in one function share the closure.

    ```
    @apply(@f, %x)
    ```
    becomes, with `expand-global-var`,
    ```
    %0 = fn (%eta_expand_param) { @f(%eta_expand_param) };
    %1 = fn (%eta_expand_param1, %eta_expand_param2) {
      @apply(%eta_expand_param1, %eta_expand_param2)
    };
    %1(%0, %x)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Preserves = ["FunctionAnalysisManagerModuleProxy"];
  let Options = [
    BoolOption<"expand-constructor", 0, "wrap constructors">,
    BoolOption<"expand-global-var", 0, "wrap global functions">
  ];
  let Statistics = [Statistic<"NumExpanded", "closures created">];
}

def InlineGlobals : ModulePass<"inline"> {
  let Summary = "inlines functions with the attribute Inline";
  let Description = [{
    Replaces each call of a function with the attribute `Inline=1` by its body, or
    by a call of a closure if the function is for another compiler, and each
    other use by a closure. Removes the function afterwards. Recursive and unused
    functions are unchanged.

    ```
    def @f(%x, Inline=1) { nn.relu(%x) }
    def @main(%x) { @f(%x) }
    ```
    becomes
    ```
    def @main(%x) { nn.relu(%x) }
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Statistics = [
    Statistic<"NumInlined", "uses inlined">,
    Statistic<"NumRemoved", "functions removed">
  ];
}

def LambdaLift : ModulePass<"lambda-lift"> {
  let Summary = "lifts closures to global functions";
  let Description = [{
    Moves each closure that is not primitive into a function `@lifted_name<N>`,
    where N is a hash of its structure. A closure with captures becomes a function
    with the attribute `Closure=1` that takes the captures and returns the
    closure. Devices of variables and closures are kept; a redundant `on_device`
    is removed.

    ```
    let %f = fn (%y) { add(%x, %y) };
    %f(%z)
    ```
    becomes
    ```
    def @lifted_name1(%x, Closure=1) { fn (%y) { add(%x, %y) } }

    let %f = @lifted_name1(%x);
    %f(%z)
    ```
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Statistics = [
    Statistic<"NumLifted", "closures lifted">,
    Statistic<"NumFunctions", "functions created">,
    Statistic<"NumDropped", "on_device operations dropped">
  ];
}

def RemoveUnusedFunctions : ModulePass<"remove-unused-functions"> {
  let Summary = "removes functions that are unreachable from the entry functions";
  let Description = [{
    Removes all functions that the entry functions do not call or use, directly or
    indirectly.
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Options = [
    ListOption<"entry-functions", ["main"], "entry functions">
  ];
  let Statistics = [Statistic<"NumRemoved", "functions removed">];
}

//===----------------------------------------------------------------------===//
// Fake quantization
//===----------------------------------------------------------------------===//

def FakeQuantizationToInteger : FunctionPass<"fake-quantization-to-integer"> {
  let Summary = "converts regions between qnn.dequantize and qnn.quantize to integers";
  let Description = [{
    Converts the operators of floats between `qnn.dequantize` and a
    `qnn.quantize` to operators of integers, if each of them has a rule and no
    variable, function or control flow lies between them. Regions are converted
    separately, even if they have operators in common.

    ```
    %0 = qnn.dequantize(%x, 0.5f, 3, out_dtype="float32");
    %1 = qnn.dequantize(%w, 0.25f, 0, out_dtype="float32");
    %2 = nn.dense(%0, %1, units=4);
    qnn.quantize(%2, 1f, 5, out_dtype="int8")
    ```
    becomes
    ```
    %0 = qnn.dense(%x, %w, 3, 0, 0.5f, 0.25f, units=4, out_dtype="int32");
    qnn.requantize(%0, 0.125f, 0, 1f, 5, axis=1, out_dtype="int8")
    ```
    `-pass-remarks-missed=fake-quantization-to-integer` prints the regions that
    are not converted, and why.
  }];
  let Tolerance = WithinSteps<2, "integers are rounded before and after each operator">;
  let Requires = [InferType, DivToMul];
  let Options = [
    BoolOption<"hard-fail", 0, "fail at a region that cannot be converted">,
    BoolOption<"use-qat", 0, "then convert single operators with dequantized operands">,
    ListOption<"optional-qnn-ops", [], "operators to convert that are kept by default, such as nn.softmax">
  ];
  let Remarks = ["kept-region"];
  let Statistics = [
    Statistic<"NumRegions", "regions converted">,
    Statistic<"NumOperators", "operators converted outside of regions">
  ];
}

def QnnQuantizeConstFold : FunctionPass<"qnn-quantize-const-fold"> {
  let Summary = "quantizes constants";
  let Description = [{
    Folds `qnn.quantize` of finite constants with positive, finite scales. With
    `remove-clip-after-requantize`, this converts models imported from PyTorch,
    whose weights are quantized in the model, to the form of models imported
    from TFLite.

    ```
    qnn.quantize(3f, 0.5f, 1, out_dtype="int8")
    ```
    becomes the constant `7i8`.
  }];
  let Tolerance = Exact;
  let Requires = [InferType];
}

def RemoveClipAfterRequantize : FunctionPass<"remove-clip-after-requantize"> {
  let Summary = "removes clips and casts after qnn.requantize";
  let Description = [{
    Removes the clip to the range of a data type and the cast to it from the
    result of `qnn.requantize` with int32: the operator saturates to the range
    of its data type.

    ```
    %0 = qnn.requantize(%x, 0.5f, 0, 1f, 3, out_dtype="int32");
    %1 = clip(%0, a_min=0f, a_max=255f);
    cast(%1, dtype="uint8")
    ```
    becomes
    ```
    qnn.requantize(%x, 0.5f, 0, 1f, 3, out_dtype="uint8")
    ```
  }];
  let Tolerance = Exact;
  let Requires = [InferType];
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

def : ExtensionPoint<"pipeline-start", "before all passes of default<O0> to default<O4>">;
def : ExtensionPoint<"before-fusion", "before fuse-ops, on the simplified graph">;
def : ExtensionPoint<"pipeline-end", "after all passes of default<O0> to default<O4>">;

def FoldScaleAxis
    : Pipeline<"fold-scale-axis",
               "backward-fold-scale-axis,forward-fold-scale-axis,fold-constant"> {
  let Summary = "folds scales into weights, and constant weights";
}

def BatchingOps
    : Pipeline<"batching-ops",
               "combine-parallel-conv2d,combine-parallel-dense,combine-parallel-batch-matmul"> {
  let Summary = "merges parallel convolutions, dense layers and matrix products";
}

// The members of `passes` that run at `level`, as text.
class PassesUpTo<int level, list<PassDef> passes> {
  string Text = !interleave(
      !foreach(pass, !filter(p, passes, !le(p.OptLevel, level)), pass.Argument),
      ",");
}

// The order of relay.build of TVM 0.18 for the graph executor (D30 in
// docs/Decisions.md).
class DefaultPipeline<int level>
    : Pipeline<"default<O" # level # ">",
               "extension<pipeline-start>," #
                   PassesUpTo<level, !listconcat(
                       [RemoveUnusedFunctions, ToBasicBlockNormalForm,
                        QnnLegalize, QnnCanonicalizeOps, Legalize,
                        SimplifyInference, EliminateCommonSubexpr,
                        CombineParallelConv2d, CombineParallelDense,
                        CombineParallelBatchMatmul, FoldConstant],
                       // Its members have opt level 3.
                       !if(!ge(level, 3), [FoldScaleAxis]<PassDef>, []<PassDef>),
                       [SimplifyExpr, CanonicalizeCast, CanonicalizeOps,
                        FlattenAtrousConv, AlterOpLayout,
                        SimplifyExprPostAlterOp, FastMath, FoldConstant])>.Text #
                   ",extension<before-fusion>," #
                   !if(!ge(level, 1), "split-args,", "") #
                   "plan-devices<only-with-target>," #
                   PassesUpTo<level, [FuseOps, InlineGlobals]>.Text #
                   ",extension<pipeline-end>"> {
  let Summary = "the graph passes of TVM's relay.build at opt level " # level;
}

foreach level = [0, 1, 2, 3, 4] in
  def DefaultO#level : DefaultPipeline<level>;

def PatternTablePipeline
    : Pipeline<"pattern-table",
               "merge-composite<targets=$targets>,annotate-target<targets=$targets>," #
                   "merge-compiler-regions,partition-graph",
               [ListOption<"targets", [], "targets with pattern tables, in the order of their preference">]> {
  let Summary = "outlines what the pattern tables and operators of targets match";
}

//===----------------------------------------------------------------------===//
// Differentiation
//===----------------------------------------------------------------------===//

def PartialEval : ModulePass<"partial-evaluate"> {
  let Summary = "evaluates expressions with known values at compile time";
  let Description = [{
    Evaluates each function with unknown parameters, and binds every value that
    remains to be computed by `let`, in the order of evaluation:

    - operators and primitive functions on constants become constants;
    - projections of known tuples, `if` with a known condition, `match` of known
      data, and reads of references with known contents are resolved;
    - calls of known closures and functions are unfolded. A recursive call is
      unfolded only if it makes progress, so that recursion ends: an argument
      existed before the calls around it, or is a smaller integer.

    Bindings that are no longer used stay; `dead-code-elimination` removes them.
    Functions of other compilers and primitive functions are unchanged.

    A chain of functions that each call the previous one twice unfolds to a program
    of any size. After the unfolded bodies have `max-unfolded-operations`
    operations, calls stay; each function has an equal part of what is left by the
    functions before it. Calls also stay where regions would nest more than 1000
    deep.

    ```
    let %square = fn (%y) { multiply(%y, %y) };
    let %r = ref(3f);
    let %u = ref_write(%r, %square(ref_read(%r)));
    add(%x, ref_read(%r))
    ```
    becomes, followed by `dead-code-elimination<inline-once;ignore-impurity>`,
    ```
    add(%x, 9f)
    ```
    With `ignore-impurity`, a write of a reference that is still read is removed,
    too. Use it only if no reference is left.
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Options = [
    IntOption<"max-unfolded-operations", 1000000,
              "the operations of bodies that calls in the module may unfold",
              AtLeast<0>>
  ];
  let Statistics = [
    Statistic<"NumEvaluated", "calls evaluated">,
    Statistic<"NumUnfolded", "calls unfolded">,
    Statistic<"NumChosen", "branches and clauses chosen">,
    Statistic<"NumReads", "reads of references resolved">
  ];
}

def Gradient : ModulePass<"gradient"> {
  let Summary = "computes the gradients of the parameters of @main";
  let Description = [{
    Differentiates `@main`, the function of a file that holds an expression:
    the result becomes `(result, (gradients of the parameters...))`. The pass
    differentiates the sum of the elements of the result. An operator
    without a gradient is an error; so is a construct that the mode does not
    support, and a call of `@main` in another function.

    - `first_order` produces straight-line code. Supports operators, tuples,
      constants and `let`. Each projection copies the gradients of all fields of
      its tuple; the number of fields is limited by `-max-operations`.
    - `higher_order` keeps each gradient in a reference and chains closures that
      propagate them. Supports closures, `if` and references too. If the result is
      a tuple, only its first field is differentiated. Chains of more than about
      10000 calls without names nest too deeply; `to-a-normal-form` names them.

    In mode `first_order`,
    ```
    fn (%x: Tensor[(4), float32]) {
      sin(%x)
    }
    ```
    becomes
    ```
    fn (%x: Tensor[(4), float32]) -> (Tensor[(4), float32], (Tensor[(4), float32],)) {
      let %x1 = %x;
      let %x2 = zeros_like(%x1);
      let %x3 = sin(%x1);
      let %x4 = zeros_like(%x3);
      %0 = ones_like(%x3);
      %1 = cos(%x1);
      %2 = multiply(%0, %1);
      %3 = (
        let %x5 = add(%x2, %2);
        (%x5,)
      );
      (%x3, %3)
    }
    ```
  }];
  let Tolerance = NotCompared<"the pass adds gradients to the result">;
  let Options = [
    EnumOption<"mode", ["higher_order", "first_order"], "higher_order",
               "form of the result">
  ];
}

def FirstOrderGradient : ModulePass<"first-order-gradient"> {
  let Summary = "computes the gradients of the parameters of each function";
  let Description = [{
    Differentiates each function, as `gradient<mode=first_order>` differentiates
    `@main`. A call of a function is an error.

    ```
    def @f(%x: Tensor[(4), float32]) {
      negative(%x)
    }
    ```
    becomes
    ```
    def @f(%x: Tensor[(4), float32]) -> (Tensor[(4), float32], (Tensor[(4), float32],)) {
      let %x1 = %x;
      let %x2 = zeros_like(%x1);
      let %x3 = negative(%x1);
      let %x4 = zeros_like(%x3);
      %0 = ones_like(%x3);
      %1 = negative(%0);
      %2 = (
        let %x5 = add(%x2, %1);
        (%x5,)
      );
      (%x3, %2)
    }
    ```
  }];
  let Tolerance = NotCompared<"the pass adds gradients to the result">;
}

def LazyGradientInit : ModulePass<"lazy-gradient-init"> {
  let Summary = "creates tensors of zeros and ones only where their elements are needed";
  let Description = [{
    Replaces each tensor of a function by a cell of the type `GradCell`. The
    cells of `zeros`, `ones`, `zeros_like` and `ones_like` contain a closure that
    creates the tensor. `add` and `multiply` of tensors of equal static types
    return one of their operands or zeros if the other one is known to be zeros or ones;
    other operators compute on the values of the cells. The pass adds the type
    and the functions `@FromGradCell`, `@AddGradCell` and `@MultiplyGradCell` to
    the module. A sum with zeros may have the other sign of zero.

    ```
    def @main(%x: float32) {
      %0 = zeros_like(%x);
      add(%x, %0)
    }
    ```
    becomes
    ```
    def @main(%x: float32) -> float32 {
      %0 = Raw(%x);
      %1 = fn (%x1: GradCell[float32]) -> GradCell[float32] {
        %2 = fn (%lhs: float32, %rhs: float32) -> float32 {
          add(%lhs, %rhs)
        };
        %3 = fn () -> float32 {
          %4 = @FromGradCell(%x1);
          zeros_like(%4)
        };
        %5 = Zero(%3);
        @AddGradCell(%2, %x1, %5)
      };
      let %x2: GradCell[float32] = %1(%0);
      @FromGradCell(%x2)
    }
    ```

    The parameters and the result of a function stay as they are, and so do
    fields of constructors, and arguments and results of global functions. A
    function is not changed if it

    - has type parameters, or a parameter or result that contains a reference;
    - passes references to a constructor or to a global function;
    - has a closure with type parameters whose types contain a type
      definition;
    - contains cells already, or is a function of another compiler.
  }];
  let OptLevel = 2;
  let Tolerance = Approximates<"0", "0", "a product with zeros is zeros, also of NaN and of infinities">;
  let Statistics = [Statistic<"NumConverted", "functions converted to cells">];
  let Remarks = ["not-converted"];
}

//===----------------------------------------------------------------------===//
// Functional forms
//===----------------------------------------------------------------------===//

def ToCPS : ModulePass<"to-cps"> {
  let Summary = "converts @main to continuation-passing style";
  let Description = [{
    Converts `@main`, the function of a file that holds an expression. A
    function of type `fn (A) -> B` becomes one of type
    `fn (A, fn (B) -> answer) -> answer`, which passes its result to its last
    parameter, the continuation; so do its closures. Each function `@f` that
    `@main` uses, directly or not, gets a converted copy `@f_cps`; functions of
    other compilers and functions with the attribute `Extern` are called as before. Values whose evaluation may have
    an effect are bound in the order of their evaluation.

    ```
    def @main(%x: float32, %c: bool) {
      %0 = if (%c) {
        negative(%x)
      } else {
        %x
      };
      exp(%0)
    }
    ```
    becomes
    ```
    def @main[answer](%x: float32, %c: bool, %k: fn (float32) -> answer) -> answer {
      let %x1 = fn (%arg: float32) -> answer {
        let %x2 = exp(%arg);
        %k(%x2)
      };
      if (%c) {
        let %x3 = negative(%x);
        %x1(%x3)
      } else {
        %x1(%x)
      }
    }
    ```

    Operators and constructors as values, constructors with fields that hold
    functions, and primitive functions are errors. So is a chain of more than
    about 5,000 calls of functions, since each call nests a continuation.
  }];
  let Tolerance = NotCompared<"the pass adds a parameter">;
  let Statistics = [Statistic<"NumConverted", "functions converted">];
}

def UnCPS : ModulePass<"un-cps"> {
  let Summary = "removes the continuation parameter of @main";
  let Description = [{
    Converts `@main`, a function in continuation-passing style (`to-cps`), to one
    that returns its result: it calls the original body with the identity as
    continuation. Functions among its parameters stay in continuation-passing style,
    with the type of the result as their answer.

    ```
    def @main[answer](%x: float32, %k: fn (float32) -> answer) -> answer {
      let %x1 = exp(%x);
      %k(%x1)
    }
    ```
    becomes
    ```
    def @main(%x: float32) -> float32 {
      %0 = fn (%x1: float32) -> float32 {
        %x1
      };
      %1 = fn [answer](%x2: float32, %k: fn (float32) -> answer) -> answer {
        let %x3 = exp(%x2);
        %k(%x3)
      };
      %1(%x, %0)
    }
    ```
  }];
  let Tolerance = NotCompared<"the pass removes a parameter">;
}

def Defunctionalization : ModulePass<"defunctionalization"> {
  let Summary = "represents functions that are values by data types";
  let Description = [{
    Converts `@main`, the function of a file that holds an expression, to one that
    passes no functions as arguments or results, and keeps none in tuples,
    references or data types. For each type of functions that are values, the pass
    defines a data type, with a constructor for each closure; the fields are the
    values that the closure captures. A call of such a value becomes a call of
    `@applyFuncType`. A function that takes or returns functions is copied once
    for each list of type arguments that it is called with. A closure that is only
    called stays.

    ```
    def @twice[A](%f: fn (A) -> A, %x: A) -> A {
      %0 = %f(%x);
      %f(%0)
    }
    def @main(%x: float32, %y: float32) -> float32 {
      %0 = fn (%a: float32) -> float32 {
        add(%a, %y)
      };
      @twice(%0, %x)
    }
    ```
    becomes
    ```
    type DefuncFuncType {
      Closure0(float32),
    }
    def @applyFuncType(%x: DefuncFuncType[], %y: float32) -> float32 {
      match (%x) {
        Closure0(%x1: float32) => {
          %0 = fn (%a: float32) -> float32 {
            add(%a, %x1)
          };
          %0(%y)
        },
      }
    }
    def @twiceFuncType(%f: DefuncFuncType[], %x: float32) -> float32 {
      %0 = @applyFuncType(%f, %x);
      @applyFuncType(%f, %0)
    }
    def @main(%x: float32, %y: float32) -> float32 {
      %0 = Closure0(%y);
      @twiceFuncType(%0, %x)
    }
    ```

    The original functions remain; `remove-unused-functions` removes them. Errors:

    - `@main` with type parameters, or with functions among its parameters or in its
      result;
    - operators as values, constructors with fields that hold functions, functions with type parameters as
      values other than arguments;
    - more copies than `-max-operations`, as a function that calls itself with larger
      and larger type arguments needs.
  }];
  let Tolerance = Exact;
  let Statistics = [Statistic<"NumConverted", "functions converted">];
}

//===----------------------------------------------------------------------===//
// Config
//===----------------------------------------------------------------------===//

def FuseOpsMaxDepth : ConfigOption<"relay.FuseOps.max_depth",
    IntOption<"max-depth", 256, "largest number of operations that FuseOps puts into a function">>;
def FuseOpsLinkParams : ConfigOption<"relay.FuseOps.link_params",
    BoolOption<"link-params", 0, "keep constants inside the functions that FuseOps creates">>;
def FallbackDeviceType : ConfigOption<"relay.fallback_device_type",
    IntOption<"fallback-device-type", 0, "the DLPack device type that PlanDevices gives to values without constraints; 0 selects the device of the only target, or cpu">>;
def ToMixedPrecisionKeepOrigOutputDtype
    : ConfigOption<"relay.ToMixedPrecision.keep_orig_output_dtype",
    BoolOption<"keep-orig-output-dtype", 0, "cast the results of functions that ToMixedPrecision converts to their types">>;

//===----------------------------------------------------------------------===//
// TVM's names
//===----------------------------------------------------------------------===//

def TVMPasses : ReferencePasses<[
  "AlterOpLayout", "AnnotateSpans", "AnnotateTarget", "BackwardFoldScaleAxis",
  "BatchingOps", "CanonicalizeCast", "CanonicalizeOps",
  "CapturePostDfsIndexInSpans",
  "CombineParallelBatchMatmul", "CombineParallelConv2D",
  "CombineParallelConv2d", "CombineParallelDense", "Conv2dToSparse",
  "Conv2dToSparse2", "ConvertLayout", "DeadCodeElimination",
  "Defunctionalization", "DefuseOps", "DenseToSparse", "DivToMul",
  "DynamicToStatic", "EliminateCommonSubexpr", "EtaExpand",
  "FakeQuantizationToInteger", "FastMath", "FirstOrderGradient",
  "FlattenAtrousConv", "FoldConstant", "FoldExplicitPadding", "FoldScaleAxis",
  "ForwardFoldScaleAxis", "FuseOps", "InferType", "Inline",
  "InlineCompilerFunctionsBoundTo", "InlineGlobals", "LambdaLift",
  "LazyGradientInit", "Legalize", "ManifestLifetimes",
  "MarkCompilerFunctionsAsExtern", "MergeCompilerRegions",
  "OutlineCompilerFunctions",
  "OutlineCompilerFunctionsWithExistingGlobalSymbols", "PartialEval",
  "PartialEvaluate", "PartitionGraph", "PlanDevices", "RemoveUnusedFunctions",
  "SimplifyExpr", "SimplifyFCTranspose", "SimplifyInference", "SplitArgs",
  "ToANormalForm", "ToBasicBlockNormalForm", "ToCPS", "ToGraphNormalForm",
  "ToMixedPrecision", "qnn.CanonicalizeOps", "qnn.Legalize"]>;

def : AbsentPass<"CollagePartition",
    "it chooses between partitions by the measured time of the kernels that TVM generates for them">;

def TVMConfigs : ReferenceConfigs<[
  "ir.enable_si_builder", "relax.FuseOps.max_depth",
  "relax.backend.use_cuda_graph", "relax.fallback_device_type",
  "relax.lift_transform_params.consume_params",
  "relax.transform.apply_legalize_ops", "relay.FuseOps.link_params",
  "relay.FuseOps.max_depth", "relay.ToMixedPrecision.keep_orig_output_dtype",
  "relay.backend.tir_converter", "relay.backend.use_auto_scheduler",
  "relay.backend.use_meta_schedule", "relay.backend.use_meta_schedule_dispatch",
  "relay.collage.byoc_fusion_style", "relay.collage.byoc_max_depth",
  "relay.collage.tvm_max_depth", "relay.fallback_device_type",
  "relay.frontend.fill_span", "relay.remove_standalone_reshapes.enable",
  "te.keep_schedule_record", "testing.immutable_module", "tir.HoistExpression",
  "tir.HoistIfThenElse", "tir.InjectDoubleBuffer", "tir.LoopPartition",
  "tir.ReduceBranchingThroughOvercompute", "tir.RemoveNoOp", "tir.Simplify",
  "tir.UnrollLoop", "tir.add_lower_pass",
  "tir.contrib.ethos-u.copy_compute_reordering_max_copy_movements",
  "tir.contrib.ethos-u.copy_compute_reordering_reorder_by_cycles",
  "tir.debug_keep_trivial_loop", "tir.detect_global_barrier",
  "tir.disable_assert", "tir.disable_cse_tir", "tir.disable_storage_rewrite",
  "tir.disable_vectorize", "tir.enable_buffer_level_predication",
  "tir.enable_debug", "tir.enable_equiv_terms_in_cse_tir",
  "tir.experimental_dma_bypass_cache", "tir.instr_siblings",
  "tir.instrument_bound_checkers", "tir.instrument_lwp", "tir.is_entry_func",
  "tir.lwp_disable_func_prof", "tir.lwp_max_depth", "tir.lwp_min_height",
  "tir.merge_static_smem", "tir.noalias", "tir.ptx_ldg32", "tir.reset_start_id",
  "tir.use_async_copy", "tir.usmp.algorithm", "tir.usmp.custom_algorithm",
  "tir.usmp.enable", "tir.usmp.use_workspace_io", "tir.vtcm_capacity"]>;

#endif // RELAY_TRANSFORMS_PASSES_TD
