//===- Synonyms.cpp - Flags of opt and mlir-opt ---------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Synonyms.h. docs/CommandLine.md shows the table to users.
//
//===----------------------------------------------------------------------===//

#include "Synonyms.h"

using namespace relay;

static constexpr auto Answered = FlagSynonym::Use::Answered;

static constexpr FlagSynonym Synonyms[] = {
    // opt: always prints text, on terminals too, and always verifies modules.
    {"-S", ""},
    {"-f", ""},
    {"-verify", ""},
    {"-p", "-passes"},
    {"-load", "-load-pass-plugin"},
    {"-help-list", "-help"},
    {"-Os", "-O2", Answered},
    {"-Oz", "-O2", Answered},
    {"-debug", "-debug-only=<pass,...>", Answered},
    {"-debug-pass", "-debug-pass-manager", Answered},
    {"-analyze", "-passes='print<analysis>'", Answered},
    {"-pass-remarks", "-pass-remarks-missed=<pass,...>", Answered},
    {"-pass-remarks-analysis", "-pass-remarks-missed=<pass,...>", Answered},
    {"-O", "-O0 to -O4", Answered},
    {"-j", "-threads=<number>", Answered},
    {"-time-trace-granularity", "-time-trace", Answered},
    {"-output", "-o=<file>", Answered},
    // mlir-opt.
    {"-pass-pipeline", "-passes"},
    {"-allow-unregistered-dialect", "-allow-unregistered-ops"},
    {"-load-dialect-plugin", "-load-pass-plugin"},
    {"-list-passes", "-print-passes"},
    {"-show-dialects", "-print-ops", Answered},
    {"-dump-pass-pipeline", "-print-pipeline-passes", Answered},
    {"-output-split-marker", "-split-input-file=<marker>", Answered},
    {"-emit-bytecode", "-emit=json", Answered},
    {"-mlir-disable-threading", "-threads=1"},
    {"-mlir-timing", "-time-passes"},
    {"-mlir-timing-display", "-time-passes-format"},
    {"-mlir-output-format", "-time-passes-format=json", Answered},
    {"-mlir-pass-statistics", "-stats"},
    {"-mlir-pass-statistics-display", "-stats", Answered},
    {"-mlir-print-debuginfo", "-print-spans"},
    {"-mlir-print-ir-after", "-print-after"},
    {"-mlir-print-ir-after-all", "-print-after-all"},
    {"-mlir-print-ir-before", "-print-before"},
    {"-mlir-print-ir-before-all", "-print-before-all"},
    {"-mlir-print-ir-after-change", "-print-changed=quiet", Answered},
    {"-mlir-print-ir-after-failure", "-print-after-all", Answered},
    {"-mlir-print-ir-module-scope", "-print-module-scope"},
    {"-mlir-print-ir-tree-dir", "-ir-dump-directory=<directory>", Answered},
    {"-mlir-print-op-on-diagnostic", "-print-after-all", Answered},
    {"-mlir-elide-elementsattrs-if-larger", "-elide-constants-larger-than"},
    {"-mlir-elide-resource-strings-if-larger",
     "-elide-constants-larger-than=<elements>", Answered},
    {"-mlir-debug-counter", "-debug-counter=<pass=skip,count>", Answered},
    {"-mlir-print-debug-counter", "-print-debug-counter"},
    {"-mlir-generate-reproducer", "-crash-reproducer=<file>", Answered},
    {"-mlir-pass-pipeline-crash-reproducer", "-crash-reproducer"},
    {"-mlir-pass-pipeline-local-reproducer", "-bisect", Answered},
};

ArrayRef<FlagSynonym> relay::getFlagSynonyms() { return Synonyms; }
