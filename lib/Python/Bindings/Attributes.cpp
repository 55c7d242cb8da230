//===- Attributes.cpp - Attribute values in Python ------------------------===//
//
// Part of relay-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between attribute values and Python's values, and the classes of
// attributes and dimensions.
//
//===----------------------------------------------------------------------===//

#include "Objects.h"
#include "relay/Text/Parse/AttrValues.h"
#include <nanobind/stl/string.h>

using namespace relay;
using namespace relay::python;

/// The class relay_opt.values.IntImm, which that module sets. Protected by the
/// interpreter's lock. Not destroyed.
static nb::object &getIntImm() {
  static auto *Class = new nb::object();
  return *Class;
}

StringRef relay::python::intern(nb::handle Text) {
  EngineLock Lock;
  return getContext().intern(nb::cast<std::string>(Text));
}

//===----------------------------------------------------------------------===//
// Data types and dimensions
//===----------------------------------------------------------------------===//

DType relay::python::toDType(nb::handle Object) {
  std::string Text = nb::cast<std::string>(nb::str(Object));
  if (std::optional<DType> T = parseDType(getContext(), Text))
    return *T;
  if (nb::hasattr(Object, "name")) // numpy.dtype, a type of numpy
    Text = nb::cast<std::string>(nb::str(Object.attr("name")));
  else if (nb::hasattr(Object, "__name__"))
    Text = nb::cast<std::string>(nb::str(Object.attr("__name__")));
  if (std::optional<DType> T = parseDType(getContext(), Text))
    return *T;
  throw nb::value_error(("unknown data type '" + Text + "'").c_str());
}

nb::object relay::python::fromDType(DType T) {
  return nb::object(toPython(dtypeText(getContext(), T)));
}

nb::object relay::python::fromDim(Dim D) {
  if (!D)
    return nb::none();
  if (D.isConst())
    return getIntImm()(fromDType(D.getNumberType()), D.getInt());
  return nb::cast(DimObject{D});
}

Dim relay::python::toDim(nb::handle Object) {
  if (nb::isinstance<DimObject>(Object))
    return nb::cast<DimObject>(Object).D;
  Attr A = toAttr(Object);
  if (!A || !A.isDim())
    throw nb::type_error("a dimension is an integer, Any() or a variable");
  return Dim(A);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Attr toIntAttr(nb::handle Object) {
  DType T = DType::getInt(32);
  int64_t Value = nb::cast<int64_t>(nb::int_(Object));
  if (nb::hasattr(Object, "dtype"))
    T = toDType(Object.attr("dtype"));
  else if (Value != int32_t(Value))
    T = DType::getInt(64);
  if (T.isBool())
    return Attr::getBool(Value);
  return getContext().getInt(Value, T);
}

/// Lists and dicts nest no deeper than this, so that functions over attribute
/// values may recurse.
static constexpr unsigned MaxAttrDepth = 1000;

static Attr toAttr(nb::handle Object, unsigned Depth);

static Attr toArrayAttr(nb::handle Object, unsigned Depth) {
  SmallVector<Attr, 8> Elements;
  for (nb::handle Element : Object)
    Elements.push_back(toAttr(Element, Depth + 1));
  return getContext().getArray(Elements);
}

static void getEntries(nb::dict Values, SmallVectorImpl<NamedAttr> &Entries,
                       unsigned Depth = 0) {
  for (auto [Key, Value] : Values)
    Entries.push_back(
        {getContext().getString(nb::cast<std::string>(nb::str(Key))),
         toAttr(Value, Depth + 1)});
}

Attr relay::python::toAttr(nb::handle Object) {
  return ::toAttr(Object, /*Depth=*/0);
}

static Attr toAttr(nb::handle Object, unsigned Depth) {
  if (Depth > MaxAttrDepth)
    throw nb::value_error("an attribute is nested more than 1000 levels deep");
  EngineLock Lock;
  Context &Ctx = getContext();
  if (Object.is_none())
    return {};
  if (nb::isinstance<nb::bool_>(Object))
    return Attr::getBool(nb::cast<bool>(Object));
  if (nb::isinstance<nb::float_>(Object))
    return Ctx.getFloat(nb::cast<double>(Object), DType::getFloat(64));
  if (nb::isinstance<nb::str>(Object))
    return Ctx.getString(nb::cast<std::string>(Object));
  if (nb::isinstance<nb::list>(Object) || nb::isinstance<nb::tuple>(Object))
    return toArrayAttr(Object, Depth);
  if (nb::isinstance<nb::dict>(Object)) {
    SmallVector<NamedAttr, 4> Entries;
    getEntries(nb::borrow<nb::dict>(Object), Entries, Depth);
    return Ctx.getDict(Entries);
  }
  if (nb::isinstance<DimObject>(Object))
    return nb::cast<DimObject>(Object).D;
  if (nb::isinstance<TypeObject>(Object))
    return Ctx.getTypeAttr(toType(Object));
  if (nb::isinstance<AttrsObject>(Object))
    return Ctx.getOpAttrsAttr(nb::cast<AttrsObject>(Object).A);
  if (nb::isinstance<ObjectAttr>(Object))
    return nb::cast<ObjectAttr &>(Object).A.get();
  if (nb::isinstance<Expr>(Object)) {
    auto *Data = dyn_cast<python::Constant>(nb::cast<Expr *>(Object));
    if (!Data)
      throw nb::type_error("an expression in an attribute is a constant");
    return Data->Value;
  }
  if (nb::hasattr(Object, "__index__"))
    return toIntAttr(Object);
  if (nb::hasattr(Object, "__float__") && !nb::hasattr(Object, "shape"))
    return Ctx.getFloat(nb::cast<double>(nb::float_(Object)),
                        DType::getFloat(64));
  if (nb::hasattr(Object, "__iter__"))
    return toArrayAttr(Object, Depth);
  std::string Class =
      nb::cast<std::string>(nb::str(Object.type().attr("__name__")));
  throw nb::type_error(("an attribute cannot hold a " + Class).c_str());
}

static nb::dict fromEntries(ArrayRef<NamedAttr> Entries) {
  nb::dict Result;
  for (auto [Key, Value] : Entries)
    Result[toPython(Key.getString())] = fromAttr(Value);
  return Result;
}

nb::object relay::python::fromAttr(Attr A) {
  switch (A.getKind()) {
  case Attr::Kind::None:
    return nb::none();
  case Attr::Kind::Bool:
    return nb::bool_(A.getBool());
  case Attr::Kind::DType:
    return fromDType(A.getDType());
  case Attr::Kind::Int:
  case Attr::Kind::Any:
  case Attr::Kind::DimVar:
  case Attr::Kind::DimExpr:
    return fromDim(Dim(A));
  case Attr::Kind::Float:
    return nb::float_(A.getFloat());
  case Attr::Kind::String:
    return toPython(A.getString());
  case Attr::Kind::Array: {
    nb::list Result;
    for (Attr Element : A.getArray())
      Result.append(fromAttr(Element));
    return nb::object(Result);
  }
  case Attr::Kind::Dict:
    return fromEntries(A.getDict());
  case Attr::Kind::Constant:
    return nb::cast(ExprRef(new python::Constant(A)));
  case Attr::Kind::OpAttrs:
    return nb::cast(AttrsObject{A.getOpAttrs()});
  case Attr::Kind::Type:
    return fromType(A.getType());
  case Attr::Kind::Object:
  case Attr::Kind::Raw:
    return nb::cast(ObjectAttr{Disposable<AttrRef>(AttrRef(A))});
  }
  llvm_unreachable("unknown kind of attribute value");
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

const Attrs *relay::python::makeFunctionAttrs(nb::dict Values) {
  if (!Values.size())
    return nullptr;
  EngineLock Lock;
  SmallVector<NamedAttr, 4> Entries;
  getEntries(Values, Entries);
  return getContext().getDictAttrs(Entries);
}

nb::dict relay::python::fromDictAttrs(const Attrs *A) {
  return A && A->isDict() ? fromEntries(A->getEntries()) : nb::dict();
}

[[noreturn]] static void raiseTypeError(const Twine &Message) {
  throw nb::type_error(Message.str().c_str());
}

/// Returns the attribute value for a field of an operator's attributes. The
/// numbers of an array are float32, as in TVM, where they are expressions.
static Attr toFieldAttr(nb::handle Object) {
  Attr Value = toAttr(Object);
  if (!Value || !Value.isArray())
    return Value;
  SmallVector<Attr, 8> Elements;
  for (Attr Element : Value.getArray()) {
    bool IsNumber = Element && Element.getKind() == Attr::Kind::Float;
    Elements.push_back(IsNumber ? getContext().getFloat(Element.getFloat(),
                                                        DType::getFloat(32))
                                : Element);
  }
  return getContext().getArray(Elements);
}

const Attrs *relay::python::makeAttrs(StringRef OpName, const AttrsInfo &Info,
                                      nb::dict Values) {
  EngineLock Lock;
  Context &Ctx = getContext();
  if (&Info == &DictAttrsInfo) {
    SmallVector<NamedAttr, 4> Entries;
    getEntries(Values, Entries);
    return Ctx.getDictAttrs(Entries);
  }
  const Attrs *Defaults = Ctx.getDefaultAttrs(Info);
  SmallVector<Attr, 16> Slots(Defaults->getSlots());
  SmallVector<bool, 16> IsGiven(Slots.size(), false);
  for (auto [Key, Value] : Values) {
    std::string Name = nb::cast<std::string>(nb::str(Key));
    int I = Info.getFieldIndex(Name);
    if (I < 0)
      raiseTypeError("'" + OpName + "' has no attribute '" + Name + "'");
    const AttrField &Field = Info.Fields[I];
    IsGiven[I] = true;
    if (Field.Kind == FieldKind::Expr)
      continue; // mirrors an operand
    std::optional<Attr> Slot = toFieldValue(Ctx, Field, toFieldAttr(Value));
    if (!Slot)
      raiseTypeError("attribute '" + Name + "' of '" + OpName + "' is " +
                     describe(Field.Kind));
    Slots[I] = *Slot;
  }
  for (auto [I, Field] : llvm::enumerate(Info.Fields))
    if (Field.isRequired() && !IsGiven[I] && !Field.mayBeNone() &&
        Field.Kind != FieldKind::Expr)
      raiseTypeError("'" + OpName + "' needs the attribute '" + Field.Name +
                     "'");
  return Ctx.getAttrs(Info, Slots);
}

/// Returns the attributes of class \p TypeKey with the values in \p Values.
/// Raises TypeError as makeAttrs() does.
static AttrsObject makeNode(const std::string &TypeKey, nb::dict Values) {
  const AttrsInfo *Info = TypeKey == DictAttrsInfo.TypeKey
                              ? &DictAttrsInfo
                              : getContext().lookupAttrsInfo(TypeKey);
  if (Info)
    return {makeAttrs(TypeKey, *Info, Values)};
  raiseTypeError("no attributes are of class '" + Twine(TypeKey) + "'");
}

static nb::object getAttribute(const AttrsObject &Self, const std::string &Key,
                               bool *IsFound) {
  const AttrsInfo &Info = Self.A->getInfo();
  if (Self.A->isDict()) {
    for (auto [Name, Value] : Self.A->getEntries())
      if (Name.getString() == Key)
        return fromAttr(Value);
  } else if (int I = Info.getFieldIndex(Key); I >= 0) {
    Attr Slot = Self.A->getSlot(I);
    if (Slot.isInt()) // a field, not an element: a plain integer
      return nb::int_(Slot.getInt());
    return fromAttr(Slot);
  }
  *IsFound = false;
  return nb::none();
}

static nb::list getKeys(const AttrsObject &Self) {
  nb::list Keys;
  if (Self.A->isDict())
    for (auto [Name, Value] : Self.A->getEntries())
      Keys.append(toPython(Name.getString()));
  else
    for (const AttrField &Field : Self.A->getInfo().Fields)
      Keys.append(nb::str(Field.Name));
  return Keys;
}

/// Returns the entries of a dictionary as JSON by name, as TVM does, and the
/// fields of an operator as `relay.attrs.DenseAttrs(units=4, ...)`.
static std::string describeAttrs(const AttrsObject &Self) {
  if (Self.A->isDict()) {
    nb::object Dumps = nb::module_::import_("json").attr("dumps");
    return nb::cast<std::string>(Dumps(
        fromDictAttrs(Self.A), nb::arg("default") = nb::builtins()["repr"],
        nb::arg("sort_keys") = true));
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << Self.A->getInfo().TypeKey << '(';
  bool IsFound = true;
  const char *Separator = "";
  for (nb::handle Key : getKeys(Self)) {
    std::string Name = nb::cast<std::string>(Key);
    nb::object Value = getAttribute(Self, Name, &IsFound);
    OS << Separator << Name << '=' << nb::cast<std::string>(nb::repr(Value));
    Separator = ", ";
  }
  OS << ')';
  return Text;
}

static nb::object getItem(const AttrsObject &Self, const std::string &Key) {
  bool IsFound = true;
  nb::object Value = getAttribute(Self, Key, &IsFound);
  if (!IsFound)
    throw nb::key_error(Key.c_str());
  return Value;
}

static std::string describeDim(Dim D) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  printDim(OS, D);
  return Text;
}

static void bindDims(nb::module_ &M) {
  nb::class_<DimObject>(M, "DimExpr",
                        "A dimension: `?`, a variable or arithmetic.")
      .def_static("any", [] { return DimObject{Dim::getAny()}; })
      .def_static(
          "var",
          [](const std::string &Name, nb::handle T, bool IsSizeVar) {
            EngineLock Lock;
            return DimObject{
                getContext().createDimVar(Name, toDType(T), IsSizeVar)};
          },
          nb::arg("name"), nb::arg("dtype") = "int32",
          nb::arg("is_size_var") = false)
      .def_prop_ro("is_any", [](const DimObject &D) { return D.D.isAny(); })
      .def_prop_ro("is_var", [](const DimObject &D) { return D.D.isVar(); })
      .def_prop_ro("name",
                   [](const DimObject &D) -> nb::object {
                     if (!D.D.isVar())
                       return nb::none();
                     return toPython(D.D.getVarName());
                   })
      .def_prop_ro("dtype",
                   [](const DimObject &D) {
                     return D.D.isAny() ? fromDType(DType::getInt(32))
                                        : fromDType(D.D.getNumberType());
                   })
      .def("__eq__",
           [](const DimObject &L, nb::handle R) {
             return nb::isinstance<DimObject>(R) &&
                    nb::cast<DimObject>(R).D == L.D;
           })
      .def("__hash__",
           [](const DimObject &D) { return size_t(D.D.getOpaque() >> 3); })
      .def("__repr__", [](const DimObject &D) { return describeDim(D.D); });
}

void relay::python::bindAttrs(nb::module_ &M) {
  bindDims(M);
  M.def("set_int_imm", [](nb::object Class) { getIntImm() = Class; });
  nb::class_<AttrsObject>(M, "Attrs", "The attributes of a call, by name.")
      .def("__getattr__",
           [](const AttrsObject &Self, const std::string &Key) {
             bool IsFound = true;
             nb::object Value = getAttribute(Self, Key, &IsFound);
             if (!IsFound)
               throw nb::attribute_error(
                   ("these attributes have no '" + Key + "'").c_str());
             return Value;
           })
      .def("__getitem__", getItem)
      .def("get_str", getItem)
      .def("get_int",
           [](const AttrsObject &Self, const std::string &Key) {
             return nb::int_(getItem(Self, Key));
           })
      .def("get_int_tuple",
           [](const AttrsObject &Self, const std::string &Key) {
             return nb::tuple(getItem(Self, Key));
           })
      .def("__contains__",
           [](const AttrsObject &Self, const std::string &Key) {
             bool IsFound = true;
             getAttribute(Self, Key, &IsFound);
             return IsFound;
           })
      .def("__len__",
           [](const AttrsObject &Self) { return nb::len(getKeys(Self)); })
      .def("__bool__",
           [](const AttrsObject &Self) {
             return !Self.A->isDict() || !Self.A->getEntries().empty();
           })
      .def("keys", getKeys)
      .def_prop_ro(
          "type_key",
          [](const AttrsObject &Self) { return Self.A->getInfo().TypeKey; })
      .def("__eq__",
           [](const AttrsObject &L, nb::handle R) {
             return nb::isinstance<AttrsObject>(R) &&
                    nb::cast<AttrsObject>(R).A == L.A;
           })
      .def("__hash__",
           [](const AttrsObject &Self) { return size_t(Self.A) >> 4; })
      .def("__repr__", describeAttrs);
  M.def("make_attrs", makeNode, nb::arg("type_key"), nb::arg("values"));
  nb::class_<ObjectAttr>(M, "ObjectAttr",
                         "An attribute value of one of TVM's other classes.")
      .def_prop_ro("type_key",
                   [](const ObjectAttr &Self) {
                     Attr A = Self.A.get();
                     return A.getKind() == Attr::Kind::Object
                                ? toPython(A.getTypeKey())
                                : nb::str("unknown");
                   })
      .def("__getattr__", [](const ObjectAttr &Self, const std::string &Key) {
        Attr A = Self.A.get();
        if (A.getKind() == Attr::Kind::Object)
          for (auto [Name, Value] : A.getFields())
            if (Name.getString() == Key)
              return fromAttr(Value);
        throw nb::attribute_error(
            ("this value has no field '" + Key + "'").c_str());
      });
}
