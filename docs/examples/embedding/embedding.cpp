//===- embedding.cpp - Relay in a program of its own ----------------------===//
//
// embedding [flags of instrumentations] [model.relay]: optimizes a model, or
// one that it makes itself, tells where a pattern matches, and evaluates it.
//
//===----------------------------------------------------------------------===//

#include "embedding.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Builder.h"
#include "relay/IR/Verifier.h"
#include "relay/IR/Walk.h"
#include "relay/Instrumentation/StandardInstrumentations.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Ops/NN.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pattern/Match/MatchExplanation.h"
#include "relay/Pattern/Text/PatternText.h"
#include "relay/Session/Session.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// Reads the model of the file \p Path.
static OwnedModule readModel(Session &S, StringRef Path) {
  auto Text = llvm::MemoryBuffer::getFile(Path);
  if (Text)
    return S.read(std::move(*Text));
  llvm::errs() << Path << ": " << Text.getError().message() << '\n';
  return {};
}

/// A dense layer with two activations.
static OwnedModule makeModel(Session &S) {
  std::unique_ptr<Context> Owner = S.createContext();
  Context &Ctx = *Owner;
  auto M = std::make_unique<Module>(Ctx);
  Function *Main = M->createFunction("main");
  TensorType *Vector = Ctx.getTensorType({1, 4}, DType::getFloat(32));
  Value *X = Main->getBody().addArgument(Ctx.intern("x"), Vector, {});
  Builder B(Main->getBody());
  TensorType *Matrix = Ctx.getTensorType({2, 4}, DType::getFloat(32));
  auto Dense = B.create<DenseOp>(X, B.splat(Matrix, 0.5),
                                 DenseAttrs::Builder(Ctx).units(2).get());
  auto Inner = B.create<ReluOp>(Dense);
  Main->getBody().setResultRaw(B.create<ReluOp>(Inner));
  M->normalize();
  if (failed(inferTypes(*M)) || failed(verify(*M)))
    return {};
  return OwnedModule(std::move(Owner), std::move(M));
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Runs \p Text, a pipeline, on \p M and prints the result and the reports.
static LogicalResult transform(Session &S, Module &M, StringRef Text) {
  FailureOr<ModulePassManager> Pipeline = S.parsePipeline(Text);
  if (failed(Pipeline))
    return failure();
  RunOptions Options;
  Options.Configure = [](PassContext &PC) {
    PC.getCallbacks().registerAfterPassCallback([](const PassRun &Run) {
      llvm::outs() << "ran " << Run.getName() << '\n';
      return success();
    });
    return llvm::Error::success();
  };
  LogicalResult Result = S.run(M, *Pipeline, Options);
  llvm::cantFail(S.report(llvm::errs(), *Pipeline, failed(Result)));
  if (failed(Result))
    return failure();
  OutputOptions Printing;
  Printing.Metadata = false;
  return S.print(M, llvm::outs(), Printing);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Prints for each dense layer whether \p Text matches it, and if not, why.
static LogicalResult findMatches(Module &M, StringRef Text) {
  Context &Ctx = M.getContext();
  FailureOr<Pattern> P = parsePattern(Text, "pattern", Ctx);
  if (failed(P))
    return failure();
  FailureOr<PatternProgram> Program = PatternProgram::compile(Ctx, {*P});
  if (failed(Program))
    return failure();
  for (Function &F : M.functions()) {
    Matcher Matching(*Program, F);
    walk(F, [&](DenseOp Dense) {
      llvm::outs() << Text << ": ";
      if (Matching.match(0, ExprRef::getDefinition(Dense)))
        writeExpression(llvm::outs(), Matching.lookup("w"));
      else
        llvm::outs() << explainMatch(Matching, 0, Dense);
      llvm::outs() << '\n';
    });
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Evaluates @main of \p M, whose parameter is [1, 4], for the numbers 1 to 4.
static LogicalResult evaluateModel(Module &M) {
  Tensor Input = Tensor::allocate(DType::getFloat(32), {1, 4});
  float Next = 0;
  for (float &Element : Input.getMutableElements<float>())
    Element = ++Next;
  EvaluatorOptions Options;
  Options.MaxSteps = 1000;
  Options.MaxMemory = 1 << 20;
  Evaluator TheEvaluator(M, Options);
  FailureOr<RuntimeValue> Result =
      TheEvaluator.evaluate(*M.lookupFunction("main"), {RuntimeValue(Input)});
  if (failed(Result))
    return failure();
  printValue(llvm::outs(), *Result);
  llvm::outs() << '\n';
  return success();
}

//===----------------------------------------------------------------------===//
// Entry point
//===----------------------------------------------------------------------===//

static LogicalResult run(ArrayRef<const char *> Arguments) {
  StringRef Path;
  if (!Arguments.empty() && Arguments.back()[0] != '-') {
    Path = Arguments.back();
    Arguments = Arguments.drop_back();
  }
  Session S("embedding", llvm::errs(), llvm::errs());
  addStandardInstrumentations(S.getInstrumentations());
  S.getRegistry().registerPass(FoldDoubleReluInfo,
                               [](const PassInfo &, const PassOptionValues &) {
                                 return createFoldDoubleReluPass();
                               });
  llvm::Error E = S.setFlags(Arguments);
  if (!E)
    E = S.check({});
  if (E) {
    llvm::errs() << llvm::toString(std::move(E)) << '\n';
    return failure();
  }
  SessionLimits Limits;
  Limits.Operations = 100'000;
  S.setLimits(Limits);
  S.setNumThreads(2);

  OwnedModule M = Path.empty() ? makeModel(S) : readModel(S, Path);
  if (!M || failed(transform(S, *M, "fold-double-relu,fold-constant")))
    return failure();
  if (failed(findMatches(*M, "nn.dense(*, %w@const)")) ||
      failed(findMatches(*M, "nn.dense(const, *)")))
    return failure();
  return evaluateModel(*M);
}

int main(int Argc, char **Argv) {
  return failed(run(ArrayRef(Argv, Argc).drop_front())) ? 1 : 0;
}
