//===- LogLevels.cpp - The debug log of the Python package ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bridge/LogLevels.h"
#include "relay/Instrumentation/Reports/DebugLogging.h"

using namespace relay;
using namespace relay::python;

struct LogLevels::Impl {
  explicit Impl(raw_ostream &Stream) : Stream(Stream) {}

  raw_ostream &Stream;
  FlagSet Flags{"relay_opt"};
  DebugLoggingOptions Options{Flags};
  std::unique_ptr<DebugLogging> Logging; ///< null if no levels are set
  std::vector<std::unique_ptr<DebugLogging>> Replaced;
};

LogLevels::LogLevels(raw_ostream &Stream)
    : TheImpl(std::make_unique<Impl>(Stream)) {}

LogLevels::~LogLevels() = default;

llvm::Error LogLevels::set(const std::string &Levels, Context &Ctx,
                           const PassRegistry &Registry) {
  InstrumentationSetup Setup;
  Setup.Stream = &TheImpl->Stream;
  Setup.LogLevels = Levels;
  auto New = std::make_unique<DebugLogging>(TheImpl->Options, Setup);
  if (llvm::Error E = New->prepare(Registry))
    return E;
  Ctx.getDebugLog() = DebugLog(TheImpl->Stream);
  New->configure(Ctx, Registry);
  // Contexts that have registered the previous object may be used again.
  TheImpl->Replaced.push_back(std::move(TheImpl->Logging));
  TheImpl->Logging = std::move(New);
  return llvm::Error::success();
}

void LogLevels::registerCallbacks(PassContext &PC) {
  if (TheImpl->Logging)
    TheImpl->Logging->registerCallbacks(PC);
}

void LogLevels::finish(Module &M, bool Failed) {
  if (TheImpl->Logging)
    llvm::cantFail(TheImpl->Logging->finish(M, Failed));
}
