//===- RuleDag.h - Reading the dags of rules --------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common parts of patterns and replacements of rules.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_RULEDAG_H
#define RELAY_TBLGEN_RULEDAG_H

#include "OpRecord.h"
#include "RewriteRecord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"
#include <optional>

namespace relay::tblgen {

/// The value that `$name` refers to.
struct RuleVariable {
  std::string Type;    ///< in C++
  std::string Access;  ///< its value, given the match `M`
  std::string Pattern; ///< its part of the pattern; empty for an attribute
  const llvm::Record *Op = nullptr; ///< its operator, if it names a call
};

/// A value in generated code.
struct TypedExpression {
  std::string Type, Text;
  const llvm::Record *Op = nullptr;
};

/// A condition that must hold where the pattern matches.
struct RuleCondition {
  std::string Text; ///< in C++
  std::string Name; ///< in readable form
};

/// Common parts of the readers of rules and patterns.
class DagReader {
protected:
  explicit DagReader(const llvm::Record &R) : R(R) {}

  [[noreturn]] void fail(const llvm::Twine &Message) const {
    llvm::PrintFatalError(&R, Message + " in '" + R.getName() + "'");
  }
  const llvm::Record &getOperator(const llvm::DagInit &Dag) const {
    auto *Def = llvm::dyn_cast<llvm::DefInit>(Dag.getOperator());
    if (!Def)
      fail("'" + Dag.getOperator()->getAsString() + "' is not an operator");
    return *Def->getDef();
  }
  /// Returns the name after the operator, `$a` of `(AddOp:$a …)`; empty if
  /// there is none.
  static llvm::StringRef getName(const llvm::DagInit &Dag) {
    return Dag.getName() ? Dag.getName()->getValue() : llvm::StringRef();
  }
  static bool isCallOf(const llvm::Init *I, llvm::StringRef Name) {
    auto *Dag = llvm::dyn_cast<llvm::DagInit>(I);
    auto *Def =
        Dag ? llvm::dyn_cast<llvm::DefInit>(Dag->getOperator()) : nullptr;
    return Def && Def->getDef()->getName() == Name;
  }
  /// Returns the numbers of `ints<[1, 1]>`; none if \p I is not such a list.
  static std::optional<std::vector<std::string>>
  getNumbers(const llvm::Init *I) {
    auto *Def = llvm::dyn_cast<llvm::DefInit>(I);
    if (!Def || !Def->getDef()->isSubClassOf("ints"))
      return std::nullopt;
    std::vector<std::string> Numbers;
    for (int64_t Number : Def->getDef()->getValueAsListOfInts("Values"))
      Numbers.push_back(std::to_string(Number));
    return Numbers;
  }
  void checkPlainArgument(const llvm::DagInit &Dag, unsigned I) const {
    if (Dag.getArgName(I) && !llvm::isa<llvm::UnsetInit>(Dag.getArg(I)))
      fail("'$" + Dag.getArgName(I)->getValue() +
           "' is written after an argument, not after its operator,");
  }
  static bool isTuple(const OpRecord &Op) { return Op.getCode() == "Tuple"; }
  /// Returns the number of arguments of \p Dag, a call of \p Op, that are
  /// operands; \p Where is a pattern or a replacement.
  unsigned getNumOperands(const llvm::DagInit &Dag, const OpRecord &Op,
                          llvm::StringRef Where) const {
    if (!Op.isOperator() && !isTuple(Op) && Op.getCode() != "TupleGetItem")
      fail("'" + Op.getClassName() + "' is not allowed in a " + Where);
    if (isTuple(Op))
      return Dag.getNumArgs();
    if (Op.isVariadic())
      fail("'" + Op.getClassName() + "', which takes any number of operands,");
    unsigned NumOperands = Op.getOperands().size();
    if (Dag.getNumArgs() < NumOperands)
      fail("'" + Op.getClassName() + "' takes " + llvm::Twine(NumOperands) +
           " operands, not " + llvm::Twine(Dag.getNumArgs()));
    return NumOperands;
  }
  static std::vector<FieldRecord> getFields(const OpRecord &Op) {
    return Op.getAttributes() ? Op.getAttributes()->getOwnFields()
                              : std::vector<FieldRecord>();
  }
  const FieldRecord &getField(const OpRecord &Op,
                              const std::vector<FieldRecord> &Fields,
                              llvm::StringRef Name) const {
    auto It = llvm::find_if(Fields, [&](const FieldRecord &Field) {
      return Field.getName() == Name;
    });
    if (It == Fields.end())
      fail("'" + Op.getClassName() + "' has no attribute '" + Name + "'");
    return *It;
  }

  const llvm::Record &R;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_RULEDAG_H
