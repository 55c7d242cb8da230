//===- Page.h - The page of the report --------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Page.html, with Page.css and Page.js included, converted to a string by
// CMake.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INSTRUMENTATION_PASSREPORT_PAGE_H
#define RELAY_LIB_INSTRUMENTATION_PASSREPORT_PAGE_H

namespace relay {

/// `@DATA@` is replaced by the JSON.
extern const char PassReportPage[];

} // namespace relay

#endif // RELAY_LIB_INSTRUMENTATION_PASSREPORT_PAGE_H
