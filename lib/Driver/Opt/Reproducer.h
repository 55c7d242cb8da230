//===- Reproducer.h - A run in one file -------------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// -crash-reproducer=FILE writes a file with the input and, in comments before
// it, the options of the run; `relay-opt -run-reproducer FILE` repeats the run.
//
// The input is the text that was read, with the whole pipeline. Nothing has to
// be printed, so that crashes of the parser are covered and a crash handler can
// write the file. -bisect then finds the pass and the rewrite.
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
  /// Writes to \p Path; no reproducer is written if it is empty. \p Options are
  /// the flags of the command line, as `-name=value`.
  Reproducer(StringRef Path, ArrayRef<std::string> Options);
  Reproducer(const Reproducer &) = delete;
  ~Reproducer() { CrashHandler::set(CrashHandler::Reproducer, nullptr); }

  /// Sets the value of -passes to \p Pipeline, which is equivalent to the flags
  /// of the command line.
  void setPipeline(StringRef Pipeline);
  /// Notes that the flags have their effect only with -trust-reproducer.
  void setNeedsTrust() { NeedsTrust = true; }
  /// Sets the input of subsequent runs to \p Text, part number \p Part, counted
  /// from 1. The reproducer of part 2 of `r.relay` is `r-2.relay`.
  void setInput(StringRef Text, unsigned Part);
  /// Records the pass that fails.
  void registerCallbacks(PassInstrumentationCallbacks &PIC);
  /// Writes the reproducer of a failed run and prints a note. If no pass
  /// failed, \p Activity is named instead.
  LogicalResult write(StringRef Activity = "a check");

private:
  std::vector<std::string> Options;
  bool NeedsTrust = false;
  std::string FailedPass; ///< `FuseOps on @main`
  std::unique_ptr<CrashText> Present;
  std::string Path;
};

/// A reproducer that was read.
struct ReproducerFile {
  std::string Path;
  /// Its flags, as `-name=value`.
  std::vector<std::string> Options;
  std::unique_ptr<llvm::MemoryBuffer> Text;
};

/// Reads the reproducer \p Path; `-` is standard input.
llvm::Expected<ReproducerFile> readReproducer(StringRef Path);

/// Returns true if the value of \p Use is the path of a file to read.
bool namesInputFile(const FlagUse &Use);

/// Returns true if \p Flag only writes a file or a directory, so that the
/// passes run as well without it.
bool isOutputFlag(const FlagBase &Flag);

/// Returns the flags of \p Flags that a reproducer keeps: all but the output
/// paths and those about reading the input.
std::vector<std::string> getReproducibleFlags(ArrayRef<FlagUse> Flags);

} // namespace relay

#endif // RELAY_LIB_DRIVER_OPT_REPRODUCER_H
