//===- OptionCategories.cpp - The sections of -help -----------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See OptionCategories.h.
//
//===----------------------------------------------------------------------===//

#include "OptionCategories.h"
#include "relay/Support/LLVM.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;
using llvm::StringRef;

namespace {
struct Section {
  const char *Title;
  std::initializer_list<StringRef> Options;
};
} // namespace

/// -help sorts sections by title.
static const Section Sections[] = {
    {"Checks",
     {"verify-analysis-invalidation", "verify-diagnostics", "verify-each",
      "verify-idempotent", "verify-roundtrip"}},
    {"Debugging",
     {"bisect", "crash-reproducer", "debug-counter", "debug-log", "debug-only",
      "debug-pass-manager", "opt-bisect-limit", "print-debug-counter",
      "print-on-crash", "print-on-crash-path", "run-reproducer"}},
    {"Dumps",
     {"filter-passes", "filter-print-funcs", "filter-print-layers",
      "ir-dump-directory", "print-after", "print-after-all",
      "print-after-pass-number", "print-before", "print-before-all",
      "print-before-changed", "print-before-pass-number", "print-changed",
      "print-module-scope", "print-op-diff", "print-pass-numbers",
      "print-pass-options", "print-spans", "why"}},
    {"Input and output",
     {"allow-undefined-globals", "allow-unregistered-ops", "color",
      "constants-file", "elide-constants-larger-than", "no-infer", "o",
      "split-input-file"}},
    {"Lists, instead of a run",
     {"print-bash-completion", "print-ops", "print-passes",
      "print-pipeline-passes"}},
    {"Passes",
     {"disable-pass", "load-pass-plugin", "min-parallel-work", "opt-level",
      "pass-config", "passes", "required-pass", "threads"}},
    {"Time and reports",
     {"pass-report", "stats", "stats-json", "time-passes", "time-passes-format",
      "time-passes-per-run", "time-trace", "time-trace-file"}},
};

void relay::categorizeOptions() {
  llvm::StringMap<cl::Option *> &Options = cl::getRegisteredOptions();
  for (const Section &S : Sections) {
    // The parser keeps pointers to categories for good.
    auto *Category = new cl::OptionCategory(S.Title);
    for (StringRef Name : S.Options)
      if (cl::Option *O = Options.lookup(Name))
        O->Categories = {Category};
  }
}
