// See Plan.h.

#include "Plan.h"
#include "relay/IR/Operation.h"

using namespace backend;
using namespace relay;

/// Of the OpenMP library that oneDNN uses: the number of threads of the calling
/// thread's parallel regions.
extern "C" void omp_set_num_threads(int Number);

//===----------------------------------------------------------------------===//
// Construction
//===----------------------------------------------------------------------===//

bool Plan::initialize() {
  // Primitives are created for as many threads as run them.
  omp_set_num_threads(int(NumThreads));
  dnnl_engine_t RawEngine = nullptr;
  if (dnnl_engine_create(&RawEngine, dnnl_cpu, 0) != dnnl_success)
    return false;
  TheEngine.reset(RawEngine);
  dnnl_stream_t RawStream = nullptr;
  if (dnnl_stream_create(&RawStream, RawEngine, dnnl_stream_default_flags) !=
      dnnl_success)
    return false;
  TheStream.reset(RawStream);
  return true;
}

BufferId Plan::addBuffer(const Desc &Layout) {
  Buffers.emplace_back().Layout = Layout;
  return Buffers.size() - 1;
}

bool Plan::addPrimitive(const Operation *Op, const PrimitiveDesc &PD,
                        std::vector<Step::Argument> Reads,
                        Step::Argument Result, uint64_t Work) {
  Step S;
  dnnl_primitive_t Raw = nullptr;
  if (dnnl_primitive_create(&Raw, PD.get()) != dnnl_success)
    return false;
  S.Run.reset(Raw);
  S.Op = Op;
  S.Work = Work;
  for (const Step::Argument &A : Reads)
    S.Reads.push_back(A.Buffer);
  S.Writes.push_back(Result.Buffer);
  S.Arguments = std::move(Reads);
  S.Arguments.push_back(std::move(Result));
  if (Desc Scratchpad = getDesc(PD, dnnl_query_scratchpad_md)) {
    BufferId B = addBuffer(Scratchpad);
    S.Writes.push_back(B);
    S.Arguments.push_back({DNNL_ARG_SCRATCHPAD, B});
  }
  for (Step::Argument &A : S.Arguments) {
    const Desc &View = A.View ? A.View : Buffers[A.Buffer].Layout;
    dnnl_memory_t Object = nullptr;
    if (dnnl_memory_create(&Object, View.get(), TheEngine.get(),
                           DNNL_MEMORY_NONE) != dnnl_success)
      return false;
    A.Object.reset(Object);
  }
  NumPrimitives += Op != nullptr;
  Steps.push_back(std::move(S));
  return true;
}

bool Plan::runLastStep() {
  Step S = std::move(Steps.back());
  Steps.pop_back();
  Storage Tensors;
  for (BufferId B : S.Reads)
    Tensors[B] = Buffers[B].Constant;
  for (BufferId B : S.Writes)
    Tensors[B] = Tensor::allocate(DType::getUInt(8),
                                  int64_t(Buffers[B].Layout.getSize()));
  Buffers[S.Writes[0]].Constant = Tensors[S.Writes[0]];
  return execute(S, Tensors);
}

void Plan::finish() {
  std::vector<bool> IsLive(Buffers.size());
  for (BufferId B : Results)
    IsLive[B] = true;
  for (Step &S : llvm::reverse(Steps))
    for (const auto *List : {&S.Reads, &S.Writes})
      for (BufferId B : *List)
        if (!IsLive[B] && !Buffers[B].Constant) {
          IsLive[B] = true;
          S.Kills.push_back(B);
        }
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

void Plan::bindParams(const KernelCall &Call, Storage &Tensors) const {
  for (auto [I, Param] : llvm::enumerate(Params)) {
    const RuntimeValue &V = Call.getValue(I);
    for (auto [Field, B] : llvm::enumerate(Param))
      Tensors[B] =
          V.isTuple() ? V.getFields()[Field].getTensor() : V.getTensor();
  }
  for (auto [I, B] : llvm::enumerate(Buffers))
    if (B.Constant)
      Tensors[I] = B.Constant;
}

/// Allocates the results of \p S; returns false after an error.
bool Plan::allocate(KernelCall &Call, const Step &S, Storage &Tensors) const {
  for (BufferId B : S.Writes) {
    std::optional<Tensor> Made;
    if (TensorType *T = Buffers[B].Type) {
      TensorShape Shape;
      for (Dim D : T->getShape())
        Shape.push_back(D.getInt());
      Made = Call.allocate(T->getDType(), Shape);
    } else {
      Made = Call.allocate(DType::getUInt(8),
                           int64_t(Buffers[B].Layout.getSize()));
    }
    if (!Made)
      return false;
    Tensors[B] = std::move(*Made);
  }
  return true;
}

bool Plan::execute(const Step &S, const Storage &Tensors) {
  SmallVector<dnnl_exec_arg_t, 8> Arguments;
  for (const Step::Argument &A : S.Arguments) {
    // A primitive only writes the buffers of Step::Writes, which are new.
    auto *Bytes =
        const_cast<char *>(Tensors.find(A.Buffer)->second.getBytes().data());
    if (dnnl_memory_set_data_handle(A.Object.get(), Bytes) != dnnl_success)
      return false;
    Arguments.push_back({A.Name, A.Object.get()});
  }
  return dnnl_primitive_execute(S.Run.get(), TheStream.get(),
                                int(Arguments.size()),
                                Arguments.data()) == dnnl_success &&
         dnnl_stream_wait(TheStream.get()) == dnnl_success;
}

LogicalResult Plan::runPrimitive(const KernelCall &Call, const Step &S,
                                 const Storage &Tensors) {
  if (failed(Call.countWork(1, S.Work)))
    return failure();
  if (execute(S, Tensors))
    return success();
  return Call.emitError("oneDNN cannot execute " +
                        (S.Op ? S.Op->getName() : "a change of layout"));
}

LogicalResult Plan::evaluate(const KernelCall &Call, const Step &S,
                             Storage &Tensors) const {
  MemoryMeter *Meter = Call.getEnvironment().Meter;
  SmallVector<RuntimeValue, 4> Operands;
  for (const Step::Operand &O : S.Operands) {
    SmallVector<RuntimeValue, 4> Fields;
    for (BufferId B : O.Buffers)
      Fields.emplace_back(Tensors[B], Meter);
    Operands.push_back(O.IsTuple ? RuntimeValue::getTuple(Fields, Meter)
                                 : Fields[0]);
  }
  FailureOr<RuntimeValue> Result = evaluateWithin(Call, *S.Op, Operands);
  if (failed(Result))
    return failure();
  for (auto [I, B] : llvm::enumerate(S.Writes))
    Tensors[B] = S.HasTupleResult ? Result->getFields()[I].getTensor()
                                  : Result->getTensor();
  return success();
}

FailureOr<bool> Plan::run(KernelCall &Call) {
  omp_set_num_threads(int(std::min(NumThreads, Call.getNumThreads())));
  Storage Tensors;
  bindParams(Call, Tensors);
  for (const Step &S : Steps) {
    if (!S.Run) {
      if (failed(evaluate(Call, S, Tensors)))
        return failure();
    } else if (!allocate(Call, S, Tensors) ||
               failed(runPrimitive(Call, S, Tensors))) {
      return failure();
    }
    for (BufferId B : S.Kills)
      Tensors.erase(B);
  }
  for (auto [I, B] : llvm::enumerate(Results))
    Call.setOutput(I, Tensors[B]);
  return true;
}
