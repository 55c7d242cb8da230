//===- FormatTracker.h - Layouts and data types during passes ---*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records for PassReport, which writes the summary:
//
// - the TensorFormats of each function after the last pass that changed it;
// - the pass and the rule that created each conversion;
// - the passes that changed the layout or the data type of an operation;
// - the remarks on operations whose layout or data type did not change.
//
// An operation is identified by its position in the input. Operations created
// in its place inherit the position.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_FORMATTRACKER_H
#define RELAY_INSTRUMENTATION_REPORTS_FORMATTRACKER_H

#include "relay/Analysis/TensorFormats.h"
#include "relay/Pass/PassInstrumentation.h"
#include "relay/Support/PointerHash.h"
#include <array>
#include <map>
#include <mutex>

namespace relay {

class ResultNames;

/// A number of conversions.
struct ConversionSum {
  uint64_t Count = 0;
  uint64_t Bytes = 0;   ///< read and written
  uint64_t Unknown = 0; ///< conversions whose bytes are not included

  void add(const ConversionFormat &C);
  ConversionSum &operator+=(const ConversionSum &S);
};

/// The conversions that a pass added, removed, and gave other types.
struct ConversionChanges {
  ConversionSum Added, Removed;
  uint64_t NumRetyped = 0;
  int64_t RetypedBytes = 0; ///< by how many bytes they read and write more

  ConversionChanges &operator+=(const ConversionChanges &C);
};

/// Indexed by ConversionValue.
template <typename T> using ByConversion = std::array<T, 3>;

/// The formats at the end of a pipeline, compared with those before it. Holds
/// copies, so that it outlives the module.
struct FormatSummary {
  /// The maximal numbers of layers and conversions that are kept.
  static constexpr size_t MaxLayers = 5000, MaxConversions = 5000;

  /// How equal operations of a layer compute.
  struct Form {
    std::string Operator, Layout;
    std::vector<std::pair<std::string, std::string>> LayoutAttrs;
    std::string OperandType, ResultType;
    uint64_t Count = 0;
  };
  struct Reason {
    unsigned Sweep; ///< of the pass
    std::string Name, Message;
  };
  /// The operations that one operation of the input has become.
  struct Layer {
    std::string Position; ///< `m.relay:3:5`
    std::vector<std::string> Names;
    std::vector<Form> Before, After;
    bool HasNewLayout = false, HasNewType = false;
    std::vector<unsigned> ChangedBy; ///< sweeps of passes
    std::vector<Reason> Reasons;
  };
  struct Conversion {
    std::string Operator, Function, Name, Position;
    std::vector<std::string> Layers;
    ConversionValue Kind;
    std::string From, To, OperandType, ResultType;
    SmallVector<unsigned, 6> Axes; ///< of transpositions
    std::optional<uint64_t> Bytes; ///< none if a type is dynamic
    std::string Operand, User;
    unsigned NumUsers = 0;
    unsigned Sweep = 0; ///< of the pass that created it; 0: the input has it
    std::string Rule;
    ConversionFormat::StrayKind Stray;
    size_t Other = 0; ///< an index of Conversions, or of one left out
    bool IsExact = true;
  };
  /// The number of layers by format before and after.
  using Steps = std::map<std::pair<std::string, std::string>, uint64_t>;

  Steps Layouts, Types;
  ByConversion<ConversionSum> Before, After, Stray;
  std::vector<Layer> Layers;
  std::vector<Conversion> Conversions;
  size_t NumLayersOmitted = 0, NumConversionsOmitted = 0;
};

class FormatTracker : public RewriteListener {
public:
  /// The pass that created a conversion.
  struct Origin {
    uint64_t Id = 0;
    unsigned Sweep = 0;
    StringRef Rule;
  };
  /// The formats of a function after the last pass that changed it.
  struct FunctionState {
    std::vector<OperationFormat> Operations; ///< sorted by position
    std::vector<ConversionFormat> Conversions;
    std::vector<Origin> Origins; ///< of Conversions
  };
  /// The changes of a pass.
  struct Changes {
    ByConversion<ConversionChanges> Conversions;
    /// Of operations whose layout or data type changed.
    SmallVector<uint32_t, 0> Positions;
  };

  /// Begins with module \p M.
  void start(Module &M);
  /// Records the formats of \p F before all passes.
  void begin(FunctionState &State, Function &F);
  /// Updates \p State to \p F after the pass \p Sweep. Thread-safe.
  Changes update(FunctionState &State, Function &F, unsigned Sweep);
  /// Removes a function.
  static Changes remove(FunctionState &State);
  /// Records that the pass \p Sweep changed the operations at \p Positions.
  void noteChanged(unsigned Sweep, ArrayRef<uint32_t> Positions);
  /// The kinds of remarks on layouts and data types.
  static constexpr StringLiteral Remarks[] = {"full-precision", "kept-layout",
                                              "kept-region"};
  void noteRemark(const PassRun &Run, const MissedRemark &Remark);
  /// Forgets the rule that \p Run, which ends, applies.
  void noteEnd(const PassRun &Run);

  /// A function of the module, with its name.
  struct NamedFunction {
    StringRef Name;
    const FunctionState *State;
  };
  /// Compares \p Functions with the functions before all passes. \p Changes has
  /// the changes in between. \p Names is null if there is no result.
  FormatSummary summarize(ArrayRef<NamedFunction> Functions,
                          const ByConversion<ConversionChanges> &Changes,
                          const ResultNames *Names) const;

  void notifyRewrite(const Rewrite &R) override;
  void notifyCreated(Operation *Op) override;
  void notifyCloned(const Operation *From, Operation *New) override;
  void notifyReplaced(Operation *Op, Value *New) override;
  void notifyErased(Operation *Op) override;

private:
  bool isConversion(const Operation *Op) const {
    return Kinds && Kinds->lookup(*Op).has_value();
  }
  FunctionState read(Function &F, unsigned Sweep);
  void addLayers(FormatSummary &S, ArrayRef<NamedFunction> Functions) const;
  void addConversions(FormatSummary &S, ArrayRef<NamedFunction> Functions,
                      const ResultNames *Names) const;
  FormatSummary::Layer makeLayer(ArrayRef<OperationFormat> Before,
                                 ArrayRef<OperationFormat> After) const;
  FormatSummary::Conversion makeConversion(const NamedFunction &F, size_t Index,
                                           const ResultNames *Names) const;
  std::string getPositionText(Location Loc) const;
  std::vector<std::string> getLayers(Location Loc) const;

  Context *Ctx = nullptr;
  std::optional<OpFacts<Conversion>> Kinds;
  std::vector<OperationFormat> Before; ///< of all functions
  ByConversion<ConversionSum> NumBefore;
  /// By position.
  std::map<uint32_t, SmallVector<unsigned, 1>> ChangedBy;
  std::map<uint32_t, std::vector<FormatSummary::Reason>> Reasons;

  /// Guards the members below.
  std::mutex Lock;
  uint64_t NextId = 0;
  llvm::BumpPtrAllocator Allocator;
  llvm::UniqueStringSaver Rules{Allocator};
  PointerMap<const Operation, Origin> Origins;
  llvm::DenseMap<const PassRun *, StringRef> RuleOf;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_FORMATTRACKER_H
