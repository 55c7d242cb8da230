// The operators after a convolution or a product of matrices that its primitive
// computes, too: an addition of a bias, and then functions of one operand and
// of two, such as the sum of a residual block.

#ifndef DNNL_BACKEND_POSTOPERATORS_H
#define DNNL_BACKEND_POSTOPERATORS_H

#include "Lowering.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace backend {

class PostOperators {
public:
  /// Finds the operators after the result of node \p N, whose channels are on
  /// axis \p ChannelAxis.
  PostOperators(Lowering &L, unsigned N, unsigned ChannelAxis);

  bool hasBias() const { return Bias.has_value(); }
  /// Creates a primitive descriptor by \p Create with as many of the operators
  /// as oneDNN supports. \p Map maps the axes of the result.
  PrimitiveDesc
  create(const AxisMap &Map,
         llvm::function_ref<PrimitiveDesc(const PrimitiveAttr &)> Create);
  /// Adds the operands of the operators of the created primitive to \p Reads;
  /// returns false if oneDNN fails.
  bool addReads(std::vector<Step::Argument> &Reads);
  /// Returns the result of the last operator.
  TensorId getResult() const;
  /// Marks the operators as lowered.
  void markLowered();

private:
  /// oneDNN permits 32.
  static constexpr size_t MaxParts = 16;
  struct Part {
    SmallVector<unsigned, 6> Nodes;
    TensorId Result;
    std::optional<Eltwise> Function;
    std::optional<Binary> Pair;
  };
  std::optional<Part> findPart(TensorId T) const;
  bool isBias(const Binary &B, unsigned ChannelAxis) const;
  void find(unsigned ChannelAxis);
  PrimitiveAttr createAttr(const AxisMap &Map);

  Lowering &L;
  TensorId Start;
  std::optional<Part> Bias;
  SmallVector<Part, 4> Parts;
  std::vector<Step::Argument> Others;
};

} // namespace backend

#endif // DNNL_BACKEND_POSTOPERATORS_H
