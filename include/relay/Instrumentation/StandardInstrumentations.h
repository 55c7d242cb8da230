//===- StandardInstrumentations.h - All instrumentations --------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The instrumentations of this project; plugins add their own to the same list.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H
#define RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H

namespace relay {

class InstrumentationList;

/// Adds all of them, in the order that StandardInstrumentations.cpp explains.
void addStandardInstrumentations(InstrumentationList &List);

} // namespace relay

#endif // RELAY_INSTRUMENTATION_STANDARDINSTRUMENTATIONS_H
