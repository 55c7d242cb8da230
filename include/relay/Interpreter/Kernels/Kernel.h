//===- Kernel.h - Functions that compute operators --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a hook of an operator: a function that reads the inputs of a
// KernelCall and fills its outputs. docs/AddingAKernel.md shows how to add one;
// KernelUtils.h has shared helpers.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INTERPRETER_KERNELS_KERNEL_H
#define RELAY_INTERPRETER_KERNELS_KERNEL_H

#include "relay/IR/OpHooks.h"
#include "relay/Interpreter/Values/RuntimeValue.h"
#include "relay/Ops/RequantizeMode.h"
#include "llvm/Support/MathExtras.h"

namespace relay {

/// Counts the work of kernels, in operations on elements: a multiplication and
/// the work around it.
struct WorkMeter {
  uint64_t Limit = UINT64_MAX;
  StringRef LimitFlag; ///< raises it, for messages
  uint64_t Used = 0;

  bool isBeyondLimit() const { return Used > Limit; }
  /// Adds \p Count times \p Cost operations.
  void add(int64_t Count, uint64_t Cost) {
    Used = llvm::SaturatingMultiplyAdd(uint64_t(Count), Cost, Used);
  }
};

/// One call of an operator.
class KernelCall {
public:
  /// The meters of memory and work, the receiver of errors, and the number of
  /// threads.
  struct Environment {
    Context &Ctx;
    DiagnosticEngine &Diags;
    MemoryMeter *Meter;
    WorkMeter &Work;
    unsigned NumThreads = 1;
    /// The method of changes of scale that do not state one.
    RequantizeMode Requantize = {};
  };

  /// \p ResultType is concrete except for `?` in dimensions that depend on
  /// data. \p Inputs must outlive the call, and tensors in them must be
  /// aligned.
  KernelCall(const Environment &Env, const OpInfo &Info, const Attrs *A,
             Location Loc, ArrayRef<RuntimeValue> Inputs, Type *ResultType);

  //===--- The call -------------------------------------------------------===//
  const Environment &getEnvironment() const { return Env; }
  Context &getContext() const { return Env.Ctx; }
  const OpInfo &getInfo() const { return Info; }
  template <typename AttrsT> const AttrsT &getAttrs() const {
    assert(A && "the operator has no attributes");
    return static_cast<const AttrsT &>(*A);
  }

  //===--- Inputs ---------------------------------------------------------===//
  unsigned getNumInputs() const { return Inputs.size(); }
  /// Returns operand \p I, of any kind.
  const RuntimeValue &getValue(unsigned I) const { return Inputs[I]; }
  /// Returns operand \p I, a tensor.
  const Tensor &getInput(unsigned I) const { return Inputs[I].getTensor(); }
  template <typename E> ArrayRef<E> getInput(unsigned I) const {
    return getInput(I).getElements<E>();
  }
  /// Returns the fields of operand \p I, a tuple of tensors.
  SmallVector<const Tensor *, 8> getTuple(unsigned I) const;

  //===--- Outputs --------------------------------------------------------===//
  /// The result is a tensor, or a tuple of this many tensors.
  unsigned getNumOutputs() const { return Outputs.size(); }
  DType getOutputDType(unsigned I = 0) const {
    return Outputs[I].Ty->getDType();
  }
  /// Returns true if the shape of output \p I is known; otherwise it depends on
  /// data, and the kernel computes it and calls createOutput().
  bool hasOutputShape(unsigned I = 0) const { return Outputs[I].IsStatic; }
  ArrayRef<int64_t> getOutputShape(unsigned I = 0) const {
    assert(hasOutputShape(I));
    return Outputs[I].Shape;
  }
  /// Returns the elements of output \p I, whose shape is known, to be filled;
  /// their initial contents are undefined.
  template <typename E> MutableArrayRef<E> getOutput(unsigned I = 0) {
    return getOutputTensor(I).getMutableElements<E>();
  }
  Tensor &getOutputTensor(unsigned I = 0);
  /// Creates output \p I, a tensor of \p Shape with the data type of the type
  /// relation. Returns null, with an error reported, if the shape is invalid,
  /// contradicts the type relation, or exceeds the memory limit.
  Tensor *createOutput(unsigned I, ArrayRef<int64_t> Shape);
  /// Sets output \p I to \p T: an input, or an input in another shape
  /// (reshape()).
  void setOutput(unsigned I, Tensor T) { Outputs[I].Value = std::move(T); }
  /// Sets the whole result, for operators that take and return any value.
  void setResult(RuntimeValue V) { Result = std::move(V); }

  //===--- Memory, threads, errors ----------------------------------------===//
  /// Allocates working memory; returns none, with an error reported, if there
  /// is not enough.
  std::optional<Tensor> allocate(DType T, ArrayRef<int64_t> Shape);
  /// Returns the maximal number of threads that parallelFor() uses.
  unsigned getNumThreads() const { return Env.NumThreads; }
  /// Calls \p Work with parts of [0, Count), on several threads if that is
  /// worthwhile: \p Cost is the number of operations per index. The result for
  /// an index must not depend on its part. If the work exceeds the limit, Work
  /// is not called, and the call fails when its kernel returns: the output of
  /// Work is then undefined, and must not be used as indices.
  void parallelFor(int64_t Count, uint64_t Cost,
                   function_ref<void(int64_t Begin, int64_t End)> Work) const;
  /// As parallelFor(), for work that grows faster than the memory of operands
  /// and results: if the work exceeds the limit, reports an error and fails
  /// without calling Work.
  LogicalResult
  limitedFor(int64_t Count, uint64_t Cost,
             function_ref<void(int64_t Begin, int64_t End)> Work) const;
  /// As parallelFor(), for work that countWork() has counted.
  void countedFor(int64_t Count, uint64_t Cost,
                  function_ref<void(int64_t Begin, int64_t End)> Work) const;
  /// Counts \p Count times \p Cost operations on elements, for work that does
  /// not use these functions; reports an error if the limit is exceeded.
  LogicalResult countWork(int64_t Count, uint64_t Cost) const;
  /// Emits `'nn.relu': Message` at the operation, with its layer. For a call of
  /// a function, emits `@f: Message`.
  InFlightDiagnostic emitError(const Twine &Message) const;
  /// Reports that the operator has no kernel for \p T.
  LogicalResult emitUnsupported(DType T) const;

  /// Makes this the call of the function \p Name by an ExternalFunction.
  void setFunction(StringRef Name) { FunctionName = Name; }
  /// Returns the result after the kernel has run; failure if outputs are
  /// missing.
  FailureOr<RuntimeValue> takeResult();
  /// Creates the outputs if they are all empty. Returns false, and creates
  /// none, if an output has elements or its shape depends on data.
  bool makeEmptyOutputs();
  /// Checks that memory for the outputs of known shape is available; reports.
  LogicalResult checkOutputs();

private:
  struct Output {
    const TensorType *Ty;
    bool IsStatic;
    TensorShape Shape;
    Tensor Value;
  };
  void addOutput(Type *T);
  /// Reports that the system has no memory for \p What, a tensor.
  LogicalResult emitOutOfMemory(const Twine &What) const;

  const Environment &Env;
  const OpInfo &Info;
  const Attrs *A;
  Location Loc;
  StringRef FunctionName; ///< of a function; empty for an operator
  ArrayRef<RuntimeValue> Inputs;
  bool IsTuple;
  bool HasOtherOutputs = false; ///< than tensors
  SmallVector<Output, 1> Outputs;
  RuntimeValue Result;
};

} // namespace relay

#include "relay/Interpreter/Kernels/Kernels.h.inc"

#endif // RELAY_INTERPRETER_KERNELS_KERNEL_H
