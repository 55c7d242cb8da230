//===- SparseLayers.h - Layers with sparse weights --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The weights that a user has made sparse, and the replacement of the layers
// that use them. The passes define the layers and their replacements.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_SPARSE_SPARSELAYERS_H
#define RELAY_LIB_TRANSFORMS_SPARSE_SPARSELAYERS_H

#include "TensorUtils.h"
#include "relay/IR/Module.h"
#include "relay/IR/Rewriter.h"
#include <functional>

namespace relay {

class Conv2DOp;

/// The rows and columns of a weight.
struct MatrixExtents {
  Dim NumRows, NumColumns;
};

/// A kind of layers whose weight is operand 1.
struct SparseLayerKind {
  StringLiteral PassName;
  std::function<bool(Operation &)> IsLayer;
  /// Returns why a layer has to stay; "" if it can be replaced.
  std::function<std::string(Operation &)> FindObstacle;
  /// Returns the extents of the weight as a matrix. Unknown extents are not
  /// constants.
  std::function<MatrixExtents(Operation &)> GetExtents;
  /// Creates the operation that replaces a layer, from the parts of the weight:
  /// elements, columns of the blocks, and starts of the rows of blocks.
  std::function<Value *(Rewriter &, Operation &, ArrayRef<Value *>)> Create;
};

/// Replaces the layers of \p M that use one of the weights \p WeightNames,
/// whose parts have \p WeightShapes. The parts of `%w` become parameters
/// `%w.data`, `%w.indices` and `%w.indptr`. Functions that have callers are
/// unchanged. Returns the number of layers. Reports errors at invalid options,
/// at extents that do not fit and at parameters with the name of a part, and
/// warns about weights that no layer has.
FailureOr<unsigned> replaceLayers(Module &M, const SparseLayerKind &Kind,
                                  ArrayRef<std::string> WeightNames,
                                  ArrayRef<std::string> WeightShapes);

/// The options of passes that replace nn.conv2d by nn.sparse_conv2d.
struct SparseConv2DForm {
  StringRef Layout;   ///< of data and result
  int64_t KernelSize; ///< height and width
};

/// \p OptionsT has the options SparseConv2DOptions of Passes.td.
template <typename OptionsT>
SparseConv2DForm getSparseConv2DForm(const OptionsT &Options) {
  bool IsNHWC = Options.Layout == OptionsT::LayoutValue::NHWC;
  return {IsNHWC ? "NHWC" : "NCHW", Options.KernelSize};
}

/// Reports an error if nn.sparse_conv2d has no kernels of \p Form.
LogicalResult checkForm(Context &Ctx, StringRef PassName,
                        const SparseConv2DForm &Form);

/// Returns why nn.sparse_conv2d of \p Form does not compute \p Conv; "" if it
/// does.
std::string findObstacle(Conv2DOp Conv, const SparseConv2DForm &Form);

/// Creates an nn.sparse_conv2d of \p Form from the parts of the weight.
Value *createSparseConv2D(Rewriter &R, const SparseConv2DForm &Form,
                          Value *Data, ArrayRef<Value *> Parts);

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_SPARSE_SPARSELAYERS_H
