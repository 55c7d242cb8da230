//===- CompilerFunctions.h - Functions of other compilers -------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Utilities of passes over functions and closures with the attribute
// `Compiler`.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TRANSFORMS_PARTITION_COMPILERFUNCTIONS_H
#define RELAY_LIB_TRANSFORMS_PARTITION_COMPILERFUNCTIONS_H

#include "relay/IR/FunctionAttrs.h"
#include "relay/IR/Module.h"
#include "llvm/ADT/StringSet.h"

namespace relay {

/// Returns true if the function or closure is for \p Compiler, or for any
/// compiler if that is empty.
inline bool isForCompiler(const Signature &S, StringRef Compiler) {
  return hasCompiler(S) &&
         (Compiler.empty() ||
          getStringAttr(S, FunctionAttrs::Compiler) == Compiler);
}

/// Returns the values of `global_symbol` of the functions of \p M.
inline llvm::StringSet<> getGlobalSymbols(const Module &M) {
  llvm::StringSet<> Symbols;
  for (const Function &F : M.functions())
    Symbols.insert(
        getStringAttr(F.getSignature(), FunctionAttrs::GlobalSymbol));
  return Symbols;
}

} // namespace relay

#endif // RELAY_LIB_TRANSFORMS_PARTITION_COMPILERFUNCTIONS_H
