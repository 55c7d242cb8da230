//===- Signatures.h - Parameters of generated functions ---------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common parameter lists of a declaration (-gen-op-decls) and its
// definition (-gen-op-defs).
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TBLGEN_SIGNATURES_H
#define RELAY_TBLGEN_SIGNATURES_H

#include "OpRecord.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/raw_ostream.h"

namespace relay::tblgen {

/// Prints the parameters of an op's build(), in parentheses: the operands,
/// `Attributes` if \p WithAttrs, `NumRegions` if that is not fixed.
void printBuildParameters(const OpRecord &Op, bool WithAttrs,
                          llvm::raw_ostream &OS);

/// Returns how many of the first fields of its attributes the build() of \p Op
/// takes as separate parameters: all required ones, and up to two more.
llvm::iota_range<unsigned> getNumsOfFields(const OpRecord &Op);

/// Prints the parameters of the build() that takes the first \p N of \p Fields.
void printBuildParameters(const OpRecord &Op,
                          llvm::ArrayRef<FieldRecord> Fields, unsigned N,
                          llvm::raw_ostream &OS);

/// Returns the parameter of build() for \p Field, which differs from operands'
/// names.
std::string getFieldParameter(const OpRecord &Op, const FieldRecord &Field);

/// Prints the parameters of get(), in parentheses: a value for each field that
/// does not mirror an operand.
void printGetParameters(const AttrsRecord &A, llvm::raw_ostream &OS);

} // namespace relay::tblgen

#endif // RELAY_TBLGEN_SIGNATURES_H
