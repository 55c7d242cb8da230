//===- Attr.cpp - Uniqued attribute values --------------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accessors of Attr that look into uniqued storage.
//
//===----------------------------------------------------------------------===//

#include "relay/IR/Constant.h"
#include "llvm/ADT/StringSwitch.h"

using namespace relay;

template <typename StorageT>
static const StorageT *getStorage(const AttrStorage *S, Attr::Kind K) {
  (void)K;
  assert(S->K == K && "wrong kind of attribute");
  return static_cast<const StorageT *>(S);
}

int64_t Attr::getBoxedInt() const {
  return getStorage<IntStorage>(storage(), Kind::Int)->Value;
}

DType Attr::getNumberType() const {
  switch (tag()) {
  case Int32Tag:
  case AnyTag:
    return relay::DType::getInt(32);
  case Int64Tag:
    return relay::DType::getInt(64);
  case BoolTag:
    return relay::DType::getBool();
  default:
    break;
  }
  switch (storage()->K) {
  case Kind::Int:
    return static_cast<const IntStorage *>(storage())->Ty;
  case Kind::Float:
    return static_cast<const FloatStorage *>(storage())->Ty;
  case Kind::DimVar:
    return static_cast<const DimVarStorage *>(storage())->Ty;
  case Kind::DimExpr:
    return static_cast<const DimExprStorage *>(storage())->Ty;
  case Kind::Object:
    if (Attr T = lookup("dtype"); T.isString())
      return relay::DType::parse(T.getString())
          .value_or(relay::DType::getInt(32));
    return relay::DType::getInt(32);
  default:
    llvm_unreachable("not a number");
  }
}

double Attr::getFloat() const {
  return getStorage<FloatStorage>(storage(), Kind::Float)->Value;
}

StringRef Attr::getString() const {
  const auto *S = getStorage<StringStorage>(storage(), Kind::String);
  return StringRef(S->Data, S->Size);
}

ArrayRef<Attr> Attr::getArray() const {
  return getStorage<ArrayStorage>(storage(), Kind::Array)->Elements;
}

ArrayRef<NamedAttr> Attr::getDict() const {
  return getStorage<DictStorage>(storage(), Kind::Dict)->Entries;
}

Attr Attr::lookup(StringRef Key) const {
  if (getKind() != Kind::Dict && getKind() != Kind::Object)
    return {};
  for (const auto &[Name, Value] :
       static_cast<const DictStorage *>(storage())->Entries)
    if (Name.getString() == Key)
      return Value;
  return {};
}

const ConstantData *Attr::getConstant() const {
  return getStorage<ConstantData>(storage(), Kind::Constant);
}

const Attrs *Attr::getOpAttrs() const {
  return static_cast<const Attrs *>(
      getStorage<PointerStorage>(storage(), Kind::OpAttrs)->Pointer);
}

relay::Type *Attr::getType() const {
  return static_cast<relay::Type *>(const_cast<void *>(
      getStorage<PointerStorage>(storage(), Kind::Type)->Pointer));
}

StringRef Attr::getTypeKey() const {
  return getStorage<DictStorage>(storage(), Kind::Object)->TypeKey.getString();
}

ArrayRef<NamedAttr> Attr::getFields() const {
  return getStorage<DictStorage>(storage(), Kind::Object)->Entries;
}

unsigned Attr::getRawNode() const {
  return getStorage<PointerStorage>(storage(), Kind::Raw)->Index;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

StringRef Dim::getVarName() const {
  return getStorage<DimVarStorage>(storage(), Kind::DimVar)->Name.getString();
}

bool Dim::isSizeVar() const {
  return getStorage<DimVarStorage>(storage(), Kind::DimVar)->SizeVar;
}

DimOp Dim::getOp() const {
  return getStorage<DimExprStorage>(storage(), Kind::DimExpr)->Op;
}

ArrayRef<Dim> Dim::getOperands() const {
  const auto *S = getStorage<DimExprStorage>(storage(), Kind::DimExpr);
  return ArrayRef(S->Operands, S->NumOperands);
}

static constexpr StringLiteral DimOpKeys[] = {
    "tir.Add",      "tir.Sub",      "tir.Mul", "tir.Div", "tir.Mod",
    "tir.FloorDiv", "tir.FloorMod", "tir.Min", "tir.Max", "tir.Cast"};

StringRef relay::getDimOpTypeKey(DimOp Op) { return DimOpKeys[unsigned(Op)]; }

std::optional<DimOp> relay::parseDimOpTypeKey(StringRef Key) {
  const auto *It = llvm::find(DimOpKeys, Key);
  if (It == std::end(DimOpKeys))
    return std::nullopt;
  return DimOp(It - std::begin(DimOpKeys));
}
