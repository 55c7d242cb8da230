//===- Replacement.h - Replacements of rules in text ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The replacement of a rule in a file: a graph of calls, tuples, projections
// and constants over the values that the pattern names.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_PATTERN_REWRITE_REPLACEMENT_H
#define RELAY_LIB_PATTERN_REWRITE_REPLACEMENT_H

#include "relay/Pattern/Rewrite/RewriteRule.h"
#include <variant>

namespace relay {

class Replacement {
public:
  /// The value of an attribute of a captured call.
  struct MatchedAttr {
    unsigned Capture;
    unsigned Field;
  };
  /// The source of an attribute of a new call.
  struct NewAttr {
    unsigned Field;
    std::variant<Attr, MatchedAttr> Value;
  };
  enum class NodeKind : uint8_t { Matched, Constant, Call, Tuple, Projection };
  struct Node {
    Node(NodeKind Kind, Location Loc, ArrayRef<unsigned> Operands = {})
        : Kind(Kind), Loc(Loc), Operands(Operands) {}

    NodeKind Kind;
    Location Loc;
    /// Call, Tuple, Projection: the numbers of nodes.
    SmallVector<unsigned, 4> Operands;
    /// Matched: the number of the capture.
    unsigned Capture = 0;
    /// Constant.
    Attr Value;
    /// Call: the operator; the capture whose attributes it copies except for
    /// Changes, none for defaults.
    const OpInfo *Op = nullptr;
    std::optional<unsigned> AttrsFrom;
    SmallVector<NewAttr, 2> Changes;
    /// Projection.
    int64_t Index = 0;
  };

  explicit Replacement(StringRef RuleName) : RuleName(RuleName) {}

  /// Adds a node after its operands, and returns its number. The last node is
  /// the replacement.
  unsigned add(Node N) {
    Nodes.push_back(std::move(N));
    return Nodes.size() - 1;
  }
  /// Requires that two attributes of the match are equal.
  void addEqual(MatchedAttr A, MatchedAttr B) { Equal.push_back({A, B}); }
  /// Declares that an attribute of the match may not fit where it is used.
  void setMayNotFit() { MayNotFit = true; }
  /// Returns true if attributes of a match decide whether the rule applies.
  bool hasConditions() const { return !Equal.empty() || MayNotFit; }
  /// Keeps \p Owner, to which constants belong.
  void keep(std::shared_ptr<const void> Owner) {
    Owners.push_back(std::move(Owner));
  }

  /// Returns true if the rule applies to \p M: required equalities of
  /// attributes hold, attributes fit where they are used, and the replacement
  /// has the type of the root, or is ill-typed, which build() reports.
  bool isApplicable(const RuleMatch &M) const;
  /// If the rule does not apply to \p M because of the type, returns the type
  /// that it would create; otherwise empty.
  std::string explainType(const RuleMatch &M) const;
  /// Creates the replacement; returns null after an error.
  Value *build(Rewriter &R, const RuleMatch &M) const;

private:
  /// The types of nodes, null if unknown.
  struct Typing {
    SmallVector<Type *, 8> Types;
    /// The first node that cannot have a type, and the reason.
    std::optional<unsigned> Wrong;
    std::string Message;
  };
  Typing inferTypes(Context &Ctx, const RuleMatch &M) const;
  Type *inferCall(Context &Ctx, const Node &N, const RuleMatch &M,
                  Typing &T) const;
  bool areAttrsFit(Context &Ctx, const RuleMatch &M) const;
  Type *getOtherType(Context &Ctx, const RuleMatch &M) const;
  std::optional<const Attrs *> getAttrs(Context &Ctx, const Node &N,
                                        const RuleMatch &M) const;
  Value *buildNode(Rewriter &R, const Node &N, const RuleMatch &M,
                   ArrayRef<Value *> Values) const;
  Value *fail(Context &Ctx, const RuleMatch &M, const Node &N,
              const Twine &Message) const;

  std::string RuleName;
  SmallVector<Node, 4> Nodes;
  SmallVector<std::pair<MatchedAttr, MatchedAttr>, 1> Equal;
  bool MayNotFit = false;
  SmallVector<std::shared_ptr<const void>, 1> Owners;
};

} // namespace relay

#endif // RELAY_LIB_PATTERN_REWRITE_REPLACEMENT_H
