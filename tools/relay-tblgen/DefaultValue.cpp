//===- DefaultValue.cpp - Defaults of attributes --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See DefaultValue.h. Values are recognized by regular expressions, since
// arrays nest twice at most.
//
//===----------------------------------------------------------------------===//

#include "DefaultValue.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"
#include <string>

using namespace llvm;

static std::string listOf(const std::string &Element) {
  return "\\[(" + Element + "(, " + Element + ")*)?\\]";
}

bool relay::tblgen::isDefaultOfKind(StringRef Text, StringRef Kind,
                                    bool Nullable) {
  if (Text == "None")
    return Nullable;
  const std::string Int = "-?[0-9]+(i64)?";
  const std::string Float =
      "-?([0-9]+(\\.[0-9]+)?(e[-+]?[0-9]+)?|inf)f(16|64)?";
  const std::string Type =
      "\"((u?int|float|bfloat)[0-9]+(x[0-9]+)?|bool|handle)?\"";
  std::string Pattern =
      StringSwitch<std::string>(Kind)
          .Case("Bool", "True|False")
          .Cases("Int", "OptInt", "Dim", Int)
          .Case("Double", Float)
          .Case("String", "\"[^\"]*\"")
          .Case("DType", Type)
          .Cases("DimArray", "IntArray", listOf(Int))
          .Cases("DimMatrix", "IntMatrix", listOf(listOf(Int)))
          .Case("FloatArray", listOf(Float))
          .Case("IntOrArray", Int + "|" + listOf(Int))
          .Case("Object", "{}|\\[\\]")
          .Default("");
  return !Pattern.empty() && Regex("^(" + Pattern + ")$").match(Text);
}
