//===- Upgrades.h - Calls of older releases of TVM --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constructs that differ in releases of TVM before 0.18: one table of rules
// (Upgrades.cpp) that upgrades a call of an operator read from text, from the
// metadata section or from JSON. Each rule that changed something emits one
// remark per file.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_UPGRADE_UPGRADES_H
#define RELAY_LIB_TEXT_UPGRADE_UPGRADES_H

#include "relay/IR/Operation.h"
#include "relay/Text/Parse/Parser.h"
#include "llvm/ADT/DenseSet.h"

namespace relay {

/// The releases of TVM that may have written a file: 7 is 0.7.
struct ReleaseRange {
  static constexpr unsigned First = 6, Last = 19;
  static constexpr unsigned Current = ParserOptions::CurrentRelease;

  unsigned Min = First + 1, Max = Last;

  static ReleaseRange all() { return {First, Last}; }
  static ReleaseRange exactly(unsigned Release) { return {Release, Release}; }
  /// Returns true if all releases in the range are \p Release or older.
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
  /// The operator is now called Text.
  RenameOperator,
  /// The operator has been removed; Text is the reason.
  RemoveOperator,
  /// The attribute Name has been removed.
  DropAttribute,
  /// The attribute Name is now called Text.
  RenameAttribute,
  /// A missing attribute Name has the value Text.
  AddAttribute,
  /// Text is `old=new`: the value `old` of the attribute Name is now `new`.
  ReplaceValue,
  /// O and I are swapped in the layout Name.
  SwapLayout,
  /// The boolean `align_corners`, by default True, is now
  /// `coordinate_transformation_mode`.
  AlignCorners,
  /// The attribute Name, a double with the default Text, is now operand Index:
  /// a float32.
  FloatOperand,
  /// The integer Name is now operand Index: an int32.
  IntOperand,
  /// The list of doubles Name is now operand Index: a tuple of float32.
  FloatTuple,
  /// The list of integers Name is now operand Index: a tuple of int32.
  IntTuple,
  /// The new operand Index is the constant Text.
  AddOperand,
  /// The device number Name is now the VirtualDevice Text.
  Device,
  /// In the JSON, the attribute Name is a value instead of a node; no remark.
  InPlace,
  /// The result now has rank 0 instead of shape `(1)`.
  ReshapeResult,
  /// The result now has more fields than the first Index ones.
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
  /// True if the old and the new form expect different shapes, so that the
  /// types of operands can decide which form a call has.
  bool ChangesShapes = false;
};

/// A call of an operator, as parsed.
struct CallParts {
  StringRef Operator;
  SmallVector<AttrText, 8> Attributes;
  SmallVector<Value *, 8> Operands;
  const char *At = nullptr;
  /// Set by Upgrader: rules for the result.
  SmallVector<const UpgradeRule *, 1> ForResult;
};

class Upgrader {
public:
  /// Creates an operation next to the call that is being read.
  using CreateFn = function_ref<Operation *(const OpInfo &, ArrayRef<Value *>,
                                            const Attrs *)>;
  /// Reports a remark, or an error, at a position in the text.
  using ReportFn = std::function<void(Severity, const char *, const Twine &)>;

  Upgrader(Context &Ctx, ReportFn Report, bool Quiet)
      : Ctx(Ctx), Report(std::move(Report)), Quiet(Quiet) {}

  /// Returns true if a call of \p Operator, written by a release of \p R, may
  /// need a change.
  static bool hasRules(StringRef Operator, ReleaseRange R);
  /// Returns the first rule for the attribute \p Name of \p Operator; null if
  /// there is none.
  static const UpgradeRule *findRule(StringRef Operator, StringRef Name);

  /// Returns the present name of the operator \p Old.
  static StringRef getNewName(StringRef Old);

  /// Upgrades \p Call. A rule is open if only some releases of \p R have it and
  /// the call itself does not decide whether it applies. Open rules that change
  /// shapes are applied if \p TakeOpen is set; the other open rules are not.
  /// Returns true if there was an open rule that changes shapes, and none after
  /// an error.
  std::optional<bool> upgrade(CallParts &Call, ReleaseRange R, bool TakeOpen,
                              CreateFn Create);
  /// Returns the operation that has replaced \p Op, the operation of \p Call.
  Operation *finish(const CallParts &Call, Operation *Op, CreateFn Create);

  /// Emits one remark that \p What was upgraded.
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
