//===- Upgrades.h - Calls of older releases of TVM --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What releases of TVM before 0.18 called or meant otherwise: one table of
// rules (Upgrades.cpp) that brings a call of an operator up to date, whether it
// was read from text, from the metadata section or from JSON. Each rule that
// changed something is told in one remark a file.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_UPGRADE_UPGRADES_H
#define RELAY_LIB_TEXT_UPGRADE_UPGRADES_H

#include "relay/IR/Operation.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// The releases of TVM that may have written a file: 7 stands for 0.7.
struct ReleaseRange {
  static constexpr unsigned First = 6, Last = 19;
  static constexpr unsigned Current = ParserOptions::CurrentRelease;

  unsigned Min = First + 1, Max = Last;

  static ReleaseRange all() { return {First, Last}; }
  static ReleaseRange exactly(unsigned Release) { return {Release, Release}; }
  /// All releases in the range are \p Release or older.
  bool isUpTo(unsigned Release) const { return Max <= Release; }
};

/// One attribute as written.
struct AttrText {
  StringRef Name;
  Attr Value;
  const char *At;
  const char *ValueAt;
};

enum class UpgradeKind : uint8_t {
  /// The operator is called Text now.
  RenameOperator,
  /// The operator is gone; Text says why.
  RemoveOperator,
  /// The attribute Name is gone.
  DropAttribute,
  /// The attribute Name is called Text now.
  RenameAttribute,
  /// Without the attribute Name, it is Text.
  AddAttribute,
  /// The value before the `=` of Text of the attribute Name is what stands
  /// behind it now.
  ReplaceValue,
  /// O and I change places in the layout Name.
  SwapLayout,
  /// The boolean `align_corners`, by default True, is
  /// `coordinate_transformation_mode` now.
  AlignCorners,
  /// The attribute Name, a double, by default Text, is operand Index now: a
  /// float32.
  FloatOperand,
  /// Likewise an integer, which becomes an int32.
  IntOperand,
  /// The list of doubles Name is operand Index now: a tuple of float32.
  FloatTuple,
  /// Likewise of integers.
  IntTuple,
  /// Operand Index, which was not there, is Text: a constant.
  AddOperand,
  /// The number of a device Name is the VirtualDevice Text now.
  Device,
  /// The JSON has the attribute Name in place of a node; nothing to tell.
  InPlace,
  /// The result has rank 0 now and had shape `(1)`.
  ReshapeResult,
  /// The result has more fields now than the first Index ones.
  KeepFields,
};

struct UpgradeRule {
  StringLiteral Operator;
  /// The releases that wrote the old form.
  uint8_t First, Last;
  UpgradeKind Kind;
  StringLiteral Name;
  StringLiteral Text;
  uint8_t Index = 0;
};

/// A call of an operator, as read.
struct CallParts {
  StringRef Operator;
  SmallVector<AttrText, 8> Attributes;
  SmallVector<Value *, 8> Operands;
  const char *At = nullptr;
  /// Filled by Upgrader: rules for its result.
  SmallVector<const UpgradeRule *, 1> ForResult;
};

class Upgrader {
public:
  /// Makes an operation beside the call that is being read.
  using CreateFn = function_ref<Operation *(const OpInfo &, ArrayRef<Value *>,
                                            const Attrs *)>;
  /// Reports a remark, or an error, at a place of the text.
  using ReportFn = std::function<void(Severity, const char *, const Twine &)>;

  Upgrader(Context &Ctx, ReportFn Report, bool Quiet)
      : Ctx(Ctx), Report(std::move(Report)), Quiet(Quiet) {}

  /// Whether a call of \p Operator, written by one of \p R, may have to change.
  static bool hasRules(StringRef Operator, ReleaseRange R);
  /// The rule of \p Kind for \p Name of a call of \p Operator; null when there
  /// is none.
  static const UpgradeRule *findRule(StringRef Operator, StringRef Name);

  /// What the operator \p Old is called now.
  static StringRef getNewName(StringRef Old);

  /// Brings \p Call up to date. A rule for some releases of \p R only that the
  /// call itself does not decide applies when \p TakeOpen; returns whether
  /// there was one, nothing after an error.
  std::optional<bool> upgrade(CallParts &Call, ReleaseRange R, bool TakeOpen,
                              CreateFn Create);
  /// What \p Op, which was made of \p Call, has been replaced by.
  Operation *finish(const CallParts &Call, Operation *Op, CreateFn Create);

  /// Tells once that \p What was brought up to date.
  void remark(const char *At, const Twine &What);

private:
  enum class Answer : uint8_t { No, Open, Yes };
  Answer applies(const UpgradeRule &Rule, const CallParts &Call,
                 ReleaseRange R) const;
  bool apply(const UpgradeRule &Rule, CallParts &Call, CreateFn Create);
  bool addOperand(const UpgradeRule &Rule, CallParts &Call, CreateFn Create);
  Value *makeScalar(Attr Value, bool IsFloat, CreateFn Create);
  Attr readValue(const CallParts &Call, const UpgradeRule &Rule) const;
  Attr makeDevice(CallParts &Call, Attr Type);
  bool fail(const CallParts &Call, const Twine &Message) {
    Report(Severity::Error, Call.At, Message);
    return false;
  }

  Context &Ctx;
  ReportFn Report;
  bool Quiet;
  llvm::DenseSet<const UpgradeRule *> Told;
  SmallVector<std::string, 4> Remarks;
};

} // namespace relay

#endif // RELAY_LIB_TEXT_UPGRADE_UPGRADES_H
