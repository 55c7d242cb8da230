//===- Attrs.cpp - The attributes of an operation -------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lookup of fields by name, and parsing of defaults, which are given as text in
// the op's declaration. The Parser reads attribute values in IR text.
//
//===----------------------------------------------------------------------===//

#include "ValueFolding.h"
#include "relay/IR/AttrsBuilder.h"

using namespace relay;

int AttrsInfo::getFieldIndex(StringRef Name) const {
  for (const auto &[I, Field] : llvm::enumerate(Fields))
    if (Name == Field.Name)
      return I;
  return -1;
}

static constexpr AttrField DictFields[] = {{"attributes", FieldKind::Object}};
const AttrsInfo relay::DictAttrsInfo = {"DictAttrs", DictFields};

bool AttrField::mayBeNone() const {
  if (Nullable)
    return true;
  switch (Kind) {
  case FieldKind::Bool: // `cumsum` without a value for `exclusive`
    return Boxed;
  case FieldKind::OptInt:
  case FieldKind::Dim:
  case FieldKind::DimArray:
  case FieldKind::IntArray:
  case FieldKind::IntMatrix:
  case FieldKind::DimMatrix:
  case FieldKind::FloatArray:
  case FieldKind::Expr:
  case FieldKind::Object:
    return true;
  default:
    return false;
  }
}

Attr Attrs::lookup(StringRef Name) const {
  if (isDict())
    return getSlot(0) ? getSlot(0).lookup(Name) : Attr();
  int I = Info->getFieldIndex(Name);
  return I < 0 ? Attr() : getSlot(I);
}

const Attrs *AttrsBuilder::intern() const {
  assert(llvm::all_of(llvm::zip(Info.Fields, Slots),
                      [](auto &&Pair) {
                        const AttrField &Field = std::get<0>(Pair);
                        return std::get<1>(Pair) || Field.mayBeNone();
                      }) &&
         "a field that may not be None is not set");
  return Ctx.getAttrs(Info, Slots);
}

//===----------------------------------------------------------------------===//
// Defaults
//===----------------------------------------------------------------------===//

namespace {
/// Reads a declared default. relay-tblgen has checked its text, so that an
/// error in it is a bug.
class DefaultReader {
public:
  DefaultReader(Context &Ctx, StringRef Text) : Ctx(Ctx), Text(Text) {}

  Attr read(FieldKind Kind) {
    if (Text == "None")
      return {};
    switch (Kind) {
    case FieldKind::Bool:
      return Attr::getBool(Text == "True");
    case FieldKind::DType:
      return Attr::get(*DType::parse(unquote()));
    case FieldKind::Double:
      return Ctx.getFloat(toDouble(), DType::getFloat(64));
    default:
      return readValue();
    }
  }

private:
  StringRef unquote() const { return Text.trim('"'); }

  double toDouble() const {
    double Value = 0;
    bool Bad = Text.rtrim('f').getAsDouble(Value);
    assert(!Bad && "malformed default");
    (void)Bad;
    return Value;
  }

  Attr readValue() {
    if (Text.starts_with("["))
      return readArray();
    if (Text == "{}")
      return Ctx.getDict({});
    if (Text.starts_with("\""))
      return Ctx.getString(unquote());
    if (Text == "True" || Text == "False")
      return Attr::getBool(Text == "True");
    int64_t Value;
    if (!Text.getAsInteger(10, Value))
      return Ctx.getInt(Value,
                        isInt32(Value) ? DType::getInt(32) : DType::getInt(64));
    StringRef Digits = Text;
    if (Digits.consume_back("i64") && !Digits.getAsInteger(10, Value))
      return Ctx.getInt(Value, DType::getInt(64));
    return Ctx.getFloat(toDouble());
  }

  static bool isInt32(int64_t Value) { return Value == int32_t(Value); }

  /// Arrays nest at most twice.
  Attr readArray() {
    SmallVector<Attr, 8> Elements;
    StringRef Rest = Text.drop_front().drop_back();
    while (!Rest.empty()) {
      size_t Depth = 0, End = 0;
      for (; End < Rest.size() && (Depth || Rest[End] != ','); ++End)
        Depth += Rest[End] == '[' ? 1 : Rest[End] == ']' ? -1 : 0;
      Elements.push_back(
          DefaultReader(Ctx, Rest.take_front(End).trim()).readValue());
      Rest = Rest.drop_front(std::min(End + 1, Rest.size())).ltrim();
    }
    return Ctx.getArray(Elements);
  }

  Context &Ctx;
  StringRef Text;
};
} // namespace

Attr relay::readDefaultValue(Context &Ctx, const AttrField &Field) {
  if (!Field.Default)
    return {};
  return DefaultReader(Ctx, StringRef(Field.Default).trim()).read(Field.Kind);
}
