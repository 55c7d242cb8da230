//===- TensorFormats.h - Layouts and data types of tensors ------*- C++ -*-===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the layout and the data types of each operation of a function, and
// lists its conversions: calls that only convert a tensor to another layout or
// data type. Stray conversions are marked. Attributes of operators name
// layouts, which propagate through operators that keep the order of axes
// (TensorFormats.td). Takes linear time.
//
//===----------------------------------------------------------------------===//

#ifndef RELAY_ANALYSIS_TENSORFORMATS_H
#define RELAY_ANALYSIS_TENSORFORMATS_H

#include "relay/Analysis/TensorFormats.h.inc"
#include "relay/IR/Module.h"
#include <optional>

namespace relay {

/// The format of an operator call that is no conversion. Valid as long as the
/// Context.
struct OperationFormat {
  /// Identifies the operation and those created in its place: where the text
  /// has it, apart from its layers; 0 if that is unknown.
  uint32_t Position = 0;
  Location Loc;
  const OpInfo *Info = nullptr;
  /// The attributes that name layouts, as a Dict; null if there are none.
  Attr LayoutAttrs;
  /// The layout of the result, a string; null if it is unknown.
  Attr Layout;
  /// The data type of the first operand with floats, or else of the first
  /// operand, and that of the result: of its first field if it is a tuple. Void
  /// if there is none.
  DType OperandType, ResultType;
};

/// A call that converts a tensor.
struct ConversionFormat {
  /// Why a conversion is stray.
  enum class StrayKind : uint8_t {
    None,
    Nothing,  ///< it converts to the format that the operand has
    Constant, ///< constants alone determine its operand
    Repeated, ///< another one converts the same value to the same format
    Cancels,  ///< it converts back, right after another one
    Follows   ///< it follows another one, which the two can be merged with
  };

  /// Identifies the operation, which may have been erased since.
  const Operation *Op = nullptr;
  Location Loc;
  const OpInfo *Info = nullptr;
  const Attrs *Attributes = nullptr;
  ConversionValue Kind = ConversionValue::Layout;
  /// Layouts, as strings, or data types; null if unknown.
  Attr From, To;
  Type *OperandType = nullptr, *ResultType = nullptr;
  /// What computes the operand; null if that is a variable.
  const OpInfo *OperandInfo = nullptr;
  /// The name of the variable, without `%`; interned.
  StringRef Variable;
  /// One of the users that are operations; null if there is none.
  const OpInfo *User = nullptr;
  unsigned NumUsers = 0;
  StrayKind Stray = StrayKind::None;
  /// The index of the other conversion; for Repeated, Cancels and Follows.
  size_t Other = 0;
  /// Cancels: false if the two conversions round the value.
  bool IsExact = true;

  bool isOfAxes() const { return Kind != ConversionValue::Dtype; }
  /// Returns the axis of the operand that each axis of the result is; empty
  /// unless it is a transposition of known rank.
  SmallVector<unsigned, 6> getAxes() const;
  /// Returns the number of bytes of the operand, which it reads, and of the
  /// result, which it writes, together; none if a type is dynamic.
  std::optional<uint64_t> getBytes() const;
};

class TensorFormats {
public:
  TensorFormats() = default;
  explicit TensorFormats(Function &F);

  /// Each in the order of the function.
  std::vector<OperationFormat> Operations;
  std::vector<ConversionFormat> Conversions;
};

} // namespace relay

#endif // RELAY_ANALYSIS_TENSORFORMATS_H
