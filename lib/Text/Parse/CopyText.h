//===- CopyText.h - Copies of text in an allocator --------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Used instead of llvm::StringSaver, which is compiled into LLVM's library
// without sanitizers and therefore does not announce its memory to them.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_LIB_TEXT_PARSE_COPYTEXT_H
#define RELAY_LIB_TEXT_PARSE_COPYTEXT_H

#include "relay/Support/LLVM.h"
#include "llvm/Support/Allocator.h"

namespace relay {

/// Returns a copy of \p Text in \p Allocator; never null.
inline StringRef copyText(llvm::BumpPtrAllocator &Allocator, StringRef Text) {
  char *Memory = Allocator.Allocate<char>(Text.size() + 1);
  llvm::copy(Text, Memory);
  return StringRef(Memory, Text.size());
}

} // namespace relay

#endif // RELAY_LIB_TEXT_PARSE_COPYTEXT_H
