//===- PatternPass.cpp - Passes with lists of patterns --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See PatternPass.h.
//
//===----------------------------------------------------------------------===//

#include "relay/Pattern/Rewrite/PatternPass.h"
#include "relay/Support/InputFile.h"

using namespace relay;

FailureOr<std::unique_ptr<llvm::MemoryBuffer>> PassFile::read(Context &Ctx) {
  if (Path.empty())
    return Ctx.emitError(Location(), "'" + Argument + "' needs a file of " +
                                         Option + ": '" + Argument + "<" +
                                         Option + "=FILE>'");
  if (!Text) {
    auto Read = readFile(Path);
    if (!Read)
      return Ctx.emitError(Location(),
                           "option '" + Option + "' of '" + Argument +
                               "': " + llvm::toString(Read.takeError()));
    Text = std::move(*Read);
  }
  return llvm::MemoryBuffer::getMemBufferCopy(Text->getBuffer(), Path);
}

void NamedStatistics::declare(NamesAndDescriptions Texts) {
  assert(!areDeclared() && "declared twice");
  auto New = std::make_shared<Declarations>();
  New->Texts = std::move(Texts);
  for (const auto &[Name, Description] : New->Texts)
    New->Infos.push_back({Name, Description});
  Declared = std::move(New);
  addStatistics();
}

void NamedStatistics::addStatistics() {
  if (!Declared)
    return;
  for (const PassStatisticInfo &Info : Declared->Infos)
    Counters.push_back(std::make_unique<Statistic>(Owner, Info));
}
