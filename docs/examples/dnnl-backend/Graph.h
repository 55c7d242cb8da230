// The body of a function as a list of operators on numbered tensors: composite
// functions are inlined, tuples and projections resolved. The interpreter's
// order of evaluation is kept.

#ifndef DNNL_BACKEND_GRAPH_H
#define DNNL_BACKEND_GRAPH_H

#include "relay/IR/Function.h"
#include <optional>
#include <vector>

namespace backend {

/// The number of a tensor.
using TensorId = unsigned;

/// A tensor, or a tuple of tensors.
struct GraphValue {
  bool IsTuple = false;
  llvm::SmallVector<TensorId, 1> Tensors;
};

struct GraphTensor {
  relay::TensorType *Type = nullptr;
  /// Null if the tensor is not a constant.
  const relay::ConstantData *Constant = nullptr;
  /// The operators that use the tensor, an entry per use; the result of the
  /// function counts as a use without an operator.
  llvm::SmallVector<unsigned, 2> Users;
  unsigned NumUses = 0;
};

struct GraphNode {
  const relay::Operation *Op;
  llvm::SmallVector<GraphValue, 4> Operands;
  GraphValue Result;
};

class Graph {
public:
  /// Returns none if \p F has a construct other than calls of operators and of
  /// closures, tuples, projections and constants, or a shape that is not known.
  static std::optional<Graph> get(relay::Function &F);

  /// Returns the number of the only operator that uses \p T; none if there are
  /// others or none.
  std::optional<unsigned> getOnlyUser(TensorId T) const {
    if (Tensors[T].NumUses != 1 || Tensors[T].Users.size() != 1)
      return std::nullopt;
    return Tensors[T].Users[0];
  }

  std::vector<GraphTensor> Tensors;
  std::vector<GraphNode> Nodes;
  std::vector<GraphValue> Params;
  GraphValue Result;
};

} // namespace backend

#endif // DNNL_BACKEND_GRAPH_H
