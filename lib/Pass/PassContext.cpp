//===- PassContext.cpp - The environment in which passes run --------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PassContext.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pass/PassContext.h"
#include "relay/IR/Threading.h"
#include "relay/Support/ErrorCount.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

PassInstrument::~PassInstrument() = default;

PassContext::PassContext(Context &Ctx, const PassRegistry &Registry,
                         raw_ostream &Output)
    : Ctx(Ctx), Registry(Registry), Output(Output) {
  llvm::cantFail(std::move(InstrumentError)); // success, now checked
}

PassContext::~PassContext() {
  assert(!InScope && "a scope outlives its context");
  llvm::consumeError(std::move(InstrumentError));
}

/// Returns an error about the unknown name \p Name, with a suggestion.
static Error unknownName(const Twine &What, StringRef Name,
                         ArrayRef<StringRef> Known, StringRef Hint) {
  std::string Meant = getSuggestion(Name, Known);
  if (Meant.empty() && !Hint.empty())
    Meant = ("; " + Hint).str();
  return llvm::createStringError("unknown " + What + " '" + Name + "'" + Meant);
}

//===----------------------------------------------------------------------===//
// Which passes run
//===----------------------------------------------------------------------===//

Error PassContext::add(llvm::StringSet<> &Set, StringRef Name) {
  const PassInfo *Info = Registry.findPass(Name);
  if (Registry.isPlace(Name))
    return llvm::createStringError("'" + Name +
                                   "' is not a pass; name its members instead");
  if (!Info && !Registry.isReferenceName(Name)) {
    SmallVector<StringRef> Known = Registry.getArguments();
    Known.append(Registry.getNames());
    llvm::append_range(Known, Registry.getReferenceNames());
    return unknownName("pass", Name, Known, "-print-passes lists the passes");
  }
  Set.insert(Info ? Info->Name : Name);
  return Error::success();
}

StringRef PassContext::getSkipReason(const PassInfo &Info) const {
  if (Disabled.contains(Info.Name))
    return "disable-pass";
  if (Required.contains(Info.Name) || OptLevel >= Info.OptLevel)
    return "";
  return "opt-level";
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

bool PassContext::requiresSingleThread() const {
  return Callbacks.requiresSingleThread() ||
         llvm::any_of(Instruments, [](const PassInstrument *I) {
           return !I->allowsThreads();
         });
}

void detail::forEachFunction(Module &M, const PassContext &Ctx,
                             function_ref<void(size_t, Function &)> Visit) {
  SmallVector<Function *, 0> Functions = getFunctions(M);
  if (Ctx.requiresSingleThread()) {
    for (auto [I, F] : llvm::enumerate(Functions))
      Visit(I, *F);
    return;
  }
  for (Function *F : Functions)
    F->freezeType();
  forEachInParallel(Functions, [&](size_t I) { Visit(I, *Functions[I]); });
  for (Function *F : Functions)
    F->thawType();
}

//===----------------------------------------------------------------------===//
// Config
//===----------------------------------------------------------------------===//

Error PassContext::setConfig(StringRef Key, StringRef Text) {
  const PassOptionInfo *Info = Registry.lookupConfigOption(Key);
  if (!Info && Registry.isReferenceConfig(Key))
    return Error::success();
  if (!Info)
    return unknownName("config option", Key, Registry.getConfigNames(),
                       "-print-passes lists the config options");
  if (HasRun)
    return llvm::createStringError("config option '" + Key +
                                   "' cannot be set once passes run");
  Expected<PassOptionValue> Value = parseOptionValue(*Info, Text);
  if (!Value)
    return llvm::createStringError("config option '" + Key + "' " +
                                   llvm::toString(Value.takeError()));
  Config.set(Key, std::move(*Value));
  return Error::success();
}

std::optional<PassOptionValue>
PassContext::getConfigValue(StringRef Name) const {
  if (const PassOptionValue *Value = Config.lookup(Name))
    return *Value;
  const PassOptionInfo *Info = Registry.lookupConfigOption(Name);
  assert(Info && "the config option is not registered");
  return getDefaultValue(*Info);
}

//===----------------------------------------------------------------------===//
// Target
//===----------------------------------------------------------------------===//

Error PassContext::setTarget(StringRef Text) {
  if (HasRun)
    return llvm::createStringError("the target cannot be set once passes run");
  Expected<Target> Parsed = Target::parse(Text, Registry);
  if (!Parsed)
    return Parsed.takeError();
  TheTarget.emplace(std::move(*Parsed));
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Instruments
//===----------------------------------------------------------------------===//

void PassContext::setInstruments(ArrayRef<PassInstrument *> New) {
  assert(!InScope && "use overrideInstruments");
  Instruments.clear();
  for (const std::unique_ptr<PassInstrument> &Owned : OwnedInstruments)
    Instruments.push_back(Owned.get());
  Instruments.append(New.begin(), New.end());
}

void PassContext::addInstrument(std::unique_ptr<PassInstrument> New) {
  assert(!InScope && "use overrideInstruments");
  Instruments.push_back(New.get());
  OwnedInstruments.push_back(std::move(New));
}

Error PassContext::overrideInstruments(ArrayRef<PassInstrument *> New) {
  if (Error E = exitInstruments())
    return E;
  Instruments.assign(New.begin(), New.end());
  return enterInstruments();
}

Error PassContext::enterInstruments() {
  for (size_t I = 0; I != Instruments.size(); ++I) {
    Error E = Instruments[I]->enterPassContext();
    if (!E)
      continue;
    // Instruments that have entered exit; their errors are joined to the first
    // one.
    for (size_t J = I; J != 0; --J)
      E = llvm::joinErrors(std::move(E), Instruments[J - 1]->exitPassContext());
    Instruments.clear();
    return E;
  }
  return Error::success();
}

Error PassContext::exitInstruments() {
  for (PassInstrument *I : Instruments) {
    Error E = I->exitPassContext();
    if (!E)
      continue;
    Instruments.clear();
    return E;
  }
  return Error::success();
}

Expected<const PassInstrument *>
PassContext::findRefusal(Module &M, const PassInfo &Info) {
  const PassInstrument *Refusal = nullptr;
  if (Info.IsRequired || Required.contains(Info.Name))
    return Refusal;
  for (PassInstrument *I : Instruments) {
    Expected<bool> Answer = I->shouldRun(M, Info);
    if (!Answer)
      return Answer.takeError();
    if (!*Answer && !Refusal)
      Refusal = I;
  }
  return Refusal;
}

Error PassContext::runBeforePass(Module &M, const PassInfo &Info) {
  for (PassInstrument *I : Instruments)
    if (Error E = I->runBeforePass(M, Info))
      return E;
  return Error::success();
}

Error PassContext::runAfterPass(Module &M, const PassInfo &Info) {
  for (PassInstrument *I : Instruments)
    if (Error E = I->runAfterPass(M, Info))
      return E;
  return Error::success();
}

void PassContext::runAfterFailedPass(Module &M, const PassInfo &Info) {
  for (PassInstrument *I : llvm::reverse(Instruments))
    I->runAfterFailedPass(M, Info);
}

LogicalResult PassContext::fail(Error E) {
  ErrorCount::note();
  InstrumentError = llvm::joinErrors(std::move(InstrumentError), std::move(E));
  return failure();
}

Error PassContext::takeInstrumentError() { return std::move(InstrumentError); }

//===----------------------------------------------------------------------===//
// Scope
//===----------------------------------------------------------------------===//

Expected<PassContext::Scope> PassContext::Scope::enter(PassContext &Ctx,
                                                       PassContext *Outer) {
  assert(!Ctx.InScope && "the context has been entered already");
  assert((!Outer || (Outer->InScope && !Outer->Inner)) &&
         "the outer context is not the innermost that is entered");
  Ctx.noteRun();
  if (Error E = Ctx.enterInstruments())
    return Expected<Scope>(std::move(E));
  Ctx.InScope = true;
  Ctx.Outer = Outer;
  if (Outer)
    Outer->Inner = &Ctx;
  Ctx.getInstrumentation().runEnterPassContext(Ctx);
  return Scope(Ctx);
}

Error PassContext::Scope::exit() {
  PassContext &C = *std::exchange(Ctx, nullptr);
  assert(!C.Inner && "the inner context exits first");
  C.InScope = false;
  if (PassContext *Outer = std::exchange(C.Outer, nullptr))
    Outer->Inner = nullptr;
  C.getInstrumentation().runExitPassContext(C);
  return C.exitInstruments();
}

PassContext::Scope::~Scope() {
  if (!Ctx)
    return;
  DiagnosticEngine &Diags = Ctx->getDiagnostics();
  if (Error E = exit())
    Diags.emitError(Location(), llvm::toString(std::move(E)));
}
