//===- Reproducer.h - A run in one file -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -crash-reproducer=FILE writes a file that holds an input and, in comments
// before it, the options of the run; `relay-opt -run-reproducer FILE` runs it
// again.
//
// The input is the text that was read, and the pipeline the whole one: nothing
// has to be printed, so that a crash of the parser is kept too, and a crash
// handler can write it. -bisect then finds the pass and the rewrite.
//
//   // relay-opt reproducer 1
//   // failed in FuseOps on @main
//   // run: relay-opt -run-reproducer FILE
//   // option: -passes=fuse-ops
//   #[version = "0.0.5"]
//   ...
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_DRIVER_OPT_REPRODUCER_H
#define RELAY_LIB_DRIVER_OPT_REPRODUCER_H

#include "relay/Pass/PassContext.h"
#include "relay/Support/CrashHandler.h"
#include "relay/Support/Flags.h"
#include "llvm/Support/MemoryBuffer.h"

namespace relay {

class Reproducer {
public:
  /// To be written to \p Path; empty for no reproducer. \p Options are those of
  /// the command line, `-name=value`.
  Reproducer(StringRef Path, ArrayRef<std::string> Options);
  Reproducer(const Reproducer &) = delete;
  ~Reproducer() { CrashHandler::set(CrashHandler::Reproducer, nullptr); }

  /// Makes \p Pipeline, which says the same, the value of -passes.
  void setPipeline(StringRef Pipeline);
  /// Makes \p Text, the part of that number of the input, from 1 on, the input
  /// of what is run from here on. The reproducer of part 2 of `r.relay` is
  /// `r-2.relay`.
  void setInput(StringRef Text, unsigned Part);
  /// Notes which pass fails.
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// Writes the reproducer of a run that failed, and says so. Where no pass
  /// failed, \p Activity did.
  LogicalResult write(StringRef Activity = "a check");

private:
  std::vector<std::string> Options;
  std::string FailedPass; ///< `FuseOps on @main`
  std::unique_ptr<CrashText> Present;
  std::string Path;
};

/// A reproducer as it was read.
struct ReproducerFile {
  std::string Path;
  /// The flags that it holds, `-name=value`.
  std::vector<std::string> Options;
  std::unique_ptr<llvm::MemoryBuffer> Text;
};

/// Reads the reproducer \p Path; `-` is standard input.
llvm::Expected<ReproducerFile> readReproducer(StringRef Path);

/// Returns true if the value of \p Use is the path of a file that is read.
bool namesInputFile(const FlagUse &Use);

/// Those of \p Flags that a reproducer keeps: not where the module and the
/// reproducer go, nor how the input was read.
std::vector<std::string> getReproducibleFlags(ArrayRef<FlagUse> Flags);

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_REPRODUCER_H
