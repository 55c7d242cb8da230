//===- relay-tblgen.cpp - Generator of ops and passes ---------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The main() of relay-tblgen. Each backend is one file that registers itself as
// an option of this command by TableGen::Emitter::Opt; this file does not list
// them.
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Main.h"

static bool noBackend(llvm::raw_ostream &, llvm::RecordKeeper &) {
  llvm::PrintError("no backend chosen; see the -gen options of -help");
  return true;
}

int main(int Argc, char **Argv) {
  llvm::InitLLVM Init(Argc, Argv);
  llvm::cl::ParseCommandLineOptions(Argc, Argv,
                                    "generator of ops and passes\n");
  return llvm::TableGenMain(Argv[0], noBackend);
}
