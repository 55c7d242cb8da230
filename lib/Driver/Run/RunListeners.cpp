//===- RunListeners.cpp - Reports about an evaluation ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See RunListeners.h.
//
//===----------------------------------------------------------------------===//

#include "RunListeners.h"
#include "relay/Interpreter/Compare/TensorStats.h"
#include "relay/Interpreter/Numpy/NumpyFile.h"
#include "relay/Interpreter/Values/ValuePrinter.h"
#include "relay/Support/OutputFile.h"
#include "relay/Support/PrintableText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;
using llvm::formatv;

Error RunListenerFlags::check() const {
  std::string Problem;
  if (!BoundedRegex(*Trace).isValid(Problem))
    return llvm::createStringError("option -trace: '" + *Trace +
                                   "' is not a regular expression: " + Problem);
  return Error::success();
}

std::string relay::getLayerNames(Context &Ctx, const Operation &Op) {
  SmallVector<StringRef, 2> Names;
  Ctx.getLocations().getLayers(Op.getLoc(), Names);
  return llvm::join(Names, ", ");
}

//===----------------------------------------------------------------------===//
// ResultListener
//===----------------------------------------------------------------------===//

std::string OperatorResult::getName() const {
  return Info.Name.str() + (Field ? "." + std::to_string(*Field) : "");
}

void ResultListener::afterOperator(const Operation &Op, const OpInfo &Info,
                                   const RuntimeValue &V) {
  uint64_t Number = NextNumber++;
  if (V.isTensor())
    return visit({Op, Info, Number, std::nullopt}, V.getTensor());
  if (!V.isTuple())
    return;
  for (auto [I, Field] : llvm::enumerate(V.getFields()))
    if (Field.isTensor())
      visit({Op, Info, Number, unsigned(I)}, Field.getTensor());
}

//===----------------------------------------------------------------------===//
// -trace
//===----------------------------------------------------------------------===//

void TraceListener::visit(const OperatorResult &R, const Tensor &T) {
  HasResult = true;
  std::string Layer = getLayerNames(Ctx, R.Op);
  if (!Filter.match(R.Info.Name) && !Filter.match(Layer) &&
      !(R.Op.isBound() && Filter.match(R.getLet())))
    return;
  HasMatch = true;
  OS << R.Number << ": ";
  if (R.Op.isBound())
    OS << '%' << toPrintable(R.getLet()) << " = ";
  OS << R.getName() << ": ";
  printTensorType(OS, T);
  printStats(OS, getStats(T));
  if (!Layer.empty())
    OS << " in layer '" << toPrintable(Layer) << '\'';
  OS << '\n';
}

Error TraceListener::checkMatched() const {
  if (HasMatch || !HasResult)
    return Error::success();
  return llvm::createStringError(
      "option -trace: no operator, let name or layer matches '" + Regex + "'");
}

//===----------------------------------------------------------------------===//
// -dump-values
//===----------------------------------------------------------------------===//

std::string relay::makeDumpName(StringRef Name) {
  constexpr size_t MaxLength = 100;
  std::string Text = Name.take_front(MaxLength).str();
  for (char &C : Text)
    if (!llvm::isAlnum(C) && C != '.' && C != '-' && C != '_')
      C = '_';
  return Text;
}

/// Writes \p T to a new file: the old file at \p Path may be mapped and must
/// not be overwritten in place.
static Error writeValue(StringRef Path, const Tensor &T) {
  OutputFileGroup Files;
  if (Error E = Files.add(Path, [&](raw_ostream &OS) { writeNpy(OS, T); }))
    return E;
  return Files.commit();
}

void DumpListener::visit(const OperatorResult &R, const Tensor &T) {
  if (!Problem.empty())
    return;
  Entry E;
  E.Number = R.Number;
  E.Field = R.Field;
  E.Operator = R.Info.Name;
  E.Let = R.getLet().str();
  E.Layer = getLayerNames(Ctx, R.Op);
  StringRef Name = !E.Layer.empty() ? E.Layer
                   : !E.Let.empty() ? E.Let
                                    : E.Operator;
  std::string Digits = std::to_string(R.Number);
  E.File = std::string(4 - std::min<size_t>(4, Digits.size()), '0') + Digits +
           "-" + makeDumpName(Name);
  if (R.Field)
    E.File += "." + std::to_string(*R.Field);
  E.File += ".npy";
  llvm::SmallString<128> Path(Directory);
  llvm::sys::path::append(Path, E.File);
  if (Entries.size() == MaxFiles)
    Problem = "option -dump-values: more than " + std::to_string(MaxFiles) +
              " results";
  else if (Error Failure = writeValue(Path, T))
    Problem = llvm::toString(std::move(Failure));
  Entries.push_back(std::move(E));
}

Error DumpListener::finish() {
  if (!Problem.empty())
    return llvm::createStringError(Problem);
  llvm::SmallString<128> Path(Directory);
  llvm::sys::path::append(Path, "index.json");
  return writeFile(Path, [&](raw_ostream &OS) {
    llvm::json::OStream J(OS, 1);
    J.array([&] {
      for (const Entry &E : Entries)
        J.object([&] {
          J.attribute("file", E.File);
          J.attribute("number", int64_t(E.Number));
          if (E.Field)
            J.attribute("field", int64_t(*E.Field));
          J.attribute("operator", E.Operator);
          if (!E.Let.empty())
            J.attribute("let", llvm::json::fixUTF8(E.Let));
          if (!E.Layer.empty())
            J.attribute("layer", llvm::json::fixUTF8(E.Layer));
        });
    });
    OS << '\n';
  });
}

//===----------------------------------------------------------------------===//
// -time-ops
//===----------------------------------------------------------------------===//

void TimeListener::afterOperator(const Operation &Op, const OpInfo &Info,
                                 const RuntimeValue &) {
  Clock::duration Time = Clock::now() - Begin;
  std::string Layer = getLayerNames(Ctx, Op);
  SmallVector<Record *, 3> Records = {&All, &ByOperator[Info.Name]};
  if (!Layer.empty())
    Records.push_back(&ByLayer[Ctx.intern(Layer)]);
  for (Record *R : Records) {
    R->Time += Time;
    ++R->NumCalls;
  }
}

static double toSeconds(std::chrono::steady_clock::duration Time) {
  return std::chrono::duration<double>(Time).count();
}

/// Returns the largest unit in which the total is at least one.
TimeListener::Unit TimeListener::getUnit() const {
  double Total = toSeconds(All.Time);
  if (Total >= 1)
    return {"s", 1};
  return Total >= 1e-3 ? Unit{"ms", 1e3} : Unit{"us", 1e6};
}

/// Prints the most expensive entries first.
void TimeListener::printTable(raw_ostream &OS, StringRef Title,
                              const Table &T) const {
  std::vector<const std::pair<StringRef, Record> *> Rows;
  for (const auto &Row : T)
    Rows.push_back(&Row);
  llvm::stable_sort(
      Rows, [](auto *L, auto *R) { return L->second.Time > R->second.Time; });
  Unit U = getUnit();
  OS << formatv("  {0,17}  --Calls--  --- {1} ---\n",
                "--Wall Time/" + U.Name + "--", Title);
  double Total = std::max(toSeconds(All.Time), 1e-9);
  for (auto *Row : Rows) {
    double Time = toSeconds(Row->second.Time);
    OS << formatv("{0,10:F3} ({1,5:F1}%) {2,10}  {3}\n", Time * U.PerSecond,
                  100 * Time / Total, Row->second.NumCalls,
                  toPrintable(Row->first));
  }
}

void TimeListener::print(raw_ostream &OS, uint64_t PeakMemory) const {
  std::string Rule = "===" + std::string(73, '-') + "===\n";
  OS << Rule
     << "                      ... Operator execution timing report ...\n"
     << Rule;
  Unit U = getUnit();
  OS << formatv("  Total Execution Time: {0:F3} {1} in {2} calls\n",
                toSeconds(All.Time) * U.PerSecond, U.Name, All.NumCalls)
     << formatv("  Peak Memory of Values: {0:F3} MB, inputs apart\n\n",
                double(PeakMemory) / 1e6);
  printTable(OS, "Operator", ByOperator);
  if (!ByLayer.empty())
    printTable(OS << '\n', "Layer", ByLayer);
}
