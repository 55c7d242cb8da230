//===- Callbacks.cpp - Relay's interfaces as closures ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classes that implement interfaces of Relay by closures. They leave it to the
// closures to keep exceptions of Python.
//
//===----------------------------------------------------------------------===//

#include "Bridge/Callbacks.h"

using namespace relay;
using namespace relay::python;

namespace {

class CallbackInstrument final : public PassInstrument {
public:
  CallbackInstrument(StringRef Name, InstrumentHooks Hooks)
      : PassInstrument(Name), Hooks(std::move(Hooks)) {}

  llvm::Error enterPassContext() override {
    return check(!Hooks.Enter || Hooks.Enter());
  }
  llvm::Error exitPassContext() override {
    return check(!Hooks.Exit || Hooks.Exit());
  }
  llvm::Expected<bool> shouldRun(Module &M, const PassInfo &Info) override {
    bool Result = true;
    if (Hooks.ShouldRun && !Hooks.ShouldRun(M, Info, Result))
      return check(false);
    return Result;
  }
  llvm::Error runBeforePass(Module &M, const PassInfo &Info) override {
    return check(!Hooks.Before || Hooks.Before(M, Info));
  }
  llvm::Error runAfterPass(Module &M, const PassInfo &Info) override {
    return check(!Hooks.After || Hooks.After(M, Info));
  }

private:
  llvm::Error check(bool Succeeded) const {
    if (Succeeded)
      return llvm::Error::success();
    return llvm::createStringError("instrument " + getName() + " failed");
  }

  InstrumentHooks Hooks;
};

class CallbackPass final : public ModulePass {
public:
  CallbackPass(std::shared_ptr<const OwnedPassInfo> Info, bool IsFunctionPass,
               PassFunction Run)
      : ModulePass(Info->get()), Owner(std::move(Info)),
        IsFunctionPass(IsFunctionPass), Run(std::move(Run)) {}

  void printPipeline(raw_ostream &OS) const override {
    OS << getInfo().Argument;
  }
  std::unique_ptr<Pass> clone() const override {
    return std::make_unique<CallbackPass>(Owner, IsFunctionPass, Run);
  }
  FailureOr<PreservedAnalyses> run(Module &M, ModuleAnalysisManager &AM,
                                   PassContext &Ctx) override {
    FailureOr<bool> Changed = Run(M, Ctx);
    if (failed(Changed))
      return failure();
    PreservedAnalyses PA =
        *Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    if (IsFunctionPass) {
      AM.invalidate(M, PA);
      if (failed(inferAfterFunctionPass(PA, M, AM, Ctx)))
        return failure();
    }
    return PA;
  }

private:
  std::shared_ptr<const OwnedPassInfo> Owner;
  bool IsFunctionPass;
  PassFunction Run;
};

/// A group that owns its PassInfo.
class OwnedGroup final : public SequentialPass {
public:
  OwnedGroup(std::shared_ptr<const OwnedPassInfo> Info, PassList Members)
      : SequentialPass(Info->get(), std::move(Members)),
        Owner(std::move(Info)) {}

  std::unique_ptr<Pass> clone() const override {
    PassList Members;
    for (const std::unique_ptr<Pass> &Member : getMembers())
      Members.push_back(Member->clone());
    return std::make_unique<OwnedGroup>(Owner, std::move(Members));
  }

private:
  std::shared_ptr<const OwnedPassInfo> Owner;
};

class CallbackStream final : public raw_ostream {
public:
  explicit CallbackStream(std::function<void(StringRef)> Write)
      : Write(std::move(Write)) {}
  ~CallbackStream() override { flush(); }

private:
  void write_impl(const char *Text, size_t Size) override {
    Position += Size;
    Write(StringRef(Text, Size));
  }
  uint64_t current_pos() const override { return Position; }

  std::function<void(StringRef)> Write;
  uint64_t Position = 0;
};

} // namespace

OwnedPassInfo::OwnedPassInfo(std::string TheName, unsigned OptLevel,
                             std::vector<std::string> TheRequires, bool IsGroup)
    : Name(std::move(TheName)), Argument(Name),
      Requires(std::move(TheRequires)),
      RequiredNames(Requires.begin(), Requires.end()) {
  Info.Name = Name;
  Info.Argument = Argument;
  Info.OptLevel = OptLevel;
  Info.Requires = RequiredNames;
  Info.IsGroup = IsGroup;
}

std::unique_ptr<PassInstrument>
relay::python::makeInstrument(StringRef Name, InstrumentHooks Hooks) {
  return std::make_unique<CallbackInstrument>(Name, std::move(Hooks));
}

std::unique_ptr<Pass>
relay::python::makePass(std::shared_ptr<const OwnedPassInfo> Info,
                        bool IsFunctionPass, PassFunction Run) {
  return std::make_unique<CallbackPass>(std::move(Info), IsFunctionPass,
                                        std::move(Run));
}

std::unique_ptr<Pass>
relay::python::makeGroup(std::shared_ptr<const OwnedPassInfo> Info,
                         PassList Members) {
  return std::make_unique<OwnedGroup>(std::move(Info), std::move(Members));
}

std::unique_ptr<raw_ostream>
relay::python::makeStream(std::function<void(StringRef)> Write) {
  return std::make_unique<CallbackStream>(std::move(Write));
}
