//===- Provenance.h - Origins of the result's operations --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -why=%12: for a binding of the result, prints its position in the input and
// the passes and rules that changed it. Recorded while the passes change the
// IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_PROVENANCE_H
#define RELAY_INSTRUMENTATION_REPORTS_PROVENANCE_H

#include "relay/IR/RewriteListener.h"
#include "relay/Instrumentation/Instrumentation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <deque>

namespace relay {

struct ProvenanceOptions : InstrumentationOptions {
  explicit ProvenanceOptions(FlagSet &Flags)
      : InstrumentationOptions(Flags, "Dumps") {}

  /// Names of the result: `%12`, `%x`, `@f` for the result of a function, or
  /// `layer:NAME` for all operations of a layer.
  ListFlag<std::string> Names{
      *this, "-why",
      "Print where bindings of the result come from and which passes made them",
      flag::CommaSeparated(),
      flag::ValueName{"%name,@function,layer:name,..."}};

  bool isEnabled() const override { return !Names.empty(); }
};

class Provenance final : public Instrumentation, public RewriteListener {
public:
  using Options = ProvenanceOptions;
  static constexpr StringLiteral Name = "provenance";

  Provenance(const Options &Opts, const InstrumentationSetup &Setup)
      : Opts(Opts), OS(*Setup.Stream) {}

  void registerCallbacks(PassContext &PC) override;
  void takeOver(Instrumentation &Previous) override;
  /// Writes the story of each requested name of \p M, which is the result.
  llvm::Error finish(Module &M, bool Failed) override;
  /// Returns an error if a name is in no result.
  llvm::Error report(raw_ostream &, const ModulePassManager &,
                     bool Failed) override;

  void notifyRewrite(const Rewrite &R) override;
  void notifyCreated(Operation *Op) override;
  void notifyCloned(const Operation *From, Operation *New) override;
  void notifyModified(Operation *Op) override;
  void notifyReplaced(Operation *Op, Value *New) override;
  void notifyErased(Operation *Op) override;
  void notifyFunctionCreated(Function &F) override;
  void notifyFunctionErased(Function &F) override;

private:
  /// The changes of one pass to an operation.
  struct Step {
    enum class Kind : uint8_t { Made, Copied, Changed, TookPlace };
    Kind K;
    unsigned Run; ///< the number of the run
    StringRef Pass;
    std::string Rule;
    StringRef Op; ///< created or replaced

    /// Returns true if the pass created the operation.
    bool isCreation() const { return K == Kind::Made || K == Kind::Copied; }
  };
  /// The history of an operation. It outlives the operation, as long as an
  /// operation created from it lives.
  struct Story {
    /// Its origin, and the length of the relevant part of the origin's history;
    /// or null.
    const Story *Origin = nullptr;
    size_t NumOriginSteps = 0;
    /// The position and the text of the operation in the input, if it was read.
    Location ReadAt;
    StringRef ReadAs;
    SmallVector<Step, 1> Steps;
  };

  Story &getStory(const Operation *Op);
  const Story &getOriginStory(const Operation *Op);
  void setOrigin(Story &S, const Story &Origin);
  void addStep(Story &S, Step::Kind K, const Operation *Op);
  static bool isPresent(const Step &S);
  void print(const Step &S, raw_ostream &OS) const;
  void print(const Story &S, const DiagnosticEngine &Locations,
             raw_ostream &OS) const;
  void print(StringRef Name, const Value &V, raw_ostream &OS) const;

  const Options &Opts;
  raw_ostream &OS;
  /// The error for each name; empty if some result has had the name.
  llvm::StringMap<std::string> Problems;
  std::deque<Story> Stories;
  llvm::DenseMap<const Operation *, Story *> ByOperation;
  /// The rule being applied, and its operation.
  std::string Rule;
  const Story *Root = nullptr;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_PROVENANCE_H
