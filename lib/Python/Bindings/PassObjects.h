//===- PassObjects.h - Passes and contexts as Python has them ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// TVM's passes and PassContext over Relay's. A pass of Python is a module pass
// that calls a function; an instrument of Python is a PassInstrument whose
// hooks call methods. Both run on the thread that runs the pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PYTHON_BINDINGS_PASSOBJECTS_H
#define RELAY_LIB_PYTHON_BINDINGS_PASSOBJECTS_H

#include "Bridge/Callbacks.h"
#include "ModuleObject.h"
#include "relay/Pass/PassManager.h"
#include <optional>

namespace relay::python {

/// Calls \p Action with Python's lock; returns false and keeps the exception if
/// it raises one.
template <typename ActionT> bool callPython(ActionT Action) {
  nb::gil_scoped_acquire Acquire;
  try {
    Action();
    return true;
  } catch (...) {
    keepException();
    return false;
  }
}

/// An object of Python that closures share; released with Python's lock.
std::shared_ptr<nb::object> share(nb::object Object);

/// Sets the options of \p Config, a dict or None, and the target \p Target, a
/// text or None.
llvm::Error configure(PassContext &PC, nb::handle Config, nb::handle Target);

/// Returns the number of runs of passes that have begun in the process.
unsigned getPassRunNumber();

/// Information about a pass.
struct PassInfoObject {
  std::string Name;
  unsigned OptLevel = 0;
  std::vector<std::string> Required;

  PassInfoObject() = default;
  explicit PassInfoObject(const PassInfo &Info)
      : Name(Info.Name), OptLevel(Info.OptLevel),
        Required(Info.Requires.begin(), Info.Requires.end()) {}
};

/// A pass, of which each run gets a copy.
class PassObject {
public:
  /// Takes the passes of the pipeline \p Text.
  explicit PassObject(const std::string &Text);
  explicit PassObject(std::unique_ptr<Pass> P) : ThePass(std::move(P)) {}
  PassObject(const PassObject &) = delete;

  const Pass &get() const { return *ThePass; }
  /// Runs the pass in the current context on a copy of \p M.
  nb::ref<ModuleObject> run(ModuleObject &M) const;

private:
  std::unique_ptr<Pass> ThePass;
};

/// A function of Python as a pass.
class CallbackPassObject : public PassObject {
public:
  CallbackPassObject(nb::object Function, const std::string &Name,
                     unsigned OptLevel, std::vector<std::string> Required,
                     bool IsFunctionPass);

  /// A module pass returns the module that its function returns; \p M if the
  /// function did not run or returned its argument unchanged.
  nb::ref<ModuleObject> run(ModuleObject &M) const;
  /// For Python's garbage collector: the function, unless copies of the pass
  /// use it, too.
  int traverse(visitproc Visit, void *Arg) const;
  void clear() { *Function = nb::none(); }

private:
  CallbackPassObject(std::shared_ptr<nb::object> Shared,
                     const std::string &Name, unsigned OptLevel,
                     std::vector<std::string> Required, bool IsFunctionPass);

  std::shared_ptr<nb::object> Function;
  bool IsFunctionPass;
};

class SequentialObject : public PassObject {
public:
  SequentialObject(nb::list Passes, unsigned OptLevel, const std::string &Name,
                   std::vector<std::string> Required);
};

class PassContextObject : public nb::intrusive_base {
public:
  using Ref = nb::ref<PassContextObject>;
  PassContextObject(unsigned OptLevel, nb::object Required, nb::object Disabled,
                    nb::object Instruments, nb::object Config,
                    nb::object Target);

  /// Returns the innermost context that the thread has entered, or its default
  /// context.
  static Ref current();

  /// Sets the target of the contexts without a target that the thread creates
  /// from now on; None for no target.
  static void setAmbientTarget(nb::object Target);

  PassContext &get() { return PC; }
  /// Entering the innermost context again only nests. Raises RuntimeError if
  /// the context is entered elsewhere, or while its hooks run.
  void enter();
  /// Raises RuntimeError if the context is not the innermost one, or while its
  /// hooks run.
  void exit();
  /// Raises RuntimeError while the hooks of the context run.
  void overrideInstruments(nb::object New);

  /// For Python's garbage collector.
  int traverse(visitproc Visit, void *Arg) const;
  void clear();

  unsigned OptLevel;
  nb::object Required, Disabled, Config;
  nb::list Instruments;

private:
  using Hook = std::shared_ptr<nb::object>;
  struct Adapters {
    std::vector<std::unique_ptr<PassInstrument>> List;
    std::vector<Hook> Hooks; ///< what the instruments call
  };
  Adapters adapt(nb::list Instruments);
  InstrumentHooks makeHooks(nb::handle Object, std::vector<Hook> &Found);
  static SmallVector<PassInstrument *, 4> getPointers(const Adapters &Of);
  template <typename ActionT> bool callHook(ActionT Action);
  void checkNoHookRuns() const;

  PassContext PC;
  Adapters Installed;
  unsigned NumHooks = 0; ///< calls of hooks that have not returned
  std::optional<PassContext::Scope> Scope;
};

} // namespace relay::python

#endif // RELAY_LIB_PYTHON_BINDINGS_PASSOBJECTS_H
