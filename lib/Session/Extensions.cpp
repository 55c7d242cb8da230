//===- Extensions.cpp - Extensions of programs and plugins ----------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Extensions.h.
//
//===----------------------------------------------------------------------===//

#include "Extensions.h"
#include "PluginLoader.h"
#include "relay/IR/Context.h"
#include "relay/Ops/RegisterOps.h"
#include "relay/Pass/PassContext.h"
#include "relay/Pass/PipelineParser.h"
#include "relay/Session/Plugin.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

static Error makeError(const Twine &Message) {
  return llvm::createStringError(
      std::make_error_code(std::errc::invalid_argument), Message);
}

Error Extensions::loadPlugin(StringRef Path) {
  Expected<void *> Library = openPlugin(Path);
  if (!Library)
    return Library.takeError();
  for (const Entry &E : All)
    if (E.Library == *Library)
      return makeError("plugin '" + Path + "' is loaded already");
  Expected<const PluginInfo *> Info = readPluginInfo(*Library, Path);
  if (!Info)
    return Info.takeError();
  add({("plugin '" + Twine((*Info)->Name) + "'").str(), *Library,
       (*Info)->Extension});
  return Flags.checkNames();
}

void Extensions::add(Entry E) {
  Flags.setOwner(E.Name);
  if (E.What.RegisterFlags)
    E.What.RegisterFlags(Flags);
  if (E.What.RegisterInstrumentations)
    E.What.RegisterInstrumentations(Instrumentations);
  All.push_back(std::move(E));
}

static Error makeClash(StringRef Owner, const Twine &What) {
  return makeError(Owner + " declares " + What);
}

void Extensions::registerOps(Context &Ctx) const {
  for (const Entry &E : All)
    if (E.What.RegisterOps)
      E.What.RegisterOps(Ctx);
}

Error Extensions::checkOps() const {
  if (Error E = Instrumentations.checkPlaces())
    return E;
  if (llvm::none_of(All, [](const Entry &E) { return E.What.RegisterOps; }))
    return Error::success();
  Context Known;
  registerAllOps(Known);
  for (const Entry &E : All) {
    if (!E.What.RegisterOps)
      continue;
    E.What.RegisterOps(Known);
    if (!Known.getRefusedRegistrations().empty())
      return makeClash(E.Name, Known.getRefusedRegistrations().front());
  }
  return Error::success();
}

/// The pipelines of relay-opt itself are checked by relay-tblgen.
Error Extensions::registerPasses(PassRegistry &Registry,
                                 raw_ostream &Messages) const {
  bool AreMore = false;
  for (const Entry &E : All) {
    if (!E.What.RegisterPasses)
      continue;
    AreMore = true;
    E.What.RegisterPasses(Registry);
    if (!Registry.getRefusedRegistrations().empty())
      return makeClash(E.Name, Registry.getRefusedRegistrations().front() +
                                   ", which is already registered");
  }
  if (AreMore && failed(checkPipelines(Registry, Messages)))
    return makeError("the pipelines of plugins are invalid");
  return Error::success();
}
