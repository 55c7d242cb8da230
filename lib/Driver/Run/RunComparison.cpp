//===- RunComparison.cpp - Comparison of two evaluations ------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Outputs are compared first. Only if they differ are the results of operators
// compared: both models run once more to record their results, and then as
// often as needed to compare the matched results part by part. Only the values
// of one part are kept in memory.
//
//===----------------------------------------------------------------------===//

#include "RunComparison.h"
#include "DumpedValues.h"
#include "FirstDifference.h"
#include "Flags/Files.h"
#include "relay/Interpreter/Values/ValuePrinter.h"

using namespace relay;
using llvm::Error;

Error RunComparisonFlags::check(StringRef Model) const {
  if (Reference.isGiven() && Values.isGiven())
    return llvm::createStringError(
        "options -compare and -compare-values exclude each other");
  if (!isGiven())
    if (Error E = checkNotGiven({&Relative, &Absolute},
                                "-compare or -compare-values"))
      return E;
  if (!Reference.isGiven())
    if (Error E = checkNotGiven({&Seeds}, "-compare"))
      return E;
  if (Model == "-" && *Reference == "-")
    return llvm::createStringError(
        "only one of the models can be standard input");
  for (const Flag<double> *F : {&Relative, &Absolute})
    if (!(F->get() >= 0) || std::isinf(F->get()))
      return llvm::createStringError("option " + F->getSpelling() +
                                     ": expects a finite number of at least 0");
  return Error::success();
}

Tolerance RunComparisonFlags::getTolerance(DType T) const {
  bool IsFloat = T.isAnyFloat();
  Tolerance Result;
  if (IsFloat || Relative.isGiven())
    Result.Relative = Relative;
  if (IsFloat || Absolute.isGiven())
    Result.Absolute = Absolute;
  return Result;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Returns true if the numbers agree. A different float type is not a
/// difference.
static bool isWithin(const TensorDifference &D) {
  return D.IsCompared && D.NumBeyond == 0;
}

/// Prints `Tensor[(3), float32]: no difference`.
static void printComparison(raw_ostream &OS, const Tensor &Expected,
                            const Tensor &Actual, const TensorDifference &D) {
  printTensorType(OS, Actual);
  if (!D.SameType)
    printTensorType(OS << " instead of ", Expected);
  if (!D.IsCompared)
    return;
  printDifference(OS << ": ", D);
  if (!D.FirstBeyond)
    return;
  int64_t First = *D.FirstBeyond;
  OS << "; " << D.NumBeyond << " of " << D.NumElements
     << " elements beyond the tolerance, the first at "
     << describeIndex(Expected.getShape(), First) << ": ";
  printElement(OS, Actual, First);
  printElement(OS << " instead of ", Expected, First);
}

namespace {

class RunComparison {
public:
  RunComparison(const RunComparisonFlags &Flags, RunModel &Model)
      : Flags(Flags), Model(Model), Ctx(Model.getContext()) {}

  /// Returns true if everything is within the tolerance; getText() is the
  /// report.
  FailureOr<bool> compareModels(RunModel &Reference);
  FailureOr<bool> compareDumped(StringRef Directory);
  StringRef getText() const { return Text; }

private:
  LogicalResult report(Error E) const {
    return reportToolError("relay-run", std::move(E));
  }
  uint64_t getFirstSeed() const {
    return Model.getFlags().Inputs.getSeed().value_or(0);
  }
  FailureOr<RuntimeValue> evaluate(RunModel &M,
                                   EvaluationListener *Listener = nullptr,
                                   uint64_t MoreMemory = 0);
  LogicalResult checkParameters(const RunModel &M, const RunModel &Other) const;
  LogicalResult readInputs(RunModel &Reference);
  FailureOr<bool> compareOutputs(RunModel &Reference, uint64_t Seed);
  bool compareOutput(const ValueDifference &D);
  LogicalResult checkCompared() const;
  void printVerdict(bool Agree);
  LogicalResult findFirst(RunModel &Reference);
  LogicalResult findFirst(RunModel &Reference, FirstDifference &First);

  const RunComparisonFlags &Flags;
  RunModel &Model;
  Context &Ctx;
  uint64_t NumCompared = 0; ///< pairs of tensors in the outputs
  uint64_t NumLeftOut = 0;  ///< pairs of closures in the outputs, for one seed
  bool HasOverflow = false; ///< the outputs have more parts than are compared
  std::string Text;
  llvm::raw_string_ostream OS{Text};
};

} // namespace

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

FailureOr<RuntimeValue> RunComparison::evaluate(RunModel &M,
                                                EvaluationListener *Listener,
                                                uint64_t MoreMemory) {
  SmallVector<EvaluationListener *, 1> Listeners;
  if (Listener)
    Listeners.push_back(Listener);
  return M.evaluate(Listeners, MoreMemory);
}

/// Parameters share random values only if their names and types are equal.
LogicalResult RunComparison::checkParameters(const RunModel &M,
                                             const RunModel &Other) const {
  llvm::StringMap<Type *> Types;
  for (unsigned I : Other.getMissingParams()) {
    const BlockArgument *Param = Other.getMain().getParams()[I];
    Types[Param->getName()] = Param->getType();
  }
  for (unsigned I : M.getMissingParams()) {
    const BlockArgument *Param = M.getMain().getParams()[I];
    if (Types.lookup(Param->getName()) != Param->getType())
      return report(llvm::createStringError(
          "%" + Param->getName() + " of @main of '" + M.getPath() +
          "' has no input, and '" + Other.getPath() +
          "' has no such parameter without an input: cannot make the same "
          "random values for both"));
  }
  return success();
}

LogicalResult RunComparison::readInputs(RunModel &Reference) {
  if (failed(Reference.readInputs()) || failed(Model.readInputs()) ||
      failed(checkParameters(Model, Reference)))
    return failure();
  return checkParameters(Reference, Model);
}

bool RunComparison::compareOutput(const ValueDifference &D) {
  OS << "  output" << D.Path << ": ";
  if (!D.isCompared()) {
    OS << D.Reason << '\n';
    bool IsOverflow = D.K == ValueDifference::Kind::Overflow;
    NumLeftOut += !IsOverflow;
    HasOverflow |= IsOverflow;
    return true;
  }
  if (D.K == ValueDifference::Kind::Structure) {
    OS << D.Reason << '\n';
    return false;
  }
  ++NumCompared;
  const Tensor &Expected = D.Expected->getTensor();
  const Tensor &Actual = D.Actual->getTensor();
  TensorDifference Elements =
      compareTensors(Expected, Actual, Flags.getTolerance(Expected.getDType()));
  printComparison(OS, Expected, Actual, Elements);
  OS << '\n';
  return isWithin(Elements);
}

FailureOr<bool> RunComparison::compareOutputs(RunModel &Reference,
                                              uint64_t Seed) {
  // Random values depend on the uses of a parameter, so they are created for
  // one of the models.
  if (failed(Model.makeRandomInputs(Seed)))
    return failure();
  Reference.shareInputs(Model);
  FailureOr<RuntimeValue> Expected = evaluate(Reference);
  if (failed(Expected))
    return failure();
  FailureOr<RuntimeValue> Actual = evaluate(Model);
  if (failed(Actual))
    return failure();
  if (Model.getMissingParams().empty())
    OS << "given inputs:\n";
  else
    OS << "seed " << Seed << ":\n";
  bool Agrees = true;
  NumLeftOut = 0;
  compareValues(*Expected, *Actual, {},
                [&](const ValueDifference &D) { Agrees &= compareOutput(D); });
  return Agrees;
}

/// Outputs agree only if something was compared and the limit on parts was not
/// exceeded.
LogicalResult RunComparison::checkCompared() const {
  if (HasOverflow)
    return report(llvm::createStringError("the outputs have more than " +
                                          Twine(MaxComparedValues) +
                                          " parts: not all are compared"));
  if (NumCompared == 0)
    return report(
        llvm::createStringError("the outputs have no tensors to compare"));
  return success();
}

void RunComparison::printVerdict(bool Agree) {
  OS << "the outputs " << (Agree ? "agree" : "differ");
  if (NumLeftOut != 0)
    OS << "; parts that are not compared: " << NumLeftOut;
  OS << '\n';
}

FailureOr<bool> RunComparison::compareModels(RunModel &Reference) {
  if (failed(readInputs(Reference)))
    return failure();
  bool Agree = true;
  for (unsigned I = 0; I != *Flags.Seeds; ++I) {
    FailureOr<bool> AgreesHere = compareOutputs(Reference, getFirstSeed() + I);
    if (failed(AgreesHere))
      return failure();
    if (Agree && !*AgreesHere && failed(findFirst(Reference)))
      return failure();
    Agree &= *AgreesHere;
    if (Model.getMissingParams().empty())
      break;
  }
  if (Agree && failed(checkCompared()))
    return failure();
  printVerdict(Agree);
  return Agree;
}

//===----------------------------------------------------------------------===//
// Results of operators
//===----------------------------------------------------------------------===//

LogicalResult RunComparison::findFirst(RunModel &Reference) {
  RecordListener InReference(Ctx), InModel(Ctx);
  if (failed(evaluate(Reference, &InReference)) ||
      failed(evaluate(Model, &InModel)))
    return failure();
  FirstDifference First(Flags, Ctx, InModel.getRecords(),
                        InReference.getRecords());
  if (failed(findFirst(Reference, First)))
    return failure();
  First.print(OS);
  if (InModel.isFull() || InReference.isFull())
    OS << "  (of each run, only the first " << RecordListener::MaxRecords
       << " results are compared)\n";
  return success();
}

/// Compares the results part by part.
LogicalResult RunComparison::findFirst(RunModel &Reference,
                                       FirstDifference &First) {
  uint64_t Limit = Model.getFlags().getValueLimit();
  uint64_t Budget =
      (Limit == UINT64_MAX ? EvaluatorOptions::DefaultMemory : Limit) / 4;
  while (!First.hasDifference()) {
    ArrayRef<ResultMatch> Part = First.takePart(Budget);
    if (Part.empty())
      break;
    KeepListener Kept(Ctx, Part);
    if (failed(evaluate(Reference, &Kept, First.getByteSize(Part))))
      return failure();
    CompareListener Comparison(Ctx, First, Part,
                               [&](size_t I) { return Kept.take(I); });
    if (failed(evaluate(Model, &Comparison)) ||
        failed(report(Comparison.takeError())))
      return failure();
  }
  return success();
}

FailureOr<bool> RunComparison::compareDumped(StringRef Directory) {
  DumpedValues Dumped(Ctx, Directory);
  if (failed(report(Dumped.read())))
    return failure();
  RecordListener InModel(Ctx);
  if (failed(Model.readInputs()) ||
      failed(Model.makeRandomInputs(getFirstSeed())) ||
      failed(evaluate(Model, &InModel)))
    return failure();
  FirstDifference First(Flags, Ctx, InModel.getRecords(), Dumped.getRecords());
  CompareListener Comparison(Ctx, First, First.takePart(UINT64_MAX),
                             [&](size_t I) { return Dumped.load(I); });
  if (failed(evaluate(Model, &Comparison)) ||
      failed(report(Comparison.takeError())))
    return failure();
  First.print(OS);
  if (First.getNumCompared() == 0)
    return report(Dumped.makeUncomparedError(First.getNumMatched()));
  return !First.hasDifference();
}

int relay::compareRuns(const RunComparisonFlags &Flags, RunModel &Model,
                       RunModel &Reference) {
  RunComparison Comparison(Flags, Model);
  FailureOr<bool> Agree = failure();
  if (Flags.Values.isGiven())
    Agree = Comparison.compareDumped(*Flags.Values);
  else if (succeeded(Reference.read(*Flags.Reference)))
    Agree = Comparison.compareModels(Reference);
  if (failed(Agree) || failed(reportToolError(
                           "relay-run", writeOutput("-", [&](raw_ostream &Out) {
                             Out << Comparison.getText();
                           }))))
    return 2;
  return *Agree ? 0 : 1;
}
