//===- ReportPage.cpp - Pages of reports ----------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the page of a report: the page's text with the JSON in it. See
// ReportPage.h.
//
//===----------------------------------------------------------------------===//

#include "Reports/ReportPage.h"
#include "llvm/Support/raw_ostream.h"

using namespace relay;

void relay::writeReportPage(raw_ostream &OS, StringRef Page, StringRef JSON) {
  auto [Head, Tail] = Page.split("@DATA@");
  OS << Head;
  // No text may end the element that contains the data. In JSON, only strings
  // contain such characters.
  for (char C : JSON)
    if (C == '<')
      OS << "\\u003c";
    else
      OS << C;
  OS << Tail;
}
