//===- ReportPage.h - Pages of reports --------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CMake makes a string of Common/Page.html and the content, style and script of
// each report. The script displays the JSON in the page.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INSTRUMENTATION_REPORTPAGE_H
#define RELAY_LIB_INSTRUMENTATION_REPORTPAGE_H

#include "relay/Support/LLVM.h"

namespace relay {

extern const char PassReportPage[], PartitionReportPage[];

/// Writes \p Page with \p JSON in the place of `@DATA@`.
void writeReportPage(raw_ostream &OS, StringRef Page, StringRef JSON);

} // namespace relay

#endif // RELAY_LIB_INSTRUMENTATION_REPORTPAGE_H
