//===- RunListeners.cpp - What is shown of an evaluation ------------------===//
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
#include "relay/Interpreter/NumpyFile.h"
#include "relay/Interpreter/TensorStats.h"
#include "relay/Interpreter/ValuePrinter.h"
#include "relay/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace relay;
using llvm::Error;
using llvm::formatv;

Error RunListenerFlags::check() const {
  std::string Problem;
  if (!llvm::Regex(*Trace).isValid(Problem))
    return llvm::createStringError("option -trace: '" + *Trace +
                                   "' is not a regular expression: " + Problem);
  return Error::success();
}

/// The layers that \p Op is of, `a, b`.
static std::string getLayerNames(Context &Ctx, const Operation &Op) {
  SmallVector<StringRef, 2> Names;
  Ctx.getLocations().getLayers(Op.getLoc(), Names);
  return llvm::join(Names, ", ");
}

//===----------------------------------------------------------------------===//
// ResultListener
//===----------------------------------------------------------------------===//

std::string ResultListener::getLayer(const Operation &Op) const {
  return getLayerNames(Ctx, Op);
}

void ResultListener::afterOperation(const Operation &Op,
                                    const RuntimeValue &V) {
  if (!Op.is(OpCode::Operator))
    return;
  uint64_t Number = NextNumber++;
  if (V.isTensor())
    return visit(Op, Number, std::nullopt, V.getTensor());
  if (!V.isTuple())
    return;
  for (auto [I, Field] : llvm::enumerate(V.getFields()))
    if (Field.isTensor())
      visit(Op, Number, I, Field.getTensor());
}

//===----------------------------------------------------------------------===//
// -trace
//===----------------------------------------------------------------------===//

/// `%y = nn.relu`, `nn.relu`, with `.1` for a field.
static std::string describeResult(const Operation &Op,
                                  std::optional<unsigned> Field) {
  std::string Text;
  if (Op.isBound())
    Text = ("%" + Op.getVarName() + " = ").str();
  Text += Op.getName();
  if (Field)
    Text += "." + std::to_string(*Field);
  return Text;
}

void TraceListener::visit(const Operation &Op, uint64_t Number,
                          std::optional<unsigned> Field, const Tensor &T) {
  std::string Layer = getLayer(Op);
  if (!Filter.match(Op.getName()) && !Filter.match(Layer) &&
      !(Op.isBound() && Filter.match(Op.getVarName())))
    return;
  OS << Number << ": " << describeResult(Op, Field) << ": ";
  printTensorType(OS, T);
  printStats(OS, getStats(T));
  if (!Layer.empty())
    OS << " in layer '" << Layer << '\'';
  OS << '\n';
}

//===----------------------------------------------------------------------===//
// -dump-values
//===----------------------------------------------------------------------===//

/// \p Name as a part of the name of a file.
static std::string makeFileName(StringRef Name) {
  constexpr size_t MaxLength = 100;
  std::string Text = Name.take_front(MaxLength).str();
  for (char &C : Text)
    if (!llvm::isAlnum(C) && C != '.' && C != '-' && C != '_')
      C = '_';
  return Text;
}

void DumpListener::visit(const Operation &Op, uint64_t Number,
                         std::optional<unsigned> Field, const Tensor &T) {
  if (!Problem.empty())
    return;
  Entry E;
  E.Number = Number;
  E.Operator = Op.getName();
  E.Let = Op.isBound() ? Op.getVarName().str() : "";
  E.Layer = getLayer(Op);
  StringRef Name = !E.Layer.empty() ? E.Layer
                   : !E.Let.empty() ? E.Let
                                    : E.Operator;
  std::string Digits = std::to_string(Number);
  E.File = std::string(4 - std::min<size_t>(4, Digits.size()), '0') + Digits +
           "-" + makeFileName(Name);
  if (Field)
    E.File += "." + std::to_string(*Field);
  E.File += ".npy";
  llvm::SmallString<128> Path(Directory);
  llvm::sys::path::append(Path, E.File);
  if (Entries.size() == MaxFiles)
    Problem = "option -dump-values: more than " + std::to_string(MaxFiles) +
              " results";
  else if (Error Failure =
               writeFile(Path, [&](raw_ostream &OS) { writeNpy(OS, T); }))
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

void TimeListener::afterOperation(const Operation &Op, const RuntimeValue &) {
  if (!Op.is(OpCode::Operator))
    return;
  Clock::duration Time = Clock::now() - Begin;
  std::string Layer = getLayerNames(Ctx, Op);
  SmallVector<Record *, 3> Records = {&All, &ByOperator[Op.getName()]};
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

/// The most expensive first.
void TimeListener::printTable(raw_ostream &OS, StringRef Title,
                              const Table &T) const {
  std::vector<const std::pair<StringRef, Record> *> Rows;
  for (const auto &Row : T)
    Rows.push_back(&Row);
  llvm::stable_sort(
      Rows, [](auto *L, auto *R) { return L->second.Time > R->second.Time; });
  OS << "  ---Wall Time---  --Calls--  --- " << Title << " ---\n";
  double Total = std::max(toSeconds(All.Time), 1e-9);
  for (auto *Row : Rows) {
    double Time = toSeconds(Row->second.Time);
    OS << formatv("{0,9:F4} ({1,5:F1}%) {2,10}  {3}\n", Time,
                  100 * Time / Total, Row->second.NumCalls, Row->first);
  }
}

void TimeListener::print(raw_ostream &OS) const {
  std::string Rule = "===" + std::string(73, '-') + "===\n";
  OS << Rule
     << "                      ... Operator execution timing report ...\n"
     << Rule;
  OS << formatv("  Total Execution Time: {0:F4} seconds in {1} calls\n\n",
                toSeconds(All.Time), All.NumCalls);
  printTable(OS, "Operator", ByOperator);
  if (!ByLayer.empty())
    printTable(OS << '\n', "Layer", ByLayer);
}
