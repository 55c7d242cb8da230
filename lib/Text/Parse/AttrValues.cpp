//===- AttrValues.cpp - Attribute values and the kinds of fields ----------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversion of an attribute value to the kind of a field.
//
//===----------------------------------------------------------------------===//

#include "relay/Text/Parse/AttrValues.h"

using namespace relay;

std::optional<DType> relay::parseDType(Context &Ctx, StringRef Text) {
  if (Text.empty())
    return DType::getVoid();
  if (std::optional<DType> T = DType::parse(Text))
    return T;
  StringRef Rest = Text;
  // A custom type is numbered at its first use: on one thread, in order.
  if (!Rest.consume_front("custom[") || Ctx.isMultithreaded())
    return std::nullopt;
  auto [Name, Size] = Rest.split(']');
  auto [BitsText, LanesText] = Size.split('x');
  uint8_t Bits;
  uint16_t Lanes = 1;
  if (Name.empty() || BitsText.getAsInteger(10, Bits) ||
      (!LanesText.empty() && LanesText.getAsInteger(10, Lanes)))
    return std::nullopt;
  return DType(DType::Custom, Bits, Lanes, Ctx.getCustomTypeId(Name));
}

std::string relay::dtypeText(const Context &Ctx, DType T) {
  if (T.isVoid())
    return "";
  if (T.getCode() != DType::Custom)
    return T.str();
  std::string Text = ("custom[" + Ctx.getCustomTypeName(T.getCustomId()) + "]" +
                      Twine(T.getBits()))
                         .str();
  if (T.getLanes() != 1)
    Text += "x" + std::to_string(T.getLanes());
  return Text;
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

static bool isArrayOf(Attr Value, function_ref<bool(Attr)> Test) {
  return Value.isArray() && llvm::all_of(Value.getArray(), Test);
}
static bool isInt(Attr A) { return A.isInt(); }
static bool isDim(Attr A) { return A.isDim(); }

static std::optional<Attr> toBool(Attr Value) {
  if (Value.isBool())
    return Value;
  if (Value.isInt() && (Value.getInt() == 0 || Value.getInt() == 1))
    return Attr::getBool(Value.getInt());
  return std::nullopt;
}

static std::optional<Attr> toFloatAttr(Context &Ctx, Attr Value, DType T) {
  if (Value.isFloat())
    return Ctx.getFloat(Value.getFloat(), T);
  if (Value.isInt())
    return Ctx.getFloat(double(Value.getInt()), T);
  return std::nullopt;
}

static std::optional<Attr> toDType(Context &Ctx, Attr Value) {
  if (Value.isDType())
    return Value;
  if (!Value.isString())
    return std::nullopt;
  if (std::optional<DType> T = parseDType(Ctx, Value.getString()))
    return Attr::get(*T);
  return std::nullopt;
}

static std::optional<Attr> toFloatArray(Context &Ctx, Attr Value) {
  if (!Value.isArray())
    return std::nullopt;
  SmallVector<Attr, 8> Elements;
  for (Attr A : Value.getArray()) {
    // Doubles stay doubles; a number without a point becomes a float.
    std::optional<Attr> Element = toFloatAttr(
        Ctx, A, A.isFloat() ? A.getNumberType() : DType::getFloat(32));
    if (!Element)
      return std::nullopt;
    Elements.push_back(*Element);
  }
  return Ctx.getArray(Elements);
}

/// Returns true if \p Value, not None, is a value of a field of \p Kind without
/// conversion.
static bool isValue(FieldKind Kind, Attr Value) {
  switch (Kind) {
  case FieldKind::OptInt:
    return Value.isInt();
  case FieldKind::String:
    return Value.isString();
  case FieldKind::Dim:
    return Value.isDim();
  case FieldKind::DimArray:
    return isArrayOf(Value, isDim);
  case FieldKind::IntArray:
    return isArrayOf(Value, isInt);
  case FieldKind::IntMatrix:
    return isArrayOf(Value, [](Attr A) { return isArrayOf(A, isInt); });
  case FieldKind::DimMatrix:
    return isArrayOf(Value, [](Attr A) { return isArrayOf(A, isDim); });
  case FieldKind::IntOrArray:
    return Value.isInt() || isArrayOf(Value, isInt);
  case FieldKind::Constant:
    return Value.getKind() == Attr::Kind::Constant;
  case FieldKind::Object:
    return true;
  default:
    return false;
  }
}

Attr relay::makeBox(Context &Ctx, StringRef TypeKey, Attr Value) {
  return Ctx.getObject(TypeKey, NamedAttr(Ctx.getString("value"), Value));
}

Attr relay::getBoxed(Attr A) {
  bool IsBox = A.getKind() == Attr::Kind::Object &&
               A.getTypeKey().starts_with("runtime.Box");
  return IsBox ? A.lookup("value") : Attr();
}

/// Returns the integer \p Value for a field without a data type: as int32 if it
/// fits.
static Attr toPlainInt(Context &Ctx, Attr Value) {
  int64_t Number = Value.getInt();
  return Ctx.getInt(Number, DType::getInt(Number == int32_t(Number) ? 32 : 64));
}

/// Returns \p Value, an integer or a list of integers, with plain integers.
static Attr toPlainInts(Context &Ctx, Attr Value) {
  if (Value.isInt())
    return toPlainInt(Ctx, Value);
  SmallVector<Attr, 8> Elements;
  for (Attr Element : Value.getArray())
    Elements.push_back(toPlainInt(Ctx, Element));
  return Ctx.getArray(Elements);
}

/// Returns \p A with boxed values, and boxed elements, unboxed. Boxed integers
/// are 64 bits wide, numbers in text 32.
static Attr unbox(Context &Ctx, Attr A) {
  if (Attr Value = getBoxed(A))
    return Value.isInt() ? toPlainInt(Ctx, Value) : Value;
  if (!A.isArray() || !llvm::any_of(A.getArray(), getBoxed))
    return A;
  SmallVector<Attr, 8> Elements;
  for (Attr Element : A.getArray())
    Elements.push_back(unbox(Ctx, Element));
  return Ctx.getArray(Elements);
}

std::optional<Attr> relay::toFieldValue(Context &Ctx, const AttrField &Field,
                                        Attr Value) {
  if (Field.Kind == FieldKind::Expr)
    return Attr();
  if (Field.Kind != FieldKind::Object)
    Value = unbox(Ctx, Value);
  if (!Value && Field.Kind == FieldKind::DType)
    return Attr::get(DType::getVoid());
  if (!Value)
    return Field.mayBeNone() ? std::optional(Value) : std::nullopt;
  switch (Field.Kind) {
  case FieldKind::Int:
    if (!Value.isInt())
      return std::nullopt;
    return isDirectInJSON(Field) ? toPlainInt(Ctx, Value) : Value;
  case FieldKind::IntOrArray:
    if (!isValue(Field.Kind, Value))
      return std::nullopt;
    return toPlainInts(Ctx, Value);
  case FieldKind::Bool:
    return toBool(Value);
  case FieldKind::Double:
    return toFloatAttr(Ctx, Value, DType::getFloat(64));
  case FieldKind::DType:
    return toDType(Ctx, Value);
  case FieldKind::FloatArray:
    return toFloatArray(Ctx, Value);
  default:
    return isValue(Field.Kind, Value) ? std::optional(Value) : std::nullopt;
  }
}

bool relay::isDirectInJSON(const AttrField &Field) {
  switch (Field.Kind) {
  case FieldKind::Bool:
  case FieldKind::Int:
  case FieldKind::Double:
  case FieldKind::String:
    return !Field.Boxed;
  case FieldKind::DType:
    return true;
  default:
    return false;
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

StringRef relay::describe(FieldKind Kind) {
  switch (Kind) {
  case FieldKind::Bool:
    return "True or False";
  case FieldKind::Int:
    return "an integer";
  case FieldKind::OptInt:
    return "an integer or None";
  case FieldKind::Double:
    return "a number";
  case FieldKind::String:
    return "a string";
  case FieldKind::DType:
    return "the name of a data type";
  case FieldKind::Dim:
    return "a dimension or None";
  case FieldKind::DimArray:
    return "a list of dimensions";
  case FieldKind::IntArray:
    return "a list of integers";
  case FieldKind::IntMatrix:
    return "a list of lists of integers";
  case FieldKind::DimMatrix:
    return "a list of lists of dimensions";
  case FieldKind::FloatArray:
    return "a list of numbers";
  case FieldKind::IntOrArray:
    return "an integer or a list of integers";
  case FieldKind::Constant:
    return "a constant";
  case FieldKind::Expr:
    return "an expression";
  case FieldKind::Object:
    return "an object";
  }
  llvm_unreachable("unknown kind of field");
}

StringRef relay::describe(Attr Value) {
  switch (Value.getKind()) {
  case Attr::Kind::None:
    return "None";
  case Attr::Kind::Bool:
    return "a boolean";
  case Attr::Kind::DType:
    return "a data type";
  case Attr::Kind::Int:
    return "an integer";
  case Attr::Kind::Any:
    return "`?`";
  case Attr::Kind::DimVar:
  case Attr::Kind::DimExpr:
    return "a dimension";
  case Attr::Kind::Float:
    return "a float";
  case Attr::Kind::String:
    return "a string";
  case Attr::Kind::Array:
    return "a list";
  case Attr::Kind::Dict:
    return "a map";
  case Attr::Kind::Constant:
    return "a constant";
  case Attr::Kind::OpAttrs:
    return "attributes of an operator";
  case Attr::Kind::Type:
    return "a type";
  case Attr::Kind::Object:
  case Attr::Kind::Raw:
    return "an object";
  }
  llvm_unreachable("unknown kind of attribute");
}
