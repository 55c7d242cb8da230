//===- RunModel.cpp - A model to evaluate ---------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RunModel.h.
//
//===----------------------------------------------------------------------===//

#include "RunModel.h"
#include "Flags/Files.h"
#include "relay/Support/CrashHandler.h"
#include "llvm/Support/MathExtras.h"

using namespace relay;
using llvm::Error;

Error RunModelFlags::check() const {
  if (Error E = Inputs.check())
    return E;
  return checkTextVersion(TextVersion);
}

uint64_t RunModelFlags::getValueLimit() const {
  constexpr uint64_t MiB = 1 << 20;
  if (!Limits.Memory.isGiven())
    return EvaluatorOptions::DefaultMemory;
  return *Limits.Memory
             ? llvm::SaturatingMultiply<uint64_t>(*Limits.Memory, MiB)
             : UINT64_MAX;
}

uint64_t RunModelFlags::getMaxWork() const {
  uint64_t OfSteps =
      llvm::SaturatingMultiply<uint64_t>(Steps, EvaluatorOptions::WorkPerStep);
  return Steps < DefaultSteps ? OfSteps : std::max(OfSteps, DefaultWork);
}

/// The limit of the process is higher than that of the values, so that the
/// evaluator, which knows the position, reports an evaluation that exceeds its
/// limit.
void RunMemory::addInput(uint64_t Bytes) {
  constexpr uint64_t BytesPerCharacter = 16;
  InputSize += Bytes;
  uint64_t Values = Flags.getValueLimit();
  uint64_t All = llvm::SaturatingAdd(llvm::SaturatingAdd(Values, Values / 2),
                                     RunLimits::DefaultMemory / 4 +
                                         InputSize * BytesPerCharacter);
  limitMemory(All == UINT64_MAX ? 0 : All);
}

LogicalResult RunModel::report(Error E) const {
  return reportToolError("relay-run", std::move(E));
}

LogicalResult RunModel::read(StringRef ModelPath) {
  CrashActivity Activity("reading");
  Path = ModelPath.str();
  auto Input = openInput(Path);
  if (!Input)
    return report(Input.takeError());
  Memory.addInput((*Input)->getBufferSize());
  ReadOptions O;
  O.QuietUpgrades = true;
  O.OpaqueConstants = Flags.OpaqueConstants;
  O.Release = parseRelease(*Flags.TextVersion).value_or(0);
  if (Constants.isGiven())
    O.LookupConstant = [&](StringRef Hash) {
      return Constants.lookup(Ctx, Hash);
    };
  M = S.read(std::move(*Input), Ctx, O);
  if (!M)
    return failure();
  Main = M->lookupFunction("main");
  if (!Main)
    return report(llvm::createStringError(Path + " has no function @main"));
  return success();
}

const BlockArgument &RunModel::getParam(unsigned I) const {
  return *Main->getParams()[I];
}

LogicalResult RunModel::readInputs() {
  auto Values = RunInputs(Flags.Inputs, *Main, Files).read();
  if (!Values)
    return report(Values.takeError());
  Arguments = std::move(*Values);
  for (auto [I, Value] : llvm::enumerate(Arguments))
    if (!Value)
      Missing.push_back(I);
  return success();
}

LogicalResult RunModel::checkInputs() const {
  if (Missing.empty())
    return success();
  const BlockArgument &Param = getParam(Missing.front());
  std::string Others;
  if (size_t More = Missing.size() - 1)
    Others = ", and for " + std::to_string(More) + " more";
  return report(llvm::createStringError(
      "no input for %" + Param.getName() + " of @main, " +
      toString(Param.getType()) + Others +
      "; use -params=random for random values"));
}

LogicalResult RunModel::makeRandomInputs(uint64_t Seed) {
  for (unsigned I : Missing) {
    llvm::Expected<RuntimeValue> Value = makeRandomInput(getParam(I), Seed);
    if (!Value)
      return report(Value.takeError());
    Arguments[I] = std::move(*Value);
  }
  return success();
}

void RunModel::shareInputs(const RunModel &Other) {
  llvm::StringMap<RuntimeValue> Values;
  for (unsigned I : Other.Missing)
    Values[Other.getParam(I).getName()] = Other.Arguments[I];
  for (unsigned I : Missing)
    Arguments[I] = Values.lookup(getParam(I).getName());
}

FailureOr<RuntimeValue>
RunModel::evaluate(ArrayRef<EvaluationListener *> Listeners,
                   uint64_t MoreMemory) {
  CrashActivity Activity("evaluating");
  EvaluatorOptions Options;
  Options.MaxSteps = Flags.Steps;
  Options.MaxWork = Flags.getMaxWork();
  Options.MaxMemory = llvm::SaturatingAdd(Flags.getValueLimit(), MoreMemory);
  Options.Listeners = Listeners;
  if (Progress) {
    Options.Listeners.push_back(Progress);
    Progress->start(*M);
  }
  TheEvaluator.emplace(*M, Options);
  FailureOr<RuntimeValue> Result = TheEvaluator->evaluate(*Main, Arguments);
  if (Progress)
    Progress->stop();
  return Result;
}
