//===- PatternTables.td - Pattern tables of targets -------*- tablegen -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables for merge-composite<targets=...>. PatternTables.cpp defines the
// checks.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_TRANSFORMS_PARTITION_PATTERNTABLES_TD
#define RELAY_TRANSFORMS_PARTITION_PATTERNTABLES_TD

include "relay/Pass/Targets.td"

def : PatternTable<DNNL, "dnnl.patterns", ["isBiasOfConv2D", "isSumOfConv2D"]>;

#endif // RELAY_TRANSFORMS_PARTITION_PATTERNTABLES_TD
