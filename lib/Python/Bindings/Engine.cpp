//===- Engine.cpp - The Session of the Python package ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lock around work on IR, and exceptions from diagnostics. The classes of
// exceptions are Python's (relay_opt.errors).
//
//===----------------------------------------------------------------------===//

#include "Engine.h"
#include "Objects.h"
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

Engine &Engine::get() {
  // Never destroyed: Python may delete expressions while the process ends.
  static Engine *TheEngine = new Engine();
  return *TheEngine;
}

Engine::Engine() {
  // Modules of a process come and go: only the system limits their memory.
  SessionLimits Limits;
  Limits.Memory = std::numeric_limits<uint64_t>::max();
  TheSession.setLimits(Limits);
  Ctx = TheSession.createContext();
  NoAttrs = Ctx->getDictAttrs({});
  // Kept exceptions and the EngineLock belong to the thread that runs a pass.
  assert(Ctx->getNumThreads() == 1 && "passes would run on other threads");
}

void Engine::lock() {
  if (tryLock())
    return;
  nb::gil_scoped_release Release;
  Mutex.lock();
  ++LockDepth;
}

bool Engine::tryLock() {
  if (!Mutex.try_lock())
    return false;
  ++LockDepth;
  return true;
}

void Engine::unlock() {
  if (HasDead.load(std::memory_order_relaxed))
    destroyDead();
  --LockDepth;
  Mutex.unlock();
}

void Engine::prepareFork() { lock(); }

/// The child has only the thread that forked. The mutex belongs to that
/// thread's number in the parent: a new one is locked as often.
void Engine::continueChild() {
  new (&Mutex) std::recursive_mutex();
  for (unsigned I = 1; I < LockDepth; ++I)
    Mutex.lock();
  --LockDepth;
}

void Engine::destroyDead() {
  std::vector<std::shared_ptr<void>> Now;
  {
    std::lock_guard<std::mutex> Guard(DeadMutex);
    Now.swap(Dead);
    HasDead = false;
  }
}

bool relay::python::tryLockEngine() { return Engine::get().tryLock(); }

void relay::python::unlockEngine() { Engine::get().unlock(); }

void relay::python::disposeLater(std::shared_ptr<void> Dead) {
  Engine &E = Engine::get();
  std::lock_guard<std::mutex> Guard(E.DeadMutex);
  E.Dead.push_back(std::move(Dead));
  E.HasDead = true;
}

//===----------------------------------------------------------------------===//
// Type variables
//===----------------------------------------------------------------------===//

/// Appends the component types of \p T.
static void appendParts(Type *T, SmallVectorImpl<Type *> &Parts) {
  switch (T->getKind()) {
  case Type::Kind::Tuple:
    llvm::append_range(Parts, cast<TupleType>(T)->getFields());
    return;
  case Type::Kind::Func: {
    auto *F = cast<FuncType>(T);
    llvm::append_range(Parts, F->getTypeParams());
    llvm::append_range(Parts, F->getParams());
    Parts.push_back(F->getResult());
    return;
  }
  case Type::Kind::Ref:
    Parts.push_back(cast<RefType>(T)->getValueType());
    return;
  case Type::Kind::Call:
    llvm::append_range(Parts, cast<TypeCall>(T)->getArgs());
    return;
  default:
    return;
  }
}

void Engine::keepTypeVars(Type *T) {
  SmallVector<Type *, 8> Stack = {T};
  while (!Stack.empty()) {
    Type *Part = Stack.pop_back_val();
    if (!Part || !Part->hasTypeVar() || !TypesWithVars.insert(Part).second)
      continue;
    if (auto *Var = dyn_cast<TypeVarType>(Part))
      TypeVars.push_back(Var);
    appendParts(Part, Stack);
  }
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

Work::Work()
    : Outer(std::exchange(Engine::get().Innermost, this)),
      TextBegin(Engine::get().Text.size()) {
  Engine::get().Ctx->getDiagnostics().pushHandler([this](const Diagnostic &D) {
    bool IsInnermost = Engine::get().Innermost == this;
    if (D.Kind == Severity::Error && IsInnermost)
      Errors.push_back(D);
    return false; // it is printed, too
  });
}

/// Writes \p Text to sys.stderr; a stream that fails is not our error.
static void writeToStderr(StringRef Text) {
  nb::gil_scoped_acquire Acquire;
  try {
    nb::object Stream = nb::module_::import_("sys").attr("stderr");
    if (!Stream.is_none())
      Stream.attr("write")(nb::str(Text.data(), Text.size()));
  } catch (nb::python_error &E) {
    E.discard_as_unraisable("writing diagnostics of relay_opt");
  }
}

Work::~Work() {
  Engine &E = Engine::get();
  E.Ctx->getDiagnostics().popHandler();
  E.Innermost = Outer;
  if (E.Text.size() <= TextBegin)
    return;
  std::string Rest = E.Text.substr(TextBegin);
  E.Text.resize(TextBegin);
  writeToStderr(Rest);
}

/// Returns the errors as dictionaries: message, line, column, notes.
nb::list Work::describe() const {
  const DiagnosticEngine &Diags = Engine::get().Ctx->getDiagnostics();
  nb::list All;
  for (const Diagnostic &D : Errors) {
    nb::dict One;
    One["message"] = nb::str(D.Message.data(), D.Message.size());
    auto [Line, Column] = Diags.getLineAndColumn(D.Loc);
    One["line"] = Line;
    One["column"] = Column;
    nb::list Notes;
    for (const Diagnostic &Note : D.Notes)
      Notes.append(nb::str(Note.Message.data(), Note.Message.size()));
    One["notes"] = Notes;
    All.append(One);
  }
  return All;
}

static const char *getClassName(ErrorKind Kind) {
  switch (Kind) {
  case ErrorKind::Parse:
    return "ParseError";
  case ErrorKind::Verify:
    return "VerifyError";
  case ErrorKind::Pipeline:
    return "PipelineError";
  case ErrorKind::Pass:
    return "PassError";
  case ErrorKind::Limit:
    return "LimitError";
  case ErrorKind::Value:
    return "ExprError";
  }
  llvm_unreachable("unknown kind of error");
}

void Work::raise(ErrorKind Kind, StringRef Message, StringRef Name) {
  std::string &Text = Engine::get().Text;
  std::string Printed = Text.substr(std::min(TextBegin, Text.size()));
  Text.resize(std::min(TextBegin, Text.size()));
  nb::object Class =
      nb::module_::import_("relay_opt.errors").attr(getClassName(Kind));
  // The parser of pipelines prints its errors.
  std::string Told = Errors.empty() && !Printed.empty()
                         ? StringRef(std::exchange(Printed, "")).rtrim().str()
                         : Message.str();
  nb::object Exception = Class.attr("from_diagnostics")(
      toPython(Told), describe(), toPython(Printed), toPython(Name));
  PyErr_SetObject(Class.ptr(), Exception.ptr());
  throw nb::python_error();
}

void Work::raise(ErrorKind Kind, llvm::Error E, StringRef Name) {
  raise(Kind, llvm::toString(std::move(E)), Name);
}

void Work::discard() {
  std::string &Text = Engine::get().Text;
  Text.resize(std::min(TextBegin, Text.size()));
  Errors.clear();
}

//===----------------------------------------------------------------------===//
// Exceptions of callbacks
//===----------------------------------------------------------------------===//

static thread_local std::exception_ptr Kept;

void relay::python::keepException() {
  if (!Kept)
    Kept = std::current_exception();
}

void Work::rethrowKept() {
  if (!Kept)
    return;
  discard();
  relay::python::rethrowKept();
}

void relay::python::rethrowKept() {
  if (std::exception_ptr E = std::exchange(Kept, nullptr))
    std::rethrow_exception(E);
}
