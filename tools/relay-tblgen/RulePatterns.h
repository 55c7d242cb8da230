//===- RulePatterns.h - Patterns of rules in C++ ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the C++ that creates the pattern of a rule, and collects its
// variables.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_RULEPATTERNS_H
#define RELAY_TBLGEN_RULEPATTERNS_H

#include "RuleDag.h"
#include "llvm/ADT/MapVector.h"

namespace relay::tblgen {

/// Creates the pattern of a rule, and collects its names.
class PatternEmitter : public DagReader {
public:
  PatternEmitter(const llvm::Record &R, llvm::raw_ostream &OS)
      : DagReader(R), OS(OS) {}

  /// Writes the construction of \p Source and returns the variable that holds
  /// it.
  std::string emitSource(const llvm::DagInit &Source);
  /// Writes the list of values that the match must provide.
  void emitCaptures() const;
  const llvm::MapVector<llvm::StringRef, RuleVariable> &getVariables() const {
    return Variables;
  }
  /// Returns attributes that must be equal.
  llvm::ArrayRef<RuleCondition> getConditions() const { return Conditions; }

private:
  struct Capture {
    std::string Pattern, OpClass;
    bool IsOptional;
  };

  std::string emitLocal(const llvm::Twine &Value);
  std::string emitArgument(const llvm::DagInit &Dag, unsigned I);
  std::string emitDag(const llvm::DagInit &Dag);
  std::string emitCall(const llvm::DagInit &Dag, const OpRecord &Op);
  std::string emitEither(const llvm::DagInit &Dag);
  std::string emitTyped(const llvm::DagInit &Dag, llvm::StringRef Method);
  void emitAttributes(const llvm::DagInit &Dag, const OpRecord &Op,
                      unsigned First, std::string &Node, unsigned Call);
  void emitAttribute(const OpRecord &Op, const FieldRecord &Field,
                     const llvm::Init *Value, llvm::StringRef Name,
                     std::string &Node, unsigned Call);
  std::string getLiteral(const llvm::Init *I, StringRef Kind) const;
  void checkKind(const OpRecord &Op, const FieldRecord &Field,
                 const llvm::Init *Value) const;
  unsigned addCapture(llvm::StringRef Pattern, llvm::StringRef OpClass);
  void addVariable(llvm::StringRef Name, RuleVariable Variable);
  void addAttributeVariable(llvm::StringRef Name, RuleVariable Variable);

  llvm::raw_ostream &OS;
  unsigned NumLocals = 0, AlternativeDepth = 0;
  std::vector<Capture> Captures;
  llvm::MapVector<llvm::StringRef, RuleVariable> Variables;
  std::vector<RuleCondition> Conditions;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_RULEPATTERNS_H
