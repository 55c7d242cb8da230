//===- Writer.h - Layouts and data types as JSON ----------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the pass report on layouts and data types.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INSTRUMENTATION_FORMATREPORT_WRITER_H
#define RELAY_LIB_INSTRUMENTATION_FORMATREPORT_WRITER_H

#include "relay/Instrumentation/Reports/FormatTracker.h"
#include "llvm/Support/JSON.h"

namespace relay {

/// The changes of a whole pipeline, or of a pass.
using ConversionTotals = ByConversion<ConversionChanges>;

/// Writes the attribute `conversions` of a pass: the kinds that it changed.
void writeConversionChanges(llvm::json::OStream &J,
                            const ConversionTotals &Changes);

/// Writes the attribute `formats` of a module. \p GetId returns the id of a
/// pass by its sweep.
void writeFormats(llvm::json::OStream &J, const FormatSummary &S,
                  const ConversionTotals &Changes,
                  function_ref<int64_t(unsigned)> GetId);

} // namespace relay

#endif // RELAY_LIB_INSTRUMENTATION_FORMATREPORT_WRITER_H
