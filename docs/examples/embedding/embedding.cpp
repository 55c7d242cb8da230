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
#include "relay/Instrumentation/Instrumentation.h"
#include "relay/Instrumentation/StandardInstrumentations.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Ops/NN.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Pattern/Match/MatchExplanation.h"
#include "relay/Pattern/Text/PatternText.h"
#include "relay/Support/OrderedOutput.h"
#include "relay/Text/Parse/Parser.h"
#include "relay/Text/Print/Printer.h"
#include "relay/Transforms/Passes.h"

using namespace relay;

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// The module of the file \p Path; null after errors, which are reported.
static std::unique_ptr<Module> readModel(StringRef Path, Context &Ctx) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer) {
    llvm::errs() << Path << ": " << Buffer.getError().message() << '\n';
    return nullptr;
  }
  std::unique_ptr<Module> M = parseModule(std::move(*Buffer), Ctx);
  if (!M || failed(inferTypes(*M)) || failed(verify(*M)))
    return nullptr;
  return M;
}

/// A dense layer with two activations.
static std::unique_ptr<Module> makeModel(Context &Ctx) {
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
    return nullptr;
  return M;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Runs \p Text, a pipeline, on \p M.
static LogicalResult runPipeline(Module &M, StringRef Text,
                                 const PassRegistry &Registry,
                                 InstrumentationList &Instrumentations) {
  FailureOr<ModulePassManager> Pipeline =
      parsePipeline(Text, "pipeline", Registry);
  if (failed(Pipeline))
    return failure();
  PassContext PC(M.getContext(), Registry, Instrumentations.getStream());
  PC.getCallbacks().registerAfterPassCallback([](const PassRun &Run) {
    llvm::outs() << "ran " << Run.getName() << '\n';
    return success();
  });
  Instrumentations.registerCallbacks(PC);
  Instrumentations.start(M);
  AnalysisManagers AMs(PC);
  bool Failed = failed(Pipeline->run(M, AMs.Modules, PC));
  llvm::Error E = Instrumentations.finish(M, Failed);
  Instrumentations.forEach([&](Instrumentation &I) {
    E = llvm::joinErrors(std::move(E), I.report(Instrumentations.getStream(),
                                                *Pipeline, Failed));
  });
  if (!E)
    return success(!Failed);
  llvm::errs() << llvm::toString(std::move(E)) << '\n';
  return failure();
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// Tells of each dense layer whether \p Text matches it, and if not, why.
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
  FlagSet Flags("embedding");
  OrderedStream Reports(llvm::errs());
  InstrumentationList Instrumentations(Flags, Reports);
  addStandardInstrumentations(Instrumentations);
  ParsedCommandLine Line = Flags.read(Arguments);
  if (llvm::Error E = Flags.apply(Line)) {
    llvm::errs() << llvm::toString(std::move(E)) << '\n';
    return failure();
  }
  Instrumentations.setUp({&Reports});

  PassRegistry Registry;
  registerAllPasses(Registry);
  Registry.registerPass(FoldDoubleReluInfo,
                        [](const PassInfo &, const PassOptionValues &) {
                          return createFoldDoubleReluPass();
                        });
  if (llvm::Error E = Instrumentations.prepare(Registry)) {
    llvm::errs() << llvm::toString(std::move(E)) << '\n';
    return failure();
  }

  Context Ctx; // outlives the module
  registerAllOps(Ctx);
  RunLimits Limits;
  Limits.Operations = 100'000;
  Ctx.setLimits(Limits);
  Ctx.setNumThreads(2);
  Ctx.getDiagnostics().pushHandler([&](const Diagnostic &D) {
    auto [Row, Column] = Ctx.getDiagnostics().getLineAndColumn(D.Loc);
    llvm::errs() << "embedding: " << Row << ':' << Column << ": " << D.Message
                 << '\n';
    return true; // it is not printed as well
  });

  Instrumentations.configure(Ctx, Registry);
  std::unique_ptr<Module> M =
      Line.Operands.empty() ? makeModel(Ctx) : readModel(Line.Operands[0], Ctx);
  if (!M || failed(runPipeline(*M, "fold-double-relu,fold-constant", Registry,
                               Instrumentations)))
    return failure();
  printModule(*M, llvm::outs(), PrintOptions::forDumps());
  if (failed(findMatches(*M, "nn.dense(*, %w@const)")) ||
      failed(findMatches(*M, "nn.dense(const, *)")))
    return failure();
  return evaluateModel(*M);
}

int main(int Argc, char **Argv) {
  return failed(run(ArrayRef(Argv, Argc).drop_front())) ? 1 : 0;
}
