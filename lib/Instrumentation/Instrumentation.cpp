//===- Instrumentation.cpp - Observers of passes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists instrumentations, checks their flags, and calls them for each module.
// See Instrumentation.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Instrumentation.h"

using namespace relay;
using llvm::Error;

InstrumentationOptions::~InstrumentationOptions() = default;
Instrumentation::~Instrumentation() = default;

//===----------------------------------------------------------------------===//
// The list
//===----------------------------------------------------------------------===//

void InstrumentationList::insert(Kind K, StringRef Before) {
  auto Place = llvm::find_if(
      Kinds, [&](const Kind &Each) { return Each.Name == Before; });
  if (!Before.empty() && Place == Kinds.end())
    WithoutPlace.push_back({K.Name, Before.str()});
  Kinds.insert(Place, std::move(K));
}

Error InstrumentationList::checkPlaces() const {
  if (WithoutPlace.empty())
    return Error::success();
  auto [Name, Before] = WithoutPlace.front();
  SmallVector<StringRef> Known;
  for (const Kind &K : Kinds)
    Known.push_back(K.Name);
  return llvm::createStringError(
      "instrumentation '" + Name + "' cannot be added before '" + Before +
      "', which is unknown" + getSuggestion(Before, Known));
}

Error InstrumentationList::setUp(InstrumentationSetup NewSetup) {
  Setup = std::move(NewSetup);
  Setup.Stream = &Stream;
  for (Kind &K : Kinds)
    K.Object = K.Options->isEnabled(Setup) ? K.Make(Setup) : nullptr;
  return checkFlags();
}

void InstrumentationList::startModule() {
  for (Kind &K : Kinds) {
    if (!K.Object)
      continue;
    std::unique_ptr<Instrumentation> Previous =
        std::exchange(K.Object, K.Make(Setup));
    K.Object->takeOver(*Previous);
  }
}

//===----------------------------------------------------------------------===//
// All instrumentations
//===----------------------------------------------------------------------===//

void InstrumentationList::forEach(
    function_ref<void(Instrumentation &)> Visit) const {
  for (const Kind &K : Kinds)
    if (K.Object)
      Visit(*K.Object);
}

Error InstrumentationList::findError(
    function_ref<Error(Instrumentation &)> Check) const {
  for (const Kind &K : Kinds)
    if (K.Object)
      if (Error E = Check(*K.Object))
        return E;
  return Error::success();
}

Error InstrumentationList::checkFlags() const {
  for (const Kind &K : Kinds)
    if (Error E = K.Options->check())
      return E;
  StringRef JSONFlag;
  return findError([&](Instrumentation &I) -> Error {
    if (Error E = I.checkFlags())
      return E;
    StringRef Other = std::exchange(JSONFlag, I.getJSONFlag());
    if (JSONFlag.empty())
      JSONFlag = Other;
    else if (!Other.empty())
      return llvm::createStringError(
          "options " + Other + " and " + JSONFlag +
          " both write JSON to one stream: use -stats-json=<file>");
    return Error::success();
  });
}

SmallVector<InstrumentationFile> InstrumentationList::getFiles() const {
  SmallVector<InstrumentationFile> Files;
  forEach([&](Instrumentation &I) { I.addFiles(Files); });
  return Files;
}

std::string InstrumentationList::getReproducerPath() const {
  std::string Path;
  forEach([&](Instrumentation &I) {
    if (Path.empty())
      Path = I.getReproducerPath();
  });
  return Path;
}

Error InstrumentationList::prepare(const PassRegistry &Registry) const {
  return findError([&](Instrumentation &I) { return I.prepare(Registry); });
}

void InstrumentationList::configure(Context &Ctx,
                                    const PassRegistry &Registry) {
  forEach([&](Instrumentation &I) { I.configure(Ctx, Registry); });
}

void InstrumentationList::registerCallbacks(PassContext &PC) {
  forEach([&](Instrumentation &I) { I.registerCallbacks(PC); });
}

void InstrumentationList::start(Module &M) {
  forEach([&](Instrumentation &I) { I.start(M); });
}

Error InstrumentationList::finish(Module &M, bool Failed) {
  Error All = Error::success();
  forEach([&](Instrumentation &I) {
    Error E = I.finish(M, Failed);
    if (All)
      llvm::consumeError(std::move(E));
    else
      All = std::move(E);
  });
  return All;
}

bool InstrumentationList::hasFailed() const {
  bool Failed = false;
  forEach([&](Instrumentation &I) { Failed |= I.hasFailed(); });
  return Failed;
}

InstrumentationList::Phase::~Phase() {
  List.forEach([this, End = PassRun::Clock::now()](Instrumentation &I) {
    I.notePhase(Name, Begin, End);
  });
}
