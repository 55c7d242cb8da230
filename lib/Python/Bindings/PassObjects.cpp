//===- PassObjects.cpp - Passes and contexts as Python has them -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs passes on copies of modules, calls Python from passes and instruments,
// and keeps the contexts that each thread has entered.
//
//===----------------------------------------------------------------------===//

#include "PassObjects.h"
#include "Objects.h"
#include "llvm/ADT/ScopeExit.h"
#include <atomic>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

using namespace relay;
using namespace relay::python;

//===----------------------------------------------------------------------===//
// Calls of Python
//===----------------------------------------------------------------------===//

/// Calls \p Action with a module object that shows \p M. The object stays valid
/// if Python keeps it.
template <typename ActionT>
static bool callWithModule(Module &M, ActionT Action) {
  return callPython([&] {
    nb::ref<ModuleObject> View = ModuleObject::view(M);
    nb::object Object = nb::cast(View);
    try {
      Action(Object);
    } catch (...) {
      View->detach(); // the frames of the exception may hold it
      throw;
    }
    if (Py_REFCNT(Object.ptr()) > 2) // held by Object, View and somebody else
      View->detach();
  });
}

//===----------------------------------------------------------------------===//
// Passes of Python
//===----------------------------------------------------------------------===//

/// Replaces the functions of \p M by those of \p New, and adds its types.
static void replaceContents(Module &M, std::unique_ptr<Module> New) {
  SmallVector<Function *, 0> Old;
  for (Function &F : M.functions())
    Old.push_back(&F);
  M.eraseFunctions(Old);
  for (const TypeDef &D : New->typeDefs()) {
    if (!M.lookupTypeDef(D.Name))
      M.addTypeDef(cloneTypeDef(D));
  }
  Old.clear();
  for (Function &F : New->functions())
    Old.push_back(&F);
  for (Function *F : Old)
    M.addFunction(New->takeFunction(F));
  M.setTyped(New->isTyped());
  M.setAttributes(New->getAttributes());
  M.keep(std::shared_ptr<const void>(std::move(New))); // what its types need
}

/// Where the module pass that the thread calls leaves the module that its
/// function returns; null in its function, and while other passes run.
static nb::object *&getResultSlot() {
  static thread_local nb::object *Slot = nullptr;
  return Slot;
}

static FailureOr<bool> runOnModule(const nb::object &Function, Module &M) {
  bool IsChanged = false;
  nb::object *Slot = std::exchange(getResultSlot(), nullptr);
  bool Succeeded = callWithModule(M, [&](nb::object &In) {
    nb::object Out = Function(In, nb::cast(PassContextObject::current()));
    if (!nb::isinstance<ModuleObject>(Out))
      throw nb::type_error("a module pass returns an IRModule");
    ModuleObject &Result = nb::cast<ModuleObject &>(Out);
    Work W;
    if (&Result.getIR(W) == &M)
      return;
    IsChanged = true;
    replaceContents(M, Result.copyIR(W));
    if (Slot)
      *Slot = Out;
  });
  if (!Succeeded)
    return failure();
  return IsChanged;
}

static FailureOr<bool> runOnFunctions(const nb::object &Function, Module &M) {
  bool IsChanged = false;
  bool Succeeded = callWithModule(M, [&](nb::object &In) {
    ModuleObject &View = nb::cast<ModuleObject &>(In);
    nb::object Ctx = nb::cast(PassContextObject::current());
    SmallVector<std::pair<StringRef, nb::ref<FunctionExpr>>, 4> Results;
    for (StringRef Name : View.getNames()) {
      nb::ref<FunctionExpr> F = View.lookup(Name);
      if (!F || M.lookupFunction(Name)->isSkippedByOptimization())
        continue; // F is null if the callback has removed the function
      nb::object Out = Function(nb::cast(F), In, Ctx);
      if (!nb::isinstance<FunctionExpr>(Out))
        throw nb::type_error("a function pass returns a Function");
      nb::ref<FunctionExpr> New = nb::cast<FunctionExpr *>(Out);
      if (New.get() != F.get())
        Results.push_back({Name, std::move(New)});
    }
    IsChanged = !Results.empty() || !View.isView();
    if (!IsChanged)
      return;
    Work W;
    if (View.isView()) {
      View.writeInto(W, Results);
      return;
    }
    // The callback has changed its module argument.
    for (auto &[Name, New] : Results)
      View.set(Name, std::move(New));
    replaceContents(M, View.copyIR(W));
  });
  if (!Succeeded || (IsChanged && failed(typeModule(M))))
    return failure();
  return IsChanged;
}

std::shared_ptr<nb::object> relay::python::share(nb::object Object) {
  return std::shared_ptr<nb::object>(new nb::object(std::move(Object)),
                                     [](nb::object *Held) {
                                       nb::gil_scoped_acquire Acquire;
                                       delete Held;
                                     });
}

static std::unique_ptr<Pass> makeCallbackPass(std::shared_ptr<nb::object> Held,
                                              const std::string &Name,
                                              unsigned OptLevel,
                                              std::vector<std::string> Required,
                                              bool IsFunctionPass) {
  auto Info = std::make_shared<const OwnedPassInfo>(
      Name, OptLevel, std::move(Required), /*IsGroup=*/false);
  auto Run = [Held = std::move(Held), IsFunctionPass](Module &M,
                                                      PassContext &) {
    return IsFunctionPass ? runOnFunctions(*Held, M) : runOnModule(*Held, M);
  };
  return makePass(std::move(Info), IsFunctionPass, std::move(Run));
}

CallbackPassObject::CallbackPassObject(nb::object Function,
                                       const std::string &Name,
                                       unsigned OptLevel,
                                       std::vector<std::string> Required,
                                       bool IsFunctionPass)
    : CallbackPassObject(share(std::move(Function)), Name, OptLevel,
                         std::move(Required), IsFunctionPass) {}

CallbackPassObject::CallbackPassObject(std::shared_ptr<nb::object> Shared,
                                       const std::string &Name,
                                       unsigned OptLevel,
                                       std::vector<std::string> Required,
                                       bool IsFunctionPass)
    : PassObject(makeCallbackPass(Shared, Name, OptLevel, std::move(Required),
                                  IsFunctionPass)),
      Function(std::move(Shared)), IsFunctionPass(IsFunctionPass) {}

nb::ref<ModuleObject> CallbackPassObject::run(ModuleObject &M) const {
  if (IsFunctionPass)
    return PassObject::run(M);
  nb::object Returned = nb::cast(nb::ref<ModuleObject>(&M));
  nb::object *Outer = std::exchange(getResultSlot(), &Returned);
  auto Restore = llvm::make_scope_exit([&] { getResultSlot() = Outer; });
  PassObject::run(M);
  return nb::cast<ModuleObject *>(Returned);
}

int CallbackPassObject::traverse(visitproc Visit, void *Arg) const {
  bool IsShared = Function.use_count() > 2; // by more than this and its pass
  if (!IsShared)
    return Visit(Function->ptr(), Arg);
  return 0;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Appends \p P or, if it only runs passes on functions, those.
static void appendPasses(std::unique_ptr<Pass> P, PassList &Passes) {
  auto *Adaptor = dyn_cast<ModuleToFunctionPassAdaptor>(P.get());
  if (!Adaptor) {
    Passes.push_back(std::move(P));
    return;
  }
  for (std::unique_ptr<FunctionPass> &Member :
       Adaptor->getManager().takePasses())
    Passes.push_back(std::move(Member));
}

static std::unique_ptr<Pass> parsePass(const std::string &Text) {
  Work W;
  FailureOr<ModulePassManager> PM =
      Engine::get().getSession().parsePipeline(Text);
  if (failed(PM))
    W.raise(ErrorKind::Pipeline, "the pipeline is not valid");
  PassList Passes;
  for (std::unique_ptr<ModulePass> &P : PM->takePasses())
    appendPasses(std::move(P), Passes);
  if (Passes.size() == 1)
    return std::move(Passes.front());
  return std::make_unique<SequentialPass>(SequentialPass::getStaticInfo(),
                                          std::move(Passes));
}

PassObject::PassObject(const std::string &Text) : ThePass(parsePass(Text)) {}

static std::unique_ptr<Pass> makeSequential(nb::list Passes, unsigned OptLevel,
                                            const std::string &Name,
                                            std::vector<std::string> Required) {
  PassList Members;
  for (nb::handle Member : Passes) {
    if (!nb::isinstance<PassObject>(Member))
      throw nb::type_error("the members of Sequential are passes");
    Members.push_back(nb::cast<PassObject &>(Member).get().clone());
  }
  auto Info = std::make_shared<const OwnedPassInfo>(
      Name, OptLevel, std::move(Required), /*IsGroup=*/true);
  return makeGroup(std::move(Info), std::move(Members));
}

SequentialObject::SequentialObject(nb::list Passes, unsigned OptLevel,
                                   const std::string &Name,
                                   std::vector<std::string> Required)
    : PassObject(makeSequential(Passes, OptLevel, Name, std::move(Required))) {}

static std::atomic<unsigned> NumRuns = 0;

unsigned relay::python::getPassRunNumber() { return NumRuns; }

nb::ref<ModuleObject> PassObject::run(ModuleObject &M) const {
  ++NumRuns;
  PassContextObject::Ref Current = PassContextObject::current();
  PassContext &PC = Current->get();
  Work W;
  std::unique_ptr<Module> Copy = M.copyIR(W);
  PassList Passes;
  Passes.push_back(ThePass->clone());
  ModulePassManager PM = makeModulePipeline(std::move(Passes));
  AnalysisManagers AMs(PC);
  bool Failed;
  {
    nb::gil_scoped_release Release;
    Failed = failed(PM.initialize(PC.getContext(), PC.getRegistry())) ||
             failed(PM.run(*Copy, AMs.Modules, PC));
    Engine::get().getLog().finish(*Copy, Failed);
  }
  llvm::consumeError(PC.takeInstrumentError());
  W.rethrowKept();
  if (Failed)
    W.raise(ErrorKind::Pass, "the pass failed", ThePass->getName());
  return new ModuleObject(std::move(Copy));
}

//===----------------------------------------------------------------------===//
// Instruments
//===----------------------------------------------------------------------===//

/// Calls \p Action, which calls a hook of an instrument of this context.
template <typename ActionT> bool PassContextObject::callHook(ActionT Action) {
  ++NumHooks;
  bool Succeeded = Action();
  --NumHooks;
  return Succeeded;
}

void PassContextObject::checkNoHookRuns() const {
  if (NumHooks)
    throw std::runtime_error("a hook of an instrument cannot enter or leave "
                             "its own context, or override its instruments");
}

InstrumentHooks PassContextObject::makeHooks(nb::handle Object,
                                             std::vector<Hook> &Found) {
  auto GetHook = [&](const char *Name) -> Hook {
    nb::object Method = nb::getattr(Object, Name, nb::none());
    if (Method.is_none())
      return nullptr;
    Found.push_back(share(std::move(Method)));
    return Found.back();
  };
  InstrumentHooks Hooks;
  if (Hook H = GetHook("enter_pass_ctx"))
    Hooks.Enter = [this, H] {
      return callHook([&] { return callPython([&] { (*H)(); }); });
    };
  if (Hook H = GetHook("exit_pass_ctx"))
    Hooks.Exit = [this, H] {
      return callHook([&] { return callPython([&] { (*H)(); }); });
    };
  if (Hook H = GetHook("should_run"))
    Hooks.ShouldRun = [this, H](Module &M, const PassInfo &Info, bool &Result) {
      return callHook([&] {
        return callWithModule(M, [&](nb::object &View) {
          Result = nb::cast<bool>(
              nb::bool_((*H)(View, nb::cast(PassInfoObject(Info)))));
        });
      });
    };
  auto MakeHook = [&](const char *Name) {
    std::function<bool(Module &, const PassInfo &)> Result;
    if (Hook H = GetHook(Name))
      Result = [this, H](Module &M, const PassInfo &Info) {
        return callHook([&] {
          return callWithModule(M, [&](nb::object &View) {
            (*H)(View, nb::cast(PassInfoObject(Info)));
          });
        });
      };
    return Result;
  };
  Hooks.Before = MakeHook("run_before_pass");
  Hooks.After = MakeHook("run_after_pass");
  return Hooks;
}

PassContextObject::Adapters PassContextObject::adapt(nb::list Instruments) {
  Adapters New;
  for (nb::handle I : Instruments) {
    std::string Name = nb::cast<std::string>(
        nb::str(nb::getattr(I, "name", I.type().attr("__name__"))));
    New.List.push_back(makeInstrument(Name, makeHooks(I, New.Hooks)));
  }
  return New;
}

SmallVector<PassInstrument *, 4>
PassContextObject::getPointers(const Adapters &Of) {
  SmallVector<PassInstrument *, 4> Pointers;
  for (const std::unique_ptr<PassInstrument> &I : Of.List)
    Pointers.push_back(I.get());
  return Pointers;
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

static nb::list toList(const nb::object &Object) {
  return Object.is_none() ? nb::list() : nb::list(Object);
}

llvm::Error relay::python::configure(PassContext &PC, nb::handle Config,
                                     nb::handle Target) {
  auto ToText = [](nb::handle Value) -> std::string {
    if (nb::isinstance<nb::bool_>(Value))
      return nb::cast<bool>(Value) ? "1" : "0";
    return nb::cast<std::string>(nb::str(Value));
  };
  if (!Config.is_none())
    for (auto [Key, Value] : nb::cast<nb::dict>(Config))
      if (llvm::Error E = PC.setConfig(ToText(Key), ToText(Value)))
        return E;
  if (Target.is_none())
    return llvm::Error::success();
  return PC.setTarget(ToText(Target));
}

/// Calls \p Add for each registered name and \p AddOther for the others.
static void addNames(const nb::object &Names,
                     function_ref<llvm::Error(StringRef)> Add,
                     function_ref<void(StringRef)> AddOther) {
  for (nb::handle Name : toList(Names)) {
    std::string Text = nb::cast<std::string>(nb::str(Name));
    llvm::Error E = Add(Text);
    if (E)
      AddOther(Text);
    llvm::consumeError(std::move(E));
  }
}

/// The target of new contexts of this thread. Not destroyed: Python may have
/// ended before the thread does.
static nb::object &getAmbientTarget() {
  static thread_local auto *Target = new nb::object(nb::none());
  return *Target;
}

void PassContextObject::setAmbientTarget(nb::object Target) {
  getAmbientTarget() = std::move(Target);
}

PassContextObject::PassContextObject(unsigned OptLevel, nb::object Required,
                                     nb::object Disabled,
                                     nb::object Instruments, nb::object Config,
                                     nb::object Target)
    : OptLevel(OptLevel), Required(Required), Disabled(Disabled),
      Config(Config), Instruments(toList(Instruments)),
      PC(Engine::get().getContext(), Engine::get().getRegistry(),
         Engine::get().getOutput()) {
  Work W;
  PC.setOptLevel(OptLevel);
  PC.setInfersAfterFunctionPasses(true);
  addNames(
      Required, [this](StringRef Name) { return PC.addRequiredPass(Name); },
      [this](StringRef Name) { PC.addRequiredName(Name); });
  addNames(
      Disabled, [this](StringRef Name) { return PC.addDisabledPass(Name); },
      [this](StringRef Name) { PC.addDisabledName(Name); });
  if (Target.is_none())
    Target = getAmbientTarget();
  if (llvm::Error E = configure(PC, Config, Target))
    W.raise(ErrorKind::Pipeline, std::move(E));
  Engine::get().getLog().registerCallbacks(PC);
  Installed = adapt(this->Instruments);
  PC.setInstruments(getPointers(Installed));
}

/// The contexts that this thread has entered. Not destroyed: Python may have
/// ended before the thread does.
static std::vector<PassContextObject::Ref> &getEntered() {
  static thread_local auto *Entered = new std::vector<PassContextObject::Ref>();
  return *Entered;
}

PassContextObject::Ref PassContextObject::current() {
  if (!getEntered().empty())
    return getEntered().back();
  // The thread's dictionary goes with the thread.
  nb::handle State = PyThreadState_GetDict();
  if (!State)
    throw std::runtime_error("the thread has no state of Python");
  nb::dict OfThread = nb::borrow<nb::dict>(State);
  const char *Key = "relay_opt.default_context";
  if (!OfThread.contains(Key))
    OfThread[Key] = nb::cast(Ref(
        new PassContextObject(PassContext::DefaultOptLevel, nb::none(),
                              nb::none(), nb::none(), nb::none(), nb::none())));
  return nb::cast<PassContextObject *>(OfThread[Key]);
}

void PassContextObject::enter() {
  EngineLock Lock;
  if (!getEntered().empty() && getEntered().back().get() == this) {
    getEntered().push_back(this);
    return;
  }
  checkNoHookRuns();
  if (Scope)
    throw std::runtime_error("the context is entered already, on another "
                             "thread or around an inner context");
  PassContext *Outer =
      getEntered().empty() ? nullptr : &getEntered().back()->get();
  llvm::Expected<PassContext::Scope> New = PassContext::Scope::enter(PC, Outer);
  if (!New) {
    llvm::consumeError(New.takeError());
    Instruments = nb::list();
    rethrowKept();
    throw std::runtime_error("an instrument failed");
  }
  Scope.emplace(std::move(*New));
  getEntered().push_back(this);
}

void PassContextObject::exit() {
  if (getEntered().empty() || getEntered().back().get() != this)
    throw std::runtime_error("the context is not the innermost one");
  EngineLock Lock;
  if (llvm::count(getEntered(), Ref(this)) > 1) { // it was entered again
    getEntered().pop_back();
    return;
  }
  checkNoHookRuns();
  Ref Self = std::move(getEntered().back());
  getEntered().pop_back();
  llvm::Error E = Scope->exit();
  Scope.reset();
  bool Failed = bool(E);
  llvm::consumeError(std::move(E));
  if (Failed)
    Instruments = nb::list();
  rethrowKept();
}

void PassContextObject::overrideInstruments(nb::object New) {
  EngineLock Lock;
  nb::list List = toList(New);
  checkNoHookRuns();
  Adapters Adapted = adapt(List);
  llvm::Error E = PC.overrideInstruments(getPointers(Adapted));
  bool Failed = bool(E);
  llvm::consumeError(std::move(E));
  Installed = std::move(Adapted);
  Instruments = Failed ? nb::list() : List;
  rethrowKept();
}

int PassContextObject::traverse(visitproc Visit, void *Arg) const {
  for (const nb::object *Member :
       {&Required, &Disabled, &Config,
        static_cast<const nb::object *>(&Instruments)})
    if (int Result = Member->ptr() ? Visit(Member->ptr(), Arg) : 0)
      return Result;
  for (const Hook &H : Installed.Hooks)
    if (int Result = Visit(H->ptr(), Arg))
      return Result;
  return 0;
}

void PassContextObject::clear() {
  Required = Disabled = Config = nb::none();
  Instruments = nb::list();
  for (Hook &H : Installed.Hooks)
    *H = nb::none();
}
