// Creates the plan of a graph. Each operator has a function that creates a
// primitive; the interpreter evaluates nodes that it refuses. Buffers have the
// axes of Relay's tensors in any physical layout; primitives see them with axes
// permuted (NHWC as NCHW).

#ifndef DNNL_BACKEND_LOWERING_H
#define DNNL_BACKEND_LOWERING_H

#include "Plan.h"

namespace backend {

class Lowering {
public:
  Lowering(const Graph &G, Plan &P);

  /// Creates all steps. Returns false if no operator became a primitive, or if
  /// oneDNN fails.
  bool run();

  //===--- The graph ------------------------------------------------------===//
  const GraphNode &getNode(unsigned N) const { return G.Nodes[N]; }
  TensorId getOperand(unsigned N, unsigned I) const {
    return G.Nodes[N].Operands[I].Tensors[0];
  }
  /// Returns the result of a node that is a tensor.
  TensorId getResult(unsigned N) const { return G.Nodes[N].Result.Tensors[0]; }
  const relay::ConstantData *getConstant(TensorId T) const {
    return G.Tensors[T].Constant;
  }
  relay::DType getDType(TensorId T) const {
    return G.Tensors[T].Type->getDType();
  }
  bool isFloat(TensorId T) const { return getDType(T).isFloat(32); }
  Dims getShape(TensorId T) const;
  /// Returns the only user of \p T, if it has not been lowered.
  std::optional<unsigned> getOpenUser(TensorId T) const;
  /// Returns the users of \p T if there are exactly two, which have not been
  /// lowered; otherwise none.
  ArrayRef<unsigned> getTwoUsers(TensorId T) const;
  /// Returns true if \p T has been computed.
  bool isComputed(TensorId T) const { return !BuffersOf[T].empty(); }

  //===--- Steps ----------------------------------------------------------===//
  const Engine &getEngine() const { return P.TheEngine; }
  /// Returns the layout in which \p T has been computed.
  Desc getLayout(TensorId T);
  /// Returns the layouts in which a primitive may take \p T: its own, and
  /// row-major for primitives that lack it.
  SmallVector<Desc, 2> getLayoutsToTry(TensorId T);
  /// Returns the buffer of \p T in the layout \p Want, converted if necessary.
  std::optional<BufferId> getBuffer(TensorId T, const Desc &Want);
  std::optional<BufferId> getRowMajor(TensorId T);
  /// Converts \p From, seen as \p View, to the layout and type \p Want, and
  /// subtracts \p Zero.
  std::optional<BufferId> convert(BufferId From, const Desc &View,
                                  const Desc &Want, int32_t Zero = 0);
  /// Adds a buffer with contents that the plan knows.
  BufferId addConstant(const relay::Tensor &T);
  /// Adds the step of node \p N that computes \p T, with the axes of \p T in
  /// the layout \p Layout. \p View is the layout as the primitive sees it.
  bool addStep(unsigned N, const PrimitiveDesc &PD,
               std::vector<Step::Argument> Reads, TensorId T,
               const Desc &Layout, const Desc &View = {}, uint64_t Work = 0);
  /// As above, for the result of node \p N, which is converted from float32.
  bool addConvertedStep(unsigned N, const PrimitiveDesc &PD,
                        std::vector<Step::Argument> Reads, const Desc &Layout,
                        const Desc &View, uint64_t Work);
  /// Marks a node as computed by the step of another one.
  void markLowered(unsigned N) { IsLowered[N] = true; }

private:
  bool isPossible(unsigned N) const;
  bool lowerNode(unsigned N);
  bool evaluateNode(unsigned N);
  BufferId addTensor(TensorId T);

  const Graph &G;
  Plan &P;
  std::vector<bool> IsLowered;
  /// The buffers that have a tensor's elements; the first was computed.
  std::vector<SmallVector<BufferId, 2>> BuffersOf;
};

//===----------------------------------------------------------------------===//
// Lowering of operators
//===----------------------------------------------------------------------===//

/// Adds the primitive of node \p N; returns false, and adds no step that
/// computes a tensor, if there is none.
using LowerFn = bool (*)(Lowering &L, unsigned N);

bool lowerConvolution(Lowering &L, unsigned N);
bool lowerDense(Lowering &L, unsigned N);
bool lowerPool(Lowering &L, unsigned N);
bool lowerEltwise(Lowering &L, unsigned N);
/// Lowers all nodes of the FunctionMatch that node \p N begins.
bool lowerFunction(Lowering &L, unsigned N);
bool lowerBinary(Lowering &L, unsigned N);
bool lowerSoftmax(Lowering &L, unsigned N);
bool lowerQuantizedConvolution(Lowering &L, unsigned N);
bool lowerQuantizedDense(Lowering &L, unsigned N);

//===----------------------------------------------------------------------===//
// Shared parts
//===----------------------------------------------------------------------===//

/// Returns the integers of attribute \p Name; none if it is absent or has other
/// elements.
std::optional<Dims> getInts(const relay::Operation &Op, StringRef Name);
StringRef getText(const relay::Operation &Op, StringRef Name);
double getNumber(const relay::Operation &Op, StringRef Name);
bool getBool(const relay::Operation &Op, StringRef Name);

/// Positions of the axes of oneDNN (NCHW) in a layout of Relay (NHWC).
struct AxisMap {
  SmallVector<int, 5> ToRelay, FromRelay;

  /// Returns none if \p Layout is not a permutation of \p Canonical.
  static std::optional<AxisMap> get(StringRef Layout, StringRef Canonical);
  static AxisMap getIdentity(unsigned Rank);
  Dims getShape(ArrayRef<int64_t> Relay) const;
  /// Converts a descriptor with the axes of Relay, and back.
  Desc toLibrary(const Desc &D) const { return D.permute(FromRelay); }
  Desc toRelay(const Desc &D) const { return D.permute(ToRelay); }
};

/// Strides, dilation (0 for adjacent elements) and padding of a window.
struct Window {
  Dims Strides, Dilation, Before, After;
  /// Reads the attributes for \p Rank spatial axes.
  static std::optional<Window> get(const relay::Operation &Op, unsigned Rank);
};

struct Eltwise {
  dnnl_alg_kind_t Kind;
  float Alpha = 0, Beta = 0;
};
/// Returns the function of one operand that node \p N computes.
std::optional<Eltwise> getEltwise(const Lowering &L, unsigned N);

/// Several operators that compute a function of one operand.
struct FunctionMatch {
  Eltwise Function;
  SmallVector<unsigned, 6> Nodes;
  TensorId Result;
};
/// Returns the function of \p X that all users of \p X compute together.
std::optional<FunctionMatch> findFunction(const Lowering &L, TensorId X);

/// A function of a tensor of the result's shape and another one.
struct Binary {
  dnnl_alg_kind_t Kind;
  TensorId Data, Other;
  /// The shape of `Other` with the axes of `Data`: an extent of 1 is repeated.
  Dims OtherShape;
};
/// Returns the function that node \p N computes of \p Data and another operand.
std::optional<Binary> getBinary(const Lowering &L, unsigned N, TensorId Data);

/// Returns the descriptor of `B.Other`, with the axes of `B.Data`: \p Full if
/// it has all extents of the data.
Desc getOtherDesc(Lowering &L, const Binary &B, const Desc &Full);
/// Returns a buffer of `B.Other` in the layout \p Layout.
std::optional<BufferId> getOther(Lowering &L, const Binary &B,
                                 const Desc &Layout);

} // namespace backend

#endif // DNNL_BACKEND_LOWERING_H
