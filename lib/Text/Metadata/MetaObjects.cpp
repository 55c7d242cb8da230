//===- MetaObjects.cpp - Fields of TVM's objects --------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of object kinds.
//
//===----------------------------------------------------------------------===//

#include "MetaObjects.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

static constexpr auto Node = MetaFieldKind::Node;
static constexpr auto Text = MetaFieldKind::Text;
static constexpr auto Target = MetaFieldKind::Target;
static constexpr auto Int = MetaFieldKind::Int;
static constexpr auto String = MetaFieldKind::String;
static constexpr auto Unused = MetaFieldKind::Unused;

static constexpr MetaField VirtualDevice[] = {{"device_type_int", Int},
                                              {"memory_scope", Text},
                                              {"target", Target},
                                              {"virtual_device_id", Int}};
static constexpr MetaField TargetFields[] = {
    {"attrs", Node}, {"features", Node}, {"host", Node},
    {"keys", Node},  {"kind", Node},     {"tag", Node}};
static constexpr MetaField DictAttrs[] = {{"__dict__", Node}};
static constexpr MetaField NDArray[] = {{"data", Node}};
static constexpr MetaField PrimType[] = {{"dtype", String}};
static constexpr MetaField Call[] = {
    {"args", Node}, {"dtype", String}, {"op", Node}, {"span", Unused}};
static constexpr MetaField Cast[] = {
    {"dtype", String}, {"span", Unused}, {"value", Node}};
static constexpr MetaField Binary[] = {
    {"a", Node}, {"b", Node}, {"dtype", String}, {"span", Unused}};

std::optional<ArrayRef<MetaField>> relay::getMetaFields(StringRef TypeKey) {
  using Fields = ArrayRef<MetaField>;
  return llvm::StringSwitch<std::optional<Fields>>(TypeKey)
      .Case("VirtualDevice", Fields(VirtualDevice))
      .Case("Target", Fields(TargetFields))
      .Case("DictAttrs", Fields(DictAttrs))
      .Case("runtime.NDArray", Fields(NDArray))
      .Case("PrimType", Fields(PrimType))
      .Case("tir.Call", Fields(Call))
      .Case("tir.Cast", Fields(Cast))
      .Cases("tir.Add", "tir.Sub", "tir.Mul", "tir.Div", "tir.Mod",
             "tir.FloorDiv", "tir.FloorMod", "tir.Min", "tir.Max",
             Fields(Binary))
      .Cases("TargetKind", "Op", Fields())
      .Default(std::nullopt);
}
