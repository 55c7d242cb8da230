//===- Session.cpp - Read, run, print, report -----------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Session.h. Each step is a phase, visible to instrumentations, and an
// activity, named in errors about limits.
//
//===----------------------------------------------------------------------===//

#include "relay/Session/Session.h"
#include "Extensions.h"
#include "relay/Analysis/TypeInference.h"
#include "relay/IR/Core.h"
#include "relay/IR/Verifier.h"
#include "relay/IR/Walk.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Session/RoundTrip.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Text/Facts/OpFactFile.h"
#include "relay/Text/Json/Json.h"
#include "relay/Text/Parse/Nesting.h"
#include "relay/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/WithColor.h"

using namespace relay;
using llvm::Error;
using Phase = InstrumentationList::Phase;

RunLimits SessionLimits::get(uint64_t InputSize) const {
  constexpr uint64_t BytesPerCharacter = 16;
  RunLimits Limits;
  Limits.Operations = Operations;
  Limits.Characters = Characters;
  Limits.Memory =
      Memory.value_or(RunLimits::DefaultMemory + InputSize * BytesPerCharacter);
  return Limits;
}

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

Session::Session(StringRef Name, raw_ostream &Messages, raw_ostream &Reports)
    : Name(Name), Messages(Messages), Reports(Reports), Flags(Name),
      Instrumentations(Flags, this->Reports),
      LoadedExtensions(std::make_unique<Extensions>(Flags, Instrumentations)) {
  registerAllPasses(Registry);
}

Session::~Session() = default;

void Session::add(const Extension &E) { LoadedExtensions->add(E); }

Error Session::loadPlugin(StringRef Path) {
  return LoadedExtensions->loadPlugin(Path);
}

Error Session::initialize() {
  if (Error E = LoadedExtensions->checkOps())
    return E;
  return LoadedExtensions->registerPasses(Registry, Messages);
}

LogicalResult Session::readFacts(const llvm::MemoryBuffer &File, Context &Ctx,
                                 ArrayRef<StringRef> TargetKeys) const {
  registerAllOpFacts(Ctx);
  return readOpFacts(llvm::MemoryBuffer::getMemBufferCopy(
                         File.getBuffer(), File.getBufferIdentifier()),
                     Ctx, Registry.getTargetKeys(), TargetKeys);
}

LogicalResult Session::addOpFacts(std::unique_ptr<llvm::MemoryBuffer> File,
                                  ArrayRef<StringRef> TargetKeys) {
  if (failed(readFacts(*File, *createContext(), TargetKeys)))
    return failure();
  FactFiles.push_back(std::move(File));
  return success();
}

Error Session::setFlags(ArrayRef<const char *> Arguments) {
  ParsedCommandLine Line = Flags.read(Arguments);
  for (StringRef Operand : Line.Operands)
    Line.Problems.push_back(("unexpected operand '" + Operand + "'").str());
  if (Error E = Flags.apply(Line))
    return E;
  if (Error E = Instrumentations.setUp({}))
    return E;
  return Instrumentations.prepare(Registry);
}

LogicalResult Session::fail(Error E) const {
  if (!E)
    return success();
  if (ErrorHandler)
    ErrorHandler(std::move(E));
  else
    llvm::handleAllErrors(std::move(E), [&](const llvm::ErrorInfoBase &Info) {
      llvm::WithColor::error(Messages, Name) << Info.message() << '\n';
    });
  return failure();
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

std::unique_ptr<Context> Session::createContext() const {
  auto Ctx = std::make_unique<Context>(Messages);
  registerAllOps(*Ctx);
  LoadedExtensions->registerOps(*Ctx);
  for (const auto &File : FactFiles)
    (void)readFacts(*File, *Ctx, {}); // addOpFacts() found no error
  Ctx->setLimits(Limits.get(/*InputSize=*/0));
  Ctx->setNumThreads(NumThreads);
  Ctx->setMinParallelWork(MinParallelWork);
  return Ctx;
}

void Session::watch(Context &Ctx) { Instrumentations.configure(Ctx, Registry); }

std::unique_ptr<Module> Session::read(std::unique_ptr<llvm::MemoryBuffer> Text,
                                      Context &Ctx, const ReadOptions &O) {
  CrashActivity Activity("reading");
  const SourceTextRef &Last = Ctx.getDiagnostics().getMainSource();
  Ctx.setLimits(
      Limits.get((Last ? Last->getEnd() : 0) + Text->getBufferSize()));
  std::unique_ptr<Module> M;
  {
    Phase Parse(Instrumentations, "Parse");
    M = parseModule(std::move(Text), Ctx, O);
  }
  if (!M)
    return nullptr;
  if (O.Infer) {
    Phase Inference(Instrumentations, "Infer types");
    if (failed(inferTypes(*M)))
      return nullptr;
  }
  if (O.Verify) {
    Phase Verify(Instrumentations, "Verify module");
    if (failed(verify(*M, O.AllowUndefinedGlobals)))
      return nullptr;
  }
  return failed(Ctx.checkMemory()) ? nullptr : std::move(M);
}

OwnedModule Session::read(std::unique_ptr<llvm::MemoryBuffer> Text,
                          const ReadOptions &O) {
  std::unique_ptr<Context> Ctx = createContext();
  watch(*Ctx);
  std::unique_ptr<Module> M = read(std::move(Text), *Ctx, O);
  return OwnedModule(std::move(Ctx), std::move(M));
}

LogicalResult Session::checkRoundTrip(Module &M, ReadOptions O) {
  O.Release = ParserOptions::CurrentRelease;
  O.FirstLine = 1;
  std::unique_ptr<Context> Other = createContext();
  return verifyRoundTrip(M, /*Typed=*/O.Infer, [&](auto Text) {
    return read(std::move(Text), *Other, O);
  });
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

FailureOr<ModulePassManager> Session::parsePipeline(StringRef Text,
                                                    StringRef TextName) const {
  return relay::parsePipeline(Text, TextName, Registry, Messages);
}

static Error configure(PassContext &PC, const RunOptions &O) {
  PC.setOptLevel(RunOptions::DefaultOptLevel);
  return O.Configure ? O.Configure(PC) : Error::success();
}

Error Session::check(const RunOptions &O) const {
  Context Ctx(Messages);
  PassContext PC(Ctx, Registry);
  if (Error E = configure(PC, O))
    return E;
  return Instrumentations.prepare(Registry);
}

/// Verifies functions that passes have changed.
static LogicalResult verifyResult(Module &M, IncrementalVerifier &Verifier,
                                  StringRef Name, raw_ostream &Messages) {
  if (succeeded(Verifier.verifyChanged(M)))
    return success();
  Messages << Name
           << ": note: a pass left invalid IR; -verify-each names the pass\n";
  return failure();
}

LogicalResult Session::runPasses(Module &M, ModulePassManager &Pipeline,
                                 const RunOptions &O) {
  CrashActivity Activity("the pipeline");
  PassContext PC(M.getContext(), Registry, Reports);
  if (Error E = configure(PC, O))
    return fail(std::move(E));
  Instrumentations.registerCallbacks(PC);
  AnalysisManagers AMs(PC);
  auto Scope = PassContext::Scope::enter(PC);
  if (!Scope)
    return fail(Scope.takeError());
  Instrumentations.start(M);
  IncrementalVerifier Verifier(O.AllowUndefinedGlobals);
  if (!Pipeline.empty())
    Verifier.assumeVerified(M); // verified after reading
  bool Failed = failed(Pipeline.run(M, AMs.Modules, PC));
  Error E = llvm::joinErrors(PC.takeInstrumentError(), Scope->exit());
  Failed |= failed(fail(std::move(E)));
  bool EndFailed = failed(fail(Instrumentations.finish(M, Failed)));
  if (Failed || EndFailed || Instrumentations.hasFailed() ||
      Activity.hasExceededLimit())
    return failure();
  if (Pipeline.empty() || !O.Verify)
    return success();
  Phase Verify(Instrumentations, "Verify module");
  return verifyResult(M, Verifier, Name, Messages);
}

LogicalResult Session::run(Module &M, ModulePassManager &Pipeline,
                           const RunOptions &O) {
  LogicalResult Result = runPasses(M, Pipeline, O);
  if (succeeded(Result) && O.MustNestAsText)
    Result = checkNesting(M);
  Instrumentations.startModule(); // M may be destroyed
  return Result;
}

//===----------------------------------------------------------------------===//
// Printing and reports
//===----------------------------------------------------------------------===//

/// Reports an opaque constant, which JSON cannot express.
static LogicalResult checkConstants(Module &M) {
  LogicalResult Result = success();
  if (!M.getContext().hasOpaqueConstants())
    return Result;
  for (Function &F : M.functions())
    walk(F, [&](Operation *Op) {
      const ConstantData *Data = getConstantData(Op);
      if (failed(Result) || !Data || !Data->isOpaque())
        return;
      Result = M.getContext().emitError(
          Op->getLoc(), Data->describeMissingData() + ", and JSON needs it");
    });
  return Result;
}

LogicalResult Session::print(Module &M, raw_ostream &OS,
                             const OutputOptions &O) {
  if (O.Form == OutputForm::Json && failed(checkConstants(M)))
    return failure();
  CrashActivity Activity("writing");
  Phase Print(Instrumentations, "Print");
  if (O.Form == OutputForm::Json)
    printJson(M, OS);
  else
    printModule(M, OS, O);
  return success(!Activity.hasExceededLimit());
}

Error Session::report(raw_ostream &OS, const ModulePassManager &Pipeline,
                      bool Failed) {
  Error All = Error::success();
  Instrumentations.forEach([&](Instrumentation &I) {
    if (I.getReportFile().empty())
      All = llvm::joinErrors(std::move(All), I.report(OS, Pipeline, Failed));
  });
  return All;
}

Error Session::writeReportFiles(WriteFileFn WriteFile,
                                const ModulePassManager &Pipeline,
                                bool Failed) {
  Error All = Error::success();
  Instrumentations.forEach([&](Instrumentation &I) {
    if (I.getReportFile().empty())
      return;
    Error OfReport = Error::success();
    Error FileError = WriteFile(I.getReportFile(), [&](raw_ostream &OS) {
      OfReport =
          llvm::joinErrors(std::move(OfReport), I.report(OS, Pipeline, Failed));
    });
    All =
        llvm::joinErrors(std::move(All), llvm::joinErrors(std::move(FileError),
                                                          std::move(OfReport)));
  });
  return All;
}
