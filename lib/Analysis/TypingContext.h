//===- TypingContext.h - Type inference's view of a module ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to type inference: the signatures that calls see, the types of
// symbols, and the errors found so far.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_ANALYSIS_TYPINGCONTEXT_H
#define RELAY_LIB_ANALYSIS_TYPINGCONTEXT_H

#include "relay/Analysis/TypeInference.h"

namespace relay {

/// The type of a parameter that inference starts with: the one written, or else
/// the one inferred before, since a pass may have removed the use that told it.
/// Null when nothing is known.
inline Type *getInitialType(const BlockArgument *Param) {
  Type *Written = Param->getAnnotation();
  return Written ? Written : Param->getType();
}

class TypingContext {
public:
  /// The signature in calls of functions for which it has not been set: none,
  /// or their present type.
  enum class Callees { Unknown, Typed };

  explicit TypingContext(Module &M, Callees Others = Callees::Unknown)
      : M(M), Ctx(M.getContext()), Others(Others) {}

  Module &getModule() const { return M; }
  Context &getContext() const { return Ctx; }
  /// Returns true if undefined names, and values whose type cannot be inferred,
  /// stay untyped without an error.
  bool isLenient() const { return M.isExpression(); }

  //===--- Symbols --------------------------------------------------------===//
  /// Returns the signature of \p F in calls; null while it is not known.
  FuncType *getSignature(const Function &F) const {
    auto It = Signatures.find(&F);
    if (It != Signatures.end())
      return It->second;
    return Others == Callees::Typed ? F.getType() : nullptr;
  }
  void setSignature(const Function &F, FuncType *T) { Signatures[&F] = T; }

  //===--- Errors ---------------------------------------------------------===//
  void error(Location Loc, const Twine &Message) {
    Errors.push_back({Loc, Errors.size(), Message.str(), {}});
  }
  /// Adds a note at \p Loc to the last error, if Loc is known.
  void note(Location Loc, const Twine &Message) {
    if (Loc.isKnown())
      Errors.back().Notes.push_back({Loc, Message.str()});
  }
  size_t getNumErrors() const { return Errors.size(); }
  /// Reports all errors, in the order of the text.
  LogicalResult report();

  /// Checks that type definitions in \p T, a type written in the text, have the
  /// right number of arguments.
  void checkWritten(Location Loc, Type *T);

  //===--- Cost -----------------------------------------------------------===//
  /// Steps: attempts to type a function, and steps of the solver.
  void addSteps(uint64_t Count) { NumSteps += Count; }
  uint64_t getNumSteps() const { return NumSteps; }

private:
  struct Error {
    Location Loc;
    size_t Number; ///< in the order found
    std::string Message;
    SmallVector<std::pair<Location, std::string>, 0> Notes;
  };

  Module &M;
  Context &Ctx;
  Callees Others;
  uint64_t NumSteps = 0;
  llvm::DenseMap<const Function *, FuncType *> Signatures;
  llvm::DenseMap<Type *, bool> Checked;
  std::vector<Error> Errors;
};

/// Infers the types of the module of \p TC, and counts the steps in it.
LogicalResult inferTypes(TypingContext &TC, InferenceOptions Options = {});

} // namespace relay

#endif // RELAY_LIB_ANALYSIS_TYPINGCONTEXT_H
