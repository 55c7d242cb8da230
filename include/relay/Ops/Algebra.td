//===- Algebra.td - Sums of products and Fourier transforms *- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that combine all of an axis with all of another: `einsum`, `dft`,
// `stft`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_OPS_ALGEBRA_TD
#define RELAY_OPS_ALGEBRA_TD

include "relay/IR/OpBase.td"

def EinsumAttrs : AttrsDef<"relay.attrs.EinsumAttrs"> {
  let Fields = (ins StringObject:$equation);
}
def DFTAttrs : AttrsDef<"relay.attrs.DFTAttrs"> {
  let Fields = (ins Default<BoolObject, "False">:$inverse);
}
def StftAttrs : AttrsDef<"relay.attrs.StftAttrs"> {
  let Fields = (ins Default<Int, "-1">:$n_fft, Default<Int, "-1">:$hop_length,
                    Default<Int, "-1">:$win_length,
                    Default<Bool, "False">:$normalized,
                    Default<Bool, "True">:$onesided);
}

def EinsumOp : Op<"einsum"> {
  let Summary = "sum of products over the axes of a formula";
  let Description = [{
    `ij,jk->ik` is a product of matrices: each letter names an axis. Axes that
    the result lacks are summed. `...` denotes all further leading axes, which
    broadcast. Without `->`, the result has the letters that occur once, in
    alphabetical order.
  }];
  let Operands = (ins TensorTuple:$data);
  let Attributes = EinsumAttrs;
  let FusionKind = Injective;
  let Relation = "inferEinsum";
}
def DFTOp : Op<"dft"> {
  let Summary = "discrete Fourier transform along the last axis: (real part, imaginary part)";
  let Operands = (ins Tensor:$re_data, Tensor:$im_data);
  let Attributes = DFTAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferDFT";
}
def StftOp : Op<"stft"> {
  let Summary = "Fourier transforms of windows of a signal: [.., frequency, window, 2]";
  let Operands = (ins Tensor:$data, Tensor:$window);
  let Attributes = StftAttrs;
  let Traits = [AttrsAsMeta];
  let Relation = "inferStft";
  let ShapeDataDependent = [1];
}

#endif // RELAY_OPS_ALGEBRA_TD
