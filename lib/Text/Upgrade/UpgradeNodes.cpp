//===- UpgradeNodes.cpp - JSON nodes of older releases --------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts the nodes of a JSON document or a metadata section to today's type
// keys. The fields of attributes follow the table in Upgrades.cpp, one by one,
// when they are read.
//
//===----------------------------------------------------------------------===//

#include "Metadata/MetaReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

/// Parses a version: `0.8.0` is a release, `0.8.dev0` is between two.
static std::optional<ReleaseRange> parseVersion(StringRef Version) {
  SmallVector<StringRef, 4> Parts;
  Version.split(Parts, '.');
  unsigned Minor;
  if (Parts.size() < 2 || Parts[0] != "0" || Parts[1].getAsInteger(10, Minor))
    return std::nullopt;
  Minor = std::clamp(Minor, ReleaseRange::First, ReleaseRange::Last);
  ReleaseRange R = ReleaseRange::exactly(Minor);
  if (Parts.size() > 2 && Parts[2].starts_with("dev"))
    R.Min = std::max(Minor - 1, ReleaseRange::First);
  return R;
}

/// Returns TVM's current type key for \p Key of 0.6.
static StringRef getCurrentTypeKey(StringRef Key) {
  static constexpr StringLiteral WithoutRelay[] = {"relay.Op",
                                                   "relay.GlobalVar",
                                                   "relay.TypeVar",
                                                   "relay.GlobalTypeVar",
                                                   "relay.TupleType",
                                                   "relay.FuncType",
                                                   "relay.TypeCall",
                                                   "relay.IncompleteType",
                                                   "relay.TypeConstraint",
                                                   "relay.TypeRelation",
                                                   "relay.SourceName",
                                                   "relay.Span"};
  if (llvm::is_contained(WithoutRelay, Key))
    return Key.drop_front(StringRef("relay.").size());
  return llvm::StringSwitch<StringRef>(Key)
      .Case("relay.Module", "IRModule")
      .Case("StrMap", "Map")
      .Case("UIntImm", "IntImm")
      .Cases("StringImm", "tir.StringImm", "runtime.String")
      .Case("Variable", "tir.Var")
      .Case("SizeVar", "tir.SizeVar")
      .Case("Any", "tir.Any")
      .Case("Add", "tir.Add")
      .Case("Sub", "tir.Sub")
      .Case("Mul", "tir.Mul")
      .Case("Div", "tir.Div")
      .Case("Mod", "tir.Mod")
      .Case("FloorDiv", "tir.FloorDiv")
      .Case("FloorMod", "tir.FloorMod")
      .Case("Min", "tir.Min")
      .Case("Max", "tir.Max")
      .Case("Cast", "tir.Cast")
      .Case("Call", "tir.Call")
      .Default(Key);
}

void MetaReader::upgrade(unsigned Release) {
  Releases =
      Release ? ReleaseRange::exactly(Release) : parseVersion(Json.Version);
  if (!isOld() || Releases->Min > 8)
    return;
  for (Node &N : Json.Nodes) {
    if (N.TypeKey == "SEScope")
      N.TypeKey = "VirtualDevice";
    else if (Releases->Min == ReleaseRange::First) {
      if (N.TypeKey == "StringImm" && !N.Repr)
        N.Repr = getText(N, "value");
      N.TypeKey = getCurrentTypeKey(N.TypeKey);
    } else if (N.TypeKey == "tir.StringImm" && !N.Repr) {
      N.Repr = getText(N, "value");
      N.TypeKey = "runtime.String";
    }
  }
}
