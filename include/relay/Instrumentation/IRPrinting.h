//===- IRPrinting.h - Dumps before and after passes -------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -print-before, -print-after and what limits them. A dump begins with a Relay
// comment, `// *** IR Dump After FoldConstant on @main ***`. A function's dump
// is numbered from %0, elides constants above 64 elements, carries no metadata,
// and reads back under -allow-undefined-globals.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_IRPRINTING_H
#define RELAY_INSTRUMENTATION_IRPRINTING_H

#include "relay/Pass/PassContext.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"

namespace relay {

struct IRPrintingOptions {
  bool BeforeAll = false, AfterAll = false;
  /// Arguments of passes.
  std::vector<std::string> Before, After;
  /// Names of functions, without `@`; empty for all of them.
  std::vector<std::string> Functions;
  /// Dump the whole module, as text that reads back, also for function passes.
  bool ModuleScope = false;

  bool any() const {
    return BeforeAll || AfterAll || !Before.empty() || !After.empty();
  }
};

/// The flags of IRPrintingOptions.
struct IRPrintingFlags {
  explicit IRPrintingFlags(IRPrintingOptions &Options);
  llvm::cl::opt<bool, true> BeforeAll, AfterAll;
  llvm::cl::list<std::string, std::vector<std::string>> Before, After,
      Functions;
  llvm::cl::opt<bool, true> ModuleScope;
};

class IRPrinting {
public:
  IRPrinting(const IRPrintingOptions &Options, raw_ostream &OS)
      : Options(Options), OS(OS) {}

  /// An error if a flag names a pass that \p Registry does not know.
  llvm::Error checkPasses(const PassRegistry &Registry) const;
  /// An error if a flag names a function that no module has had so far; \p M is
  /// the last.
  llvm::Error checkFunctions(Module &M);
  void registerCallbacks(PassInstrumentationCallbacks &PIC);

private:
  void dump(StringRef When, const Pass &P, IRUnit Unit);
  /// Whether \p F is wanted; notes that it exists.
  bool isWanted(const Function &F);

  const IRPrintingOptions &Options;
  raw_ostream &OS;
  llvm::StringSet<> SeenFunctions;
};

} // namespace relay

#endif // RELAY_INSTRUMENTATION_IRPRINTING_H
