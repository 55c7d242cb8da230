//===- RunListeners.h - Reports about an evaluation -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -trace, -dump-values and -time-ops: each is a listener of the evaluator.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_RUN_RUNLISTENERS_H
#define RELAY_LIB_DRIVER_RUN_RUNLISTENERS_H

#include "relay/IR/Context.h"
#include "relay/Interpreter/Evaluation/Evaluator.h"
#include "relay/Support/BoundedRegex.h"
#include "relay/Support/Flags.h"
#include "llvm/ADT/MapVector.h"
#include <chrono>

namespace relay {

struct RunListenerFlags : FlagGroup {
  explicit RunListenerFlags(FlagSet &Flags) : FlagGroup(Flags, "Reports") {}

  /// Returns an error if a value is invalid.
  llvm::Error check() const;

  Flag<std::string> Trace{
      *this,
      "-trace",
      "Print shape, minimum, maximum, mean and number of nans of the result of "
      "each operator, or of operators whose name, let name or layer matches",
      flag::ValueName{"regex"},
      flag::Init<std::string>{"."},
      flag::WithoutValue<std::string>{"."}};
  Flag<std::string> DumpValues{
      *this, "-dump-values",
      "Write the result of each operator to a .npy file of this directory",
      flag::ValueName{"directory"}, flag::NeedsTrust()};
  Flag<bool> TimeOps{*this, "-time-ops",
                     "Print the time of each operator and each layer"};
};

/// Returns the layers of \p Op, `a, b`; empty if there are none.
std::string getLayerNames(Context &Ctx, const Operation &Op);
/// Returns \p Name in a form that is usable in the names of files of
/// -dump-values.
std::string makeDumpName(StringRef Name);

/// The result of an operator, or a field of it.
struct OperatorResult {
  const Operation &Op; ///< the call
  const OpInfo &Info;
  uint64_t Number; ///< in order of execution, from 0
  std::optional<unsigned> Field;

  /// Returns the name that the call is bound to; empty if there is none.
  StringRef getLet() const {
    return Op.isBound() ? Op.getVarName() : StringRef();
  }
  /// Returns `nn.relu`, or `split.1` for a field.
  std::string getName() const;
};

/// Numbers the results of operators. Each field of a tuple is a result.
class ResultListener : public EvaluationListener {
public:
  explicit ResultListener(Context &Ctx) : Ctx(Ctx) {}
  void afterOperator(const Operation &Op, const OpInfo &Info,
                     const RuntimeValue &V) final;

protected:
  virtual void visit(const OperatorResult &R, const Tensor &T) = 0;
  Context &Ctx;

private:
  uint64_t NextNumber = 0;
};

/// -trace.
class TraceListener final : public ResultListener {
public:
  TraceListener(Context &Ctx, StringRef Regex, raw_ostream &OS)
      : ResultListener(Ctx), Regex(Regex), Filter(Regex), OS(OS) {}
  /// Returns an error if there were results but the expression matched none.
  llvm::Error checkMatched() const;

private:
  void visit(const OperatorResult &R, const Tensor &T) override;

  StringRef Regex;
  BoundedRegex Filter;
  raw_ostream &OS;
  bool HasResult = false, HasMatch = false;
};

/// -dump-values: writes `0012-layer1.conv.npy` and describes the files in
/// index.json.
class DumpListener final : public ResultListener {
public:
  DumpListener(Context &Ctx, StringRef Directory)
      : ResultListener(Ctx), Directory(Directory) {}
  /// Writes the index. Returns an error if a file could not be written.
  llvm::Error finish();

private:
  void visit(const OperatorResult &R, const Tensor &T) override;

  struct Entry {
    std::string File, Operator, Let, Layer;
    uint64_t Number;
    std::optional<unsigned> Field;
  };
  static constexpr size_t MaxFiles = 100000;
  std::string Directory;
  std::vector<Entry> Entries;
  std::string Problem; ///< the first problem
};

/// -time-ops.
class TimeListener final : public EvaluationListener {
public:
  explicit TimeListener(Context &Ctx) : Ctx(Ctx) {}
  void beforeOperator(const Operation &, const OpInfo &) override {
    Begin = Clock::now();
  }
  void afterOperator(const Operation &Op, const OpInfo &Info,
                     const RuntimeValue &) override;
  /// Prints the tables and the peak memory of values.
  void print(raw_ostream &OS, uint64_t PeakMemory) const;

private:
  using Clock = std::chrono::steady_clock;
  struct Record {
    Clock::duration Time{};
    uint64_t NumCalls = 0;
  };
  using Table = llvm::MapVector<StringRef, Record>;
  /// The unit of the printed times.
  struct Unit {
    StringLiteral Name;
    double PerSecond;
  };
  Unit getUnit() const;
  void printTable(raw_ostream &OS, StringRef Title, const Table &T) const;

  Context &Ctx;
  Clock::time_point Begin;
  Record All;
  Table ByOperator, ByLayer;
};

} // namespace relay

#endif // RELAY_LIB_DRIVER_RUN_RUNLISTENERS_H
