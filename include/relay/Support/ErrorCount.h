//===- ErrorCount.h - Errors of a thread ------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts the errors that a thread has reported, including errors whose output
// is deferred (OrderedOutput.h). The count before and after a failure shows
// whether the failure was reported.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_SUPPORT_ERRORCOUNT_H
#define RELAY_SUPPORT_ERRORCOUNT_H

#include <cstdint>

namespace relay {

class ErrorCount {
public:
  /// Returns the number of errors that this thread has reported so far, to any
  /// DiagnosticEngine, or has noted.
  static uint64_t get();
  /// Counts an error of this thread that is reported in another way.
  static void note();
};

} // namespace relay

#endif // RELAY_SUPPORT_ERRORCOUNT_H
