//===- RewriteText.h - A rewrite in words -----------------------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How logs and bisection name one application of a rule.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_REPORTS_REWRITETEXT_H
#define RELAY_INSTRUMENTATION_REPORTS_REWRITETEXT_H

#include "relay/IR/RewriteListener.h"
#include <string>

namespace relay {

/// `fuse of nn.relu at in.relay:7:3 in layer 'conv1'`, as far as position and
/// layer are known; `bind of @main` for a whole function, `remove-functions`
/// for a module.
std::string getRewriteText(const Rewrite &R);

/// The layers that the operation which \p R was found to apply to comes from,
/// each once; none for a whole function or module.
SmallVector<StringRef, 2> getLayers(const Rewrite &R);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_REPORTS_REWRITETEXT_H
