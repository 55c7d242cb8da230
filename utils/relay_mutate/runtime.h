//===- runtime.h - Switches mutants on and records reached ones -*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Included by each source that utils/mutate wove mutants into. The environment
// variable RELAY_MUTANT holds the number of the mutant that is on.
// RELAY_MUTANTS_REACHED names a file with one byte for each mutant; a process
// that evaluates the switch of a mutant sets its byte to 1.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_MUTATE_RUNTIME_H
#define RELAY_MUTATE_RUNTIME_H

#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <type_traits>
#include <unistd.h>

namespace relay_mutate {

struct Switch {
  unsigned Active = 0;
  unsigned NumBytes = 0;
  unsigned char *Reached = nullptr;

  Switch() {
    if (const char *Number = std::getenv("RELAY_MUTANT"))
      Active = std::atoi(Number);
    if (const char *Path = std::getenv("RELAY_MUTANTS_REACHED"))
      map(Path);
  }

  /// The bytes are shared with the file, so that they survive a crash.
  void map(const char *Path) {
    int File = open(Path, O_RDWR | O_CLOEXEC);
    struct stat Status;
    if (File < 0 || fstat(File, &Status) != 0)
      return;
    void *Bytes = mmap(nullptr, Status.st_size, PROT_READ | PROT_WRITE,
                       MAP_SHARED, File, 0);
    close(File);
    if (Bytes == MAP_FAILED)
      return;
    Reached = static_cast<unsigned char *>(Bytes);
    NumBytes = Status.st_size;
  }
};

/// Returns true if mutant `Number` is on, and records that it was reached.
inline bool on(unsigned Number) {
  static Switch TheSwitch;
  if (Number < TheSwitch.NumBytes)
    TheSwitch.Reached[Number] = 1;
  return Number == TheSwitch.Active;
}

/// Rejects the exchange of two arguments of different types.
template <typename A, typename B> void alike() {
  static_assert(
      std::is_same_v<std::remove_cv_t<std::remove_reference_t<A>>,
                     std::remove_cv_t<std::remove_reference_t<B>>>,
      "arguments of different types");
}

} // namespace relay_mutate

#endif // RELAY_MUTATE_RUNTIME_H
