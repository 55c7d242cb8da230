//===- FirstDifference.cpp - Comparison of results of two runs ------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See FirstDifference.h. Results whose layout was converted by passes are
// compared in every order of axes that gives the shape of the reference.
//
//===----------------------------------------------------------------------===//

#include "FirstDifference.h"
#include "relay/Interpreter/Values/Strides.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Support/PrintableText.h"

using namespace relay;
using llvm::Error;
using llvm::Expected;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// Returns \p T without axes of extent 1.
static Tensor squeeze(const Tensor &T) {
  TensorShape Shape;
  llvm::copy_if(T.getShape(), std::back_inserter(Shape),
                [](int64_t Extent) { return Extent != 1; });
  return T.reshape(Shape);
}

/// Returns \p T with its axis Axes[i] as axis i.
static Tensor permuteAxes(const Tensor &T, ArrayRef<unsigned> Axes) {
  TensorShape Shape;
  Strides All = getStrides(T.getShape()), Steps;
  for (unsigned Axis : Axes) {
    Shape.push_back(T.getDim(Axis));
    Steps.push_back(All[Axis]);
  }
  return readStrided(T, Shape, Steps);
}

/// Compares \p Actual with \p Expected, directly if the shapes are equal, and
/// otherwise in each order of axes that gives the expected shape. Returns the
/// result of the first order that agrees, or of the one with the smallest
/// error.
static TensorDifference compareInLayouts(const Tensor &Expected,
                                         const Tensor &Actual, Tolerance T) {
  Tensor From = squeeze(Actual), To = squeeze(Expected);
  if (From.getShape() == To.getShape())
    return compareTensors(To, From, T);
  SmallVector<unsigned, 4> Axes = llvm::to_vector<4>(llvm::seq(From.getRank()));
  TensorDifference Best;
  do {
    auto Fits = [&](unsigned I) {
      return From.getDim(Axes[I]) == To.getDim(I);
    };
    if (!llvm::all_of(llvm::seq(To.getRank()), Fits))
      continue;
    TensorDifference D = compareTensors(To, permuteAxes(From, Axes), T);
    if (!Best.IsCompared || D.SignalToNoise > Best.SignalToNoise)
      Best = D;
  } while (Best.NumBeyond + !Best.IsCompared != 0 &&
           std::next_permutation(Axes.begin(), Axes.end()));
  return Best;
}

//===----------------------------------------------------------------------===//
// FirstDifference
//===----------------------------------------------------------------------===//

FirstDifference::FirstDifference(const RunComparisonFlags &Flags, Context &Ctx,
                                 ArrayRef<ResultRecord> Model,
                                 ArrayRef<ResultRecord> Reference)
    : Flags(Flags), Ctx(Ctx), Model(Model), Reference(Reference) {
  for (const ResultMatch &M : matchResults(Model, Reference)) {
    ++NumMatched;
    if (areComparable(Model[M.Model].Type, Reference[M.Reference].Type))
      Matches.push_back(M);
  }
}

uint64_t FirstDifference::getByteSize(ArrayRef<ResultMatch> Part) const {
  uint64_t Size = 0;
  for (const ResultMatch &M : Part)
    Size += Reference[M.Reference].getByteSize();
  return Size;
}

ArrayRef<ResultMatch> FirstDifference::takePart(uint64_t Budget) {
  size_t Begin = NextMatch;
  uint64_t Size = 0;
  for (; NextMatch != Matches.size(); ++NextMatch) {
    Size += Reference[Matches[NextMatch].Reference].getByteSize();
    if (Size > Budget && NextMatch != Begin)
      break;
  }
  return ArrayRef(Matches).slice(Begin, NextMatch - Begin);
}

/// Returns `operation 12, %y = nn.conv2d at m.relay:3:5 in layer 'conv1',
/// Tensor[(3), float32]`; values from files have no position.
std::string FirstDifference::describe(const ResultRecord &R) const {
  std::string Text = "operation " + std::to_string(R.Number);
  if (!R.Let.empty())
    Text += (", %" + R.Let + " =").str();
  else
    Text += ",";
  Text += (" " + (R.Operator.empty() ? R.Label : R.Operator)).str();
  if (R.Field && !R.Operator.empty())
    Text += "." + std::to_string(*R.Field);
  if (R.Loc.isKnown()) {
    llvm::raw_string_ostream OS(Text);
    Ctx.getDiagnostics().printLocation(OS << " at ", R.Loc);
  } else if (!R.Layer.empty()) {
    Text += (" in layer '" + R.Layer + "'").str();
  }
  return Text + ", " + toString(R.Type);
}

void FirstDifference::compare(const ResultMatch &M, const Tensor &Expected,
                              const Tensor &Actual) {
  ++NumCompared;
  TensorDifference D = compareInLayouts(
      Expected, Actual, Flags.getTolerance(Expected.getDType()));
  if (D.IsCompared && D.NumBeyond == 0)
    return;
  llvm::raw_string_ostream OS(FirstText);
  OS << "  " << toPrintable(describe(Model[M.Model])) << '\n'
     << "  instead of " << toPrintable(describe(Reference[M.Reference]))
     << ", matched by " << toString(M.K) << '\n'
     << "  ";
  printDifference(OS, D);
  OS << "; " << D.NumBeyond << " of " << D.NumElements
     << " elements beyond the tolerance\n";
}

void FirstDifference::print(raw_ostream &OS) const {
  if (hasDifference())
    OS << "first compared operation that differs:\n" << FirstText;
  else
    OS << "no operation differs\n";
  OS << "  " << NumCompared
     << " results compared; matched, but of other shapes or types: "
     << NumMatched - Matches.size() << '\n'
     << "  without a match: " << Model.size() - NumMatched << " of "
     << Model.size() << " of the model, " << Reference.size() - NumMatched
     << " of " << Reference.size() << " of the reference\n";
}

//===----------------------------------------------------------------------===//
// Listeners
//===----------------------------------------------------------------------===//

KeepListener::KeepListener(Context &Ctx, ArrayRef<ResultMatch> Part)
    : ResultListener(Ctx) {
  for (const ResultMatch &M : Part)
    Kept.try_emplace(M.Reference);
}

void KeepListener::visit(const OperatorResult &, const Tensor &T) {
  auto Found = Kept.find(NextResult++);
  if (Found != Kept.end())
    Found->second = T;
}

Expected<Tensor> KeepListener::take(size_t I) {
  return std::exchange(Kept.find(I)->second, Tensor());
}

void CompareListener::visit(const OperatorResult &, const Tensor &T) {
  size_t Index = NextResult++;
  if (Rest.empty() || Rest.front().Model != Index || !Problem.empty() ||
      Results.hasDifference())
    return;
  Expected<Tensor> Reference = Load(Rest.front().Reference);
  if (Reference)
    Results.compare(Rest.front(), *Reference, T);
  else
    Problem = llvm::toString(Reference.takeError());
  Rest = Rest.drop_front();
}

Error CompareListener::takeError() {
  return Problem.empty() ? Error::success() : llvm::createStringError(Problem);
}
