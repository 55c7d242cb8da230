//===- Page.h - The page that the report is shown by ------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Page.html with Page.css and Page.js in it, which CMake makes a string of.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_INSTRUMENTATION_PASSREPORT_PAGE_H
#define RELAY_LIB_INSTRUMENTATION_PASSREPORT_PAGE_H

namespace relay {

/// `@DATA@` stands where the JSON belongs.
extern const char PassReportPage[];

} // namespace relay

#endif // RELAY_LIB_INSTRUMENTATION_PASSREPORT_PAGE_H
