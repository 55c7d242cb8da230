//===- Provenance.h - Where the operations of the result come from -*- C++ -*-//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -why=%12: for a binding of the result, where it was read and which passes,
// by which rules, made it what it is. Recorded as the passes change the IR.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_PROVENANCE_H
#define RELAY_INSTRUMENTATION_PROVENANCE_H

#include "relay/IR/Builder.h"
#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/Flags.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <deque>

namespace relay {

struct ProvenanceOptions : FlagGroup {
  explicit ProvenanceOptions(FlagSet &Flags) : FlagGroup(Flags, "Dumps") {}

  /// Names of the result: `%12`, `%x`, or `@f` for what a function yields.
  ListFlag<std::string> Names{*this, "-why",
                              "Tell where bindings of the result come from "
                              "and which passes made them",
                              flag::CommaSeparated(),
                              flag::ValueName{"%name,@function,..."}};
};

class Provenance final : public RewriteListener {
public:
  explicit Provenance(const ProvenanceOptions &Options) : Options(Options) {}

  /// Starts anew, for another module.
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// Writes the story of each name of \p M, which is the result; an error if
  /// there is none of that name.
  llvm::Error print(Module &M, raw_ostream &OS) const;

  void notifyRewrite(const Rewrite &R) override;
  void notifyCreated(Operation *Op) override;
  void notifyCloned(const Operation *From, Operation *New) override;
  void notifyModified(Operation *Op) override;
  void notifyReplaced(Operation *Op, Value *New) override;
  void notifyErased(Operation *Op) override;

private:
  /// What one pass did to an operation.
  struct Step {
    enum class Kind : uint8_t { Made, Copied, Changed, TookPlace };
    Kind K;
    unsigned Run; ///< the number of the run
    StringRef Pass;
    std::string Rule;
    StringRef Op; ///< made, or whose place was taken
  };
  /// What became of an operation. Lives on when the operation goes, as long as
  /// what was made of it.
  struct Story {
    /// What it was made of, and how far that one's story counts; or null.
    const Story *Origin = nullptr;
    size_t NumOriginSteps = 0;
    /// Where it was read and as what, if it was.
    Location ReadAt;
    StringRef ReadAs;
    SmallVector<Step, 1> Steps;
  };

  Story &getStory(const Operation *Op);
  void setOrigin(Story &S, const Story &Origin);
  void addStep(Story &S, Step::Kind K, const Operation *Op);
  static bool isPresent(const Step &S);
  void print(const Step &S, raw_ostream &OS) const;
  void print(const Story &S, const DiagnosticEngine &Locations,
             raw_ostream &OS) const;
  void print(StringRef Name, const Value &V, raw_ostream &OS) const;

  const ProvenanceOptions &Options;
  std::deque<Story> Stories;
  llvm::DenseMap<const Operation *, Story *> ByOperation;
  /// The rule that is being applied, and to what.
  std::string Rule;
  const Story *Root = nullptr;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_PROVENANCE_H
