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
// Checking and showing
//===----------------------------------------------------------------------===//

def InferType : ModulePass<"infer-type"> {
  let Summary = "infers the types of all values";
  let Description = [{
    Infers the type of every value anew from the types of parameters, the type
    relations of operators and the annotations, and reports what does not fit.
    Then annotates parameters, variables of `let` and of patterns, and results
    of functions with what it found. Reading infers types too, and annotates
    nothing.

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
    Writes the module as text, metadata included, that reads back.
  }];
  let Tolerance = Exact;
  let IsRequired = 1;
}

def OpStats : ModulePass<"op-stats"> {
  let Summary = "prints how often each operator is called";
  let Description = [{
    Writes on standard error, for each function, the number of operations, and
    by name how many there are of each operator and of each construct of the
    language.
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
    BoolOption<"allow-undefined-globals", 0, "functions, types and constructors need not be defined">
  ];
}

//===----------------------------------------------------------------------===//
// Leaving out what is not needed
//===----------------------------------------------------------------------===//

def DeadCodeElimination : ModulePass<"dead-code-elimination"> {
  let Summary = "removes bindings that are not used";
  let Description = [{
    Removes every `let` whose variable is not used, nor by what is removed itself,
    and whose value has no effect. With `inline-once`, a pure value that is used
    once takes the place of its variable, but for uses in a closure that the
    binding is outside of.

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
    BoolOption<"inline-once", 0, "let values that are used once stand where they are used">,
    BoolOption<"ignore-impurity", 0, "treat everything as without effect">
  ];
  let Statistics = [
    Statistic<"NumRemoved", "bindings removed">,
    Statistic<"NumInlined", "bindings inlined">
  ];
}

def EliminateCommonSubexpr : FunctionPass<"eliminate-common-subexpr"> {
  let Summary = "merges equal operations";
  let Description = [{
    Makes calls of one operator with the same attributes and operands one node,
    and projections of the same field of the same tuple.

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
  let Statistics = [Statistic<"NumMerged", "operations merged into another">];
}

//===----------------------------------------------------------------------===//
// Simpler forms
//===----------------------------------------------------------------------===//

def BindParams : ModulePass<"bind-params"> {
  let Summary = "makes constants of the parameters of @main that have values";
  let Description = [{
    Each parameter of `@main` that `-params` gives a value becomes that constant.
    The others, and `@main` without `-params`, stay.

    ```
    def @main(%x: Tensor[(1, 2), float32], %w: Tensor[(3, 2), float32]) {
      nn.dense(%x, %w)
    }
    ```
    becomes with a value for `%w`
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
  let Summary = "evaluates what constants determine";
  let Description = [{
    Replaces each call of an operator on constants by its result, which is the
    same on every machine. Operands are constant if they are constants or tuples
    of constants, on a device (`on_device`) or not. `shape_of` and
    `ndarray_size` are replaced where the shape of the operand is static. A
    field of a tuple takes the place of its projection, the branch that is taken
    that of an `if` with a constant condition, and a constant that of a variable
    that a `let` binds to it.

    Primitive functions, operators with a state, `device_copy`, operators that
    only mark something, and calls without operands stay, and so do quantized
    operators (`qnn.*`) without `fold-qnn`. What cannot be evaluated, because
    there is no kernel, an index is out of range or memory does not suffice,
    stays too. `-debug-log=FoldConstant=1` shows what is evaluated and the
    result, level 2 also what stays.

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
  let Options = [BoolOption<"fold-qnn", 0, "evaluate operators of the qnn dialect too">];
  let Statistics = [
    Statistic<"NumEvaluated", "calls evaluated">,
    Statistic<"NumBranches", "branches decided">
  ];
}

def SimplifyInference : FunctionPass<"simplify-inference"> {
  let Summary = "spells out operators as what they compute in inference";
  let Description = [{
    Replaces batch normalization by a scale and a shift, dropout by its operand,
    each where its first result is used, and the other normalizations (layer,
    instance, group, l2) by arithmetic.

    ```
    %0 = nn.dropout(%x);
    nn.relu(%0.0)
    ```
    becomes
    ```
    nn.relu(%x)
    ```
  }];
  let Tolerance = Within<"1e-5", "1e-5", "batch_norm becomes a multiplication and an addition of other constants">;
  let Requires = [InferType];
  let Statistics = [Statistic<"NumSimplified", "operations spelled out">];
}

def CanonicalizeOps : FunctionPass<"canonicalize-ops"> {
  let Summary = "replaces operators by others that mean the same";
  let Description = [{
    Makes each `nn.bias_add` an `add`, of the bias with as many axes of length 1
    behind it as the data has behind the axis of the bias.

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
  let Summary = "gives each user of a widening cast a cast of its own";
  let Description = [{
    Copies a `cast` to a type of more bits that several elementwise or
    broadcasting operations use, one for each but the first, so that each can be
    fused with its own.

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
  let Summary = "takes weights of dense layers transposed";
  let Description = [{
    A dense layer whose weight is the transpose of a parameter `%w` takes a
    parameter `%w.T`, the transposed value, in its place. The parameters of a
    function that changes then stand in the order of their first uses, new ones
    behind the others, and those that are not used go. Functions that something
    calls stay as they are.

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
  let Options = [ListOption<"target-weight-name", [], "parameters that are taken transposed; none: all that can be">];
  let Statistics = [Statistic<"NumLayers", "layers that take a transposed weight">];
}

def ConvertLayout : FunctionPass<"convert-layout"> {
  let Summary = "brings operators into the layouts that are wished for";
  let Description = [{
    Gives each operator that `desired-layouts` names the layouts that follow its
    name: of the data, and for convolutions and regions of interest also of the
    weight or the regions; `default` is the layout that belongs to that of the
    data. Operators that mean the same in other layouts follow their operands,
    and `layout_transform` stands only where layouts meet that differ. Where an
    operator broadcasts, the operand of fewer axes gets `expand_dims`.

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
  let Tolerance = Within<"1e-5", "1e-6", "convolutions in another layout add in another order">;
  let OptLevel = 3;
  let Requires = [InferType, CanonicalizeOps];
  let Options = [MapOption<"desired-layouts", [], "layouts by operator">];
  let Statistics = [
    Statistic<"NumConverted", "operators brought into a layout that was wished for">,
    Statistic<"NumFollowed", "operators that follow the layouts of their operands">,
    Statistic<"NumTransforms", "layout_transform made">
  ];
}

def FastMath : FunctionPass<"fast-math"> {
  let Summary = "replaces operators by approximations of them";
  let Description = [{
    Makes `exp`, `tanh`, `erf` and `nn.softmax` of floats `fast_exp`, `fast_tanh`,
    `fast_erf` and `nn.fast_softmax`.

    ```
    exp(%x)
    ```
    becomes
    ```
    fast_exp(%x)
    ```
  }];
  let Tolerance = Approximates<"1e-3", "1e-3", "approximations take the place of functions">;
  let OptLevel = 4;
  let Requires = [InferType];
}

def ApplyRules : FunctionPass<"rewrite"> {
  let Summary = "applies the rules of a file";
  let Description = [{
    Reads rules from the file `rules`, beside which patterns of `-match-file` may
    stand, and applies them until none matches any more. A rule does not apply
    where it would change the type of a value. A call of constants that a rule
    makes is evaluated, unless `fold-constants=false`. Each rule is a statistic
    of the pass. [Rules](../Rules.md#rules-as-text) describes the file.

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
  let Tolerance = Within<"1e-5", "1e-5", "rules may compute the same in another order">;
  let Requires = [InferType];
  let Options = [
    FileOption<"rules", "the file of rules">,
    BoolOption<"fold-constants", 1, "evaluate calls of constants that rules make">
  ];
}

def MergeComposite : FunctionPass<"merge-composite"> {
  let Summary = "makes composite functions of what the patterns of a file match";
  let Description = [{
    Reads a pattern table from the file `patterns`, the one of `-match-file`, and
    partitions each function by its patterns, in order: each match becomes the
    call of a closure with the attributes `PartitionedFromPattern` and
    `Composite`, the pattern's name. What a pattern asks for as a constant stays
    in the closure; all else that its leaves match becomes a parameter. Matches
    of which a part is used elsewhere stay as they are. Each name is a statistic
    of the pass. [Patterns](../Patterns.md#composites) has more.

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
  let Options = [FileOption<"patterns", "the file of patterns">];
}

def DivToMul : FunctionPass<"div-to-mul"> {
  let Summary = "multiplies by the inverse instead of dividing by a constant";
  let Description = [{
    Divisions of floats by a constant without a zero.

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
  let Summary = "lets convolutions and pools pad what nn.pad padded";
  let Description = [{
    `nn.pad` of axes of space, with the value that the operator above it pads
    with, becomes padding of that: of `nn.conv1d`, `nn.conv2d`, `nn.conv3d` and
    `nn.avg_pool1d` to `3d` zero, of `qnn.conv2d` the zero point, of
    `nn.max_pool1d` to `3d` the least number of the data type.

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
    Operators that take a shape from another tensor take the shape itself.
    Sums with zeros and products with ones go, and tensors of one number become
    scalars where they are broadcast. Constants that are added, or multiplied
    with, one after the other become one. `x + x` becomes a product, a division
    by a square root a product with `rsqrt`, and a quadratic form of two values
    the product of its factors. Reshapes, transposes, changes of layout and casts
    of one another become one, as far as that means the same, and what changes
    nothing goes: casts, transposes, and clips that cut nothing off.

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

def FlattenAtrousConv : FunctionPass<"flatten-atrous-conv"> {
  let Summary = "makes one convolution of space_to_batch_nd, conv2d and batch_to_space_nd";
  let Description = [{
    A convolution of blocks of space is one with holes, whose dilation is the
    shape of the blocks.

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
// One operator for several
//===----------------------------------------------------------------------===//

class CombineParallel<string argument> : FunctionPass<argument> {
  let OptLevel = 4;
  let Requires = [InferType];
  let Options = [IntOption<"min-num-branches", 3, "fewest calls that are combined", AtLeast<1>>];
  let Statistics = [
    Statistic<"NumGroups", "groups of parallel calls combined">,
    Statistic<"NumCalls", "calls in these groups">
  ];
}

def CombineParallelConv2d : CombineParallel<"combine-parallel-conv2d"> {
  let Summary = "makes one convolution of those of the same data";
  let Description = [{
    Convolutions (`nn.conv2d`) of the same data that differ in their weights and
    numbers of channels only become one, whose weight is theirs one after the
    other, and elementwise operations that follow each of them alike become one
    too, where their other operands have the channels' axis. The results are cut
    out of the last of these.

    Convolutions of groups, of packed layouts and with weights of unknown shape
    stay, and so do those that one combined convolution could not take the place
    of: in different branches or closures, or where the weight of one depends on
    another or is bound behind it.

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
  let Tolerance = Within<"1e-5", "1e-6", "a convolution of more channels may add in another order">;
}

def CombineParallelDense : CombineParallel<"combine-parallel-dense"> {
  let Summary = "makes one product of the dense layers of the same data";
  let Description = [{
    Dense layers (`nn.dense`) of the same data become one product of a batch
    (`nn.batch_matmul`) of their stacked weights, which have to be of one shape,
    or, with `to-batch=false`, one dense layer with the units of all of them.
    Elementwise operations that follow each of them alike become one too.

    ```
    %0 = nn.dense(%x, %w1, units=4);
    %1 = nn.dense(%x, %w2, units=4);
    (%0, %1)
    ```
    becomes with `min-num-branches=2`
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
  let Tolerance = Within<"1e-5", "1e-6", "a product of more units may add in another order">;
  let Options = [
    IntOption<"min-num-branches", 3, "fewest calls that are combined", AtLeast<1>>,
    BoolOption<"to-batch", 1, "make a product of a batch, and not a dense layer">
  ];
}

def CombineParallelBatchMatmul : CombineParallel<"combine-parallel-batch-matmul"> {
  let Summary = "makes one batch product of those of the same left side";
  let Description = [{
    Batch products (`nn.batch_matmul`) of the same left side by transposed right
    sides of the same batch become one, whose right side is theirs one after the
    other, and elementwise operations that follow each of them alike become one
    too.

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
  let Tolerance = Within<"1e-5", "1e-6", "a product of more columns may add in another order">;
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

def FuseOps : FunctionPass<"fuse-ops"> {
  let Summary = "makes primitive functions of operations to be compiled as one";
  let Description = [{
    Groups operations by how regularly they use their inputs (element by
    element, broadcasting, moving elements, reducing) and makes a function with
    the attribute `Primitive` of each group, whose parameters are the group's
    inputs in the order of their first use. `annotation.stop_fusion` separates
    groups and goes away. Level 0 makes a function of each operation by itself.

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
    IntOption<"fuse-opt-level", -1, "level of fusion; -1: the context's opt level", AtLeast<-1>>,
    IntOption<"max-depth", -1, "most operations in a function; -1: relay.FuseOps.max_depth", AtLeast<-1>>];
  let Statistics = [Statistic<"NumFunctions", "functions made">];
}

def DefuseOps : FunctionPass<"defuse-ops"> {
  let Summary = "puts the bodies of called closures in place of the calls";
  let Description = [{
    The inverse of `fuse-ops`: a call of a closure that stands in the call
    itself becomes the closure's body, as long as that is a graph without `let`.

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
  let Statistics = [Statistic<"NumInlined", "calls replaced">];
}

def SplitArgs : FunctionPass<"split-args"> {
  let Summary = "splits concatenations that would make functions of too many arguments";
  let Description = [{
    A concatenation of more tensors than a function of the target can take
    becomes a chain of concatenations, which `annotation.stop_fusion` keeps
    apart. An unknown dimension counts as a further argument, and so do the
    strides of a tensor that has one.

    ```
    %0 = (%a, %b, %c);
    concatenate(%0)
    ```
    becomes with `max-function-args=3`
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
  let Options = [IntOption<"max-function-args", 0, "most arguments and results of a function; 0: any number", AtLeast<0>>];
  let Statistics = [Statistic<"NumSplit", "concatenations split">];
}

//===----------------------------------------------------------------------===//
// Normal forms
//===----------------------------------------------------------------------===//

def ToANormalForm : ModulePass<"to-a-normal-form"> {
  let Summary = "binds everything by let";
  let Description = [{
    Gives each call, tuple, constant, closure and branch a `let`, in the order of
    evaluation, so that operands are variables. A `let` within an expression
    becomes part of the chain around it, and the result of each `let` expression
    gets a name of its own. Primitive functions stay as they are. What is on a
    device, by its function or by an `on_device` around it, is bound in an
    `on_device` of its own.

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
  let Statistics = [Statistic<"NumBound", "bindings made">];
}

def ToBasicBlockNormalForm : ModulePass<"to-basic-block-normal-form"> {
  let Summary = "binds what branches share before them";
  let Description = [{
    Gives a `let` to each node of the graph whose first use is in a branch or a
    closure and which is used outside of that too, so that it is evaluated before.
    What is on a device, by its function or by an `on_device` around it, gets an
    `on_device` of its own.

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
  let Statistics = [Statistic<"NumBound", "bindings made">];
}

def ToGraphNormalForm : ModulePass<"to-graph-normal-form"> {
  let Summary = "takes bindings away";
  let Description = [{
    Makes the values of `let` nodes of the graph; those that are not used go. What
    has an effect, or calls itself, stays bound. Functions that are not to be
    optimized are skipped.

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
  let Statistics = [Statistic<"NumUnbound", "bindings taken away">];
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

def EtaExpand : ModulePass<"eta-expand"> {
  let Summary = "wraps functions and constructors in closures";
  let Description = [{
    Replaces a constructor that is a value, or each use of a global function, or
    both, by a closure that calls it. Uses in one function share the closure.

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
  let Statistics = [Statistic<"NumExpanded", "closures made">];
}

def InlineGlobals : ModulePass<"inline"> {
  let Summary = "inlines functions that are marked to be";
  let Description = [{
    Replaces each call of a function with the attribute `Inline=1` by its body, or,
    where that is not for the default compiler, by a call of a closure; and each
    other use of it by a closure. Then the function goes. Functions that reach
    themselves, and those that nothing uses, stay.

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
    Statistic<"NumInlined", "uses replaced">,
    Statistic<"NumRemoved", "functions removed">
  ];
}

def LambdaLift : ModulePass<"lambda-lift"> {
  let Summary = "makes closures global functions";
  let Description = [{
    Moves each closure that is not primitive into a function `@lifted_name<N>`,
    where N is made of its structure. One that uses variables from around it
    becomes a function with the attribute `Closure=1` that takes them and returns
    the closure. Devices of variables and closures are kept; an `on_device` around
    what has a device of its own goes.

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
    Statistic<"NumLifted", "closures replaced">,
    Statistic<"NumFunctions", "functions made">,
    Statistic<"NumDropped", "on_device left out">
  ];
}

def RemoveUnusedFunctions : ModulePass<"remove-unused-functions"> {
  let Summary = "removes functions that entry functions do not reach";
  let Description = [{
    Keeps the entry functions and what they call or use, directly or through
    others, and removes all other functions.
  }];
  let Tolerance = Exact;
  let OptLevel = 1;
  let Options = [
    ListOption<"entry-functions", ["main"], "functions that stay">
  ];
  let Statistics = [Statistic<"NumRemoved", "functions removed">];
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

def : ExtensionPoint<"pipeline-start", "before all passes of default<O0> to default<O4>">;
def : ExtensionPoint<"before-fusion", "in these, on the simplified graph, before operations are grouped">;
def : ExtensionPoint<"pipeline-end", "behind all their passes">;

// Those of `passes` that run at `level`, as text.
class PassesUpTo<int level, list<PassDef> passes> {
  string Text = !interleave(
      !foreach(pass, !filter(p, passes, !le(p.OptLevel, level)), pass.Argument),
      ",");
}

// The order is that in which relay.build of TVM 0.18 runs them for the graph
// executor (docs/Decisions.md); what is not here yet is left out.
class DefaultPipeline<int level>
    : Pipeline<"default<O" # level # ">",
               "extension<pipeline-start>," #
                   PassesUpTo<level, [RemoveUnusedFunctions, ToBasicBlockNormalForm,
                                      SimplifyInference, EliminateCommonSubexpr,
                                      CombineParallelConv2d,
                                      CombineParallelDense,
                                      CombineParallelBatchMatmul, FoldConstant,
                                      SimplifyExpr, CanonicalizeCast,
                                      CanonicalizeOps, FlattenAtrousConv,
                                      FastMath, FoldConstant]>.Text #
                   ",extension<before-fusion>," #
                   PassesUpTo<level, [SplitArgs, FuseOps, InlineGlobals]>.Text #
                   ",extension<pipeline-end>"> {
  let Summary = "what TVM runs before it generates code at opt level " # level;
}

foreach level = [0, 1, 2, 3, 4] in
  def DefaultO#level : DefaultPipeline<level>;

//===----------------------------------------------------------------------===//
// Config
//===----------------------------------------------------------------------===//

def FuseOpsMaxDepth : ConfigOption<"relay.FuseOps.max_depth",
    IntOption<"max-depth", 256, "most operations that FuseOps makes one function of">>;
def FuseOpsLinkParams : ConfigOption<"relay.FuseOps.link_params",
    BoolOption<"link-params", 0, "FuseOps keeps constants inside of the functions that it makes">>;
def ToMixedPrecisionKeepOrigOutputDtype : ConfigOption<"relay.ToMixedPrecision.keep_orig_output_dtype",
    BoolOption<"keep-orig-output-dtype", 0, "ToMixedPrecision casts results back to their type">>;

//===----------------------------------------------------------------------===//
// TVM's names
//===----------------------------------------------------------------------===//

def TVMPasses : ReferencePasses<[
  "AlterOpLayout", "AnnotateSpans", "AnnotateTarget", "BackwardFoldScaleAxis",
  "BatchingOps", "CanonicalizeCast", "CanonicalizeOps",
  "CapturePostDfsIndexInSpans", "CollagePartition",
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
  "ToMixedPrecision", "qnn.CanonicalizeOps", "qnn.Legalize",
  // The argument of qnn.CanonicalizeOps would be shorter than its name.
  "qnn-canonicalize"]>;

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
