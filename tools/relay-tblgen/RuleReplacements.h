//===- RuleReplacements.h - Replacements of rules in C++ --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the C++ that checks the constraints of a rule and creates its
// replacement.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_RULEREPLACEMENTS_H
#define RELAY_TBLGEN_RULEREPLACEMENTS_H

#include "RulePatterns.h"
#include "llvm/ADT/StringMap.h"
#include <map>

namespace relay::tblgen {

/// The C++ functions that rules name, each once for each type with which it is
/// used.
class NativeDeclarations {
public:
  /// Records a call of \p Function with arguments of \p Types.
  void add(const NativeFunctionRecord &Function,
           llvm::ArrayRef<std::string> Types) {
    std::string Parameters = llvm::join(Types, ", ");
    if (!Function.isConstraint())
      Parameters = "Rewriter &R" + (Types.empty() ? "" : ", " + Parameters);
    std::string Type = Function.getType().str();
    if (!llvm::StringRef(Type).ends_with("*") &&
        !llvm::StringRef(Type).ends_with("&"))
      Type += " ";
    Declarations.insert(
        {Type + Function.getFunction().str() + "(" + Parameters + ");", 0});
  }
  void emit(llvm::raw_ostream &OS) const {
    for (const auto &[Declaration, Unused] : Declarations)
      OS << Declaration << '\n';
  }

private:
  llvm::MapVector<std::string, char, std::map<std::string, unsigned>>
      Declarations;
};

/// Creates the constraints and the replacement of a rule.
class ReplacementEmitter : public DagReader {
public:
  ReplacementEmitter(const llvm::Record &R, const PatternEmitter &Source,
                     NativeDeclarations &Natives, llvm::raw_ostream &OS)
      : DagReader(R), Natives(Natives), OS(OS) {
    for (const auto &[Name, V] : Source.getVariables())
      Known[Name] = {V.Type, "Arg_" + Name.str(), V.Op};
  }

  RuleCondition getConstraint(const llvm::DagInit &Dag);
  /// Writes the creation of \p Result and returns an expression of it.
  std::string emitResult(const llvm::DagInit &Result);

private:
  static std::string getArgumentName(const llvm::DagInit &Dag, unsigned I);
  TypedExpression getArgument(const llvm::DagInit &Dag, unsigned I,
                              bool MayCreate);
  TypedExpression getLiteral(const llvm::Init *I) const;
  TypedExpression emitDag(const llvm::DagInit &Dag);
  TypedExpression emitCall(const llvm::DagInit &Dag, const OpRecord &Op);
  TypedExpression emitNative(const llvm::DagInit &Dag, const llvm::Record &Def);
  std::string getAttributes(const llvm::DagInit &Dag, const OpRecord &Op,
                            unsigned First);
  std::string getNamedAttributes(const llvm::DagInit &Dag, const OpRecord &Op);
  TypedExpression emitLocal(llvm::StringRef Name, TypedExpression Value);
  void addNative(const NativeFunctionRecord &Function,
                 std::vector<std::string> Types);

  NativeDeclarations &Natives;
  llvm::raw_ostream &OS;
  llvm::StringMap<TypedExpression> Known;
  unsigned NumLocals = 0;
};

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_RULEREPLACEMENTS_H
