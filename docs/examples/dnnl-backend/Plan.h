// A function as a sequence of steps on buffers: primitives of oneDNN, and
// operators that the interpreter evaluates. Buffers are allocated when a step
// writes them, counted by the limit on memory, and freed after their last use.

#ifndef DNNL_BACKEND_PLAN_H
#define DNNL_BACKEND_PLAN_H

#include "Graph.h"
#include "OneDNN.h"
#include "relay/Interpreter/Evaluation/ExternalFunction.h"
#include "llvm/ADT/DenseMap.h"

namespace backend {

/// The number of a buffer.
using BufferId = unsigned;

struct Buffer {
  /// Invalid if the buffer belongs to no primitive.
  Desc Layout;
  /// The type of the tensor that the buffer contains in row-major order; null
  /// if the buffer has a layout of oneDNN.
  relay::TensorType *Type = nullptr;
  /// Of a constant.
  relay::Tensor Constant;
};

struct Step {
  struct Argument {
    int Name; ///< DNNL_ARG_SRC, ...
    BufferId Buffer;
    /// The buffer as the primitive sees it, with other axes; invalid if it sees
    /// the layout of the buffer.
    Desc View = {};
    Memory Object = nullptr;
  };
  /// Null for an operator that the interpreter evaluates.
  Primitive Run;
  std::vector<Argument> Arguments;

  /// The operator for messages, or to be evaluated.
  const relay::Operation *Op = nullptr;
  struct Operand {
    bool IsTuple;
    SmallVector<BufferId, 1> Buffers;
  };
  SmallVector<Operand, 4> Operands;
  bool HasTupleResult = false;

  /// The buffers that the step reads and writes, and buffers that no later step
  /// reads.
  SmallVector<BufferId, 4> Reads, Writes, Kills;
  /// The number of multiplications, approximately.
  uint64_t Work = 0;
};

class Plan : public relay::ExternalFunction {
public:
  explicit Plan(unsigned NumThreads) : NumThreads(NumThreads) {}

  /// Creates the engine; returns false if oneDNN fails.
  bool initialize();
  /// Runs all steps; an implementation of ExternalFunction::run.
  relay::FailureOr<bool> run(relay::KernelCall &Call) override;

  /// Adds a buffer of a primitive.
  BufferId addBuffer(const Desc &Layout);
  /// Adds a step of the primitive of \p PD, which reads \p Reads and writes \p
  /// Result. \p Op is null for a change of layout. Returns false if oneDNN
  /// fails.
  bool addPrimitive(const relay::Operation *Op, const PrimitiveDesc &PD,
                    std::vector<Step::Argument> Reads, Step::Argument Result,
                    uint64_t Work = 0);
  /// Runs the last step, whose arguments are constants, and removes it: its
  /// result becomes a constant.
  bool runLastStep();
  /// Returns the number of steps of oneDNN except changes of layouts.
  unsigned getNumPrimitives() const { return NumPrimitives; }
  /// Must be called once, after all steps have been added.
  void finish();

  Engine TheEngine;
  Stream TheStream;
  std::vector<Buffer> Buffers;
  std::vector<Step> Steps;
  /// The row-major buffers of parameters and results, tuples flattened.
  std::vector<std::vector<BufferId>> Params;
  std::vector<BufferId> Results;

private:
  /// The contents of buffers that are in use.
  using Storage = llvm::DenseMap<BufferId, relay::Tensor>;
  bool allocate(relay::KernelCall &Call, const Step &S, Storage &Tensors) const;
  relay::LogicalResult runPrimitive(const relay::KernelCall &Call,
                                    const Step &S, const Storage &Tensors);
  relay::LogicalResult evaluate(const relay::KernelCall &Call, const Step &S,
                                Storage &Tensors) const;
  bool execute(const Step &S, const Storage &Tensors);
  void bindParams(const relay::KernelCall &Call, Storage &Tensors) const;

  unsigned NumThreads;
  unsigned NumPrimitives = 0;
};

} // namespace backend

#endif // DNNL_BACKEND_PLAN_H
