//===- FunctionEncoder.h - Data types for functions -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines a data type for each type of functions that are values. A constructor
// stands for a closure, and its fields are the values that the closure
// captures. A function of the module applies a value of the data type to
// arguments:
//
//   type DefuncFuncType { Closure(float32) }
//   def @applyFuncType(%x: DefuncFuncType[], %y: float32) -> float32 {
//     match (%x) { Closure(%z: float32) => … }
//   }
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_FUNCTIONAL_FUNCTIONENCODER_H
#define RELAY_LIB_TRANSFORMS_FUNCTIONAL_FUNCTIONENCODER_H

#include "relay/IR/Rewriter.h"
#include "llvm/ADT/MapVector.h"

namespace relay {

class FunctionEncoder {
public:
  /// The data type of one type of functions.
  struct Encoding {
    TypeDef *Definition = nullptr;
    Function *Apply = nullptr;
    Operation *Match = nullptr; ///< of Apply
    SmallVector<MatchPattern *, 4> Patterns;
  };
  /// The clause of a constructor. Fields are the arguments of the block, Self
  /// is the matched value, Arguments are those of the call.
  struct Clause {
    StringRef Constructor;
    Block *Body;
    Value *Self;
    ArrayRef<BlockArgument *> Arguments;
  };

  FunctionEncoder(Rewriter &R, Module &M);

  /// \p T with data types for functions; null if it contains functions with
  /// type parameters, its own or those of others.
  Type *encode(Type *T);
  /// The data type of \p T, which has an encoding; null otherwise.
  const Encoding *getEncoding(FuncType *T);
  /// Adds a constructor to the data type of \p T.
  Clause addConstructor(FuncType *T, ArrayRef<Type *> Fields, Location Loc);

  /// Completes the functions that apply values.
  void finish();
  /// These functions.
  SmallVector<Function *> getFunctions() const;

private:
  void define(FuncType *T, Encoding &E);
  StringRef getTypeName();
  StringRef getConstructorName();

  Rewriter &R;
  Module &M;
  Context &Ctx;
  llvm::DenseMap<Type *, Type *> Known;
  llvm::MapVector<FuncType *, std::unique_ptr<Encoding>> Encodings;
  unsigned NumTypes = 0, NumConstructors = 0;
};

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_FUNCTIONAL_FUNCTIONENCODER_H
