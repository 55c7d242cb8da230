//===- FormatTracker.cpp - Layouts and data types during passes -----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FormatTracker.h. Conversions get an identity when a pass creates them, or
// when they are first seen: a pass that builds a function outside of the module
// does not announce its operations.
//
//===----------------------------------------------------------------------===//

#include "relay/Instrumentation/Reports/FormatTracker.h"
#include "Reports/FormatReport/FormatSets.h"
#include "relay/IR/Context.h"
#include "relay/Support/OrderedOutput.h"
#include "llvm/ADT/STLExtras.h"

using namespace relay;

using Changes = FormatTracker::Changes;

void ConversionSum::add(const ConversionFormat &C) {
  ++Count;
  std::optional<uint64_t> Moved = C.getBytes();
  Bytes += Moved.value_or(0);
  Unknown += !Moved;
}

ConversionSum &ConversionSum::operator+=(const ConversionSum &S) {
  Count += S.Count;
  Bytes += S.Bytes;
  Unknown += S.Unknown;
  return *this;
}

ConversionChanges &ConversionChanges::operator+=(const ConversionChanges &C) {
  Added += C.Added;
  Removed += C.Removed;
  NumRetyped += C.NumRetyped;
  RetypedBytes += C.RetypedBytes;
  return *this;
}

//===----------------------------------------------------------------------===//
// Origins of conversions
//===----------------------------------------------------------------------===//

void FormatTracker::notifyRewrite(const Rewrite &R) {
  std::lock_guard<std::mutex> Guard(Lock);
  RuleOf[PassRun::getCurrent()] = Rules.save(R.Rule);
}

void FormatTracker::notifyCreated(Operation *Op) {
  if (!isConversion(Op))
    return;
  const PassRun *Run = PassRun::getCurrent();
  std::lock_guard<std::mutex> Guard(Lock);
  Origins[Op] = {NextId++, Run ? Run->getSweep() : 0, RuleOf.lookup(Run)};
}

void FormatTracker::notifyCloned(const Operation *From, Operation *New) {
  if (!isConversion(New))
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  auto Known = Origins.find(From);
  if (Known == Origins.end())
    return;
  Origin Copy = Known->second;
  Copy.Id = NextId++;
  Origins[New] = Copy;
}

/// A conversion that a pass creates in place of an equal one, which has other
/// operands or types, is the same conversion.
void FormatTracker::notifyReplaced(Operation *Op, Value *New) {
  const Operation *NewOp = New->getDefiningOp();
  const PassRun *Run = PassRun::getCurrent();
  if (!Run || !NewOp || &NewOp->getInfo() != &Op->getInfo() ||
      NewOp->getAttrs() != Op->getAttrs() || !isConversion(Op))
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  auto Old = Origins.find(Op), Made = Origins.find(NewOp);
  if (Old != Origins.end() && Made != Origins.end() &&
      Made->second.Sweep == Run->getSweep())
    Made->second = Old->second;
}

void FormatTracker::notifyErased(Operation *Op) {
  if (!isConversion(Op))
    return;
  std::lock_guard<std::mutex> Guard(Lock);
  Origins.erase(Op);
}

void FormatTracker::noteEnd(const PassRun &Run) {
  std::lock_guard<std::mutex> Guard(Lock);
  RuleOf.erase(&Run);
}

//===----------------------------------------------------------------------===//
// Formats of functions
//===----------------------------------------------------------------------===//

/// Returns the formats of \p F. Conversions that are seen for the first time
/// are attributed to the pass \p Sweep.
FormatTracker::FunctionState FormatTracker::read(Function &F, unsigned Sweep) {
  TensorFormats Formats(F);
  sortByPosition(Formats.Operations);
  FunctionState State;
  State.Operations = std::move(Formats.Operations);
  State.Conversions = std::move(Formats.Conversions);
  std::lock_guard<std::mutex> Guard(Lock);
  for (const ConversionFormat &C : State.Conversions) {
    auto [Known, IsNew] = Origins.try_emplace(C.Op);
    if (IsNew)
      Known->second = {NextId++, Sweep, ""};
    State.Origins.push_back(Known->second);
  }
  return State;
}

/// Adds the differences between the conversions of \p Old and \p New to
/// \p Result.
static void compareConversions(const FormatTracker::FunctionState &Old,
                               const FormatTracker::FunctionState &New,
                               Changes &Result) {
  llvm::DenseMap<uint64_t, const ConversionFormat *> Gone;
  for (auto [C, From] : llvm::zip_equal(Old.Conversions, Old.Origins))
    Gone[From.Id] = &C;
  for (auto [C, From] : llvm::zip_equal(New.Conversions, New.Origins)) {
    ConversionChanges &Changed = Result.Conversions[unsigned(C.Kind)];
    auto Same = Gone.find(From.Id);
    if (Same == Gone.end()) {
      Changed.Added.add(C);
      continue;
    }
    const ConversionFormat &Was = *Same->second;
    if (Was.OperandType != C.OperandType || Was.ResultType != C.ResultType) {
      ++Changed.NumRetyped;
      Changed.RetypedBytes +=
          C.getBytes().value_or(0) - Was.getBytes().value_or(0);
    }
    Gone.erase(Same);
  }
  for (const auto &Entry : Gone)
    Result.Conversions[unsigned(Entry.second->Kind)].Removed.add(*Entry.second);
}

void FormatTracker::start(Module &M) {
  Ctx = &M.getContext();
  Kinds.emplace(*Ctx);
}

void FormatTracker::begin(FunctionState &State, Function &F) {
  State = read(F, /*Sweep=*/0);
  llvm::append_range(Before, State.Operations);
  for (const ConversionFormat &C : State.Conversions)
    NumBefore[unsigned(C.Kind)].add(C);
}

Changes FormatTracker::update(FunctionState &State, Function &F,
                              unsigned Sweep) {
  FunctionState New = read(F, Sweep);
  Changes Result;
  compareConversions(State, New, Result);
  forEachPosition(State.Operations, New.Operations,
                  [&](uint32_t Position, ArrayRef<OperationFormat> Old,
                      ArrayRef<OperationFormat> New) {
                    FormatSets From(Old), To(New);
                    if (Position &&
                        (From.hasOtherLayout(To) || From.hasOtherType(To)))
                      Result.Positions.push_back(Position);
                  });
  State = std::move(New);
  return Result;
}

Changes FormatTracker::remove(FunctionState &State) {
  Changes Result;
  compareConversions(State, FunctionState(), Result);
  State = FunctionState();
  return Result;
}

void FormatTracker::noteChanged(unsigned Sweep, ArrayRef<uint32_t> Positions) {
  for (uint32_t Position : Positions)
    if (auto &Sweeps = ChangedBy[Position]; !llvm::is_contained(Sweeps, Sweep))
      Sweeps.push_back(Sweep);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// Remarks on conversions are left out: these have no rows of layers, and the
/// position of the operation for which they were created.
void FormatTracker::noteRemark(const PassRun &Run, const MissedRemark &Remark) {
  if (isConversion(Remark.Op))
    return;
  FormatSummary::Reason Why{Run.getSweep(), Remark.Name.str(), Remark.Message};
  runInOrder([this,
              Position = Ctx->getLocations().getPosition(Remark.Op->getLoc()),
              Why = std::move(Why)]() mutable {
    std::vector<FormatSummary::Reason> &Known = Reasons[Position];
    if (!llvm::any_of(Known, [&](const FormatSummary::Reason &R) {
          return R.Sweep == Why.Sweep && R.Message == Why.Message;
        }))
      Known.push_back(std::move(Why));
  });
}
